"""Intervals of all scores of a test set, and tests of all pairs of systems by all metrics."""

import argparse

from morpos.evaluation.arguments import add_resampling, resampling_signature
from morpos.evaluation.resampling import collect_statistics
from morpos.evaluation.significance import approximate_randomisation, intervals, paired_bootstrap
from morpos.io import tables
from morpos.scoring import counts_files
from morpos.scoring.metrics import read_table

INTERVALS = (
    *("testset", "system", "metric", "score", "low", "high", "level"),
    *("cluster_bootstrap", "cluster_randomisation", "n", "samples", "seed", "signature"),
)
PAIRS = (
    *("testset", "metric", "system", "other", "difference", "p", "p_holm"),
    *("n", "samples", "seed", "method", "note", "signature"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("counts", nargs="+", help="counts of the systems (.npz)")
    parser.add_argument("--testset", required=True, help="name of the test set")
    parser.add_argument("--metrics", required=True, help="metric table (YAML)")
    add_resampling(parser)
    parser.add_argument("--intervals", required=True, help="output: a row a system and metric")
    parser.add_argument("--pairs", required=True, help="output: a row a metric, pair and test")


def run(args: argparse.Namespace) -> None:
    scored = counts_files.scored(counts_files.load(args.counts))
    parts = [counts_files.signature(scored, args.testset), resampling_signature(args)]
    shared = {"testset": args.testset, "signature": "|".join(parts)}
    if not scored:  # all were left out, with their reasons in texts/<testset>.tsv
        tables.write(args.intervals, INTERVALS, [])
        tables.write(args.pairs, PAIRS, [])
        return
    all_counts = collect_statistics(scored, read_table(args.metrics))
    drawn = intervals(all_counts, args.samples, args.seed)
    tests = [
        test(all_counts, args.samples, args.seed)
        for test in (paired_bootstrap, approximate_randomisation)
    ]
    clusters = {f"cluster_{test.test}": test.clusters() for test in tests}
    tables.write(
        args.intervals,
        INTERVALS,
        (
            {
                "system": system,
                "metric": metric,
                "score": float(drawn.value[m, i]),
                "low": float(drawn.low[m, i]),
                "high": float(drawn.high[m, i]),
                "level": drawn.level,
                **{column: int(cluster[m, i]) for column, cluster in clusters.items()},
                "n": drawn.segments,
                "samples": drawn.samples,
                "seed": drawn.seed,
            }
            | shared
            for m, metric in enumerate(drawn.metrics)
            for i, system in enumerate(drawn.systems)
        ),
    )
    pairs = (row | shared for test in tests for row in test.rows())
    tables.write(args.pairs, PAIRS, pairs)
