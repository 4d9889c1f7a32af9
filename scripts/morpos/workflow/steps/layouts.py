"""One test set in the layouts of mt-metrics-eval and of the WMT22 metrics task."""

import argparse
import sys
from collections.abc import Collection, Mapping

import numpy as np

from morpos.evaluation.resampling import segment_matrix
from morpos.human import judgments
from morpos.human import scores as humans
from morpos.io.files import new_folder, read_json, read_segments
from morpos.layers.sidecar import beside
from morpos.report import layouts
from morpos.scoring import counts_files as systems
from morpos.scoring.external import Further
from morpos.scoring.metrics import Floats, read_table
from morpos.workflow.steps import _further, _human


def arguments(parser: argparse.ArgumentParser) -> None:
    _human.arguments(parser, needed=False)
    _further.arguments(parser)
    parser.add_argument("--counts", nargs="+", required=True, help="counts of the systems (.npz)")
    parser.add_argument("--texts", nargs="+", required=True, help="canonical texts of the systems")
    parser.add_argument("--originals", nargs="+", required=True, help="the same of the references")
    parser.add_argument("--testset", required=True, help="name of the test set")
    parser.add_argument("--metrics", required=True, help="metric table (YAML)")
    parser.add_argument("--mt-metrics-eval", required=True, help="output: a folder")
    parser.add_argument("--wmt22", required=True, help="output: a folder")


def run(args: argparse.Namespace) -> None:
    scored = systems.scored(systems.load(args.counts))
    facts = read_json(beside(args.originals[0]))
    texts = {read_json(beside(path))["name"]: path for path in args.texts}
    metrics = read_table(args.metrics)
    signature = systems.signature(scored, args.testset)
    further = _further.read(args, metrics, scored, facts["segments"])
    human, human_segments = _human_scores(args, list(scored), facts["segments"])
    testset = layouts.Scored(
        name=args.testset,
        pair=f"{args.source}-{args.target}",
        ids=facts["ids"],
        references={f"ref{n}": read_segments(path) for n, path in enumerate(args.originals, 1)},
        outputs={name: read_segments(texts[name]) for name in scored},
        system={m.name: {name: m.score(one) for name, one in scored.items()} for m in metrics}
        | {f.name: f.system for f in further if _complete(f, f.system, scored)},
        segment={
            m.name: {name: m.segment_scores(one) for name, one in scored.items()} for m in metrics
        }
        | {f.name: f.segment for f in further if _complete(f, f.segment, scored)},
        signatures=dict.fromkeys((m.name for m in metrics), signature)
        | {f.name: f.signature for f in further},
        human=human,
        human_segments=human_segments,
    )
    for path, write in (
        (args.mt_metrics_eval, layouts.write_mt_metrics_eval),
        (args.wmt22, layouts.write_wmt22),
    ):
        with new_folder(path) as folder:
            write(folder, testset)


def _complete(
    metric: Further, scores: Mapping[str, float | Floats], systems: Collection[str]
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
    reading, rule = _human.read(args, segments), _human.rule(args)
    scores = humans.human_scores(reading, rule)
    if not reading.ratings or not humans.segments_named(reading):
        return scores, {}
    ratings = judgments.standardise(reading.ratings) if rule == "mean-z" else reading.ratings
    matrix = segment_matrix(ratings, names, segments)
    return scores, dict(zip(names, matrix, strict=True))
