"""Print the table of metrics for people: percent, two decimals."""

import argparse

from morpos import tables
from morpos.report import summary_rows


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("summary", help="summary over documents (TSV)")


def run(args: argparse.Namespace) -> None:
    summary = tables.read(args.summary)
    header, *rows = summary_rows(summary)
    widths = [max(len(row[i]) for row in (header, *rows)) for i in range(len(header))]
    for row in (header, *rows):
        cells = (cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))
        print("  ".join([row[0].ljust(widths[0]), *cells]))
    if not summary:
        print("no document with judgments is part of the table")
    for counted in summary[:1]:
        print(f"over {counted['documents']:.0f} of {counted['of']:.0f} documents")
