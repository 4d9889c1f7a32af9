"""Score all systems of a test set with all metrics, from their counts alone."""

import argparse
from collections.abc import Iterator, Mapping
from typing import Any

from morpos.errors import MorposError
from morpos.io import tables
from morpos.io.files import read_json, sha256
from morpos.io.text import CHANGES
from morpos.scoring import counts_files
from morpos.scoring.metrics import corpus_scores, read_table, segment_scores
from morpos.signature import model

_TEXTS = (
    *("testset", "system", "file", "status", "segments", "empty_segments", *CHANGES),
    *("note", "signature"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("counts", nargs="+", help="counts of the systems (.npz)")
    parser.add_argument("--testset", required=True, help="name of the test set")
    parser.add_argument("--metrics", required=True, help="metric table (YAML)")
    parser.add_argument("--references", nargs="+", required=True, help="facts about the references")
    parser.add_argument("--scores", required=True, help="output: system × metric (TSV)")
    parser.add_argument("--segments", required=True, help="output: segment scores (TSV, .gz)")
    parser.add_argument("--texts", required=True, help="output: what each text is like (TSV)")


def run(args: argparse.Namespace) -> None:
    metrics = read_table(args.metrics)
    loaded = counts_files.load(args.counts)
    references = [read_json(path) for path in args.references]
    for other in references[1:]:
        if other["ids"] and references[0]["ids"] and other["ids"] != references[0]["ids"]:
            raise MorposError(
                f"{references[0]['source']} and {other['source']} are references of "
                f"{args.testset}, but their segments have other ids or another order; "
                "give references with the same segments in the same order"
            )
    scored = counts_files.scored(loaded)
    signature = counts_files.signature(scored, args.testset)
    shared = {
        "testset": args.testset,
        "signature": f"{signature}|{model('metrics:', sha256(args.metrics))}",
    }

    names = [metric.name for metric in metrics]
    tables.write(
        args.scores,
        ["testset", "system", *names, "signature"],
        (
            {"system": name} | corpus_scores(metrics, counts) | shared
            for name, counts in scored.items()
        ),
    )

    def segments() -> Iterator[dict[str, object]]:
        signed = shared | {"signature": f"{shared['signature']}|segment-bleu:exp"}
        for name, counts in scored.items():
            columns = [scores.tolist() for scores in segment_scores(metrics, counts).values()]
            for number, values in enumerate(zip(*columns, strict=True), 1):
                own = {"system": name, "segment": number}
                yield dict(zip(names, values, strict=True)) | own | signed

    tables.write(args.segments, ["testset", "system", "segment", *names, "signature"], segments())

    rows = [_text(facts, "reference") for facts in references]
    rows += [_text(counts.meta["text"], "system") for counts in loaded]
    tables.write(args.texts, _TEXTS, (row | shared for row in rows))


def _text(facts: Mapping[str, Any], role: str) -> dict[str, object]:
    return {
        "system": facts["name"],
        "file": facts["source"],
        "status": "left out" if facts["left_out"] else role,
        "segments": facts["segments"],
        "empty_segments": facts["empty_segments"],
        **{kind: facts["changes"][kind] for kind in CHANGES},
        "note": facts["left_out"] or "; ".join(facts["notes"]),
    }
