"""How well metrics rank systems: correlation per document, and the paper's table over documents."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
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


def summarise(correlations: pd.DataFrame) -> tuple[pd.DataFrame, dict[str, str]]:
    """The paper's table: mean ρ, rank> and rank≥ of each metric over the documents.

    rank> (rank≥) is the share of all pairs (document, other metric) in which this metric's ρ is
    higher (higher or equal), after rounding to 10 decimals.

    Args:
        correlations: columns document, metric, spearman (NaN where undefined), note.

    Returns:
        The table (metric, mean, rank_gt, rank_ge, documents, of), and the documents that are left
        out for all metrics because ρ of one is undefined, with the reason.
    """
    order = list(dict.fromkeys(correlations["metric"]))
    table = correlations.pivot(index="document", columns="metric", values="spearman")[order]
    gone = table.index[table.isna().any(axis=1)]
    left_out = {}
    for document in gone:
        rows = correlations[
            (correlations["document"] == document) & correlations["spearman"].isna()
        ]
        notes = dict(zip(rows["metric"], rows["note"], strict=True))
        left_out[str(document)] = "; ".join(
            f"{', '.join(m for m in notes if notes[m] == note)}: {note}"
            for note in dict.fromkeys(notes.values())
        )
    rho = table.drop(index=gone).to_numpy().round(DECIMALS)
    documents, metrics = rho.shape
    # (documents, metric, other metric); a metric is not compared with itself.
    greater = (rho[:, :, None] > rho[:, None, :]).sum(axis=(0, 2))
    at_least = (rho[:, :, None] >= rho[:, None, :]).sum(axis=(0, 2)) - documents
    pairs = documents * (metrics - 1)
    undefined = np.full(metrics, np.nan)
    return (
        pd.DataFrame(
            {
                "metric": order,
                "mean": table.drop(index=gone).mean().to_numpy(),
                "rank_gt": greater / pairs if pairs else undefined,
                "rank_ge": at_least / pairs if pairs else undefined,
                "documents": documents,
                "of": len(table),
            }
        ),
        left_out,
    )
