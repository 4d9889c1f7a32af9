"""Our table of metrics compared with a published one."""

import math
from collections.abc import Mapping, Sequence

from morpos.evaluation.correlation import spearman
from morpos.io.files import read_units
from morpos.io.tables import Row
from morpos.report import typeset

_VALUES = ("mean", "rank_gt", "rank_ge")
#: Columns of the comparison: of each value ours, the published one and ours less theirs.
COLUMNS = (
    "metric",
    *(column for v in _VALUES for column in (v, f"published_{v}", f"difference_{v}")),
    *("testsets", "of", "signature"),
)
TAG_COLUMNS = ("target", "tags", "published")


def compare_published(summary: Sequence[Row], published: Sequence[Row]) -> list[Row]:
    """Each metric with our values, the published ones ("published_...") and ours less theirs
    ("difference_..."); NaN where a side has no such metric.
    """
    theirs = {row["metric"]: row for row in published}
    ours = {row["metric"]: row for row in summary}
    shared = {key: summary[0][key] for key in ("testsets", "of", "signature")}
    rows = []
    for metric in dict.fromkeys([*theirs, *ours]):
        row: Row = {"metric": metric}
        for value in _VALUES:
            own = ours[metric][value] if metric in ours else math.nan
            other = theirs[metric][value] if metric in theirs else math.nan
            row |= {value: own, f"published_{value}": other, f"difference_{value}": own - other}
        rows.append(row | shared)
    return rows


def agreement(rows: Sequence[Row]) -> str:
    """The rank correlation between our means and the published ones, as a sentence."""
    both = [row for row in rows if not math.isnan(row["difference_mean"])]
    result = spearman([row["mean"] for row in both], [row["published_mean"] for row in both])
    value = f"{result.value:.3f}" if result.value is not None else f"undefined: {result.note}"
    return f"Spearman ρ between our means and the published ones over {result.n} metrics: {value}."


def distinct_tags(layers: Mapping[str, Sequence[str]], published: Sequence[Row]) -> list[Row]:
    """Number of distinct tags in the references of each language, beside the published number."""
    theirs = {row["target"]: row["tags"] for row in published}
    return [
        {
            "target": language,
            "tags": len({tag for path in paths for s in read_units(path) for tag in s}),
            "published": theirs.get(language, math.nan),
        }
        for language, paths in sorted(layers.items())
    ]


def published_rows(rows: Sequence[Row]) -> list[list[str]]:
    """The comparison rounded for people, with a header; empty if there is none."""
    columns = [
        (head + label, prefix + value, scale, f"{sign}.{digits}f")
        for value, head, scale, digits in (
            ("mean", "mean ρ", 1, 3),
            ("rank_gt", "rank> %", 100, 1),
            ("rank_ge", "rank≥ %", 100, 1),
        )
        for prefix, label, sign in (
            ("", "", ""),
            ("published_", " published", ""),
            ("difference_", " Δ", "+"),
        )
    ]
    table = [["metric", *(head for head, *_ in columns)]] if rows else []
    for row in rows:
        numbers = [(scale * row[column], form) for _, column, scale, form in columns]
        cells = ["–" if math.isnan(number) else format(number, form) for number, form in numbers]
        table.append([row["metric"], *cells])
    return table


def markdown(rows: Sequence[Row], tags: Sequence[Row], note: str) -> str:
    """The comparison as a Markdown page."""
    counted = f"Over {rows[0]['testsets']:.0f} of {rows[0]['of']:.0f} test sets."
    parts = [f"{counted} {agreement(rows)}", typeset.markdown(published_rows(rows))]
    if tags:
        parts += ["Distinct tags in the references:", typeset.markdown(tag_rows(tags))]
    return "\n\n".join([*parts, note, f"`{rows[0]['signature']}`"]) + "\n"


def tag_rows(tags: Sequence[Row]) -> list[list[str]]:
    """Numbers of distinct tags for people, with a header."""
    return [["language", "distinct tags", "published"]] + [
        [
            row["target"],
            *("–" if math.isnan(n) else f"{n:.0f}" for n in (row["tags"], row["published"])),
        ]
        for row in tags
    ]


def latex(rows: Sequence[Row]) -> str:
    """The comparison as a LaTeX table for the package booktabs."""
    counted = f"over {rows[0]['testsets']:.0f} of {rows[0]['of']:.0f} test sets"
    return typeset.latex(published_rows(rows), [counted, rows[0]["signature"]])
