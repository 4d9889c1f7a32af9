"""Score all systems of a document with all metrics, from their counts alone."""

import argparse
from collections.abc import Iterator, Mapping
from typing import Any

from morpos import ngrams, tables
from morpos.errors import MorposError
from morpos.files import read_json
from morpos.metrics import read_table
from morpos.provenance import own_version
from morpos.text import CHANGES


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("counts", nargs="+", help="counts of the systems (.npz)")
    parser.add_argument("--document", required=True, help="name of the document")
    parser.add_argument("--metrics", required=True, help="metric table (YAML)")
    parser.add_argument("--references", nargs="+", required=True, help="facts about the references")
    parser.add_argument("--scores", required=True, help="output: system × metric (TSV)")
    parser.add_argument("--segments", required=True, help="output: segment scores (TSV, .gz)")
    parser.add_argument("--texts", required=True, help="output: what each text is like (TSV)")


def run(args: argparse.Namespace) -> None:
    metrics = read_table(args.metrics)
    systems = sorted(map(ngrams.load, args.counts), key=lambda c: str(c.meta["text"]["name"]))
    scored = {
        counts.meta["text"]["name"]: counts
        for counts in systems
        if not counts.meta["text"]["left_out"]
    }
    for metric in metrics:
        for counts in systems:
            metric.require(counts)
    signatures = {str(counts.meta["signature"]) for counts in scored.values()}
    if len(signatures) > 1:
        raise MorposError(f"the systems of {args.document} are not annotated alike: {signatures}")
    shared = {
        "document": args.document,
        "signature": "|".join(
            [f"morpos:{own_version()}", *signatures, f"refs:{len(args.references)}"]
        ),
    }

    names = [metric.name for metric in metrics]
    tables.write(
        args.scores,
        ["document", "system", *names, "signature"],
        (
            {"system": name, **{m.name: m.score(counts) for m in metrics}} | shared
            for name, counts in scored.items()
        ),
    )

    def segments() -> Iterator[dict[str, object]]:
        for name, counts in scored.items():
            columns = [metric.segment_scores(counts).tolist() for metric in metrics]
            for number, values in enumerate(zip(*columns, strict=True), 1):
                yield {
                    "system": name,
                    "segment": number,
                    **dict(zip(names, values, strict=True)),
                } | {
                    **shared,
                    "signature": shared["signature"] + "|segment-bleu:exp",
                }

    tables.write(args.segments, ["document", "system", "segment", *names, "signature"], segments())

    rows = [_text(read_json(path), "reference") for path in args.references]
    rows += [_text(counts.meta["text"], "system") for counts in systems]
    columns = ["document", *rows[0], "signature"]
    tables.write(args.texts, columns, (row | shared for row in rows))


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
