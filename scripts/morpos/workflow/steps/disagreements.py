"""The most divergent segments of a test set: where metrics, or a metric and humans, differ."""

import argparse

import numpy as np

from morpos.evaluation.disagreement import between_metrics, preferences, with_humans
from morpos.human.arguments import add_judgments, read_judgments
from morpos.io import tables
from morpos.scoring import counts_files
from morpos.scoring.metrics import read_table

_COLUMNS = (
    *("testset", "kind", "segment", "first", "second", "metric", "other"),
    *("metric_first", "metric_second", "other_first", "other_second", "size", "signature"),
)

#: So many segments of either kind.
_MOST = 100


def arguments(parser: argparse.ArgumentParser) -> None:
    add_judgments(parser, needed=False)
    parser.add_argument("--counts", nargs="+", required=True, help="counts of the systems (.npz)")
    parser.add_argument("--testset", required=True, help="name of the test set")
    parser.add_argument("--metrics", required=True, help="metric table (YAML)")
    parser.add_argument("--output", required=True, help="output: one row a segment (TSV)")


def run(args: argparse.Namespace) -> None:
    scored = counts_files.scored(counts_files.load(args.counts))
    signature = f"{counts_files.signature(scored, args.testset)}|segment-bleu:exp"
    compared = {name: one for name, one in scored.items() if name not in args.references}
    found = {}
    if compared:
        metrics = read_table(args.metrics)
        names = [metric.name for metric in metrics]
        scores = np.stack(
            [
                np.stack([metric.segment_scores(counts) for counts in compared.values()])
                for metric in metrics
            ]
        )
        # All outputs have the same reference, and any layer tells which segments are long.
        layer = next(iter(next(iter(compared.values())).layers.values()))
        given = (names, list(compared), scores, layer.reference_length[0])
        found["metrics"] = between_metrics(*given, _MOST)
        if args.judgments:
            human = preferences(read_judgments(args, scores.shape[2]), list(compared))
            found["human"] = with_humans(*given, human, _MOST)
    tables.write(
        args.output,
        _COLUMNS,
        (
            {
                "testset": args.testset,
                "kind": kind,
                **one._asdict(),
                "metric_first": one.metric_scores[0],
                "metric_second": one.metric_scores[1],
                "other_first": one.other_scores[0],
                "other_second": one.other_scores[1],
                "signature": signature,
            }
            for kind, ones in found.items()
            for one in ones
        ),
    )
