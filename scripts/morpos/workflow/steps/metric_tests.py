"""How well the metrics rank the systems of a test set, with intervals; metric against metric."""

import argparse

import numpy as np

from morpos.evaluation import testset as evaluation
from morpos.evaluation.resampling import panel
from morpos.evaluation.testset import Evaluation
from morpos.human import scores as humans
from morpos.io import tables
from morpos.scoring import counts_files as systems
from morpos.scoring.metrics import read_table
from morpos.workflow.steps import _human, _statistics

#: Each table: its option, the columns, and the method that makes its rows.
_TABLES = {
    "coefficients": (evaluation.COEFFICIENT_COLUMNS, Evaluation.coefficients),
    "tests": (evaluation.TEST_COLUMNS, Evaluation.tests),
    "without_one": (evaluation.WITHOUT_ONE_COLUMNS, Evaluation.without_one),
    "stability": (evaluation.STABILITY_COLUMNS, Evaluation.stability),
    "variants": (evaluation.VARIANT_COLUMNS, Evaluation.variants),
}


def arguments(parser: argparse.ArgumentParser) -> None:
    _human.arguments(parser)
    parser.add_argument("--counts", nargs="+", required=True, help="counts of the systems (.npz)")
    parser.add_argument("--testset", required=True, help="name of the test set")
    parser.add_argument("--metrics", required=True, help="metric table (YAML)")
    parser.add_argument(
        "--human",
        choices=["joint", "fixed"],
        default="joint",
        help="whether a drawn segment brings its judgments, too (joint)",
    )
    _statistics.arguments(parser)
    parser.add_argument("--coefficients", required=True, help="output: coefficients, intervals")
    parser.add_argument("--tests", required=True, help="output: metric against metric")
    parser.add_argument("--without-one", required=True, help="output: ρ without each system")
    parser.add_argument("--stability", required=True, help="output: rankings by fewer segments")
    parser.add_argument("--variants", required=True, help="output: ρ by other N and weights")


def run(args: argparse.Namespace) -> None:
    scored = systems.scored(systems.load(args.counts))
    reading, rule = _human.read(args, systems.segments(scored)), _human.rule(args)
    human = humans.human_scores(reading, rule)
    kept = humans.judged(scored, human, args.references)
    parts = [
        systems.signature(scored, args.testset),
        f"human:{rule},{args.human}",
        _statistics.signature(args),
    ]
    shared = {"testset": args.testset, "signature": "|".join(parts)}
    found = None
    if kept:  # else: who is left out, and why, stands beside the correlations
        counted = panel(kept, read_table(args.metrics))
        side = humans.human_side(reading, rule, counted.segments, args.human)
        scores = np.array([human[name] for name in kept])
        found = Evaluation(kept, counted, scores, side, reading, args.samples, args.seed)
    for name, (columns, rows) in _TABLES.items():
        tables.write(
            getattr(args, name),
            ["testset", *columns, "signature"],
            (row | shared for row in rows(found)) if found else [],
        )
