"""The charts as Vega-Lite specifications; colours are names of the page's style sheet."""

import math
from collections.abc import Sequence
from typing import Any

from morpos.io.tables import Row

Spec = dict[str, Any]


def _field(name: str, title: str, kind: str = "quantitative", **more: Any) -> Spec:
    return {"field": name, "type": kind, "title": title, **more}


def _mark(kind: str, colour: str, **more: Any) -> Spec:
    return {"type": kind, "color": f"var(--{colour})", **more}


_ANY: Spec = {"scale": {"zero": False, "nice": True}}
_ENDS = (("low", "from"), ("high", "to"))
#: As wide as there is room, as high as there are lines.
_TALL = {"width": "container", "autosize": {"type": "fit-x", "contains": "padding"}}


def scatter() -> Spec:
    """Metric against human; the script puts the systems of the chosen metric in."""
    tooltip = [
        _field("system", "system", "nominal"),
        _field("score", "metric", format=".2f"),
        _field("human", "human", format=".3f"),
        _field("ranks", "ranks", "nominal"),
    ]
    x, y = _field("score", "score by the metric", **_ANY), _field("human", "human score", **_ANY)
    return {
        "description": "Scatter plot of the systems: score by the chosen metric, human score",
        "width": "container",
        "height": 380,
        "data": {"name": "systems"},
        "encoding": {"x": x, "y": y},
        "layer": [
            {
                "mark": _mark("point", "good", filled=True, size=60, opacity=0.75),
                "encoding": {
                    "tooltip": tooltip,
                    "shape": {
                        "condition": {"test": "datum.outlier", "value": "diamond"},
                        "value": "circle",
                    },
                    "color": {
                        "condition": {"test": "datum.off", "value": "var(--bad)"},
                        "value": "var(--good)",
                    },
                },
            },
            # On the side where there is room: to the left of points in the right half.
            *(
                {
                    "mark": {"type": "text", "align": align, "dx": dx, "limit": 160},
                    "encoding": {
                        "text": {
                            "condition": {"test": f"datum.named && {side}", "field": "system"},
                            "value": "",
                        }
                    },
                }
                for side, align, dx in (("datum.right", "right", -8), ("!datum.right", "left", 8))
            ),
        ],
    }


def intervals(systems: int, drawn: bool) -> Spec:
    """Scores of the systems, the best first; with intervals, and clusters taking turns in colour,
    if resamples were drawn.
    """
    best_first = {"field": "score", "op": "max", "order": "descending"}
    order = _field("system", "", "nominal", sort=best_first, axis={"labelLimit": 220})
    colour = {
        "condition": {"test": "datum.cluster % 2 == 0", "value": "var(--bad)"},
        "value": "var(--good)",
    }
    x = _field("score", "score by the metric", scale={"zero": False}, axis={"tickCount": 10})
    point = {"type": "point", "filled": True, "size": 40, "opacity": 1}
    rule = {"type": "rule", "strokeWidth": 2, "opacity": 0.6}
    ends = {"x": {**x, "field": "low"}, "x2": {"field": "high"}}
    tooltip = [_field("system", "system", "nominal"), _field("score", "score", format=".2f")]
    if drawn:
        tooltip += [_field(end, title, format=".2f") for end, title in _ENDS]
        tooltip.append(_field("cluster", "cluster", "nominal"))
    return {
        "description": "Systems by the chosen metric, the best one on top",
        **_TALL,
        "height": systems * (18 if systems <= 60 else 14),
        "data": {"name": "systems"},
        "encoding": {"y": order, "tooltip": tooltip, "color": colour},
        "layer": [
            *([{"mark": rule, "encoding": ends}] if drawn else []),
            {"mark": point, "encoding": {"x": x}},
        ],
    }


def overview(correlations: Sequence[Row], summary: Sequence[Row], published: Sequence[Row]) -> Spec:
    """ρ of every metric: a tick a test set, the mean over test sets, and the published mean."""
    order = [row["metric"] for row in sorted(summary, key=lambda row: -row["mean"])]
    y = _field("metric", "", "nominal", sort=order, axis={"labelLimit": 220})
    x = _field("rho", "Spearman ρ", scale={"zero": False}, axis={"tickCount": 8, "format": ".3~f"})

    def layer(rows: Sequence[Spec], mark: Spec, *tooltip: Spec) -> Spec:
        return {
            "data": {"values": rows},
            "mark": mark,
            "encoding": {
                "x": x,
                "y": y,
                "tooltip": [
                    _field("metric", "metric", "nominal"),
                    *tooltip,
                    _field("rho", "ρ", format=".3f"),
                ],
            },
        }

    def points(rows: Sequence[Row], column: str, **more: str) -> list[Spec]:
        return [
            {"metric": row["metric"], "rho": row[column], "testset": row.get("testset"), **more}
            for row in rows
            if row["metric"] in order and not math.isnan(row[column])
        ]

    testsets = points(correlations, "spearman")
    means = points(summary, "mean", what="mean")
    theirs = points(published, "published_mean", what="published mean")
    what = _field("what", "", "nominal")
    testset = _field("testset", "test set", "nominal")
    return {
        "description": "Spearman ρ of every metric: test sets, their mean, and the published mean",
        **_TALL,
        "height": 22 * len(order),
        "layer": [
            layer(rows, mark, tooltip)
            for rows, mark, tooltip in (
                (testsets, _mark("tick", "muted", opacity=0.45, thickness=1.5), testset),
                (theirs, _mark("point", "bad", shape="diamond", size=90), what),
                (means, _mark("point", "good", filled=True, size=80, opacity=1), what),
            )
            if rows
        ],
    }
