"""The report: tables for people on one HTML page, from the tidy files and nothing else."""

import math
from collections.abc import Sequence
from importlib import resources

import jinja2

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


def _by_document(rows: Sequence[Row]) -> dict[str, list[Row]]:
    documents: dict[str, list[Row]] = {}
    for row in rows:
        documents.setdefault(row["document"], []).append(row)
    return documents


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
        documents=int(summary[0]["documents"]),
        of=int(summary[0]["of"]),
        metrics=[row["metric"] for row in summary],
        correlations=_by_document(correlations),
        scores=_by_document(scores),
        left_out_documents=left_out_documents,
        left_out_systems=left_out_systems,
        left_out_texts=[row for row in texts if row["status"] == "left out"],
        changes=changes,
        changed=[row for row in texts if any(row[kind] > 0 for kind in changes)],
        signatures=sorted({row["signature"] for row in correlations}),
        summary_signature=summary[0]["signature"],
    )
