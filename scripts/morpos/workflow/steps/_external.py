"""Options of the steps that take in external metrics: those that are not made of our counts."""

import argparse
from collections.abc import Collection, Iterable
from pathlib import Path

from morpos import __version__
from morpos.io import tables
from morpos.scoring.external import ExternalMetric, read_baselines, read_scores
from morpos.scoring.metrics import Metric
from morpos.signature import signature


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
) -> tuple[list[ExternalMetric], list[str]]:
    """The metrics that the options name, and what is left out of the file with more scores."""
    found = read_baselines(args.baselines, systems)
    if not args.extra:
        return found, []
    taken = {m.name for m in metrics} | {m.name for m in found} | tables.NOT_METRICS
    extra, unknown = read_scores(args.extra, taken, systems, segments)
    return found + extra, [f"{args.extra}: {name!r} is not a system here" for name in unknown]


def write_left_out(path: str | Path, testset: str, notes: Iterable[str]) -> None:
    """A table of what was left out, and why."""
    shared = {"testset": testset, "signature": signature({"morpos": __version__})}
    tables.write(path, ["testset", "note", "signature"], [shared | {"note": n} for n in notes])
