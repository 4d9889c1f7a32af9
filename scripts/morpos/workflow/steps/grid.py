"""One table over all points of a grid, and what choosing the best point is worth elsewhere."""

import argparse

from morpos.evaluation.correlation import SUMMARY
from morpos.evaluation.grid import choose_elsewhere
from morpos.io import tables
from morpos.signature import combine

_COLUMNS = ("setup", "table", "systems", *SUMMARY, "signature")
_CHOICES = (
    *("held_out", "setup", "metric", "mean_elsewhere", "mean_held_out", "best_held_out"),
    "signature",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("breakdowns", nargs="+", help="tables by group, one a setup (TSV)")
    parser.add_argument(
        "--setups", nargs="+", required=True, help="name of each setup, in the same order"
    )
    parser.add_argument("--output", required=True, help="output: all of them in one (TSV)")
    parser.add_argument("--choices", required=True, help="output: leave-one-group-out (TSV)")


def run(args: argparse.Namespace) -> None:
    rows = [
        {"setup": setup} | row
        for setup, path in zip(args.setups, args.breakdowns, strict=True)
        for row in tables.read(path)
    ]
    tables.write(args.output, _COLUMNS, rows)
    chosen = choose_elsewhere(rows)
    shared = {"signature": combine(row["signature"] for row in rows)}
    tables.write(args.choices, _CHOICES, (row | shared for row in chosen))
