"""Sheets: tab-separated tables that people write, validated row by row."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from morpos.errors import MorposError
from morpos.io.schema import problems, schema, unknown_name
from morpos.io.tables import numbered_lines


def read_sheet(path: str, name: str) -> list[dict[str, str]]:
    """Read a tab-separated sheet with a header; cells are text and never quoted.

    A cell that a row lacks is "". Each row has a key "line": its number in the file, from 1.

    Raises:
        MorposError: every fault, with line and column.
    """
    lines = [(n, cells) for n, cells in numbered_lines(path) if cells != [""]]
    if not lines:
        raise MorposError("is empty; it needs a header line and one row at least", path=path)
    first, header = lines[0]
    raise_all(_header_faults(header, name, path, first))
    faults, rows = [], []
    for n, cells in lines[1:]:
        if len(cells) != len(header):
            message = f"{len(cells)} cells, but the header has {len(header)}"
            advice = "is a tab missing or doubled? An empty cell needs its tab too"
            faults.append(MorposError(message, path=path, line=n, advice=advice))
            continue
        row = dict(zip(header, cells, strict=True))
        faults += [
            MorposError("cells are not quoted; remove the quotes", path=path, line=n, column=column)
            for column, cell in row.items()
            if column != "system" and len(cell) > 1 and cell[0] == cell[-1] == '"'
        ]
        faults += [
            MorposError(text, path=path, line=n, column=column)
            for column, text in problems(row, name)
        ]
        rows.append(row | {"line": str(n)})
    if not rows and not faults:
        faults.append(MorposError("has a header but no row", path=path))
    raise_all(faults)
    return rows


def _header_faults(header: list[str], name: str, path: str, line: int) -> list[MorposError]:
    known, needed = schema(name)["properties"], schema(name)["required"]
    if len(header) == 1 and header[0] not in known:
        found = [f"'{header[0]}' is one cell: put tabs, not spaces or ; between the cells"]
    else:
        found = [f"column {unknown_name(c, [*known])}" for c in header if c not in known]
        found += [f"the column '{c}' is needed" for c in needed if c not in header]
        found += ["a column stands twice in the header"] * (len(set(header)) < len(header))
    return [MorposError(message, path=path, line=line) for message in found]


@contextmanager
def collected(faults: list[MorposError]) -> Iterator[None]:
    """Go on after a MorposError; its faults are added to `faults`."""
    try:
        yield
    except MorposError as error:
        faults += error.faults


def raise_all(faults: Sequence[MorposError]) -> None:
    """Raise the faults as one, if there are any."""
    if faults:
        raise MorposError(faults=faults)
