"""How far the judges of a test set agree, and intervals of the human scores."""

import argparse
from dataclasses import asdict

from morpos import __version__
from morpos.evaluation.agreement import Chance, Kind, agreement, human_intervals
from morpos.evaluation.resampling import human_panel
from morpos.human import judgments
from morpos.human import scores as humans
from morpos.io import tables
from morpos.io.files import read_json
from morpos.workflow.steps import _human, _statistics

_KAPPA = (
    *("testset", "kind", "outputs", "kappa", "agreed", "chance", "n", "items", "ties"),
    *("method", "note", "signature"),
)
_INTERVALS = (
    *("testset", "system", "score", "low", "high", "level", "n", "undefined"),
    *("samples", "seed", "method", "note", "signature"),
)
_CHANCES: tuple[Chance, ...] = ("third", "empirical")
_KINDS: tuple[Kind, ...] = ("inter", "intra")


def arguments(parser: argparse.ArgumentParser) -> None:
    _human.arguments(parser)
    parser.add_argument("--testset", required=True, help="name of the test set")
    parser.add_argument("--reference-facts", required=True, help="facts about a reference (.json)")
    _statistics.arguments(parser)
    parser.add_argument("--kappa", required=True, help="output: agreement of the judges")
    parser.add_argument("--intervals", required=True, help="output: human scores, intervals")


def run(args: argparse.Namespace) -> None:
    segments = read_json(args.reference_facts)["segments"]
    reading, rule = _human.read(args, segments), _human.rule(args)
    shared = {"testset": args.testset}
    signature = f"morpos:{__version__}|human:{rule}"
    compared = list(judgments.comparisons(reading.rankings))
    systems = [c for c in compared if not {c.first, c.second} & {*args.references}]
    # WMT10 published both: with and without comparisons with the reference.
    outputs = {"systems": systems}
    if len(systems) < len(compared):
        outputs["systems and references"] = compared
    # Direct scores have no comparisons: no row.
    kappas = [
        asdict(found) | {"kappa": found.value, "outputs": label, "signature": signature} | shared
        for label, chosen in outputs.items()
        for kind in _KINDS
        for chance in _CHANCES
        if (found := agreement(chosen, kind, chance)) and reading.rankings
    ]
    tables.write(args.kappa, _KAPPA, kappas)
    named = humans.segments_named(reading)
    panel = human_panel(reading, rule, segments if named else None)
    shared["signature"] = f"{signature}|{_statistics.signature(args)}"
    drawn = human_intervals(panel, args.samples, args.seed)
    tables.write(
        args.intervals,
        _INTERVALS,
        (
            asdict(interval) | {"system": name, "score": interval.value} | shared
            for name, interval in sorted(drawn.items())
        ),
    )
