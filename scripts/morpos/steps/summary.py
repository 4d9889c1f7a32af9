"""The paper's table: mean ρ, rank> and rank≥ of every metric over all documents."""

import argparse

import pandas as pd

from morpos import tables
from morpos.correlation import summarise
from morpos.provenance import combine


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("correlations", nargs="+", help="correlations of the documents (TSV)")
    parser.add_argument("--output", required=True, help="output: one row a metric (TSV)")
    parser.add_argument("--left-out", required=True, help="output: documents left out (TSV)")


def run(args: argparse.Namespace) -> None:
    correlations = pd.concat(map(tables.read, args.correlations))
    table, left_out = summarise(correlations)
    table["signature"] = signature = combine(correlations["signature"])
    tables.write(args.output, table)
    frame = pd.DataFrame({"document": list(left_out), "note": list(left_out.values())}, dtype=str)
    frame["signature"] = signature
    tables.write(args.left_out, frame)
