"""Score all systems of a document with all metrics, from their counts alone."""

import argparse
from collections.abc import Mapping
from typing import Any

import pandas as pd

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
    scored = [counts for counts in systems if not counts.meta["text"]["left_out"]]
    signatures = {str(counts.meta["signature"]) for counts in scored}
    if len(signatures) > 1:
        raise MorposError(f"the systems of {args.document} are not annotated alike: {signatures}")
    signature = "|".join([f"morpos:{own_version()}", *signatures, f"refs:{len(args.references)}"])

    names = [counts.meta["text"]["name"] for counts in scored]
    corpus = {m.name: [m.score(counts) for counts in scored] for m in metrics}
    tables.write(
        args.scores,
        pd.DataFrame(
            {"document": args.document, "system": names, **corpus, "signature": signature}
        ),
    )
    segments = [
        pd.DataFrame(
            {
                "document": args.document,
                "system": name,
                "segment": range(1, counts.meta["text"]["segments"] + 1),
                **{m.name: m.segment_scores(counts) for m in metrics},
                "signature": signature + "|segment-bleu:exp",
            }
        )
        for name, counts in zip(names, scored, strict=True)
    ]
    columns = ["document", "system", "segment", *corpus, "signature"]
    tables.write(args.segments, pd.concat(segments) if segments else pd.DataFrame(columns=columns))

    rows = [_text(read_json(path), "reference") for path in args.references]
    rows += [_text(counts.meta["text"], "system") for counts in systems]
    facts = pd.DataFrame(rows)
    facts.insert(0, "document", args.document)
    facts["signature"] = signature
    tables.write(args.texts, facts)


def _text(facts: Mapping[str, Any], role: str) -> dict[str, object]:
    return {
        "system": facts["name"],
        "file": facts["source"],
        "status": "left out" if facts["left_out"] else role,
        "segments": facts["segments"],
        "empty_segments": facts["empty_segments"],
        **{kind: facts["changes"][kind] for kind in CHANGES},
        # A message of several lines stays one cell.
        "note": " ".join((facts["left_out"] or "").split()),
    }
