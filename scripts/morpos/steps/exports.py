"""Scores, correlations and the table over documents in another format."""

import argparse
from collections.abc import Callable
from pathlib import Path

from morpos import exports, tables
from morpos.exports import FORMATS, Table
from morpos.tables import Row
from morpos.typeset import summary_rows

_NOT_METRICS = frozenset({"document", "system", "signature"})


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tables", nargs="+", help="tables of one kind (TSV)")
    parser.add_argument("--kind", required=True, choices=_KINDS)
    parser.add_argument("--output", required=True, help="output; its ending is the format")


def run(args: argparse.Namespace) -> None:
    # All other columns of a table of scores are metrics, whatever they are called.
    text = _NOT_METRICS if args.kind == "scores" else tables.TEXT
    rows = [row for path in args.tables for row in tables.read(path, text)]
    FORMATS[Path(args.output).suffix.removeprefix(".")](args.output, _KINDS[args.kind](rows))


def _scores(rows: list[Row]) -> Table:
    metrics = [column for column in rows[0] if column not in _NOT_METRICS] if rows else []
    tidy = list(exports.tidy_scores(rows, metrics))
    columns = ("document", "system", "metric", "score", "signature")
    shown = {
        document: exports.pivot(
            (row for row in tidy if row["document"] == document), "system", "score", 2, 100
        )
        for document in dict.fromkeys(row["document"] for row in tidy)
    }
    return Table(columns, tidy, shown)


def _correlations(rows: list[Row]) -> Table:
    shown = {
        f"Spearman's ρ, {systems}": exports.pivot(
            (row for row in rows if row["systems"] == systems), "document", "spearman", 3, 1
        )
        for systems in dict.fromkeys(row["systems"] for row in rows)
    }
    return Table(list(rows[0]), rows, shown)


def _summary(rows: list[Row]) -> Table:
    counted = f"Over {rows[0]['documents']:.0f} of {rows[0]['of']:.0f} documents"
    return Table(list(rows[0]), rows, {counted: summary_rows(rows)})


_KINDS: dict[str, Callable[[list[Row]], Table]] = {
    "scores": _scores,
    "correlations": _correlations,
    "summary": _summary,
}
