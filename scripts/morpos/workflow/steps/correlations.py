"""Correlate the metrics with the human scores of one test set."""

import argparse
import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set

from morpos.evaluation.correlation import count_tied, spearman
from morpos.io import tables
from morpos.io.arguments import add_switch
from morpos.io.text import canonical
from morpos.signature import foreign

_COLUMNS = (
    *("testset", "source", "target", "group", "exclude_from_summary", "systems", "metric"),
    *("spearman", "n", "ties_metric", "ties_human", "note", "signature"),
)
_LEFT_OUT = ("testset", "system", "note", "signature")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scores", help="scores of a test set: column system and one a metric (TSV)")
    parser.add_argument("human", help="human scores: columns system and score (TSV)")
    parser.add_argument("--testset", required=True, help="name of the test set")
    for name in ("source", "target", "group"):
        parser.add_argument(f"--{name}", default="", help=f"{name} of the test set, for the table")
    add_switch(parser, "--exclude-from-summary", "not part of tables over test sets")
    parser.add_argument(
        "--combinations",
        help="regular expression for names of system combinations; correlate without them too",
    )
    parser.add_argument(
        "--references",
        nargs="*",
        default=[],
        help="judged names that are not systems, in WMT files _ref",
    )
    parser.add_argument(
        "--external", nargs="?", help="scores by external metrics: system, metric, score (TSV)"
    )
    parser.add_argument("--output", required=True, help="output: one row a metric (TSV)")
    parser.add_argument("--left-out", required=True, help="output: systems left out and why (TSV)")


def run(args: argparse.Namespace) -> None:
    tables.require(args.scores, ["system"])
    tables.require(args.human, ["system", "score"])
    scores, human = tables.read(args.scores, tables.NOT_METRICS), tables.read(args.human)
    external = tables.read(args.external) if args.external else []
    signatures = {row["metric"]: row["signature"] for row in external}
    for metric in signatures:
        by_system = {row["system"]: row["score"] for row in external if row["metric"] == metric}
        scores = [row | {metric: by_system.get(row["system"], math.nan)} for row in scores]
    signed = [rows[0]["signature"] for rows in (scores, human) if rows and "signature" in rows[0]]
    shared = {
        **{name: getattr(args, name) for name in ("testset", "source", "target", "group")},
        "exclude_from_summary": int(args.exclude_from_summary),
        "signature": "|".join([*signed, *itertools.starmap(foreign, signatures.items())]),
    }
    columns = [*tables.columns(args.scores), *signatures]
    metrics = [name for name in columns if name not in tables.NOT_METRICS]
    scored = tables.by_system(args.scores, scores)
    judged = {
        name: float(row["score"]) for name, row in tables.by_system(args.human, human).items()
    }
    systems = {
        name: scored[name]
        for name in scored
        if name not in args.references and not math.isnan(judged.get(name, math.nan))
    }
    subsets = {"all": systems}
    if args.combinations:
        subsets["without combinations"] = {
            name: row for name, row in systems.items() if not re.search(args.combinations, name)
        }
    rows = [
        shared | {"systems": label} | row
        for label, subset in subsets.items()
        for row in _correlate(subset, judged, metrics)
    ]
    tables.write(args.output, _COLUMNS, rows)
    left_out = [
        {"system": name, "note": note} | shared
        for name in sorted(judged.keys() | scored.keys())
        if (note := _why_left_out(name, judged, scored.keys(), args.references))
    ]
    tables.write(args.left_out, _LEFT_OUT, left_out)


def _correlate(
    systems: Mapping[str, tables.Row], judged: Mapping[str, float], metrics: Sequence[str]
) -> Iterator[tables.Row]:
    for metric in metrics:
        known = [name for name in systems if not math.isnan(systems[name][metric])]
        values = [systems[name][metric] for name in known]
        against = [judged[name] for name in known]
        result = spearman(values, against)
        yield {
            "metric": metric,
            "spearman": result.value,
            "n": result.n,
            "ties_metric": count_tied(values),
            "ties_human": count_tied(against),
            "note": result.note,
        }


def _why_left_out(
    name: str, judged: dict[str, float], scored: Set[str], references: Sequence[str]
) -> str:
    if name in references:
        return "a reference, which was judged: counts in the others' scores"
    if name not in judged:
        return "scored, but never judged" + _near(name, judged.keys())
    if name not in scored:
        return "judged, but not scored: no output, or left out" + _near(name, scored)
    return "judged, but its human score is undefined" if math.isnan(judged[name]) else ""


def _near(name: str, others: Set[str]) -> str:
    """A name that looks alike, in ASCII: it may differ in nothing that can be seen."""
    look = _look(name)
    near = [other for other in sorted(others) if other != name and _look(other) == look]
    return f"; is it {near[0]!a}, not {name!a}?" if near else ""


def _look(name: str) -> str:
    return canonical(name, Counter()).casefold()
