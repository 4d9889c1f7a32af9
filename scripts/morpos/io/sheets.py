"""Sheets: tab-separated tables that people write, validated row by row."""

from collections.abc import Iterator
from contextlib import contextmanager

from morpos.errors import MorposError
from morpos.io.schema import problems, schema, unknown_name
from morpos.io.text import read_text


def read_sheet(path: str, name: str) -> list[dict[str, str]]:
    """Read a tab-separated sheet with a header; cells are text and never quoted.

    A cell that a row lacks is "". Each row has a key "row": its line number in the file, from 1.

    Raises:
        MorposError: lists every fault with row and column.
    """
    content = read_text(path)
    if "\0" in content.split("\n", 1)[0]:
        raise MorposError(f"{path}: holds NUL characters: is it UTF-16? Save it as UTF-8")
    if "\r" in content.replace("\r\n", ""):
        raise MorposError(
            f"{path}: ends lines in CR alone, as old Macs did: save it with LF or CR LF line ends"
        )
    lines = [(n, line.removesuffix("\r")) for n, line in enumerate(content.split("\n"), 1)]
    lines = [(n, line) for n, line in lines if line]
    if not lines:
        raise MorposError(f"{path} is empty; it needs a header line and one row at least")
    header = lines[0][1].split("\t")
    faults, rows = [], []
    raise_all(_header_faults(header, name, f"{path}, row {lines[0][0]}"))
    for n, line in lines[1:]:
        cells = line.split("\t")
        if len(cells) != len(header):
            faults.append(
                f"{path}, row {n}: {len(cells)} cells, but the header has {len(header)}; is a tab "
                "missing or doubled? An empty cell needs its tab too"
            )
            continue
        row = dict(zip(header, cells, strict=True))
        faults += [
            f"{path}, row {n}, column '{column}': cells are not quoted; remove the quotes"
            for column, cell in row.items()
            if column != "system" and len(cell) > 1 and cell[0] == cell[-1] == '"'
        ]
        for column, text in problems(row, name):
            where = f", column '{column}'" if column else ""
            faults.append(f"{path}, row {n}{where}: {text}")
        rows.append(row | {"row": str(n)})
    if not rows and not faults:
        faults.append(f"{path} has a header but no row")
    raise_all(faults)
    return rows


def _header_faults(header: list[str], name: str, place: str) -> list[str]:
    known, needed = schema(name)["properties"], schema(name)["required"]
    if len(header) == 1 and header[0] not in known:
        return [f"{place}: '{header[0]}' is one cell: put tabs, not blanks or ; between the cells"]
    faults = [f"{place}: column {unknown_name(c, [*known])}" for c in header if c not in known]
    faults += [f"{place}: the column '{c}' is needed" for c in needed if c not in header]
    if len(set(header)) < len(header):
        faults.append(f"{place}: a column stands twice in the header")
    return faults


@contextmanager
def collected(faults: list[str]) -> Iterator[None]:
    """Go on after a MorposError; its lines are added to `faults`."""
    try:
        yield
    except MorposError as error:
        faults += str(error).split("\n")


def raise_all(faults: list[str]) -> None:
    """Raise one MorposError with the first twenty faults, if there are any."""
    if faults:
        more = [f"... and {len(faults) - 20} more"] if len(faults) > 20 else []
        raise MorposError("\n".join(faults[:20] + more))
