"""Correlate the metrics with the human scores of one document."""

import argparse

import pandas as pd

from morpos import tables
from morpos.correlation import spearman, tied

_NOT_METRICS = {"document", "system", "signature"}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scores", help="scores of a document: column system and one a metric (TSV)")
    parser.add_argument("human", help="human scores: columns system and score (TSV)")
    parser.add_argument("--document", required=True, help="name of the document")
    parser.add_argument(
        "--references", nargs="*", default=["_ref"], help="judged names that are no systems (_ref)"
    )
    parser.add_argument("--output", required=True, help="output: one row a metric (TSV)")
    parser.add_argument("--left-out", required=True, help="output: systems left out and why (TSV)")


def run(args: argparse.Namespace) -> None:
    scores, human = tables.read(args.scores), tables.read(args.human)
    judged = human[~human["system"].isin(args.references) & human["score"].notna()]
    both = scores.merge(judged[["system", "score"]], on="system")
    signature = "|".join(
        str(frame["signature"].iloc[0])
        for frame in (scores, human)
        if "signature" in frame and len(frame)
    )
    rows = []
    for metric in [c for c in scores.columns if c not in _NOT_METRICS]:
        known = both[both[metric].notna()]
        result = spearman(known[metric].to_list(), known["score"].to_list())
        rows.append(
            {
                "document": args.document,
                "metric": metric,
                "spearman": result.value,
                "n": result.n,
                "ties_metric": tied(known[metric].to_list()),
                "ties_human": tied(known["score"].to_list()),
                "note": result.note,
                "signature": signature,
            }
        )
    tables.write(args.output, pd.DataFrame(rows))

    left = [
        (name, "reference: judged, counted in the others' scores, not correlated")
        for name in human["system"]
        if name in args.references
    ]
    left += [
        (name, "scored, but never judged")
        for name in scores["system"]
        if name not in set(human["system"])
    ]
    left += [
        (name, "judged, but not scored: no output, or left out")
        for name in judged["system"]
        if name not in set(scores["system"])
    ]
    left += [
        (name, "judged, but its human score is undefined")
        for name in human["system"][human["score"].isna()]
        if name not in args.references
    ]
    frame = pd.DataFrame(sorted(left), columns=["system", "note"])
    frame.insert(0, "document", args.document)
    frame["signature"] = signature
    tables.write(args.left_out, frame)
