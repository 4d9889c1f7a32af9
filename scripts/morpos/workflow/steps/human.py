"""Turn human judgments into one score a system."""

import argparse
import sys
from dataclasses import asdict

from morpos.human import judgments
from morpos.human.arguments import add_judgments, chosen_rule, read_judgments
from morpos.io import tables
from morpos.io.files import read_json
from morpos.signature import signature

COLUMNS = ("system", "score", "wins", "losses", "ties", "comparisons", "ratings", "note")


def arguments(parser: argparse.ArgumentParser) -> None:
    add_judgments(parser, references=False)
    parser.add_argument("--reference-facts", help="facts about a reference (.json)")
    parser.add_argument("--output", required=True, help="output: one row a system (TSV)")


def run(args: argparse.Namespace) -> None:
    segments = read_json(args.reference_facts)["segments"] if args.reference_facts else None
    reading = read_judgments(args, segments)
    for label, counted in (("used", reading.used), ("left out", reading.skipped)):
        for what, count in counted.items():
            print(f"{label}: {count} {what}", file=sys.stderr)
    rule = chosen_rule(args)
    scores = judgments.human_scores(reading, rule)
    shared = {"signature": signature({"human": rule + ",lower-is-better" * args.lower_is_better})}
    tables.write(args.output, [*COLUMNS, *shared], [asdict(score) | shared for score in scores])
