"""Time and memory of all jobs so far, one row a rule."""

import argparse

from morpos import __version__
from morpos.io import tables
from morpos.signature import signature
from morpos.workflow import resources


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("runs", nargs="+", help="folders of results, with benchmarks/ and logs/")
    parser.add_argument("--output", required=True, help="output: one row a rule (TSV)")


def run(args: argparse.Namespace) -> None:
    shared = {"signature": signature({"morpos": __version__})}
    rows = resources.summarise(args.runs)
    tables.write(args.output, [*resources.COLUMNS, "signature"], (row | shared for row in rows))
