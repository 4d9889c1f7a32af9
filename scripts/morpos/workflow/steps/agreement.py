"""How far the judges of a test set agree, and intervals of the human scores."""

import argparse
from dataclasses import asdict

from morpos import __version__
from morpos.evaluation.agreement import Chance, Kind, agreement, human_intervals
from morpos.evaluation.arguments import add_resampling, resampling_signature
from morpos.evaluation.human_statistics import collect_judgments
from morpos.human.arguments import add_judgments, chosen_rule, read_judgments
from morpos.human.scores import compare_outputs
from morpos.io import tables
from morpos.io.files import read_json

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
    add_judgments(parser)
    parser.add_argument("--testset", required=True, help="name of the test set")
    parser.add_argument("--reference-facts", required=True, help="facts about a reference (.json)")
    add_resampling(parser)
    parser.add_argument("--kappa", required=True, help="output: agreement of the judges")
    parser.add_argument("--intervals", required=True, help="output: human scores, intervals")


def run(args: argparse.Namespace) -> None:
    segments = read_json(args.reference_facts)["segments"]
    judgments, rule = read_judgments(args, segments), chosen_rule(args)
    shared = {"testset": args.testset}
    signature = f"morpos:{__version__}|human:{rule}"
    compared = list(compare_outputs(judgments.rankings))
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
        if (found := agreement(chosen, kind, chance)) and judgments.rankings
    ]
    tables.write(args.kappa, _KAPPA, kappas)
    drawn_segments = segments if judgments.segments_named else None
    statistics = collect_judgments(judgments, rule, drawn_segments)
    shared["signature"] = f"{signature}|{resampling_signature(args)}"
    drawn = human_intervals(statistics, args.samples, args.seed)
    tables.write(
        args.intervals,
        _INTERVALS,
        (
            asdict(interval) | {"system": name, "score": interval.value} | shared
            for name, interval in sorted(drawn.items())
        ),
    )
