"""Segment-level measures by hand, against scipy, and by trying every ε."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from morpos.errors import MorposError
from morpos.evaluation.segment_level import Group, acc_eq, correlate_comparisons, correlate_ratings
from morpos.human.scores import RankedPair
from morpos.scoring.metrics import Floats

# Of 2 systems on 6 segments, a minus b: + - 0 + - 0.
METRIC = np.array([[0.5, 0.1, 0.3, 0.9, 0.0, 0.1 + 0.2], [0.4, 0.2, 0.3, 0.1, 0.7, 0.3]])
HUMAN = [1, -1, 1, -1, 0, 0]


def comparisons() -> list[RankedPair]:
    return [
        *(RankedPair(s, "judge", "a", "b", outcome) for s, outcome in enumerate(HUMAN, 1)),
        RankedPair(1, "another", "b", "a", -1),  # counts once more
        RankedPair(1, "judge", "a", "_ref", -1),  # out
    ]


@pytest.mark.parametrize(
    ("table", "value", "n"),
    [
        # Decided by humans: concordant (twice), concordant, metric tie, discordant.
        ("consistency", 3 / 5, 5),
        ("wmt11", (3 - 2) / 5, 5),
        ("wmt12", (3 - 2) / 5, 5),
        ("wmt13", (3 - 1) / 4, 4),
        ("wmt14", (3 - 1) / 5, 5),
    ],
)
def test_comparisons_by_hand(table: str, value: float, n: int) -> None:
    result = correlate_comparisons(METRIC, ["a", "b"], comparisons(), table)
    assert result.value == pytest.approx(value)
    assert result.n == n
    assert (result.ties_metric, result.ties_human) == (2, 2)


def test_direction_of_a_comparison_means_nothing() -> None:
    turned = [c._replace(first=c.second, second=c.first, outcome=-c.outcome) for c in comparisons()]
    for table in ("wmt14", "wmt11", "consistency"):
        one = correlate_comparisons(METRIC, ["a", "b"], comparisons(), table)
        assert correlate_comparisons(METRIC, ["a", "b"], turned, table) == one


def test_nothing_to_compare() -> None:
    only_tie = [RankedPair(1, "judge", "a", "b", 0)]
    for given_ in ([], only_tie):
        result = correlate_comparisons(METRIC, ["a", "b"], given_)
        assert (result.value, result.n) == (None, 0)
        assert result.note
    with pytest.raises(MorposError, match="segment 7"):
        correlate_comparisons(METRIC, ["a", "b"], [RankedPair(7, "judge", "a", "b", 0)])


def scores(seed: int, systems: int, segments: int) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(seed)
    human = rng.integers(5, size=(systems, segments)).astype(np.float64)
    metric = np.round(human / 5 + rng.normal(scale=0.2, size=human.shape), 1)
    human[rng.random(human.shape) < 0.3] = np.nan
    return metric, human


@pytest.mark.parametrize("kind", ["kendall", "pearson"])
@pytest.mark.parametrize("group", ["item", "system", "none"])
def test_ratings_against_scipy(kind: str, group: Group) -> None:
    metric, human = scores(1, 4, 30)
    groups = {
        "item": zip(metric.T, human.T, strict=True),
        "system": zip(metric, human, strict=True),
        "none": [(metric.ravel(), human.ravel())],
    }[group]
    expected, undefined, ties = [], 0, 0
    for x, y in groups:
        known = ~np.isnan(y)
        x, y = x[known], y[known]
        ties += sum(a == b for a, b in combinations(y.tolist(), 2))
        if len(set(x)) > 1 and len(set(y)) > 1:
            both = stats.kendalltau(x, y) if kind == "kendall" else stats.pearsonr(x, y)
            expected.append(both.statistic)
        else:
            undefined += len(x) > 0
    result = correlate_ratings(metric, human, kind, group)
    assert result.value == pytest.approx(np.mean(expected))
    assert (result.groups, result.undefined) == (len(expected), undefined)
    assert result.ties_human == ties
    assert result.n == int((~np.isnan(human)).sum())


def test_ratings_without_a_group() -> None:
    result = correlate_ratings(np.ones((2, 3)), np.arange(6.0).reshape(2, 3))
    assert (result.value, result.groups, result.undefined) == (None, 0, 3)
    assert result.note


def accuracy(metric: Floats, human: Floats, epsilon: float) -> float:
    """The definition, pair by pair."""
    by_segment = []
    for x, y in zip(metric.T, human.T, strict=True):
        right = [
            (0 if abs(x[i] - x[j]) <= epsilon else np.sign(x[i] - x[j])) == np.sign(y[i] - y[j])
            for i, j in combinations(range(len(x)), 2)
            if not math.isnan(y[i] - y[j])
        ]
        if right:
            by_segment.append(np.mean(right))
    return float(np.mean(by_segment))


@given(st.integers(0, 10**6))
@settings(deadline=None, max_examples=30)
def test_calibrated_ties_by_trying_every_epsilon(seed: int) -> None:
    metric, human = scores(seed, 4, 12)
    # Integers, so that no difference depends on its last bits.
    metric = np.round(10 * metric)
    result = acc_eq(metric, human, folds=3)
    tried = {e: accuracy(metric, human, e) for e in range(30)}
    best = max(tried.values())
    assert result.value == pytest.approx(best)
    assert result.epsilon == min(e for e, value in tried.items() if value >= best - 1e-9)
    assert result.uncalibrated == pytest.approx(tried[0])
    assert result.cross_validated is not None
    assert result.cross_validated <= best + 1e-9


def test_cross_validation_by_another_making() -> None:
    metric, human = scores(5, 4, 20)
    metric = np.round(10 * metric)
    result = acc_eq(metric, human, folds=4, seed=3)
    judged = [s for s in range(20) if np.isfinite(human[:, s]).sum() > 1]
    total = 0.0
    for fold in np.array_split(np.random.default_rng(3).permutation(judged), 4):
        rest = [s for s in judged if s not in fold]
        best = max(range(30), key=lambda e: round(accuracy(metric[:, rest], human[:, rest], e), 9))
        total += accuracy(metric[:, fold], human[:, fold], best) * len(fold)
    assert result.cross_validated == pytest.approx(total / len(judged))
    assert "optimistic" in result.note


def test_nothing_to_calibrate() -> None:
    nothing = acc_eq(np.ones((2, 3)), np.full((2, 3), np.nan))
    assert nothing.value is None
    assert nothing.note
    few = acc_eq(np.array([[1.0, 2], [2, 1]]), np.array([[1.0, 2], [2, 3]]))
    assert (few.value, few.cross_validated) == (0.5, None)
