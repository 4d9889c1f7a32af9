"""Pairwise accuracy pooled over documents; no pair joins two documents."""

import argparse

from morpos import tables
from morpos.evaluation import pooled_accuracies
from morpos.provenance import combine

_COLUMNS = (
    *("metric", "value", "chance", "agreeing", "pairs", "ties_metric", "ties_human"),
    *("documents", "signature"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("coefficients", nargs="+", help="coefficients of the documents (TSV)")
    parser.add_argument("--output", required=True, help="output: one row a metric (TSV)")


def run(args: argparse.Namespace) -> None:
    rows = [row for path in args.coefficients for row in tables.read(path)]
    shared = {"signature": combine(row["signature"] for row in rows)}
    tables.write(args.output, _COLUMNS, (row | shared for row in pooled_accuracies(rows)))
