"""The page of one test set: its systems, how metrics judge them, the most divergent segments."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from morpos.io.files import read_segments, slug
from morpos.io.tables import Row
from morpos.report.html import changed, charts, defined, not_scored, page
from morpos.scoring.ngrams import matched_orders

#: So many systems are named as misjudged, either way.
_NAMED = 4
#: The chart names all systems of test sets with so few.
_FEW = 12
#: Longest text of a segment that is shown, in characters; keeps the worst page below 20 MB.
_LONGEST = 800
#: N-grams of more units are marked like those of so many.
_SHADES = 4


class LayerFiles(NamedTuple):
    """Where the texts of a layer lie: a folder of the systems', and the references."""

    name: str
    systems: Path
    references: tuple[Path, ...]


class ShadedLine(NamedTuple):
    """A segment in one layer: stretches of units with the n of the matched n-grams (0: none)."""

    layer: str
    stretches: list[tuple[str, int]]
    more: int  # characters that are not shown


class Places(NamedTuple):
    """The first and the last place that a system shares with its equals; 1 is best."""

    first: int
    last: int


@dataclass(frozen=True)
class SystemTable:
    """Scores of the systems by metric, and by humans; those without a human score are NaN there."""

    metrics: Sequence[str]
    scores: Mapping[str, Row]  # by system
    human: Mapping[str, float]  # of the systems that are correlated

    def places(self, metric: str | None) -> dict[str, Places]:
        """The places of each correlated system by a metric, or by humans."""
        values = {s: self.scores[s][metric] if metric else self.human[s] for s in self.human}
        return {
            s: Places(
                1 + sum(other > value for other in values.values()),
                sum(other >= value for other in values.values()),
            )
            for s, value in values.items()
        }


def render(
    *,
    title: str,
    notice: str | None,
    testset: str,
    source: str,
    target: str,
    library: str,
    order: int,
    scores: Sequence[Row],
    metrics: Sequence[str],
    human: Sequence[Row],
    correlations: Sequence[Row],
    left_out_systems: Sequence[Row],
    intervals: Sequence[Row],
    coefficients: Sequence[Row],
    disagreements: Sequence[Row],
    texts: Sequence[Row],
    layers: Sequence[LayerFiles],
) -> str:
    """The page; see `morpos.workflow.steps.report_testset` for what the tables are.

    Args:
        order: the largest n that was counted.
    """
    known = {row["system"]: row["score"] for row in human}

    def best_first(row: Row) -> tuple[float, str]:
        return -_or_least(known.get(row["system"])), row["system"]

    scored = {row["system"]: row for row in sorted(scores, key=best_first)}
    not_correlated = {row["system"] for row in left_out_systems}
    judged = {name: known[name] for name in scored if name in known and name not in not_correlated}
    table = SystemTable(metrics, scored, judged)
    rho = {row["metric"]: row for row in correlations if row["systems"] == "all"}
    ways = {metric: [r for r in coefficients if r["metric"] == metric] for metric in metrics}
    outliers = _outliers(coefficients)
    ours = {metric: _misjudged(table, metric) for metric in metrics} if judged else {}
    drawn = {"intervals": charts.intervals(len(scored), bool(intervals))} if scored else {}
    if judged:
        drawn["scatter"] = charts.scatter()
    by_metric = {
        metric: {
            "scatter": _points(table, metric, ours[metric], outliers) if judged else [],
            "intervals": _with_intervals(table, metric, intervals),
        }
        for metric in metrics
    }
    return page(
        "testset.html",
        library,
        {"charts": drawn, "metrics": by_metric},
        most=most,
        far_off=far_off(len(judged)),
        distance=distance,
        title=title,
        notice=notice,
        testset=testset,
        source=source,
        target=target,
        metrics=metrics,
        systems=list(scored),
        scores=scored,
        human=judged,
        segments=int(next((row["segments"] for row in texts), 0)),
        references=sum(row["status"] == "reference" for row in texts),
        rho=rho,
        ways={metric: group_coefficients(rows) for metric, rows in ways.items()},
        outliers=outliers,
        clusters=_clusters(intervals, len(scored)),
        needed=_needed(len(scored)),
        with_intervals=bool(intervals),
        misjudged=ours,
        divergent=collect_segments(disagreements, layers, order),
        layers=[layer.name for layer in layers],
        changed=changed(texts),
        not_scored=not_scored(texts),
        left_out_systems=left_out_systems,
        signatures=_signatures([correlations or scores, intervals]),
    )


def _or_least(score: float | None) -> float:
    return -math.inf if score is None or math.isnan(score) else score


def _signatures(tables: Iterable[Sequence[Row]]) -> list[str]:
    return list(dict.fromkeys(rows[0]["signature"] for rows in tables if rows))


def _outliers(coefficients: Sequence[Row]) -> list[str]:
    """The systems that robust Pearson leaves out: far from the others by the human score."""
    rows = [row for row in coefficients if row["coefficient"] == "robust pearson"]
    return rows[0]["left_out"].split(", ") if rows and rows[0]["left_out"] else []


def _clusters(intervals: Sequence[Row], systems: int) -> dict[tuple[str, str], int]:
    """The cluster by system and metric; none if no p, adjusted for all pairs, can be below .05."""
    if not intervals or intervals[0]["samples"] < _needed(systems):
        return {}
    return {(row["system"], row["metric"]): int(row["cluster_bootstrap"]) for row in intervals}


def _needed(systems: int) -> int:
    """The smallest number of resamples with pairs of systems / (1 + resamples) < .05."""
    return systems * (systems - 1) // 2 * 20


class Misjudged(NamedTuple):
    """A system's rank by humans and by a metric, 1 is best."""

    system: str
    human: int
    metric: int
    off: int  # how many ranks better the metric thinks of it, however equals are put in order


def _misjudged(table: SystemTable, metric: str) -> dict[str, Misjudged]:
    by_human, by_metric = table.places(None), table.places(metric)
    return {s: _compared(s, by_human[s], by_metric[s]) for s in table.human}


def _compared(system: str, human: Places, metric: Places) -> Misjudged:
    off = max(human.first - metric.last, 0) + min(human.last - metric.first, 0)
    return Misjudged(system, human.first, metric.first, off)


def distance(judged: Mapping[str, Misjudged]) -> float:
    """Mean distance of the ranks by the metric and by humans."""
    return sum(abs(one.off) for one in judged.values()) / len(judged)


def far_off(systems: int) -> int:
    """By how many ranks a metric must be wrong for a system to count as misjudged."""
    return max(2, systems // 10)


def most(judged: Mapping[str, Misjudged], sign: int) -> list[Misjudged]:
    """The systems that a metric overrates (1) or underrates (-1) most."""
    off = [one for one in judged.values() if sign * one.off >= far_off(len(judged))]
    return sorted(off, key=lambda one: (-sign * one.off, one.system))[:_NAMED]


def _points(
    table: SystemTable, metric: str, judged: Mapping[str, Misjudged], outliers: Sequence[str]
) -> list[dict[str, Any]]:
    scores = {system: 100 * table.scores[system][metric] for system in table.human}
    middle = (min(scores.values()) + max(scores.values())) / 2
    named = {one.system for sign in (1, -1) for one in most(judged, sign)} | {*outliers}
    return [
        {
            "system": system,
            "score": score,
            "human": table.human[system],
            "ranks": f"human {judged[system].human}, metric {judged[system].metric}",
            "named": system in named or len(scores) <= _FEW,
            "off": abs(judged[system].off) >= far_off(len(scores)),
            "outlier": system in outliers,
            "right": score > middle,
        }
        for system, score in scores.items()
    ]


def _with_intervals(
    table: SystemTable, metric: str, intervals: Sequence[Row]
) -> list[dict[str, Any]]:
    """The systems with what is known of their intervals and clusters."""
    drawn = {row["system"]: row for row in intervals if row["metric"] == metric}
    return [
        {
            "system": system,
            "score": 100 * table.scores[system][metric],
            "low": 100 * drawn[system]["low"] if system in drawn else None,
            "high": 100 * drawn[system]["high"] if system in drawn else None,
            "cluster": int(drawn[system]["cluster_bootstrap"]) if system in drawn else 1,
        }
        for system in table.scores
    ]


def group_coefficients(rows: Sequence[Row]) -> dict[str, dict[str, Any]]:
    """By coefficient: its value and note, and its intervals as text by the way to them."""
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        one = found.setdefault(
            row["coefficient"],
            {**row, "value": defined(row["value"]), "intervals": {}},
        )
        if row["interval"]:
            known = not math.isnan(row["low"])
            text = (
                f"{row['low']:.3f} to {row['high']:.3f}" if known else f"undefined: {row['note']}"
            )
            # Two ways to an interval over systems may both need more systems.
            if text not in one["intervals"].values():
                one["intervals"][row["interval"]] = text
    return found


# --- segments ----------------------------------------------------------------------------------


def collect_segments(
    disagreements: Sequence[Row], layers: Sequence[LayerFiles], order: int
) -> list[dict[str, Any]]:
    """The most divergent segments with the reference and both outputs, in all layers."""
    numbers = {int(row["segment"]) for row in disagreements}
    names = sorted({row[side] for row in disagreements for side in ("first", "second")})
    references, outputs = {}, {}
    for layer in layers if disagreements else ():
        references[layer.name] = [_lines(path, numbers) for path in layer.references]
        # All files of a layer are gzipped, or none is.
        suffix = ".txt.gz" if layer.references[0].suffix == ".gz" else ".txt"
        for name in names:
            outputs[layer.name, name] = _lines(layer.systems / f"{slug(name)}{suffix}", numbers)
    divergent = []
    for row in disagreements:
        number = int(row["segment"])
        own_references = {name: [ref[number] for ref in refs] for name, refs in references.items()}
        columns = {
            row[side]: [
                shade_line(
                    name,
                    outputs[name, row[side]][number],
                    matched_orders(outputs[name, row[side]][number], own_references[name], order),
                )
                for name in own_references
            ]
            for side in ("first", "second")
        }
        divergent.append(
            {
                "row": row,
                "number": number,
                "references": [
                    [
                        shade_line(name, refs[i], [0] * len(refs[i]))
                        for name, refs in own_references.items()
                    ]
                    for i in range(len(layers[0].references))
                ],
                "outputs": columns,
            }
        )
    return divergent


def _lines(path: Path, numbers: Iterable[int]) -> dict[int, list[str]]:
    segments = read_segments(path)
    return {n: segments[n - 1].split(" ") if segments[n - 1] else [] for n in numbers}


def shade_line(layer: str, units: Sequence[str], levels: Sequence[int]) -> ShadedLine:
    """Neighbours of the same level become one stretch; what is very long is cut, visibly."""
    stretches: list[tuple[str, int]] = []
    left = _LONGEST
    for unit, level in zip(units, levels, strict=True):
        if left <= 0:
            break
        shown, shade = unit[:left], min(level, _SHADES)
        left -= len(unit) + 1
        if stretches and stretches[-1][1] == shade:
            stretches[-1] = (f"{stretches[-1][0]} {shown}", shade)
        else:
            stretches.append((shown, shade))
    length = len(" ".join(units))
    return ShadedLine(layer, stretches, max(0, length - _LONGEST))
