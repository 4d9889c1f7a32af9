"""How well metrics rank systems: correlation per document, and the paper's table over documents."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

#: ρ values that agree to so many decimals are equal when metrics are compared.
DECIMALS = 10


@dataclass(frozen=True)
class Correlation:
    """A coefficient, or why there is none."""

    value: float | None
    n: int
    note: str


def tidy(values: Sequence[float]) -> np.ndarray:
    """Values at 12 significant digits, so that noise in the last bits makes no order of a tie."""
    return np.array([float(f"{value:.12g}") for value in values])


def tied(values: Sequence[float]) -> int:
    """How many of the values are equal to another one."""
    _, counts = np.unique(tidy(values), return_counts=True)
    return int(counts[counts > 1].sum())


def spearman(metric: Sequence[float], human: Sequence[float]) -> Correlation:
    """Spearman's ρ: Pearson's r of the mean ranks.

    Undefined for fewer than 3 systems and where one side is constant; never 0 instead.
    """
    x, y = tidy(metric), tidy(human)
    if len(x) < 3:
        return Correlation(None, len(x), f"only {len(x)} systems with a score and a judgment")
    for values, side in ((x, "the metric"), (y, "the human score")):
        if (values == values[0]).all():
            return Correlation(None, len(x), f"{side} gives all systems the same score")
    return Correlation(float(stats.spearmanr(x, y).statistic), len(x), "")


def summarise(
    correlations: Iterable[Mapping[str, Any]],
) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """The paper's table: mean ρ, rank> and rank≥ of each metric over the documents.

    rank> (rank≥) is the share of all pairs (document, other metric) in which this metric's ρ is
    higher (higher or equal), after rounding to 10 decimals.

    Args:
        correlations: rows with document, metric, spearman (NaN where undefined) and note.

    Returns:
        Rows with metric, mean, rank_gt, rank_ge, documents, of; and the documents that are left
        out for all metrics because ρ of one is undefined, with the reason.
    """
    table: dict[str, dict[str, float]] = {}
    reasons: dict[str, dict[str, list[str]]] = {}
    for row in correlations:
        document, metric = row["document"], row["metric"]
        table.setdefault(document, {})[metric] = row["spearman"]
        if math.isnan(row["spearman"]):
            reasons.setdefault(document, {}).setdefault(row["note"], []).append(metric)
    left_out = {
        document: "; ".join(f"{', '.join(metrics)}: {note}" for note, metrics in notes.items())
        for document, notes in reasons.items()
    }
    metrics = list(next(iter(table.values())))
    kept = [document for document in table if document not in left_out]
    rho = np.array([[table[document][metric] for metric in metrics] for document in kept])
    rho = rho.reshape(len(kept), len(metrics))
    rounded = rho.round(DECIMALS)
    # (documents, metric, other metric); a metric is not compared with itself.
    higher = (rounded[:, :, None] > rounded[:, None, :]).sum(axis=(0, 2))
    as_high = (rounded[:, :, None] >= rounded[:, None, :]).sum(axis=(0, 2)) - len(kept)
    pairs = len(kept) * (len(metrics) - 1)
    rows = [
        {
            "metric": metric,
            "mean": float(rho[:, i].mean()) if kept else math.nan,
            "rank_gt": int(higher[i]) / pairs if pairs else math.nan,
            "rank_ge": int(as_high[i]) / pairs if pairs else math.nan,
            "documents": len(kept),
            "of": len(table),
        }
        for i, metric in enumerate(metrics)
    ]
    return rows, left_out
