"""Pairwise accuracy pooled over test sets; no pair joins two test sets."""

import argparse
import math
from collections.abc import Sequence
from dataclasses import asdict

from morpos.evaluation.correlation import ACCURACY, PairwiseAccuracy, pool_accuracies
from morpos.io import tables
from morpos.signature import combine

_COLUMNS = (
    *("metric", "value", "chance", "agreeing", "pairs", "ties_metric", "ties_human"),
    *("testsets", "signature"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("coefficients", nargs="+", help="coefficients of the test sets (TSV)")
    parser.add_argument("--output", required=True, help="output: one row a metric (TSV)")


def run(args: argparse.Namespace) -> None:
    rows = [row for path in args.coefficients for row in tables.read(path)]
    shared = {"signature": combine(row["signature"] for row in rows)}
    tables.write(args.output, _COLUMNS, (row | shared for row in _pooled(rows)))


def _pooled(coefficients: Sequence[tables.Row]) -> list[tables.Row]:
    parts: dict[str, list[PairwiseAccuracy]] = {}
    for row in coefficients:
        if row["coefficient"] == ACCURACY and not math.isnan(row["value"]):
            ties = int(row["ties_metric"]), int(row["ties_human"])
            n, agreeing = int(row["n"]), round(row["value"] * row["n"])
            one = PairwiseAccuracy(row["value"], agreeing, n, row["chance"], *ties, "")
            parts.setdefault(row["metric"], []).append(one)
    return [
        {"metric": metric, "testsets": len(found)} | asdict(pool_accuracies(found))
        for metric, found in parts.items()
    ]
