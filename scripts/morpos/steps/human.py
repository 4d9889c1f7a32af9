"""Turn human judgments into one score a system."""

import argparse
import sys
from dataclasses import asdict

from morpos import judgments, tables
from morpos.files import check_sha256
from morpos.provenance import signature

COLUMNS = ("system", "score", "wins", "losses", "ties", "comparisons", "ratings", "note")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("judgments", help="file of judgments, plain or gzipped")
    parser.add_argument("--format", required=True, choices=judgments.FORMATS)
    parser.add_argument("--source", help="ISO 639-1 code of the source language")
    parser.add_argument("--target", help="ISO 639-1 code of the target language")
    parser.add_argument("--domain", help="domain of the task (wmt08, wmt09)")
    parser.add_argument("--rule", help="how judgments become a score; left out, by the format")
    parser.add_argument("--lower-is-better", action="store_true", help="scores count errors (MQM)")
    parser.add_argument(
        "--sha256",
        action="append",
        default=[],
        help="the file's checksum, refused if it has another; may be repeated for alternatives",
    )
    parser.add_argument("--output", required=True, help="output: one row a system (TSV)")


def run(args: argparse.Namespace) -> None:
    check_sha256(args.judgments, args.sha256)
    reading = judgments.read(
        args.judgments,
        args.format,
        args.source,
        args.target,
        args.domain,
        higher_is_better=not args.lower_is_better,
    )
    for label, counted in (("used", reading.used), ("left out", reading.skipped)):
        for what, count in counted.items():
            print(f"{label}: {count} {what}", file=sys.stderr)
    rule = args.rule or judgments.rules_for(args.format)[0]
    scores = judgments.human_scores(reading, rule)
    shared = {"signature": signature({"human": rule + ",lower-is-better" * args.lower_is_better})}
    tables.write(args.output, [*COLUMNS, *shared], [asdict(score) | shared for score in scores])
