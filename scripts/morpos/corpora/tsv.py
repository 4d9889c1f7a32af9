"""Tab-separated text: a header, one column a text."""

from collections import Counter
from pathlib import Path

from morpos.corpora.base import RawText
from morpos.errors import MorposError, first_names, quoted
from morpos.io.text import read_text, split_lines

_IDS = ("id", "segment")


def read(path: str | Path, encoding: str, select: str, changes: Counter[str]) -> RawText:
    """Read the column `select`; cells end at tabs and LF (or CR LF) only, quotes are text.

    A column `id`, or else `segment`, gives the ids. Without `select` there must be one
    other column.

    Raises:
        MorposError: the file cannot be read or decoded; no header; the column is missing, there
            twice or not named; a row with more or fewer cells than the header; an id twice.
    """
    text = read_text(path, encoding)
    header, *rows = [line.split("\t") for line in split_lines(text, path, changes)] or [[]]
    if not header:
        raise MorposError(f"{path} is empty: a TSV file begins with the names of its columns")
    keys = next((name for name in _IDS if name in header and name != select), None)
    if not select:
        texts = [name for name in header if name != keys]
        if len(texts) != 1:
            raise MorposError(
                f"{path}, line 1: select one of the {len(texts)} columns {first_names(texts, 20)}"
            )
        select = texts[0]
    for name in (select, keys):
        if name is not None and header.count(name) != 1:
            raise MorposError(
                f"{path}, line 1: {header.count(name)} columns are called {quoted(name)}, "
                f"not one; there are {first_names(header, 20)}"
            )
    for number, row in enumerate(rows, 2):
        if len(row) != len(header):
            raise MorposError(
                f"{path}, line {number}: {len(row)} cells, but the header has {len(header)}; "
                "tabs and line ends inside a cell must go, quotes do not protect them"
            )
    column = header.index(select)
    ids = None if keys is None else _unique(path, keys, [row[header.index(keys)] for row in rows])
    return RawText(tuple(row[column] for row in rows), ids, ())


def _unique(path: str | Path, name: str, ids: list[str]) -> tuple[str, ...]:
    lines: dict[str, int] = {}
    for number, each in enumerate(ids, 2):
        if (first := lines.setdefault(each, number)) != number:
            raise MorposError(
                f"{path}, line {number}: {quoted(each)} in column '{name}' was given in line "
                f"{first} already; make the ids unique or, if they are none, rename the column"
            )
    return tuple(ids)
