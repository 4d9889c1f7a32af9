"""Claims about metrics, tested on the correlations of all test sets."""

import argparse
from itertools import chain

from morpos.evaluation.arguments import add_resampling, resampling_signature
from morpos.evaluation.claims import judge_claims, read_claims
from morpos.io import tables
from morpos.signature import combine

_COLUMNS = (
    *("claim", "text", "first", "second", "published", "effect", "low", "high", "level"),
    *("p", "p_holm", "p_optimistic", "n", "blocks", "verdict", "method", "note", "signature"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("claims", help="table of claims (TSV)")
    parser.add_argument("correlations", nargs="*", help="correlations of the test sets (TSV)")
    add_resampling(parser)
    parser.add_argument("--output", required=True, help="output: one row a claim (TSV)")


def run(args: argparse.Namespace) -> None:
    rows = list(chain.from_iterable(map(tables.read, args.correlations)))
    parts = [combine(row["signature"] for row in rows), resampling_signature(args)]
    shared = {"signature": "|".join(parts)}
    tested = judge_claims(read_claims(args.claims), rows, args.samples, args.seed)
    tables.write(args.output, _COLUMNS, (row | shared for row in tested))
