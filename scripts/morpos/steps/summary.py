"""The paper's table: mean ρ, rank> and rank≥ of every metric over all documents."""

import argparse

from morpos import tables
from morpos.correlation import summarise
from morpos.provenance import combine


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("correlations", nargs="+", help="correlations of the documents (TSV)")
    parser.add_argument("--output", required=True, help="output: one row a metric (TSV)")
    parser.add_argument("--left-out", required=True, help="output: documents left out (TSV)")


def run(args: argparse.Namespace) -> None:
    correlations = [row for path in args.correlations for row in tables.read(path)]
    rows, left_out = summarise(correlations)
    shared = {"signature": combine(row["signature"] for row in correlations)}
    tables.write(args.output, [*rows[0], "signature"], (row | shared for row in rows))
    tables.write(
        args.left_out,
        ["document", "note", "signature"],
        ({"document": document, "note": note} | shared for document, note in left_out.items()),
    )
