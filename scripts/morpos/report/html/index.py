"""The index page: the table of metrics, all test sets, what was left out, and what it took."""

import math
from collections.abc import Sequence
from typing import Any

from morpos.io.tables import Row
from morpos.report.html import changed, charts, not_scored, page
from morpos.report.published import agreement, tag_rows


def render(
    *,
    library: str,
    testsets: Sequence[str],
    correlations: Sequence[Row],
    summary: Sequence[Row],
    published: Sequence[Row],
    tags: Sequence[Row],
    texts: Sequence[Row],
    breakdown: Sequence[Row],
    times: Sequence[Row],
    **texts_of_page: Any,
) -> str:
    """The index page; see `morpos.workflow.steps.report` for what the tables are.

    Args:
        texts_of_page: title, notice, note, left_out_testsets, left_out_systems, findings.
    """
    everything = [row for row in correlations if row["systems"] == "all"]
    metrics = list(dict.fromkeys(row["metric"] for row in everything))
    drawn = {"overview": charts.overview(everything, summary, published)} if summary else {}
    return page(
        "index.html",
        library,
        {"charts": drawn},
        signatures=[summary[0]["signature"]] if summary else _signatures(texts),
        metrics=metrics,
        rows=_beside(summary, published),
        counted=summary[0] if summary else None,
        heat_map={
            testset: {row["metric"]: row for row in everything if row["testset"] == testset}
            for testset in testsets
        },
        agreement=agreement(published) if published else "",
        with_published=bool(published),
        tags=tag_rows(tags) if tags else [],
        breakdown=_by(breakdown, "table", "systems"),
        not_scored=not_scored(texts),
        changed=changed(texts),
        times=times,
        **texts_of_page,
    )


def _signatures(texts: Sequence[Row]) -> list[str]:
    return sorted({row["signature"] for row in texts})


def _by(rows: Sequence[Row], *columns: str) -> dict[tuple[str, ...], list[Row]]:
    parts: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        parts.setdefault(tuple(row[column] for column in columns), []).append(row)
    return parts


def _beside(summary: Sequence[Row], published: Sequence[Row]) -> list[Row]:
    """Rows of the table of metrics, the best mean first; ours alone where none was published."""
    rows = list(published or summary)
    return sorted(rows, key=lambda row: (math.isnan(row["mean"]), -row["mean"]))
