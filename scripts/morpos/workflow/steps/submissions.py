"""One test set for mt-metrics-eval, and as submission files of the WMT22 metrics task."""

import argparse
from collections.abc import Collection, Mapping

import numpy as np

from morpos.evaluation.resampling import segment_matrix
from morpos.human import judgments
from morpos.human import scores as humans
from morpos.human.arguments import add_judgments, chosen_rule, read_judgments
from morpos.io.files import new_folder, read_json, read_segments
from morpos.layers.sidecar import beside
from morpos.report import layouts
from morpos.scoring import counts_files as systems
from morpos.scoring.metrics import Floats, read_table
from morpos.workflow.steps._external import add_external, read_external, write_left_out


def arguments(parser: argparse.ArgumentParser) -> None:
    add_judgments(parser, needed=False)
    add_external(parser)
    parser.add_argument("--counts", nargs="+", required=True, help="counts of the systems (.npz)")
    parser.add_argument("--texts", nargs="+", required=True, help="canonical texts of the systems")
    parser.add_argument("--references", nargs="+", required=True, help="the same of the references")
    parser.add_argument("--testset", required=True, help="name of the test set")
    parser.add_argument("--metrics", required=True, help="metric table (YAML)")
    parser.add_argument("--mt-metrics-eval", required=True, help="output: a folder")
    parser.add_argument("--wmt22", required=True, help="output: a folder")


def run(args: argparse.Namespace) -> None:
    scored = systems.scored(systems.load(args.counts))
    facts = read_json(beside(args.references[0]))
    texts = {read_json(beside(path))["name"]: path for path in args.texts}
    metrics = read_table(args.metrics)
    signature = systems.signature(scored, args.testset)
    further, left_out = read_external(args, metrics, scored, facts["segments"])
    human, human_segments = _human_scores(args, list(scored), facts["segments"])
    testset = layouts.Scored(
        name=args.testset,
        pair=f"{args.source}-{args.target}",
        ids=facts["ids"],
        references={f"ref{n}": read_segments(path) for n, path in enumerate(args.references, 1)},
        outputs={name: read_segments(texts[name]) for name in scored},
        system={m.name: {name: m.score(one) for name, one in scored.items()} for m in metrics}
        | {f.name: f.system for f in further if not _lacking(f.system, scored)},
        segment={
            m.name: {name: m.segment_scores(one) for name, one in scored.items()} for m in metrics
        }
        | {f.name: f.segment for f in further if not _lacking(f.segment, scored)},
        signatures=dict.fromkeys((m.name for m in metrics), signature)
        | {f.name: f.signature for f in further},
        human=human,
        human_segments=human_segments,
    )
    left_out += [
        f"{metric.name}: no score, or not all, of {', '.join(lacking)}"
        for metric in further
        for scores in (metric.system, metric.segment)
        if scores and (lacking := _lacking(scores, scored))
    ]
    with new_folder(args.mt_metrics_eval) as folder:
        layouts.write_mt_metrics_eval(folder, testset)
        write_left_out(folder / "left_out.tsv", args.testset, left_out)
    with new_folder(args.wmt22) as folder:
        layouts.write_wmt22(folder, testset)


def _lacking(scores: Mapping[str, float | Floats], systems: Collection[str]) -> list[str]:
    """The systems without a score, or without one of some segment."""
    return [name for name in systems if name not in scores or np.isnan(scores[name]).any()]


def _human_scores(
    args: argparse.Namespace, names: list[str], segments: int
) -> tuple[dict[str, float], dict[str, Floats]]:
    """Human scores of systems, and of segments where they were scored one by one."""
    if not args.judgments:
        return {}, {}
    reading, rule = read_judgments(args, segments), chosen_rule(args)
    scores = humans.human_scores(reading, rule)
    if not reading.ratings or not humans.segments_named(reading):
        return scores, {}
    ratings = judgments.standardise(reading.ratings) if rule == "mean-z" else reading.ratings
    matrix = segment_matrix(ratings, names, segments)
    return scores, dict(zip(names, matrix, strict=True))
