"""Print the table of metrics for people: mean ρ, rank> and rank≥ in percent."""

import argparse
from pathlib import Path

from morpos.errors import MorposError
from morpos.evaluation.correlation import SUMMARY
from morpos.io import tables
from morpos.report import typeset
from morpos.report.typeset import summary_rows

EXAMPLES = """\
examples:
  morpos show results/demo/summary.tsv
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("summary", metavar="SUMMARY", help="summary over test sets (TSV)")


def run(args: argparse.Namespace) -> None:
    if not set(SUMMARY) <= set(tables.columns(args.summary)):
        raise MorposError(f"{args.summary} is not a summary; give the summary.tsv of the results")
    summary = tables.read(args.summary)
    print(typeset.plain(summary_rows(summary)))
    left_out = Path(args.summary).with_suffix(".left_out.tsv")
    for gone in tables.read(left_out) if left_out.is_file() else []:
        print(f"left out: {gone['testset']}: {gone['note']}")
    if not summary:
        print("no test set with judgments is part of the table")
    for counted in summary[:1]:
        print(f"over {counted['testsets']:.0f} of {counted['of']:.0f} test sets")
