"""Turn human judgments into one score a system."""

import argparse
import sys
from dataclasses import asdict

from morpos.human.arguments import add_judgments, chosen_rule, read_judgments
from morpos.human.scores import human_scores
from morpos.io import tables
from morpos.io.files import read_json
from morpos.signature import signature

_COLUMNS = (
    *("system", "score", "wins", "losses", "ties", "comparisons", "ratings", "note"),
    "signature",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    add_judgments(parser, references=False)
    parser.add_argument("--reference-facts", help="facts about a reference (.json)")
    parser.add_argument("--output", required=True, help="output: one row a system (TSV)")


def run(args: argparse.Namespace) -> None:
    segments = read_json(args.reference_facts)["segments"] if args.reference_facts else None
    judgments = read_judgments(args, segments)
    for label, counted in (("used", judgments.used), ("left out", judgments.skipped)):
        for what, count in counted.items():
            print(f"{label}: {count} {what}", file=sys.stderr)
    rule = chosen_rule(args)
    scores = human_scores(judgments, rule)
    shared = {"signature": signature({"human": rule + ",lower-is-better" * args.lower_is_better})}
    tables.write(args.output, _COLUMNS, [asdict(score) | shared for score in scores])
