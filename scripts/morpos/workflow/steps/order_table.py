"""Precision, recall and F of every system by layer and order: what the F scores are made of."""

import argparse
from collections.abc import Iterator

from morpos.io import tables
from morpos.scoring import counts_files
from morpos.scoring.metrics import FScore, f_by_order
from morpos.scoring.ngrams import Counts

_COLUMNS = (
    *("testset", "system", "layer", "order", "match", "hypothesis", "reference"),
    *("precision", "recall", "f", "signature"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("counts", nargs="+", help="counts of the systems (.npz)")
    parser.add_argument("--testset", required=True, help="name of the test set")
    parser.add_argument("--output", required=True, help="output: a row a system, layer and order")


def run(args: argparse.Namespace) -> None:
    scored = counts_files.scored(counts_files.load(args.counts))
    shared = {
        "testset": args.testset,
        "signature": counts_files.signature(scored, args.testset),
    }
    rows = (
        {"system": name} | row | shared for name, counts in scored.items() for row in _rows(counts)
    )
    tables.write(args.output, _COLUMNS, rows)


def _rows(counts: Counts) -> Iterator[tables.Row]:
    for layer, units in counts.layers.items():
        # Of several references the best of each segment counts, as in the F scores.
        sums = FScore().statistics(units, units.order).sum(axis=0)
        f = f_by_order(sums[0], sums[1], sums[2], beta=1.0)
        for n, (match, hypothesis, reference) in enumerate(sums.T.tolist()):
            yield {
                "layer": layer,
                "order": n + 1,
                "match": match,
                "hypothesis": hypothesis,
                "reference": reference,
                "precision": match / hypothesis if hypothesis else None,
                "recall": match / reference if reference else None,
                "f": float(f[n]),
            }
