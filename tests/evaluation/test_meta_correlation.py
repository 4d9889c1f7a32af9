"""Coefficients against scipy, tests of metrics by enumeration, and both by hand."""

import math
from collections.abc import Callable
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from morpos.evaluation.correlation import (
    analytic_interval,
    coefficients,
    correlate,
    leave_one_out,
    pairwise_accuracy,
    pool_accuracies,
    robust_pearson,
    spearman,
    tidy,
)
from morpos.evaluation.resampling import Resampled
from morpos.evaluation.significance import (
    adjust_holm,
    bootstrap_tests,
    permutation_both,
    permutation_tests,
    sign_flip_test,
    williams,
    williams_tests,
)
from morpos.scoring.metrics import Floats

SCIPY: dict[str, Callable[..., Any]] = {
    "spearman": stats.spearmanr,
    "pearson": stats.pearsonr,
    "kendall": stats.kendalltau,
}

cell = st.one_of(st.none(), st.integers(0, 5))
table = st.integers(1, 9).flatmap(
    lambda n: st.lists(
        st.tuples(*[st.lists(cell, min_size=n, max_size=n)] * 2), min_size=1, max_size=4
    )
)


def of_scipy(x: Floats, y: Floats, kind: str, fewest: int = 3) -> float:
    known = ~(np.isnan(x) | np.isnan(y))
    x, y = x[known], y[known]
    if len(x) < fewest or len(set(x)) == 1 or len(set(y)) == 1:
        return math.nan
    return float(SCIPY[kind](x, y).statistic)


@pytest.mark.parametrize("kind", SCIPY)
@given(rows=table)
@settings(deadline=None)
def test_coefficients_are_those_of_scipy(
    kind: str, rows: list[tuple[list[int | None], list[int | None]]]
) -> None:
    x, y = (np.array([row[i] for row in rows], dtype=np.float64) for i in range(2))
    expected = [of_scipy(a, b, kind) for a, b in zip(x, y, strict=True)]
    assert coefficients(x, y, kind) == pytest.approx(expected, abs=1e-12, nan_ok=True)
    # One side for many rows.
    expected = [of_scipy(a, y[0], kind) for a in x]
    assert coefficients(x, y[0], kind) == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("kind", SCIPY)
def test_long_rows_with_ties_and_gaps(kind: str) -> None:
    rng = np.random.default_rng(1)
    x, y = rng.integers(9, size=(2, 3, 250)).astype(np.float64)
    x[0, ::7] = y[1, ::5] = np.nan
    expected = [of_scipy(a, b, kind) for a, b in zip(x, y, strict=True)]
    assert coefficients(x, y, kind) == pytest.approx(expected, abs=1e-12)


@given(st.floats(-1e15, 1e15, allow_subnormal=False))
def test_tidy_is_twelve_digits(value: float) -> None:
    assert float(tidy(value)) == pytest.approx(float(f"{value:.12g}"), rel=1.1e-12)
    assert float(tidy(tidy(value))) == float(tidy(value))
    # Noise may cross the middle between two such numbers, but no more.
    assert float(tidy(value * (1 + 1e-15))) == pytest.approx(float(tidy(value)), rel=1.1e-11)


def test_tidy_makes_noise_equal() -> None:
    noisy = tidy([0.1 + 0.2, 0.3, 1 - 1e-16, 1.0, 0.0, 2**0.5 * 2**0.5, 2.0, 1e-300, math.nan])
    assert noisy.tolist()[:-1] == [0.3, 0.3, 1, 1, 0, 2, 2, noisy[7]]
    assert math.isnan(noisy[-1])


@pytest.mark.parametrize("kind", ["spearman", "kendall"])
def test_noise_makes_no_order(kind: str) -> None:
    noisy = [1, 2, 2.0000000000000004, 4]
    assert coefficients(noisy, [1, 2, 3, 4], kind) == coefficients([1, 2, 2, 4], [1, 2, 3, 4], kind)


def test_reasons_and_ties() -> None:
    assert correlate([1, 1, 2, 3], [4, 4, 4, 5], "kendall").ties_human == 3
    assert correlate([1, 1, 2, 3], [4, 4, 4, 5], "kendall").ties_metric == 2
    constant = correlate([1, 1, 1], [1, 2, 3], "pearson")
    assert (constant.value, constant.n) == (None, 3)
    assert "the metric gives all systems the same" in constant.note
    assert spearman([], []).value is None
    assert coefficients([], []).shape == ()


def test_robust_pearson_by_hand() -> None:
    # Median 3, distances 2 1 0 1 97: deviation 1.483, limit 3.7: only e is out.
    names = list("abcde")
    result = robust_pearson([1, 3, 2, 4, 50], [1, 2, 3, 4, 100], names)
    assert result.left_out == ("e",)
    assert result.value == pytest.approx(stats.pearsonr([1, 3, 2, 4], [1, 2, 3, 4]).statistic)
    assert result.n == 4
    # Median 0, deviation 1.483 (distances 1 1 0 1 1 and two more): the limit is 3.7075.
    near = robust_pearson([1, 2, 3, 4, 5, 6, 7], [-1, 1, 0, -1, 1, 3.7, -3.8], list("abcdefg"))
    assert near.left_out == ("g",)
    same = robust_pearson([1, 3, 2, 4, 50], [3, 3, 3, 4, 100], names)
    assert same.value is None
    assert "median" in same.note
    assert robust_pearson([], [], []).value is None


def test_pairwise_accuracy_by_hand() -> None:
    one = pairwise_accuracy([1, 2, 2, 4], [1, 3, 2, 2])
    # Pairs 01 02 03 agree; 12, tied by the metric, and 13 do not; 23, tied by the humans, does not.
    assert (one.agreeing, one.pairs, one.value) == (3, 6, 0.5)
    assert (one.ties_metric, one.ties_human) == (1, 1)
    two = pairwise_accuracy([1, 2], [1, 2])
    both = pool_accuracies([one, two, pairwise_accuracy([1], [1])])
    assert (both.agreeing, both.pairs, both.value) == (4, 7, 4 / 7)
    assert both.chance == pytest.approx((6 * (one.chance or 0) + 0.5) / 7)
    assert pairwise_accuracy([1], [1]).value is None
    assert pool_accuracies([]).note == "fewer than two systems"


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=5))
def test_chance_is_the_mean_over_all_deals(scores: list[tuple[int, int]]) -> None:
    metric, human = zip(*scores, strict=True)
    dealt = [pairwise_accuracy(deal, human).value or 0 for deal in permutations(metric)]
    assert pairwise_accuracy(metric, human).chance == pytest.approx(sum(dealt) / len(dealt))


def test_leave_one_out() -> None:
    x, y = [1.0, 2, 3, 4], [1.0, 2, 4, 3]
    result = leave_one_out(x, y, list("abcd"))
    assert [result[name].value for name in "abcd"] == pytest.approx([0.5, 0.5, 1, 1])


def test_analytic_interval_by_hand() -> None:
    result = analytic_interval(0.6, 20)
    z, se = 0.5 * math.log(1.6 / 0.4), math.sqrt((1 + 0.18) / 17)
    assert result.low == pytest.approx(math.tanh(z - 1.959964 * se), abs=1e-6)
    assert result.high == pytest.approx(math.tanh(z + 1.959964 * se), abs=1e-6)
    theirs = stats.pearsonr([*range(20)], [*range(1, 20), 5]).confidence_interval()
    r = float(stats.pearsonr([*range(20)], [*range(1, 20), 5]).statistic)
    ours = analytic_interval(r, 20, "pearson")
    assert [ours.low, ours.high] == pytest.approx([theirs.low, theirs.high])
    kendall = analytic_interval(0.0, 20, "kendall")
    assert kendall.high == pytest.approx(math.tanh(1.959964 * math.sqrt(0.437 / 16)), abs=1e-6)
    for value, n, why in ((None, 20, "undefined"), (0.5, 9, "only 9"), (-1.0, 20, "perfect")):
        assert analytic_interval(value, n).low is None
        assert why in analytic_interval(value, n).note


# --- metric against metric ---------------------------------------------------------------------


def test_williams_by_another_formula() -> None:
    r1, r2, r12, n = 0.8, 0.6, 0.7, 15
    # Steiger (1980): the determinant of the three correlations, and their mean.
    determinant = np.linalg.det(np.array([[1, r1, r2], [r1, 1, r12], [r2, r12, 1]]))
    mean = (r1 + r2) / 2
    t = (r1 - r2) * math.sqrt(
        (n - 1) * (1 + r12) / (2 * (n - 1) / (n - 3) * determinant + mean**2 * (1 - r12) ** 3)
    )
    got = williams(r1, r2, r12, n)
    assert got[0] == pytest.approx(t)
    assert got[1] == pytest.approx(1 - stats.t.cdf(t, 12))
    assert williams(r2, r1, r12, n)[1] == pytest.approx(1 - got[1])
    assert math.isnan(williams(0.5, 0.5, 1.0, n)[1])


def test_williams_tests() -> None:
    rng = np.random.default_rng(3)
    human = rng.normal(size=14)
    metrics = {
        "good": human + 0.2 * rng.normal(size=14),
        "bad": human + 3 * rng.normal(size=14),
        "constant": np.ones(14),
    }
    metrics["also good"] = 2 * metrics["good"] + 1
    tests = {(t.first, t.second): t for t in williams_tests(metrics, human)}
    assert len(tests) == 12
    better = tests["good", "bad"]
    assert better.p is not None
    assert better.p < 0.001
    assert better.p_holm == pytest.approx(4 * better.p)
    assert (better.n, better.sides) == (14, 1)
    assert tests["bad", "good"].p == pytest.approx(1 - better.p)
    assert tests["good", "constant"].p is None
    assert "same score" in tests["good", "constant"].note
    assert "linear" in tests["good", "also good"].note
    few = williams_tests({"a": [1, 2, 4], "b": [1, 3, 2]}, [1, 2, 3], ranks=True)[0]
    assert few.p is None
    assert "needs 4" in few.note
    assert "approximate" in few.method


@pytest.mark.parametrize("kind", SCIPY)
def test_permutation_of_systems_by_enumeration(kind: str) -> None:
    x, y, human = [1.0, 5, 2, 8, 3], [10.0, 20, 50, 30, 40], [1, 2, 3, 5, 4]
    z = [(np.array(v) - np.mean(v)) / np.std(v) for v in (x, y)]
    observed = SCIPY[kind](x, human).statistic - SCIPY[kind](y, human).statistic
    extreme = 0
    for swap in product((False, True), repeat=5):
        one, two = np.where(swap, z[1], z[0]), np.where(swap, z[0], z[1])
        d = SCIPY[kind](one, human).statistic - SCIPY[kind](two, human).statistic
        extreme += abs(d) >= abs(observed) - 1e-9
    (test,) = permutation_tests({"x": x, "y": y}, human, kind)
    assert test.p == extreme / 32
    assert test.difference == pytest.approx(observed)
    assert test.samples == 32
    assert "all 32 swaps" in test.method


def test_permutation_of_many_systems_is_random() -> None:
    rng = np.random.default_rng(1)
    human = rng.normal(size=20)
    metrics = {"a": human + 0.1 * rng.normal(size=20), "b": rng.normal(size=20), "c": np.ones(20)}
    tests = permutation_tests(metrics, human, samples=300)
    assert tests[0].p is not None
    assert tests[0].p <= 0.05
    assert tests[0].p_holm == tests[0].p  # the others are undefined
    assert [t.p for t in tests[1:]] == [None, None]
    assert tests == permutation_tests(metrics, human, samples=300)


def test_permutation_of_segments_by_enumeration() -> None:
    x = np.array([[1.0, 2], [4, 3], [9, 7]])
    y = np.array([[3.0, 1], [2, 5], [1, 6]])
    human = [1, 2, 4]
    zx, zy = ((v - v.mean()) / v.std() for v in (x, y))

    def difference(one: Floats, two: Floats) -> float:
        return float(
            stats.pearsonr(one.mean(axis=1), human).statistic
            - stats.pearsonr(two.mean(axis=1), human).statistic
        )

    observed = difference(zx, zy)
    extreme = 0
    for bits in product((False, True), repeat=6):
        swap = np.array(bits).reshape(3, 2)
        d = difference(np.where(swap, zy, zx), np.where(swap, zx, zy))
        extreme += abs(d) >= abs(observed) - 1e-9
    same = np.ones((3, 2))
    tests = permutation_both({"x": x, "same": same, "y": y}, human, "pearson", 20_000)
    assert [(t.first, t.second) for t in tests] == [("x", "same"), ("x", "y"), ("same", "y")]
    assert tests[1].difference == pytest.approx(observed)
    assert tests[1].p == pytest.approx(extreme / 64, abs=0.01)
    assert tests[1].p_holm == tests[1].p  # the others are undefined
    assert "segment-averaged scores only" in tests[1].method
    assert [tests[0].p, tests[2].p] == [None, None]


def test_bootstrap_tests_by_hand() -> None:
    nan = math.nan
    drawn = np.array([[0.5, 0.4, nan], [0.6, 0.3, nan], [0.2, 0.5, nan], [nan, 0.1, nan]])
    resampled = Resampled(
        ("a", "b", "c"), ("s",), "spearman", np.array([0.5, 0.3, nan]), drawn, "joint", 0, 9, 1
    )
    tests = bootstrap_tests(resampled)
    # Δ = .2; Δ* - Δ = -.1, .1, -.5: one of three is as far away.
    assert tests[0].p == 2 / 4
    assert tests[0].difference == pytest.approx(0.2)
    assert (tests[0].samples, tests[0].n) == (3, 9)
    assert tests[1].p is None
    assert resampled.intervals()[0].undefined == 0.25
    assert resampled.intervals()[2].note == "undefined"


def test_testsets_in_blocks_by_enumeration() -> None:
    differences = [0.1, 0.2, 0.15, -0.05, 0.3]
    blocks = ["x", "x", "y", "y", "z"]

    def exact(sums: list[float]) -> float:
        totals = [
            abs(sum(s * v for s, v in zip(signs, sums, strict=True)))
            for signs in product((-1, 1), repeat=len(sums))
        ]
        return sum(t >= abs(sum(sums)) - 1e-9 for t in totals) / len(totals)

    blocked = sign_flip_test(("a", "b"), differences, blocks)
    assert blocked.p == exact([0.3, 0.1, 0.3])
    assert "3 blocks" in blocked.method
    plain = sign_flip_test(("a", "b"), differences)
    assert plain.p == exact(differences)
    assert "optimistic" in plain.method
    assert plain.difference == pytest.approx(0.14)
    many = sign_flip_test(("a", "b"), np.linspace(0.1, 0.2, 13).tolist(), samples=100)
    assert many.p == 1 / 101
    assert sign_flip_test(("a", "b"), []).p is None
    with pytest.raises(ValueError, match="undefined"):
        sign_flip_test(("a", "b"), [0.1, math.nan])
    first, second = adjust_holm([blocked, plain])
    assert blocked.p is not None
    assert plain.p is not None
    assert second.p_holm == min(1, 2 * plain.p)
    assert first.p_holm == max(second.p_holm, blocked.p)


def test_all_pairs_once() -> None:
    metrics = {name: [1.0, 2, 3, 4, i] for i, name in enumerate("abcd")}
    tests = permutation_tests(metrics, [1, 2, 3, 4, 5])
    assert [(t.first, t.second) for t in tests] == list(combinations("abcd", 2))
