"""Tables: tab-separated, never quoted, numbers at full precision, undefined is an empty cell.

The last column of every table is its signature. Read and written without pandas, which takes longer
to import than most steps take to run.
"""

import gzip
import io
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import Any

from morpos.errors import MorposError
from morpos.io.files import atomic
from morpos.io.text import read_bytes

#: Columns that hold text; all others are numbers.
TEXT = frozenset(
    {
        *("testset", "source", "target", "group", "system", "systems", "file", "metric"),
        *("status", "note", "table", "setup", "held_out", "signature"),
        *("first", "second", "other", "method", "coefficient", "interval", "left_out"),
        *("layer", "kind", "outputs", "variant", "claim", "text", "verdict", "rule"),
        *("level", "check", "message", "advice"),
    }
)

#: Columns that the tables need that people give.
GIVEN = {
    "published": ("metric", "mean", "rank_gt", "rank_ge"),
    "published_tags": ("target", "tags"),
    "claims": ("claim", "text", "first", "second", "published"),
    "extra_scores": ("system", "metric", "score"),
}

#: The columns of a table of scores that are no metric; all others are, whatever they are called.
NOT_METRICS = frozenset({"testset", "system", "segment", "signature"})

Row = dict[str, Any]


def write(path: str | Path, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    """Write a table, gzipped if the name ends in .gz; the same rows give the same bytes.

    Rows are written as they come: a table need not fit into memory.
    """
    with atomic(path, binary=True) as handle:
        gzipped = str(path).endswith(".gz")
        target = gzip.GzipFile("", "wb", 3, handle, mtime=0) if gzipped else handle
        with io.TextIOWrapper(target, encoding="utf-8", newline="\n") as text:
            text.writelines(lines(columns, rows))


def lines(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """A table as it is written, line by line."""
    yield "\t".join(columns) + "\n"
    for row in rows:
        yield "\t".join([_cell(row[column]) for column in columns]) + "\n"


def _cell(value: object) -> str:
    if isinstance(value, float):
        return repr(float(value)) if math.isfinite(value) else ""
    # A message of several lines stays one cell.
    return "" if value is None else str(value).replace("\t", " ").replace("\n", " ")


def read(path: str | Path, text: Set[str] = TEXT) -> list[Row]:
    """Read a table; the columns in `text` stay text ("NA" and "1" are system names too).

    An empty cell of another column is NaN: undefined.

    Raises:
        MorposError: missing, no table, or a cell that should be a number and is none.
    """
    lines = _content(path).removesuffix("\n").split("\n")
    header = lines[0].removesuffix("\r").split("\t")
    if len(set(header)) < len(header):
        raise MorposError(f"{path}, line 1: a column stands twice in the header")
    rows = []
    for number, line in enumerate(lines[1:], 2):
        cells = line.removesuffix("\r").split("\t")
        if len(cells) != len(header):
            raise MorposError(
                f"{path}, line {number}: {len(cells)} cells, but the header has {len(header)}"
            )
        rows.append(
            {
                column: cell
                if column in text
                else _number(cell, f"{path}, line {number}, column '{column}'")
                for column, cell in zip(header, cells, strict=True)
            }
        )
    return rows


def require(path: str | Path, needed: Iterable[str]) -> None:
    """Refuse a table that lacks a column.

    Raises:
        MorposError: names those that lack and those that are there.
    """
    found = columns(path)
    if lacking := [name for name in needed if name not in found]:
        raise MorposError(
            f"{path}, line 1: no column {' and '.join(lacking)}; it needs {', '.join(needed)} with "
            f"tabs between them, and has {', '.join(found)}"
        )


def by_system(path: str | Path, rows: Iterable[Row]) -> dict[str, Row]:
    """The rows of a table by system.

    Raises:
        MorposError: a system has two rows.
    """
    found: dict[str, Row] = {}
    for row in rows:
        if found.setdefault(row["system"], row) is not row:
            raise MorposError(f"{path}: two rows for the system {row['system']!r}; keep one")
    return found


def columns(path: str | Path) -> list[str]:
    """The names of a table's columns, also of one without rows."""
    return _content(path).split("\n", 1)[0].removesuffix("\r").split("\t")


def _content(path: str | Path) -> str:
    try:
        return read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise MorposError(
            f"{path} is not UTF-8 at byte {error.start}; convert it to UTF-8"
        ) from error


def _number(value: str, place: str) -> float:
    try:
        number = float(value) if value else math.nan
    except ValueError as error:
        raise MorposError(f"{place}: '{value}' is no number") from error
    if math.isinf(number):
        raise MorposError(f"{place}: '{value}' is no finite number")
    return number
