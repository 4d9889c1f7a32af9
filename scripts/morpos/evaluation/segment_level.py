"""How well metrics score single outputs: against comparisons of two outputs, or direct scores.

Metric scores come as an array of shape (N, S): N systems, S segments (`Metric.segment_scores`).
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from morpos.errors import MorposError, quoted
from morpos.evaluation.correlation import coefficients, pairs, tidy
from morpos.evaluation.defaults import SEED
from morpos.human.scores import RankedPair
from morpos.scoring.metrics import Floats

_X = math.nan
#: What a comparison counts: rows human <, =, >; columns metric <, =, >; NaN leaves it out. Sums
#: are divided by the number of comparisons that count. Macháček & Bojar (WMT 2014) collect the
#: tables of 2012-2014. In all of them human ties are out.
TABLES = {
    # Share of comparisons on whose order metric and human agree (Callison-Burch et al. 2008, 2009).
    "consistency": np.array([[1, 0, 0], [_X, _X, _X], [0, 0, 1]]),
    # A tie of the metric is discordant. WMT12 did as WMT11.
    "wmt11": np.array([[1, -1, -1], [_X, _X, _X], [-1, -1, 1]]),
    # A tie of the metric is left out.
    "wmt13": np.array([[1, _X, -1], [_X, _X, _X], [-1, _X, 1]]),
    # A tie of the metric counts 0.
    "wmt14": np.array([[1, 0, -1], [_X, _X, _X], [-1, 0, 1]]),
}
TABLES["wmt12"] = TABLES["wmt11"]


@dataclass(frozen=True)
class SegmentLevel:
    """A segment-level coefficient, or why there is none.

    Attributes:
        n: comparisons, or outputs, that count.
        ties_metric, ties_human: ties among all comparisons, or among all pairs within a group.
        groups: groups averaged over; undefined: groups without a coefficient, left out.
    """

    value: float | None
    n: int
    ties_metric: int
    ties_human: int
    groups: int
    undefined: int
    method: str
    note: str


def correlate_comparisons(
    metric: Floats,
    systems: Sequence[str],
    comparisons: Iterable[RankedPair],
    table: str = "wmt14",
) -> SegmentLevel:
    """Kendall's τ, or consistency, as WMT computed it from rankings.

    Each comparison of each judge counts once. Comparisons with an output that is not among the
    systems (the reference, say), or that the metric does not score, are out.

    Args:
        metric: (N, S), higher is better, NaN without a score.
        table: one of `TABLES`.

    Raises:
        MorposError: a comparison names no segment of the test set.
    """
    place = {name: number for number, name in enumerate(systems)}
    used = []
    for c in comparisons:
        if c.first in place and c.second in place:
            if c.segment is None or c.segment > metric.shape[1]:
                raise MorposError(
                    f"a comparison of {quoted(c.first)} with {quoted(c.second)} in segment "
                    f"{c.segment}, but the test set has 1 to {metric.shape[1]}: are these "
                    "judgments of another test set?"
                )
            used.append((c.segment - 1, place[c.first], place[c.second], c.outcome))
    segment, first, second, human = np.array(used, dtype=np.intp).reshape(-1, 4).T
    scores = tidy(metric)
    difference = scores[first, segment] - scores[second, segment]
    known = ~np.isnan(difference)
    order, human = np.sign(difference[known]).astype(np.intp), human[known]
    counted = TABLES[table][human + 1, order + 1]
    n = int((~np.isnan(counted)).sum())
    return SegmentLevel(
        float(np.nansum(counted) / n) if n else None,
        n,
        int((order == 0).sum()),
        int((human == 0).sum()),
        1,
        0,
        f"comparisons, {table}",
        "" if n else "no comparison that counts",
    )


Group = Literal["item", "system", "none"]


def correlate_ratings(
    metric: Floats, human: Floats, kind: str = "kendall", group: Group = "item"
) -> SegmentLevel:
    """A coefficient of segment scores with direct human scores, averaged over groups.

    Args:
        metric, human: (N, S), NaN without a score (`human_statistics.segment_matrix`).
        kind: one of `morpos.evaluation.correlation.COEFFICIENTS`.
        group: item: over systems within each segment; system: over segments within each system;
            none: over all outputs. Groups with fewer than 2 outputs, or one side constant, have
            no coefficient.
    """
    x, y = (_grouped(tidy(scores), group) for scores in (metric, human))
    values = coefficients(x, y, kind, fewest=2)
    known = ~(np.isnan(x) | np.isnan(y))
    defined = ~np.isnan(values)
    any_defined = bool(defined.any())
    return SegmentLevel(
        float(values[defined].mean()) if any_defined else None,
        int(known.sum()),
        _ties(np.where(known, x, np.nan)),
        _ties(np.where(known, y, np.nan)),
        int(defined.sum()),
        int((known.any(axis=1) & ~defined).sum()),
        f"{kind}, grouped by {group}",
        "" if any_defined else "no group with two outputs that differ on both sides",
    )


def _grouped(scores: Floats, group: Group) -> Floats:
    # (N, S) to (groups, members)
    if group == "item":
        return scores.T
    return scores if group == "system" else scores.reshape(1, -1)


def _ties(rows: Floats) -> int:
    """Tied pairs within rows; NaN ties with nothing."""
    tied = 0
    for row in rows:
        _, counts = np.unique(row[~np.isnan(row)], return_counts=True)
        tied += int((counts * (counts - 1) // 2).sum())
    return tied


@dataclass(frozen=True)
class TieCalibrated:
    """acc_eq with tie calibration (Deutsch, Foster & Freitag, EMNLP 2023).

    Attributes:
        value: accuracy with the best ε; optimistic, since ε was chosen on the same data.
        epsilon: score differences up to ε are ties of the metric.
        uncalibrated: accuracy with ε = 0.
        cross_validated: accuracy with ε chosen on the segments of the other folds; None if there
            are fewer segments than folds.
        n: pairs; ties_human, ties_metric: tied pairs, the latter at ε = 0.
    """

    value: float | None
    epsilon: float | None
    uncalibrated: float | None
    cross_validated: float | None
    n: int
    ties_metric: int
    ties_human: int
    segments: int
    folds: int
    seed: int
    note: str


def acc_eq(metric: Floats, human: Floats, folds: int = 10, seed: int = SEED) -> TieCalibrated:
    """Share of pairs of outputs of one segment that metric and human order, or tie, alike.

    The mean over segments of the share within the segment; pairs of NaN do not count.

    Args:
        metric, human: (N, S).
        folds: for the cross-validated ε; segments are dealt to them at random.
    """
    first, second = pairs(len(metric))
    d_metric, d_human = (v[first] - v[second] for v in (tidy(metric), tidy(human)))
    known = ~(np.isnan(d_metric) | np.isnan(d_human))
    judged = np.flatnonzero(known.any(axis=0))
    if not len(judged):
        note = "no segment with two outputs that have both scores"
        return TieCalibrated(None, None, None, None, 0, 0, 0, 0, folds, seed, note)
    # Differences of equal size are one ε, whatever their last bits.
    size, alike = tidy(np.abs(d_metric)), np.sign(d_metric) == np.sign(d_human)
    weight = np.where(known, 1 / np.maximum(known.sum(axis=0), 1), 0.0)
    # What a pair gains when ε reaches its size: right if the human tied, wrong if the order was.
    gain = weight * ((d_human == 0).astype(np.float64) - (alike & (d_human != 0)))
    right = weight * (alike & (d_human != 0))

    def accuracy(epsilon: float, segments: np.ndarray) -> float:
        reached = size[:, segments] <= epsilon
        summed = right[:, segments].sum() + (gain[:, segments] * reached).sum()
        return float(summed / len(segments))

    best = _best(size[:, judged], gain[:, judged])
    cross_validated = None
    if len(judged) >= folds >= 2:
        dealt = np.array_split(np.random.default_rng(seed).permutation(judged), folds)
        held_out = 0.0
        for fold in dealt:
            rest = np.setdiff1d(judged, fold)
            epsilon = _best(size[:, rest], gain[:, rest])
            held_out += accuracy(epsilon, fold) * len(fold)
        cross_validated = held_out / len(judged)
    return TieCalibrated(
        accuracy(best, judged),
        best,
        accuracy(0.0, judged),
        cross_validated,
        int(known.sum()),
        int((known & (d_metric == 0)).sum()),
        int((known & (d_human == 0)).sum()),
        len(judged),
        folds,
        seed,
        "in-sample ε: optimistic",
    )


def _best(size: Floats, gain: Floats) -> float:
    """The smallest ε with the largest total gain: 0, or a size that occurs."""
    known = ~np.isnan(size)
    sizes, inverse = np.unique(np.append(0.0, size[known]), return_inverse=True)
    gains = np.bincount(inverse, weights=np.append(0.0, gain[known]))
    total = np.cumsum(gains)
    # Sums of the same terms in another order may differ in their last bits.
    return float(sizes[np.flatnonzero(total >= total.max() - 1e-9)[0]])
