"""Correlate the metrics with the human scores of one document."""

import argparse
import math
from collections.abc import Sequence, Set

from morpos import tables
from morpos.correlation import spearman, tied

# All other columns of a score table are metrics, whatever they are called.
_NOT_METRICS = frozenset({"document", "system", "signature"})


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scores", help="scores of a document: column system and one a metric (TSV)")
    parser.add_argument("human", help="human scores: columns system and score (TSV)")
    parser.add_argument("--document", required=True, help="name of the document")
    parser.add_argument(
        "--references",
        action="append",
        default=[],
        help="a judged name that is no system, in WMT files _ref; may be repeated",
    )
    parser.add_argument("--output", required=True, help="output: one row a metric (TSV)")
    parser.add_argument("--left-out", required=True, help="output: systems left out and why (TSV)")


def run(args: argparse.Namespace) -> None:
    scores, human = tables.read(args.scores, _NOT_METRICS), tables.read(args.human)
    signatures = [
        rows[0]["signature"] for rows in (scores, human) if rows and "signature" in rows[0]
    ]
    shared = {"document": args.document, "signature": "|".join(signatures)}
    judged = {row["system"]: row["score"] for row in human}
    scored = {row["system"]: row for row in scores}
    systems = [
        name
        for name in scored
        if name not in args.references and not math.isnan(judged.get(name, math.nan))
    ]

    rows = []
    for metric in dict.fromkeys(c for row in scores for c in row if c not in _NOT_METRICS):
        known = [name for name in systems if not math.isnan(scored[name][metric])]
        values = [scored[name][metric] for name in known]
        against = [judged[name] for name in known]
        result = spearman(values, against)
        rows.append(
            {
                "metric": metric,
                "spearman": result.value,
                "n": result.n,
                "ties_metric": tied(values),
                "ties_human": tied(against),
                "note": result.note,
            }
            | shared
        )
    columns = ["document", "metric", "spearman", "n", "ties_metric", "ties_human", "note"]
    tables.write(args.output, [*columns, "signature"], rows)
    left_out = [
        {"system": name, "note": note} | shared
        for name in sorted(judged.keys() | scored.keys())
        if (note := _why_left_out(name, judged, scored.keys(), args.references))
    ]
    tables.write(args.left_out, ["document", "system", "note", "signature"], left_out)


def _why_left_out(
    name: str, judged: dict[str, float], scored: Set[str], references: Sequence[str]
) -> str:
    if name in references:
        return "reference: judged, counted in the others' scores, not correlated"
    if name not in judged:
        return "scored, but never judged"
    if name not in scored:
        return "judged, but not scored: no output, or left out"
    return "judged, but its human score is undefined" if math.isnan(judged[name]) else ""
