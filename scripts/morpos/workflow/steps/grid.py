"""One table over all points of a grid, and what choosing the best point is worth elsewhere."""

import argparse

from morpos.evaluation.grid import choices
from morpos.io import tables
from morpos.signature import combine


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("breakdowns", nargs="+", help="tables by group, one a setup (TSV)")
    parser.add_argument(
        "--setup", action="append", required=True, help="name of each setup, in the same order"
    )
    parser.add_argument("--output", required=True, help="output: all of them in one (TSV)")
    parser.add_argument("--choices", required=True, help="output: leave-one-group-out (TSV)")


def run(args: argparse.Namespace) -> None:
    rows = [
        {"setup": setup or "default"} | row
        for setup, path in zip(args.setup, args.breakdowns, strict=True)
        for row in tables.read(path)
    ]
    tables.write(args.output, list(rows[0]), rows)
    chosen = choices(rows)
    shared = {"signature": combine(row["signature"] for row in rows)}
    columns = ["held_out", "setup", "metric", "mean_elsewhere", "mean_held_out", "best_held_out"]
    tables.write(args.choices, [*columns, "signature"], (row | shared for row in chosen))
