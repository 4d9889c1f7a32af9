"""Options of the steps that take in metrics that are not made of our counts."""

import argparse
import sys
from collections.abc import Collection

from morpos.io import tables
from morpos.scoring.external import Further, gather, read_extra
from morpos.scoring.metrics import Metric


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which scores by other metrics to take in, if any."""
    parser.add_argument(
        "--baselines", nargs="*", default=[], help="scores of systems by baselines (JSON)"
    )
    parser.add_argument(
        "--extra", nargs="?", help="more scores: columns system, metric, score, segment (TSV)"
    )


def read(
    args: argparse.Namespace, metrics: Collection[Metric], systems: Collection[str], segments: int
) -> list[Further]:
    """The metrics that the options name; says on stderr what is left out."""
    found = gather(args.baselines, systems)
    if not args.extra:
        return found
    taken = {m.name for m in metrics} | {f.name for f in found} | tables.NOT_METRICS
    extra, unknown = read_extra(args.extra, taken, systems, segments)
    for name in unknown:
        print(f"left out: {args.extra}: {name!r} is no system here", file=sys.stderr)
    return found + extra
