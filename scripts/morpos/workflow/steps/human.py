"""Turn human judgments into one score a system."""

import argparse
import sys
from dataclasses import asdict

from morpos.human.scores import human_scores
from morpos.io import tables
from morpos.io.files import read_json
from morpos.signature import signature
from morpos.workflow.steps import _human

_COLUMNS = (
    *("system", "score", "wins", "losses", "ties", "comparisons", "ratings", "note"),
    "signature",
)


def arguments(parser: argparse.ArgumentParser) -> None:
    _human.arguments(parser, references=False)
    parser.add_argument("--reference-facts", help="facts about a reference (.json)")
    parser.add_argument("--output", required=True, help="output: one row a system (TSV)")


def run(args: argparse.Namespace) -> None:
    segments = read_json(args.reference_facts)["segments"] if args.reference_facts else None
    judgments = _human.read(args, segments)
    for label, counted in (("used", judgments.used), ("left out", judgments.skipped)):
        for what, count in counted.items():
            print(f"{label}: {count} {what}", file=sys.stderr)
    rule = _human.rule(args)
    scores = human_scores(judgments, rule)
    shared = {"signature": signature({"human": rule + ",lower-is-better" * args.lower_is_better})}
    tables.write(args.output, _COLUMNS, [asdict(score) | shared for score in scores])
