"""The report: tables for people on one HTML page, from the tidy files and nothing else."""

import math
from collections.abc import Sequence
from importlib import resources

import jinja2

from morpos.comparison import agreement, published_rows, tag_rows
from morpos.tables import Row
from morpos.text import CHANGES


def summary_rows(summary: Sequence[Row]) -> list[list[str]]:
    """The table of metrics, rounded for people, with a header."""
    return [
        ["metric", "mean ρ", "rank> %", "rank≥ %"],
        *(
            [row["metric"], _decimal(row["mean"], 3)]
            + [_decimal(100 * row[rank], 1) for rank in ("rank_gt", "rank_ge")]
            for row in summary
        ),
    ]


def _decimal(value: float, digits: int) -> str:
    return "undefined" if math.isnan(value) else f"{value:.{digits}f}"


def _by(rows: Sequence[Row], column: str) -> dict[str, list[Row]]:
    parts: dict[str, list[Row]] = {}
    for row in rows:
        parts.setdefault(row[column], []).append(row)
    return parts


def render(
    *,
    title: str,
    notice: str | None,
    summary: Sequence[Row],
    left_out_documents: Sequence[Row],
    correlations: Sequence[Row],
    left_out_systems: Sequence[Row],
    scores: Sequence[Row],
    texts: Sequence[Row],
    findings: Sequence[Row],
    breakdown: Sequence[Row],
    published: Sequence[Row],
    tags: Sequence[Row],
    note: str,
) -> str:
    """The whole page. Everything that comes from data is escaped by the template engine."""
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    environment.filters["decimal"] = _decimal
    template = environment.from_string(
        resources.files(__name__).joinpath("page.html").read_text(encoding="utf-8")
    )
    changes = ["empty_segments", *CHANGES]
    return template.render(
        title=title,
        notice=notice,
        summary=summary_rows(summary),
        documents=int(summary[0]["documents"]) if summary else 0,
        of=int(summary[0]["of"]) if summary else 0,
        metrics=list(dict.fromkeys(row["metric"] for row in correlations)),
        correlations={
            document: [row for row in rows if row["systems"] == "all"]
            for document, rows in _by(correlations, "document").items()
        },
        scores=_by(scores, "document"),
        breakdown={
            (table, systems): part
            for table, rows in _by(breakdown, "table").items()
            for systems, part in _by(rows, "systems").items()
        },
        published=published_rows(published),
        agreement=agreement(published) if published else "",
        tags=tag_rows(tags) if tags else [],
        note=note,
        left_out_documents=left_out_documents,
        left_out_systems=left_out_systems,
        left_out_texts=[row for row in texts if row["status"] == "left out"],
        findings=[row for row in findings if row["level"] == "warning"],
        changes=changes,
        changed=[row for row in texts if any(row[kind] > 0 for kind in changes)],
        signatures=sorted({row["signature"] for row in correlations}),
        summary_signature=summary[0]["signature"] if summary else "",
    )
