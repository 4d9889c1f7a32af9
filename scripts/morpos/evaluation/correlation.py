"""How well metrics rank systems: coefficients per test set, and the paper's table over test sets.

Undefined is None or NaN, and has its reason; it is never 0 instead. In arrays the last axis holds
the systems, and NaN is a system without a score. Resamples: `morpos.evaluation.resampling`; tests:
`morpos.evaluation.significance`.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from morpos.io.tables import Row

Floats = NDArray[np.float64]

#: ρ values that agree to so many decimals are equal when metrics are compared.
DECIMALS = 10
#: Fewer systems have no interval over systems.
FEWEST_SYSTEMS = 10
#: Pairs of items whose coefficients are computed at once.
_PAIRS = 2**22


@dataclass(frozen=True)
class Correlation:
    """A coefficient, or why there is none.

    Attributes:
        n: systems used.
        ties_metric, ties_human: how many of these share their score with another one.
        left_out: systems left out as outliers.
    """

    value: float | None
    n: int
    note: str
    ties_metric: int = 0
    ties_human: int = 0
    left_out: tuple[str, ...] = ()


def tidy(values: ArrayLike) -> Floats:
    """Values at 12 significant digits, so that noise in the last bits makes no order of a tie."""
    array = np.asarray(values, dtype=np.float64)
    size = np.abs(array)
    digits = np.log10(size, out=np.zeros_like(size), where=size > 0)
    # Below 1e-290 the scale would overflow; such a value is 0 to every score here.
    scale = 10.0 ** (11 - np.maximum(np.floor(digits), -290))
    return np.asarray(np.round(array * scale) / scale)


def count_tied(values: ArrayLike) -> int:
    """How many of the values are equal to another one."""
    _, counts = np.unique(tidy(values), return_counts=True)
    return int(counts[counts > 1].sum())


def pairs(items: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The pairs i < j of so many items: two arrays of shape (items * (items - 1) / 2,)."""
    first, second = np.triu_indices(items, k=1)
    return first, second


def _pearson(x: Floats, y: Floats) -> Floats:
    known = ~np.isnan(x)
    n = np.maximum(known.sum(axis=-1, keepdims=True), 1)
    dx, dy = (
        np.where(known, v - np.where(known, v, 0).sum(axis=-1, keepdims=True) / n, 0)
        for v in (x, y)
    )
    norm = np.sqrt((dx**2).sum(axis=-1) * (dy**2).sum(axis=-1))
    r = np.divide((dx * dy).sum(axis=-1), norm, out=np.full(norm.shape, np.nan), where=norm > 0)
    return np.asarray(np.clip(r, -1, 1))


def _spearman(x: Floats, y: Floats) -> Floats:
    return _pearson(*(stats.rankdata(v, axis=-1, nan_policy="omit") for v in (x, y)))


def _kendall(x: Floats, y: Floats) -> Floats:
    """τ-b: (concordant - discordant) / sqrt(pairs untied by x * pairs untied by y)."""
    if x.shape[-1] > 200:  # n log n instead of all pairs
        rows = zip(x, y, strict=True)
        return np.array([stats.kendalltau(*row, nan_policy="omit").statistic for row in rows])
    first, second = pairs(x.shape[-1])
    signs_x, signs_y = (np.nan_to_num(np.sign(v[..., first] - v[..., second])) for v in (x, y))
    norm = np.sqrt(np.abs(signs_x).sum(axis=-1) * np.abs(signs_y).sum(axis=-1))
    both = (signs_x * signs_y).sum(axis=-1)
    return np.asarray(np.divide(both, norm, out=np.full(norm.shape, np.nan), where=norm > 0))


COEFFICIENTS: dict[str, Callable[[Floats, Floats], Floats]] = {
    "spearman": _spearman,
    "pearson": _pearson,
    "kendall": _kendall,
}


def coefficients(x: ArrayLike, y: ArrayLike, kind: str = "spearman", fewest: int = 3) -> Floats:
    """Many coefficients at once; the other functions of this module are built on it.

    Spearman's ρ (Pearson's r of the mean ranks), Pearson's r or Kendall's τ-b.

    Args:
        x, y: shapes that broadcast to (..., n); NaN on either side leaves the item out.
        kind: one of `COEFFICIENTS`.
        fewest: smallest number of items that has a coefficient.

    Returns:
        Shape (...), NaN with too few items or where one side is constant.
    """
    x, y = np.broadcast_arrays(tidy(x), tidy(y))
    known = ~(np.isnan(x) | np.isnan(y))
    shape, n = x.shape[:-1], x.shape[-1]
    if not n:
        return np.full(shape, np.nan)
    rows_x, rows_y = (np.where(known, v, np.nan).reshape(-1, n) for v in (x, y))
    counted = known.reshape(-1, n).sum(axis=1)
    defined = counted >= fewest
    for v in (rows_x, rows_y):
        defined[defined] = np.nanmax(v[defined], axis=1) > np.nanmin(v[defined], axis=1)
    result = np.full(len(rows_x), np.nan)
    wanted = np.flatnonzero(defined)
    step = max(1, _PAIRS // n**2)
    for start in range(0, len(wanted), step):
        rows = wanted[start : start + step]
        result[rows] = COEFFICIENTS[kind](rows_x[rows], rows_y[rows])
    return result.reshape(shape)


def correlate(metric: ArrayLike, human: ArrayLike, kind: str = "spearman") -> Correlation:
    """The coefficient of one metric with the human scores of the same systems.

    Undefined for fewer than 3 systems and where one side is constant; never 0 instead.
    """
    x, y = tidy(metric), tidy(human)
    value = float(coefficients(x, y, kind))
    return Correlation(
        None if math.isnan(value) else value,
        len(x),
        _why_undefined(x, y),
        count_tied(x),
        count_tied(y),
    )


def _why_undefined(x: Floats, y: Floats) -> str:
    if len(x) < 3:
        return f"only {len(x)} systems with a score and a judgment"
    for values, side in ((x, "the metric"), (y, "the human score")):
        if (values == values[0]).all():
            return f"{side} gives all systems the same score"
    return ""


def spearman(metric: ArrayLike, human: ArrayLike) -> Correlation:
    """Spearman's ρ, the paper's coefficient."""
    return correlate(metric, human, "spearman")


def robust_pearson(metric: ArrayLike, human: ArrayLike, systems: Sequence[str]) -> Correlation:
    """Pearson's r without outlying systems (Mathur et al., ACL 2020).

    Left out are systems whose human score is farther than 2.5 from the median, in units of
    1.483 times the median absolute deviation. Undefined also where that deviation is 0.
    """
    x, y = np.asarray(metric, dtype=np.float64), np.asarray(human, dtype=np.float64)
    distance = np.abs(y - np.median(y)) if len(y) else y
    deviation = 1.483 * float(np.median(distance)) if len(y) else math.nan
    if deviation == 0:
        note = "more than half of the systems have the median human score"
        return Correlation(None, len(x), note, count_tied(x), count_tied(y))
    kept = distance <= 2.5 * deviation
    left_out = tuple(name for name, keep in zip(systems, kept, strict=True) if not keep)
    return replace(correlate(x[kept], y[kept], "pearson"), left_out=left_out)


@dataclass(frozen=True)
class PairwiseAccuracy:
    """How often metric and humans agree which of two systems is better (Kocmi et al., WMT 2021).

    Attributes:
        value: agreeing / pairs; a tie agrees with a tie only. None without pairs.
        chance: what the same scores reach on average if they are dealt to the systems at random.
        ties_metric, ties_human: numbers of tied pairs.
    """

    value: float | None
    agreeing: int
    pairs: int
    chance: float | None
    ties_metric: int
    ties_human: int
    note: str


#: What it is called in tables.
ACCURACY = "pairwise accuracy"


def pairwise_accuracy(metric: ArrayLike, human: ArrayLike) -> PairwiseAccuracy:
    """Pairwise accuracy of one test set; sum test sets up with `pool_accuracies`."""
    scores = tidy(metric), tidy(human)
    first, second = pairs(len(scores[0]))
    x, y = (np.sign(v[first] - v[second]) for v in scores)
    ties_x, ties_y, n = int((x == 0).sum()), int((y == 0).sum()), len(x)
    # A pair of random systems: + and - are equally likely, whatever the humans say.
    chance = (n - ties_x) * (n - ties_y) / 2 + ties_x * ties_y
    return _accuracy(int((x == y).sum()), n, chance / max(n, 1), ties_x, ties_y)


def pool_accuracies(accuracies: Iterable[PairwiseAccuracy]) -> PairwiseAccuracy:
    """The accuracy over the pairs of several test sets; no pair joins two test sets."""
    parts = [a for a in accuracies if a.pairs]
    chance = sum((a.chance or 0) * a.pairs for a in parts)
    agreeing, n, ties_x, ties_y = (
        sum(getattr(a, name) for a in parts)
        for name in ("agreeing", "pairs", "ties_metric", "ties_human")
    )
    return _accuracy(agreeing, n, chance, ties_x, ties_y)


def _accuracy(agreeing: int, n: int, chance: float, ties_x: int, ties_y: int) -> PairwiseAccuracy:
    if not n:
        return PairwiseAccuracy(None, 0, 0, None, 0, 0, "fewer than two systems")
    return PairwiseAccuracy(agreeing / n, agreeing, n, chance / n, ties_x, ties_y, "")


# --- intervals over systems --------------------------------------------------------------------


@dataclass(frozen=True)
class Interval:
    """A value with an interval; what is undefined is None, with its reason in `note`.

    Attributes:
        n: what was drawn from or counted: segments, judgments or systems, see `method`.
        undefined: share of resamples without a value; they are left out.
    """

    value: float | None
    low: float | None
    high: float | None
    level: float
    n: int
    undefined: float
    method: str
    samples: int
    seed: int | None
    note: str


def analytic_interval(
    value: float | None, n: int, kind: str = "spearman", level: float = 0.95
) -> Interval:
    """Fisher-z interval over systems (Bonett & Wright 2000).

    The variance of atanh(value) is (1 + ρ²/2) / (n - 3) for Spearman, 1 / (n - 3) for Pearson and
    .437 / (n - 4) for Kendall. Undefined for fewer than 10 systems, and for a value of -1 or 1.
    """
    method = f"{kind}, analytic over systems (Bonett & Wright 2000)"
    note = ""
    if value is None:
        note = "the coefficient is undefined"
    elif n < FEWEST_SYSTEMS:
        note = f"only {n} systems; an interval over systems needs {FEWEST_SYSTEMS}"
    elif abs(value) >= 1:
        note = "no interval about a perfect correlation"
    if value is None or note:
        return Interval(value, None, None, level, n, 0.0, method, 0, None, note)
    variance = {
        "spearman": (1 + value**2 / 2) / (n - 3),
        "pearson": 1 / (n - 3),
        "kendall": 0.437 / (n - 4),
    }[kind]
    reach = float(stats.norm.ppf((1 + level) / 2)) * math.sqrt(variance)
    centre = math.atanh(value)
    low, high = math.tanh(centre - reach), math.tanh(centre + reach)
    return Interval(value, low, high, level, n, 0.0, method, 0, None, "")


def leave_one_out(
    metric: ArrayLike, human: ArrayLike, systems: Sequence[str], kind: str = "spearman"
) -> dict[str, Correlation]:
    """The coefficient without each system in turn."""
    x, y = np.asarray(metric), np.asarray(human)
    return {
        name: correlate(np.delete(x, i), np.delete(y, i), kind) for i, name in enumerate(systems)
    }


# --- the paper's table -------------------------------------------------------------------------


#: Columns of the table over test sets.
SUMMARY = ("metric", "mean", "rank_gt", "rank_ge", "testsets", "of")


def summarise(correlations: Sequence[Row], expected_testsets: int | None = None) -> list[Row]:
    """The paper's table: mean ρ, rank> and rank≥ of each metric over the test sets.

    rank> (rank≥) is the share of all pairs (test set, other metric) in which this metric's ρ is
    higher (higher or equal), after rounding to 10 decimals. A test set with an undefined ρ is left
    out for all metrics (see `undefined`).

    Args:
        correlations: rows with testset, metric, spearman (NaN where undefined).
        expected_testsets: number of test sets that the table is meant to cover; left out, those
            given.

    Returns:
        Rows with metric, mean, rank_gt, rank_ge, testsets, of.
    """
    table: dict[str, dict[str, float]] = {}
    for row in correlations:
        table.setdefault(row["testset"], {})[row["metric"]] = row["spearman"]
    metrics = list(dict.fromkeys(row["metric"] for row in correlations))
    kept = [values for values in table.values() if not any(map(math.isnan, values.values()))]
    rho = np.array([[values[metric] for metric in metrics] for values in kept])
    rho = rho.reshape(len(kept), len(metrics))
    rounded = rho.round(DECIMALS)
    # (test sets, metric, other metric); a metric is not compared with itself.
    higher = (rounded[:, :, None] > rounded[:, None, :]).sum(axis=(0, 2))
    as_high = (rounded[:, :, None] >= rounded[:, None, :]).sum(axis=(0, 2)) - len(kept)
    pairs = len(kept) * (len(metrics) - 1)
    return [
        {
            "metric": metric,
            "mean": float(rho[:, i].mean()) if kept else math.nan,
            "rank_gt": int(higher[i]) / pairs if pairs else math.nan,
            "rank_ge": int(as_high[i]) / pairs if pairs else math.nan,
            "testsets": len(kept),
            "of": expected_testsets or len(table),
        }
        for i, metric in enumerate(metrics)
    ]


def find_undefined(correlations: Sequence[Row]) -> dict[str, str]:
    """The test sets with an undefined ρ, and for which metrics and why."""
    reasons: dict[str, dict[str, list[str]]] = {}
    for row in correlations:
        if math.isnan(row["spearman"]):
            notes = reasons.setdefault(row["testset"], {})
            notes.setdefault(row["note"], []).append(row["metric"])
    return {
        testset: "; ".join(f"{_some(metrics)}: {note}" for note, metrics in notes.items())
        for testset, notes in reasons.items()
    }


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more


def find_incomplete(correlations: Sequence[Row]) -> dict[str, str]:
    """The metrics that not all test sets have (scores given as files), which no table can hold."""
    testsets: dict[str, set[str]] = {}
    for row in correlations:
        testsets.setdefault(row["metric"], set()).add(row["testset"])
    every = set().union(*testsets.values())
    return {
        metric: f"metric {metric}: scored in {len(having)} of {len(every)} test sets only"
        for metric, having in testsets.items()
        if having != every
    }


def breakdown(correlations: Sequence[Row]) -> list[Row]:
    """The table for every group, target language and direction, with each choice of systems.

    Test sets excluded from the summary are in none of these but in tables of their own ("all and
    X").
    """
    parts: dict[str, list[Row]] = {}
    for row in correlations:
        if row["exclude_from_summary"]:
            parts.setdefault(f"all and {row['testset']}", []).append(row)
            continue
        labels = ["all", f"target {row['target']}"]
        labels += [f"group {row['group']}"] if row["group"] else []
        labels += ["into English"] if row["target"] == "en" else []
        labels += ["out of English"] if row["source"] == "en" else []
        for label in labels:
            parts.setdefault(label, []).append(row)
    for label in [label for label in parts if label.startswith("all and ")]:
        parts[label] = parts.get("all", []) + parts[label]
    rows = []
    for label, chosen in parts.items():
        for systems in dict.fromkeys(row["systems"] for row in chosen):
            same = [row for row in chosen if row["systems"] == systems]
            rows += [{"table": label, "systems": systems} | row for row in summarise(same)]
    return rows
