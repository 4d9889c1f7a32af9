"""The report: tables for people on one HTML page, from the tidy files and nothing else."""

from importlib import resources

import jinja2
import pandas as pd

from morpos.text import CHANGES


def summary_rows(summary: pd.DataFrame) -> list[list[str]]:
    """The table of metrics, rounded for people, with a header."""
    return [
        ["metric", "mean ρ", "rank> %", "rank≥ %"],
        *(
            [row["metric"], _decimal(row["mean"], 3)]
            + [_decimal(100 * row[rank], 1) for rank in ("rank_gt", "rank_ge")]
            for row in summary.to_dict("records")
        ),
    ]


def _decimal(value: float, digits: int) -> str:
    return "undefined" if pd.isna(value) else f"{value:.{digits}f}"


def render(
    *,
    title: str,
    notice: str | None,
    summary: pd.DataFrame,
    left_out_documents: pd.DataFrame,
    correlations: pd.DataFrame,
    left_out_systems: pd.DataFrame,
    scores: list[pd.DataFrame],
    texts: pd.DataFrame,
) -> str:
    """The whole page. Everything that comes from data is escaped by the template engine."""
    metrics = list(summary["metric"])
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    template = environment.from_string(
        resources.files(__name__).joinpath("page.html").read_text(encoding="utf-8")
    )
    changed = texts[(texts[list(CHANGES)].sum(axis=1) > 0) | (texts["empty_segments"] > 0)]
    rho = [
        {
            "document": document,
            "n": int(rows["n"].max()),
            "cells": [
                (
                    _decimal(row["spearman"], 3),
                    row["note"],
                    None if row["note"] else row["spearman"],
                )
                for row in rows.set_index("metric").loc[metrics].to_dict("records")
            ],
        }
        for document, rows in correlations.groupby("document", sort=False)
    ]
    return template.render(
        title=title,
        notice=notice,
        summary=summary_rows(summary),
        documents=int(summary["documents"].iloc[0]),
        of=int(summary["of"].iloc[0]),
        metrics=metrics,
        rho=rho,
        scores=[
            {
                "document": table["document"].iloc[0],
                "rows": [
                    [row["system"], *(_decimal(100 * row[m], 2) for m in metrics)]
                    for row in table.to_dict("records")
                ],
            }
            for table in scores
            if len(table)
        ],
        left_out_documents=left_out_documents.to_dict("records"),
        left_out_systems=left_out_systems.to_dict("records"),
        left_out_texts=texts[texts["status"] == "left out"].to_dict("records"),
        changes=["empty_segments", *CHANGES],
        changed=changed.to_dict("records"),
        signatures=sorted({*correlations["signature"]}),
        summary_signature=summary["signature"].iloc[0],
    )
