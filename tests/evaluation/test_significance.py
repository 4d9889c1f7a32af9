"""Tests of pairs of systems against sacreBLEU and scipy, and by hand."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.significance import PairedTest
from scipy import stats

from morpos.evaluation.resampling import collect_statistics
from morpos.evaluation.significance import (
    SPA_OF_RANKINGS,
    PairTests,
    Scheme,
    approximate_randomisation,
    clusters,
    holm,
    intervals,
    one_sided,
    p_of_rankings,
    p_of_ratings,
    paired_bootstrap,
    soft_pairwise_accuracy,
)
from morpos.human.judgments import Ranking, Rating
from tests.evaluation.test_resampling import ALL, make_testset, texts
from tests.scoring.test_metrics import METRICS, counts_of


@pytest.mark.parametrize("seed", [12345, 7])
@pytest.mark.parametrize("test", ["bs", "ar"])
def test_equal_to_sacrebleu(test: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    reference, *outputs = texts(seed, 4, 60)
    outputs.append(outputs[0])  # an equal output, too
    monkeypatch.setenv("SACREBLEU_SEED", str(seed))
    lines = [[" ".join(segment) for segment in text] for text in [reference, *outputs]]
    metric = BLEU(tokenize="none", smooth_method="none", force=True)
    _, theirs = PairedTest(
        [(str(i), text) for i, text in enumerate(lines[1:])],
        {"BLEU": metric},
        [lines[0]],
        test_type=test,
        n_samples=500,
    )()
    p = collect_statistics(
        {str(i): counts_of(text, [reference]) for i, text in enumerate(outputs)},
        [METRICS["BLEU"]],
    )
    run = paired_bootstrap if test == "bs" else approximate_randomisation
    ours = run(p, 500, seed, "sacrebleu")
    # sacreBLEU compares with the first system; all sums here are far below 2**24.
    expected = [float(result.p_value) for result in theirs["BLEU"][1:]]  # type: ignore
    assert ours.p[0, :4].tolist() == expected
    assert expected[-1] == 1 / 501  # equal outputs "differ" by sacreBLEU's strict comparison
    assert 1 / 501 < expected[0] < 1 or 1 / 501 < expected[1] < 1
    assert run(p, 500, seed).p[0, 3] == 1  # and do not by ours


def test_randomisation_against_scipy() -> None:
    reference, *outputs = texts(11, 2, 8)
    counts = [counts_of(text, [reference]) for text in outputs]
    p = collect_statistics(dict(zip("ab", counts, strict=True)), [METRICS["WORDF"]])
    stacked = np.stack([p.columns[:, p.parts[0].index[n].ravel()] for n in range(2)])

    def difference(x: np.ndarray, y: np.ndarray) -> float:
        # Values are 2 * segment + system.
        sums = [
            sum(stacked[int(v) % 2, int(v) // 2] for v in side).reshape(3, 4) for side in (x, y)
        ]
        scores = [METRICS["WORDF"].families[0].score(s) for s in sums]
        return float(scores[0] - scores[1])

    base = 2 * np.arange(8)
    exact = stats.permutation_test(
        (base, base + 1),
        difference,
        permutation_type="samples",
        vectorized=False,
        n_resamples=10_000,
    )
    ours = approximate_randomisation(p, 20_000)
    assert ours.difference[0, 0] == pytest.approx(exact.statistic)
    assert ours.p[0, 0] == pytest.approx(exact.pvalue, abs=0.01)


def test_bootstrap_by_another_making() -> None:
    p = collect_statistics(make_testset(3, 3, 40), ALL)
    result = paired_bootstrap(p, 200, 5)
    drawn = np.random.default_rng(5).choice(40, size=(200, 40), replace=True)
    weights = np.stack([np.bincount(row, minlength=40) for row in drawn])
    scores = p.score(weights)
    for m in range(len(ALL)):
        for k, (i, j) in enumerate([(0, 1), (0, 2), (1, 2)]):
            d = p.scores()[m, i] - p.scores()[m, j]
            extreme = sum(abs(row[m, i] - row[m, j] - d) >= abs(d) for row in scores)
            assert result.p[m, k] == (1 + extreme) / 201
    assert (result.p_holm == holm(result.p)).all()


def test_intervals() -> None:
    p = collect_statistics(make_testset(3, 2, 40), ALL)
    result = intervals(p, 400, 5)
    assert (result.low < result.value).all()
    assert (result.value < result.high).all()
    # Sanity: about as wide as the normal interval of the mean of segment scores would be.
    segments = ALL[0].segment_scores(make_testset(3, 2, 40)["s0"])
    width = 2 * 1.96 * segments.std() / math.sqrt(40)
    assert result.high[0, 0] - result.low[0, 0] == pytest.approx(width, rel=0.35)


def test_rows_and_too_few_samples() -> None:
    p = collect_statistics(make_testset(3, 3, 40), [METRICS["WORDF"]])
    rows = list(paired_bootstrap(p, 50).rows())
    assert [(row["system"], row["other"]) for row in rows] == [
        ("s0", "s1"),
        ("s0", "s2"),
        ("s1", "s2"),
    ]
    assert rows[0]["note"] == "too few samples: p_holm is never below 0.059"
    assert rows[0]["method"] == "bootstrap, two-sided"
    assert next(paired_bootstrap(p, 60).rows())["note"] == ""


def test_holm_by_hand() -> None:
    # .005 * 4, .01 * 3, .03 * 2, .04 * 1 but not below the one before.
    assert holm(np.array([0.01, 0.04, 0.03, 0.005])) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    with_gap = holm(np.array([[0.01, math.nan, 0.5], [0.9, 0.8, 0.7]]))
    assert with_gap == pytest.approx(np.array([[0.02, math.nan, 0.5], [1, 1, 1]]), nan_ok=True)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_holm_rejects_as_its_steps_do(values: list[float]) -> None:
    adjusted = holm(np.array(values))
    for alpha in (0.01, 0.05, 0.3):
        rejected, left = set(), len(values)
        for index in sorted(range(len(values)), key=values.__getitem__):
            if values[index] * left > alpha:
                break
            rejected.add(index)
            left -= 1
        assert {i for i, p in enumerate(adjusted) if p <= alpha} == rejected


def test_clusters_by_hand() -> None:
    scores = np.array([0.2, 0.9, 0.8, 0.7])  # best first: systems 1, 2, 3, 0
    p = np.ones((4, 4))

    def worse(*found: tuple[int, int]) -> list[int]:
        table = p.copy()
        for i, j in found:
            table[i, j] = table[j, i] = 0.01
        return [int(cluster) for cluster in clusters(scores, table)]

    assert worse() == [1, 1, 1, 1]
    # 3 is worse than 1 but not than 2; 0 is worse than all.
    assert worse((3, 1), (0, 1), (0, 2), (0, 3)) == [2, 1, 1, 1]
    assert worse((2, 1), (3, 1), (3, 2), (0, 1), (0, 2)) == [3, 1, 2, 3]


@pytest.mark.parametrize("scheme", ["two-sided", "sacrebleu"])
def test_clusters_of_tests(scheme: Scheme) -> None:
    # Far apart: each system is a cluster; equal scores never part.
    reference, *outputs = texts(1, 9, 300)
    counts = [counts_of(outputs[i], [reference]) for i in (0, 4, 8)]
    p = collect_statistics(dict(zip("abc", counts, strict=True)), [METRICS["WORDF"]])
    result: PairTests = approximate_randomisation(p, 200, scheme=scheme)
    assert result.clusters().tolist() == [[1, 2, 3]]
    same = collect_statistics({"a": counts[0], "b": counts[0]}, [METRICS["WORDF"]])
    assert approximate_randomisation(same, 200, scheme=scheme).clusters().tolist() == [[1, 1]]


# --- soft pairwise accuracy --------------------------------------------------------------------


def test_one_sided_is_half_of_two_sided_and_sums_to_one() -> None:
    p = collect_statistics(make_testset(3, 4, 40), ALL)
    one, two = one_sided(p, 500, 3), approximate_randomisation(p, 500, 3)
    assert np.allclose(one + one.swapaxes(1, 2), 1)
    m, k = 0, 0
    assert two.difference[m, k] > 0
    assert one[m, 0, 1] == pytest.approx(two.p[m, k] / 2, abs=0.03)
    same = collect_statistics(dict.fromkeys("ab", make_testset(3, 1, 40)["s0"]), ALL)
    assert (one_sided(same, 50) == 0.5).all()


def test_p_of_ratings_by_enumeration() -> None:
    scores = {"a": "5344-2", "b": "431391", "c": "----1-"}
    ratings = [
        Rating(s, "judge", name, Fraction(value))
        for name, row in scores.items()
        for s, value in enumerate(row, 1)
        if value != "-"
    ]
    p = p_of_ratings(ratings, ["a", "b", "c"], 20_000)
    differences = [1, 0, 3, 1, 1]  # the segments that both have
    sums = [
        sum(s * d for s, d in zip(signs, differences, strict=True))
        for signs in product((-1, 1), repeat=5)
    ]
    exact = (sum(s > 6 for s in sums) + sum(s == 6 for s in sums) / 2) / 32
    assert p[0, 1] == pytest.approx(exact, abs=0.005)
    assert p[0, 1] + p[1, 0] == 1
    assert math.isnan(p[0, 2])  # no segment in common


def test_p_of_rankings_by_enumeration() -> None:
    ranked = [(1, 2), (1, 2), (1, 2), (2, 1), (1, 1)]
    rankings = [Ranking(s, "judge", (("a", a), ("b", b))) for s, (a, b) in enumerate(ranked, 1)]
    rankings.append(Ranking(9, "judge", (("a", 1), ("c", 1))))
    p = p_of_rankings(rankings, ["a", "b", "c"])
    sums = [sum(signs) for signs in product((-1, 1), repeat=4)]  # the tie cannot flip
    exact = (sum(s > 2 for s in sums) + sum(s == 2 for s in sums) / 2) / 16
    assert p[0, 1] == pytest.approx(exact)
    assert p[1, 0] == pytest.approx(1 - exact)
    assert p[0, 2] == 0.5  # ties only
    assert math.isnan(p[1, 2])


def test_soft_pairwise_accuracy_by_hand() -> None:
    human = np.array([[0.5, 0.1, math.nan], [0.9, 0.5, 0.4], [math.nan, 0.6, 0.5]])
    metric = np.array([[0.5, 0.3, 0.0], [0.7, 0.5, 0.5], [1.0, 0.5, 0.5]])
    result = soft_pairwise_accuracy(metric, human, SPA_OF_RANKINGS)
    assert result.value == pytest.approx(1 - (0.2 + 0.1) / 2)
    assert (result.n, result.pairs, result.left_out) == (3, 2, 1)
    nothing = soft_pairwise_accuracy(metric, np.full((3, 3), math.nan), SPA_OF_RANKINGS)
    assert nothing.value is None
    assert nothing.left_out == 3
