"""Sheets: tab-separated tables that people write, validated row by row."""

from morpos.errors import MorposError
from morpos.text import decode, read_bytes
from morpos.validation import problems


def read_sheet(path: str, schema: str) -> list[dict[str, str]]:
    """Read a tab-separated sheet with a header; cells are text and never quoted.

    A cell that a row lacks is "". Each row has a key "row": its line number in the file, from 1.

    Raises:
        MorposError: lists every fault with row and column.
    """
    content = decode(read_bytes(path), path).removeprefix("\ufeff")
    lines = [(n, line.removesuffix("\r")) for n, line in enumerate(content.split("\n"), 1)]
    lines = [(n, line) for n, line in lines if line]
    if not lines:
        raise MorposError(f"{path} is empty; it needs a header line and one row at least")
    header = lines[0][1].split("\t")
    faults, rows = [], []
    if len(set(header)) < len(header):
        faults.append(f"{path}, row {lines[0][0]}: a column stands twice in the header")
    for n, line in lines[1:]:
        cells = line.split("\t")
        if len(cells) > len(header):
            faults.append(f"{path}, row {n}: {len(cells)} cells under {len(header)} columns")
            continue
        row = dict(zip(header, cells + [""] * (len(header) - len(cells)), strict=True))
        for column, text in problems(row, schema):
            where = f", column '{column}'" if column else ""
            faults.append(f"{path}, row {n}{where}: {text}")
        rows.append(row | {"row": str(n)})
    if not rows and not faults:
        faults.append(f"{path} has a header but no row")
    raise_all(faults)
    return rows


def raise_all(faults: list[str]) -> None:
    """Raise one MorposError with the first twenty faults, if there are any."""
    if faults:
        more = [f"... and {len(faults) - 20} more"] if len(faults) > 20 else []
        raise MorposError("\n".join(faults[:20] + more))
