"""The paper's table: mean ρ, rank> and rank≥ of every metric over all test sets."""

import argparse

from morpos.evaluation.correlation import (
    SUMMARY,
    breakdown,
    find_incomplete,
    find_undefined,
    summarise,
)
from morpos.io import tables
from morpos.signature import combine

_SUMMARY = (*SUMMARY, "signature")
_LEFT_OUT = ("testset", "note", "signature")
_BREAKDOWN = ("table", "systems", *SUMMARY, "signature")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("correlations", nargs="+", help="correlations of the test sets (TSV)")
    parser.add_argument(
        "--missing",
        nargs="*",
        default=[],
        metavar="TESTSET=REASON",
        help="test sets that could not be had, and why",
    )
    parser.add_argument(
        "--absent",
        nargs="*",
        default=[],
        metavar="TESTSET=REASON",
        help="the same for test sets that would not be part of the table",
    )
    parser.add_argument(
        "--expected-testsets", type=int, default=0, help="how many there should be (0: all)"
    )
    parser.add_argument("--output", required=True, help="output: one row a metric (TSV)")
    parser.add_argument("--left-out", required=True, help="output: test sets left out (TSV)")
    parser.add_argument("--breakdown", required=True, help="output: tables of groups (TSV)")


def run(args: argparse.Namespace) -> None:
    correlations = [row for path in args.correlations for row in tables.read(path)]
    not_everywhere = find_incomplete(correlations)
    correlations = [row for row in correlations if row["metric"] not in not_everywhere]
    missing, absent = (dict(text.split("=", 1) for text in x) for x in (args.missing, args.absent))
    shared = {"signature": combine(row["signature"] for row in correlations)}
    main = [
        row for row in correlations if row["systems"] == "all" and not row["exclude_from_summary"]
    ]
    testsets = {row["testset"] for row in main} | missing.keys()
    rows = summarise(main, args.expected_testsets or len(testsets))
    tables.write(args.output, _SUMMARY, (row | shared for row in rows))
    left_out = missing | absent | find_undefined(main)
    tables.write(
        args.left_out,
        _LEFT_OUT,
        [{"testset": testset, "note": note} | shared for testset, note in left_out.items()]
        + [{"testset": "", "note": note} | shared for note in not_everywhere.values()],
    )
    tables.write(
        args.breakdown,
        _BREAKDOWN,
        (row | shared for row in breakdown(correlations)),
    )
