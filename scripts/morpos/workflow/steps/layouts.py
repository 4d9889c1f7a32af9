"""One test set as mt-metrics-eval has it, and as a submission to the WMT22 metrics task."""

import argparse
import sys
from collections.abc import Collection, Mapping

import numpy as np

from morpos.evaluation.human_statistics import segment_matrix
from morpos.human.arguments import add_judgments, chosen_rule, read_judgments
from morpos.human.scores import ratings_for_rule, scores_by_system
from morpos.io.files import new_folder, read_json, read_segments
from morpos.layers.sidecar import beside
from morpos.report.mt_metrics_eval import ScoredTestset, write_mt_metrics_eval
from morpos.report.wmt22 import write_wmt22
from morpos.scoring import counts_files
from morpos.scoring.external import ExternalMetric
from morpos.scoring.metrics import Floats, read_table
from morpos.workflow.steps._external import add_external, read_external


def arguments(parser: argparse.ArgumentParser) -> None:
    add_judgments(parser, needed=False)
    add_external(parser)
    parser.add_argument("--counts", nargs="+", required=True, help="counts of the systems (.npz)")
    parser.add_argument("--texts", nargs="+", required=True, help="canonical texts of the systems")
    parser.add_argument("--originals", nargs="+", required=True, help="the same of the references")
    parser.add_argument("--testset", required=True, help="name of the test set")
    parser.add_argument("--metrics", required=True, help="metric table (YAML)")
    parser.add_argument("--mt-metrics-eval", required=True, help="output: a folder")
    parser.add_argument("--wmt22", required=True, help="output: a folder")


def run(args: argparse.Namespace) -> None:
    scored = counts_files.scored(counts_files.load(args.counts))
    facts = read_json(beside(args.originals[0]))
    texts = {read_json(beside(path))["name"]: path for path in args.texts}
    metrics = read_table(args.metrics)
    signature = counts_files.signature(scored, args.testset)
    external = read_external(args, metrics, scored, facts["segments"])
    human, human_segments = _human_scores(args, list(scored), facts["segments"])
    testset = ScoredTestset(
        name=args.testset,
        pair=f"{args.source}-{args.target}",
        ids=facts["ids"],
        references={f"ref{n}": read_segments(path) for n, path in enumerate(args.originals, 1)},
        outputs={name: read_segments(texts[name]) for name in scored},
        system={m.name: {name: m.score(one) for name, one in scored.items()} for m in metrics}
        | {m.name: m.system for m in external if _complete(m, m.system, scored)},
        segment={
            m.name: {name: m.segment_scores(one) for name, one in scored.items()} for m in metrics
        }
        | {m.name: m.segment for m in external if _complete(m, m.segment, scored)},
        signatures=dict.fromkeys((m.name for m in metrics), signature)
        | {m.name: m.signature for m in external},
        human=human,
        human_segments=human_segments,
    )
    for path, write in (
        (args.mt_metrics_eval, write_mt_metrics_eval),
        (args.wmt22, write_wmt22),
    ):
        with new_folder(path) as folder:
            write(folder, testset)


def _complete(
    metric: ExternalMetric, scores: Mapping[str, float | Floats], systems: Collection[str]
) -> bool:
    """Whether there is a score for everything; if not, but for some, says so on stderr."""
    lacking = [name for name in systems if name not in scores or np.isnan(scores[name]).any()]
    if lacking and scores:
        names = ", ".join(lacking)
        print(f"left out: {metric.name}: no score, or not all, of {names}", file=sys.stderr)
    return not lacking


def _human_scores(
    args: argparse.Namespace, names: list[str], segments: int
) -> tuple[dict[str, float], dict[str, Floats]]:
    """Human scores of systems, and of segments where they were scored one by one."""
    if not args.judgments:
        return {}, {}
    judgments, rule = read_judgments(args, segments), chosen_rule(args)
    scores = scores_by_system(judgments, rule)
    if not judgments.ratings or not judgments.segments_named:
        return scores, {}
    matrix = segment_matrix(ratings_for_rule(judgments, rule), names, segments)
    return scores, dict(zip(names, matrix, strict=True))
