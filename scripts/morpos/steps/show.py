"""Print the table of metrics for people: mean ρ, rank> and rank≥ in percent."""

import argparse
from pathlib import Path

from morpos import tables
from morpos.correlation import SUMMARY
from morpos.errors import MorposError
from morpos.typeset import summary_rows


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("summary", help="summary over documents (TSV)")


def run(args: argparse.Namespace) -> None:
    if not set(SUMMARY) <= set(tables.columns(args.summary)):
        raise MorposError(f"{args.summary} is no summary; give the summary.tsv of the results")
    summary = tables.read(args.summary)
    header, *rows = summary_rows(summary)
    widths = [max(len(row[i]) for row in (header, *rows)) for i in range(len(header))]
    for row in (header, *rows):
        cells = (cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))
        print("  ".join([row[0].ljust(widths[0]), *cells]))
    left_out = Path(args.summary).with_suffix(".left_out.tsv")
    for gone in tables.read(left_out) if left_out.is_file() else []:
        print(f"left out: {gone['document']}: {gone['note']}")
    if not summary:
        print("no document with judgments is part of the table")
    for counted in summary[:1]:
        print(f"over {counted['documents']:.0f} of {counted['of']:.0f} documents")
