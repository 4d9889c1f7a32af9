"""How well the metrics score single outputs: against rankings or direct scores of segments."""

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import asdict

import numpy as np

from morpos import __version__
from morpos.evaluation import segment_level
from morpos.evaluation.arguments import add_seed
from morpos.evaluation.human_statistics import segment_matrix
from morpos.evaluation.segment_level import Group
from morpos.human.arguments import add_judgments, chosen_rule, read_judgments
from morpos.human.judgments import JudgmentSet
from morpos.human.scores import compare_outputs, ratings_for_rule
from morpos.io import tables
from morpos.scoring import counts_files
from morpos.scoring.metrics import Floats, read_table
from morpos.signature import foreign
from morpos.workflow.steps._external import add_external, read_external, write_left_out

_COLUMNS = (
    *("testset", "metric", "coefficient", "value", "epsilon", "n", "ties_metric", "ties_human"),
    *("groups", "undefined", "note", "signature"),
)
#: WMT12 is WMT11 here.
_OF_RANKINGS = ("consistency", "wmt11", "wmt13", "wmt14")
_OF_RATINGS: tuple[tuple[str, Group], ...] = tuple(
    (kind, group) for kind in ("kendall", "pearson") for group in ("item", "system", "none")
)


def arguments(parser: argparse.ArgumentParser) -> None:
    add_judgments(parser)
    parser.add_argument("--counts", nargs="+", required=True, help="counts of the systems (.npz)")
    parser.add_argument("--testset", required=True, help="name of the test set")
    parser.add_argument("--metrics", required=True, help="metric table (YAML)")
    add_external(parser)
    add_seed(parser)
    parser.add_argument("--output", required=True, help="output: a row a metric and coefficient")
    parser.add_argument("--left-out", required=True, help="output: names left out, and why (TSV)")


def run(args: argparse.Namespace) -> None:
    scored = counts_files.scored(counts_files.load(args.counts))
    segments = counts_files.segments(scored)
    judgments, rule = read_judgments(args, segments), chosen_rule(args)
    compared = {name: one for name, one in scored.items() if name not in args.judged_references}
    annotated = counts_files.signature(scored, args.testset)
    metrics = read_table(args.metrics)
    # Each metric by what decides its scores, and its scores of the segments of each system.
    scores: list[tuple[str, str, Mapping[str, Floats]]] = [
        (
            metric.name,
            f"{annotated}|segment-bleu:exp",
            {name: metric.segment_scores(counts) for name, counts in compared.items()},
        )
        for metric in metrics
    ]
    externals, left_out = read_external(args, metrics, compared, segments) if segments else ([], [])
    for external in externals:
        signed = f"morpos:{__version__}|{foreign(external.name, external.signature)}"
        scores.append((external.name, signed, external.segment))
    decided = f"human:{rule}|seed:{args.seed}"

    def rows() -> Iterator[tables.Row]:
        for metric, signature, by_system in scores:
            shared = {"testset": args.testset, "metric": metric}
            shared["signature"] = f"{signature}|{decided}"
            for row in _rows(by_system, judgments, rule, args.seed):
                yield dict.fromkeys(_COLUMNS) | shared | row

    tables.write(args.output, _COLUMNS, rows())
    write_left_out(args.left_out, args.testset, left_out)


def _rows(
    by_system: Mapping[str, Floats], judgments: JudgmentSet, rule: str, seed: int
) -> Iterator[tables.Row]:
    if not by_system:
        yield {"coefficient": "none", "note": "no system has scores of segments"}
        return
    names, scores = list(by_system), np.stack([*by_system.values()])
    if not judgments.segments_named:
        note = "some judgments do not say of which segment they are"
        yield {"coefficient": "none", "note": note}
    elif judgments.rankings:
        comparisons = list(compare_outputs(judgments.rankings))
        for table in _OF_RANKINGS:
            found = segment_level.correlate_comparisons(scores, names, comparisons, table)
            yield asdict(found) | {"coefficient": found.method}
    else:
        human = segment_matrix(ratings_for_rule(judgments, rule), names, scores.shape[1])
        for kind, group in _OF_RATINGS:
            found = segment_level.correlate_ratings(scores, human, kind, group)
            yield asdict(found) | {"coefficient": found.method}
        calibrated = segment_level.acc_eq(scores, human, seed=seed)
        ties = {"n": calibrated.n, "ties_human": calibrated.ties_human, "undefined": 0}
        ties |= {"ties_metric": calibrated.ties_metric, "groups": calibrated.segments}
        for label, value, epsilon, note in (
            ("acc_eq, ε = 0", calibrated.uncalibrated, 0.0, ""),
            ("acc_eq, best ε", calibrated.value, calibrated.epsilon, calibrated.note),
            ("acc_eq, ε cross-validated", calibrated.cross_validated, None, ""),
        ):
            missing = "" if value is not None else calibrated.note or "undefined"
            if value is None and calibrated.n:
                missing = f"fewer segments than {calibrated.folds} folds"
            shown = {"value": value, "epsilon": epsilon, "note": missing or note}
            yield ties | {"coefficient": label} | shown
