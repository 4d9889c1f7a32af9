"""Tables: tab-separated, never quoted, numbers at full precision, undefined is an empty cell.

The last column of every table is its signature. Read and written without pandas, which takes longer
to import than most steps take to run.
"""

import gzip
import io
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import Any

from morpos.errors import MorposError
from morpos.io.files import atomic
from morpos.io.text import CHANGES, read_text, split_lines

#: Columns that hold text: a column means the same, and so has the same type, in all tables.
TEXT = frozenset(
    {
        *("testset", "source", "target", "group", "system", "systems", "file", "metric"),
        *("status", "note", "table", "setup", "held_out", "signature", "severity", "check"),
        *("first", "second", "other", "method", "coefficient", "interval", "left_out"),
        *("layer", "kind", "outputs", "variant", "claim", "text", "verdict", "rule"),
        *("message", "advice"),
    }
)
#: Columns that hold numbers; an empty cell is NaN: undefined. Where a column is neither here nor
#: above, as in tables that people give, it holds text.
NUMBERS = frozenset(
    {
        *("segment", "segments", "line", "n", "of", "order", "sides", "samples", "seed", "level"),
        *("score", "value", "low", "high", "chance", "drawn", "undefined", "difference", "effect"),
        *("p", "p_holm", "p_optimistic", "blocks", "spearman", "kappa", "agreed", "agreeing"),
        *("pairs", "items", "ties", "ties_metric", "ties_human", "groups", "epsilon", "size"),
        *("wins", "losses", "comparisons", "ratings", "exclude_from_summary", "testsets"),
        *("mean", "rank_gt", "rank_ge", "published", "tags", "stable", "mean_kendall"),
        *("published_mean", "published_rank_gt", "published_rank_ge", "low_kendall"),
        *("difference_mean", "difference_rank_gt", "difference_rank_ge"),
        *("cluster_bootstrap", "cluster_randomisation", "metric_first", "metric_second"),
        *("other_first", "other_second", "mean_elsewhere", "mean_held_out", "best_held_out"),
        *("match", "hypothesis", "reference", "precision", "recall", "f"),
        *("jobs", "measured", "seconds", "longest", "cpu_seconds", "max_mb"),
        *("empty_segments", *CHANGES),
    }
)

#: Columns that the tables need that people give.
GIVEN = {
    "published": ("metric", "mean", "rank_gt", "rank_ge"),
    "published_tags": ("target", "tags"),
    "claims": ("claim", "text", "first", "second", "published"),
    "extra_scores": ("system", "metric", "score"),
}

#: The columns of a table of scores that are not metrics; all others are, whatever they are called.
NOT_METRICS = frozenset({"testset", "system", "segment", "signature"})

Row = dict[str, Any]

_BREAKS = str.maketrans("\t\n\r", "   ")


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
    return "" if value is None else str(value).translate(_BREAKS)


def read(path: str | Path, text: Set[str] | None = None) -> list[Row]:
    """Read a table.

    An empty cell of a column of numbers is NaN: undefined.

    Args:
        text: the columns of text, if all others hold numbers, as in a table with a column for each
            metric; left out, `TEXT` and `NUMBERS` say it.

    Raises:
        MorposError: missing, not a table, or a cell that should be a number and is not.
    """
    lines = numbered_lines(path)
    _, header = next(lines, (1, [""]))
    if len(set(header)) < len(header):
        raise MorposError("a column stands twice in the header", path=path, line=1)
    numbers = NUMBERS if text is None else frozenset(header) - text
    rows = []
    for number, cells in lines:
        if len(cells) != len(header):
            message = f"{len(cells)} cells, but the header has {len(header)}"
            raise MorposError(message, path=path, line=number)
        rows.append(
            {
                column: _number(cell, path, number, column) if column in numbers else cell
                for column, cell in zip(header, cells, strict=True)
            }
        )
    return rows


def numbered_lines(path: str | Path) -> Iterator[tuple[int, list[str]]]:
    """The lines of a tab-separated file as cells, with their numbers from 1.

    Raises:
        MorposError: it cannot be read, is not UTF-8, or ends its lines in CR alone.
    """
    content = read_text(path)
    if "\0" in content.split("\n", 1)[0]:
        raise MorposError("holds NUL characters: is it UTF-16? Save it as UTF-8", path=path)
    if "\r" in content.replace("\r\n", ""):
        raise MorposError(
            "ends lines in CR alone, as old Macs did: save it with LF or CR LF line ends", path=path
        )
    for number, line in enumerate(split_lines(content, path, Counter()), 1):
        yield number, line.split("\t")


def require(path: str | Path, needed: Iterable[str]) -> None:
    """Refuse a table that lacks a column.

    Raises:
        MorposError: names those that lack and those that are there.
    """
    found = columns(path)
    if lacking := [name for name in needed if name not in found]:
        raise MorposError(
            f"no column {' and '.join(lacking)}; it needs {', '.join(needed)} with tabs between "
            f"them, and has {', '.join(found)}",
            path=path,
            line=1,
        )


def by_system(path: str | Path, rows: Iterable[Row]) -> dict[str, Row]:
    """The rows of a table by system.

    Raises:
        MorposError: a system has two rows.
    """
    found: dict[str, Row] = {}
    for row in rows:
        if found.setdefault(row["system"], row) is not row:
            raise MorposError(f"two rows for the system {row['system']!r}; keep one", path=path)
    return found


def columns(path: str | Path) -> list[str]:
    """The names of a table's columns, also of one without rows."""
    return next(numbered_lines(path), (1, [""]))[1]


def _number(value: str, path: str | Path, line: int, column: str) -> float:
    try:
        number = float(value) if value else math.nan
    except ValueError as error:
        message = f"'{value}' is not a number"
        raise MorposError(message, path=path, line=line, column=column) from error
    if math.isinf(number):
        message = f"'{value}' is not a finite number"
        raise MorposError(message, path=path, line=line, column=column)
    return number
