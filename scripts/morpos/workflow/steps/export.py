"""Scores, correlations and the table over test sets in another format."""

import argparse
from collections.abc import Callable
from pathlib import Path

import pandas as pd

from morpos.io import tables
from morpos.report import exports
from morpos.report.exports import FORMATS, ExportTable
from morpos.report.typeset import summary_rows


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tables", nargs="+", help="tables of one kind (TSV)")
    parser.add_argument("--kind", required=True, choices=_KINDS)
    parser.add_argument("--output", required=True, help="output; its suffix is the format")


def run(args: argparse.Namespace) -> None:
    wide = args.kind == "scores"
    rows = exports.read(args.tables, tables.NOT_METRICS if wide else None)
    FORMATS[Path(args.output).suffix.removeprefix(".")](args.output, _KINDS[args.kind](rows))


def _scores(rows: pd.DataFrame, scale: float = 1) -> ExportTable:
    by_testset = rows.groupby("testset", sort=False)
    shown = {
        str(testset): exports.pivot(part, "system", "score", 2, scale)
        for testset, part in by_testset
    }
    return ExportTable(rows, shown)


def _correlations(rows: pd.DataFrame) -> ExportTable:
    shown = {
        f"Spearman's ρ, {systems}": exports.pivot(part, "testset", "spearman", 3)
        for systems, part in rows.groupby("systems", sort=False)
    }
    return ExportTable(rows, shown)


def _summary(rows: pd.DataFrame) -> ExportTable:
    counted = "No test sets"
    if len(rows):
        counted = f"Over {rows['testsets'][0]:.0f} of {rows['of'][0]:.0f} test sets"
    return ExportTable(rows, {counted: summary_rows(exports.records(rows))})


_KINDS: dict[str, Callable[[pd.DataFrame], ExportTable]] = {
    # Ours lie in 0..1 and are shown as people are used to.
    "scores": lambda rows: _scores(exports.tidy_scores(rows), 100),
    "correlations": _correlations,
    "summary": _summary,
    "baseline_scores": _scores,
    "baseline_correlations": _correlations,
    "baseline_summary": _summary,
}
