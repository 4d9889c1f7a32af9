"""Options of the steps that take in external metrics: those that are not made of our counts."""

import argparse
import sys
from collections.abc import Collection

from morpos.io import tables
from morpos.scoring.external import ExternalMetric, read_baselines, read_scores
from morpos.scoring.metrics import Metric


def add_external(parser: argparse.ArgumentParser) -> None:
    """Which scores by other metrics to take in, if any."""
    parser.add_argument(
        "--baselines", nargs="*", default=[], help="scores of systems by baselines (JSON)"
    )
    parser.add_argument(
        "--extra", nargs="?", help="more scores: columns system, metric, score, segment (TSV)"
    )


def read_external(
    args: argparse.Namespace, metrics: Collection[Metric], systems: Collection[str], segments: int
) -> list[ExternalMetric]:
    """The metrics that the options name; says on stderr what is left out."""
    found = read_baselines(args.baselines, systems)
    if not args.extra:
        return found
    taken = {m.name for m in metrics} | {m.name for m in found} | tables.NOT_METRICS
    extra, unknown = read_scores(args.extra, taken, systems, segments)
    for name in unknown:
        print(f"left out: {args.extra}: {name!r} is not a system here", file=sys.stderr)
    return found + extra
