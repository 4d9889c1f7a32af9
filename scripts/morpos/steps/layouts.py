"""One document in the layouts of mt-metrics-eval and of the WMT22 metrics task."""

import argparse

from morpos import exports, humans, judgments, systems
from morpos.files import new_folder, read_json, read_segments
from morpos.layers.sidecar import beside
from morpos.metrics import Floats, read_table
from morpos.resampling import segment_matrix
from morpos.steps import _human


def arguments(parser: argparse.ArgumentParser) -> None:
    _human.arguments(parser, needed=False)
    parser.add_argument("--counts", nargs="+", required=True, help="counts of the systems (.npz)")
    parser.add_argument("--texts", nargs="+", required=True, help="canonical texts of the systems")
    parser.add_argument("--originals", nargs="+", required=True, help="the same of the references")
    parser.add_argument("--document", required=True, help="name of the document")
    parser.add_argument("--metrics", required=True, help="metric table (YAML)")
    parser.add_argument("--mt-metrics-eval", required=True, help="output: a folder")
    parser.add_argument("--wmt22", required=True, help="output: a folder")


def run(args: argparse.Namespace) -> None:
    scored = systems.scored(systems.load(args.counts))
    texts = {read_json(beside(path))["name"]: path for path in args.texts}
    metrics = read_table(args.metrics)
    human, human_segments = _human_scores(args, list(scored))
    document = exports.Scored(
        name=args.document,
        pair=f"{args.source}-{args.target}",
        ids=read_json(beside(args.originals[0]))["ids"],
        references={f"ref{n}": read_segments(path) for n, path in enumerate(args.originals, 1)},
        outputs={name: read_segments(texts[name]) for name in scored},
        system={
            m.name: {name: m.score(counts) for name, counts in scored.items()} for m in metrics
        },
        segment={
            m.name: {name: m.segment_scores(counts) for name, counts in scored.items()}
            for m in metrics
        },
        human=human,
        human_segments=human_segments,
    )
    for path, write in (
        (args.mt_metrics_eval, exports.write_mt_metrics_eval),
        (args.wmt22, exports.write_wmt22),
    ):
        with new_folder(path) as folder:
            write(folder, document)


def _human_scores(
    args: argparse.Namespace, names: list[str]
) -> tuple[dict[str, float], dict[str, Floats]]:
    """Human scores of systems, and of segments where they were scored one by one."""
    if not args.judgments:
        return {}, {}
    reading, rule = _human.read(args), _human.rule(args)
    scores = humans.human_scores(reading, rule)
    if not reading.ratings or not humans.segments_named(reading):
        return scores, {}
    ratings = judgments.standardise(reading.ratings) if rule == "mean-z" else reading.ratings
    segments = read_json(beside(args.originals[0]))["segments"]
    matrix = segment_matrix(ratings, names, segments)
    return scores, dict(zip(names, matrix, strict=True))
