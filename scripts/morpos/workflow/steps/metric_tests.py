"""How well the metrics rank the systems of a test set, with intervals; metric against metric."""

import argparse

import numpy as np

from morpos.evaluation import metric_tests
from morpos.evaluation.arguments import add_resampling, resampling_signature
from morpos.evaluation.human_statistics import prepare_human_scores, select_correlated
from morpos.evaluation.metric_tests import Evaluation
from morpos.evaluation.resampling import collect_statistics
from morpos.human.arguments import add_judgments, chosen_rule, read_judgments
from morpos.human.scores import scores_by_system
from morpos.io import tables
from morpos.scoring import counts_files
from morpos.scoring.metrics import read_table

#: Each table: its option, the columns, and the method that makes its rows.
_TABLES = {
    "coefficients": (metric_tests.COEFFICIENT_COLUMNS, Evaluation.coefficients),
    "tests": (metric_tests.TEST_COLUMNS, Evaluation.tests),
    "without_one": (metric_tests.WITHOUT_ONE_COLUMNS, Evaluation.without_one),
    "stability": (metric_tests.STABILITY_COLUMNS, Evaluation.stability),
    "variants": (metric_tests.VARIANT_COLUMNS, Evaluation.variants),
}


def arguments(parser: argparse.ArgumentParser) -> None:
    add_judgments(parser)
    parser.add_argument("--counts", nargs="+", required=True, help="counts of the systems (.npz)")
    parser.add_argument("--testset", required=True, help="name of the test set")
    parser.add_argument("--metrics", required=True, help="metric table (YAML)")
    parser.add_argument(
        "--human",
        choices=["joint", "fixed"],
        default="joint",
        help="whether a drawn segment brings its judgments, too (joint)",
    )
    add_resampling(parser)
    parser.add_argument("--coefficients", required=True, help="output: coefficients, intervals")
    parser.add_argument("--tests", required=True, help="output: metric against metric")
    parser.add_argument("--without-one", required=True, help="output: ρ without each system")
    parser.add_argument("--stability", required=True, help="output: rankings by fewer segments")
    parser.add_argument("--variants", required=True, help="output: ρ by other N and weights")


def run(args: argparse.Namespace) -> None:
    scored = counts_files.scored(counts_files.load(args.counts))
    judgments, rule = read_judgments(args, counts_files.segments(scored)), chosen_rule(args)
    human = scores_by_system(judgments, rule)
    correlated = select_correlated(scored, human, args.judged_references)
    parts = [
        counts_files.signature(scored, args.testset),
        f"human:{rule},{args.human}",
        resampling_signature(args),
    ]
    shared = {"testset": args.testset, "signature": "|".join(parts)}
    found = None
    if correlated:  # else: who is left out, and why, stands beside the correlations
        counted = collect_statistics(correlated, read_table(args.metrics))
        drawn_human = prepare_human_scores(judgments, rule, counted.segments, args.human)
        scores = np.array([human[name] for name in correlated])
        found = Evaluation(
            correlated, counted, scores, drawn_human, judgments, args.samples, args.seed
        )
    for name, (columns, rows) in _TABLES.items():
        tables.write(
            getattr(args, name),
            ["testset", *columns, "signature"],
            (row | shared for row in rows(found)) if found else [],
        )
