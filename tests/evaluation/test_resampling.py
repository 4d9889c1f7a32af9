"""Resamples against texts and judgments that are repeated for real, and against numpy and scipy."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from morpos.errors import MorposError
from morpos.evaluation.human_statistics import collect_judgments, segment_matrix
from morpos.evaluation.resampling import (
    SegmentStatistics,
    bootstrap,
    bootstrap_scores,
    chunk_rows,
    collect_statistics,
    draw_signs,
    draw_swaps,
    resample_correlations,
    stability,
    swapped_differences,
    systems_interval,
    with_order,
    with_weights,
)
from morpos.human.judgments import JudgmentSet, Ranking, Rating
from morpos.human.scores import RANKING_RULES, RATING_RULES, HumanScore, human_scores
from morpos.scoring import ngrams
from morpos.scoring.metrics import Floats, Metric
from tests.scoring.test_metrics import METRICS, Text, counts_of

ALL = list(METRICS.values())


def texts(seed: int, systems: int, segments: int, words: int = 6) -> list[Text]:
    """A reference and systems that are noisy copies of it, the first ones less noisy."""
    rng = np.random.default_rng(seed)
    reference = [
        [str(w) for w in rng.integers(words, size=rng.integers(4, 12))] for _ in range(segments)
    ]
    result = [reference]
    for system in range(systems):
        noise = 0.15 + 0.05 * system
        result.append(
            [
                [w if rng.random() > noise else str(rng.integers(words)) for w in segment]
                for segment in reference
            ]
        )
    return result


def make_testset(seed: int, systems: int, segments: int) -> dict[str, ngrams.Counts]:
    """Three layers that differ: words, their halves, and a coarser class."""
    reference, *outputs = texts(seed, systems, segments, words=30)

    def layer(text: Text, modulus: int) -> Text:
        return [[str(int(w) % modulus) for w in segment] for segment in text]

    moduli = {"word": 30, "morpheme": 11, "pos": 4}
    return {
        f"s{i}": ngrams.Counts(
            {
                name: ngrams.count(layer(text, m), [layer(reference, m)], 4)
                for name, m in moduli.items()
            },
            {},
        )
        for i, text in enumerate(outputs)
    }


def repeated(text: Text, weights: Sequence[int]) -> Text:
    return [segment for segment, times in zip(text, weights, strict=True) for _ in range(times)]


segment = st.lists(st.sampled_from("abcd"), max_size=7)
rows = st.lists(
    st.tuples(segment, segment, segment, segment, st.integers(0, 3)), min_size=1, max_size=5
)


@given(rows)
@settings(deadline=None, max_examples=60)
def test_weighted_scores_are_those_of_repeated_segments(
    drawn: list[tuple[list[str], list[str], list[str], list[str], int]],
) -> None:
    one, two, first, second, weights = ([row[i] for row in drawn] for i in range(5))
    references: list[Text] = [first, second]  # type: ignore[list-item]
    outputs: dict[str, Text] = {"one": one, "two": two}  # type: ignore[dict-item]
    p = collect_statistics(
        {name: counts_of(text, references) for name, text in outputs.items()}, ALL
    )
    got = p.score(np.array([weights]))[0]
    more = [repeated(reference, weights) for reference in references]  # type: ignore[arg-type]
    for n, text in enumerate(outputs.values()):
        counts = counts_of(repeated(text, weights), more)  # type: ignore[arg-type]
        assert got[:, n].tolist() == [metric.score(counts) for metric in ALL]


def test_scores_are_those_of_the_metrics_to_the_last_bit() -> None:
    counts = make_testset(1, 4, 30)
    p = collect_statistics(counts, ALL)
    assert p.systems == ("s0", "s1", "s2", "s3")
    assert p.scores().T.tolist() == [[m.score(c) for m in ALL] for c in counts.values()]
    # 16 metrics are made of 2 families on 3 layers; the reference's columns are kept once.
    assert len(p.parts) == 6
    assert p.columns.shape[1] < 4 * 6 * 12


def test_a_metric_with_orders_of_its_own() -> None:
    counts = make_testset(2, 2, 10)
    variants = [with_order(METRICS["WMPF"], 2), METRICS["WMPF"]]
    expected = [[m.score(c) for c in counts.values()] for m in variants]
    assert collect_statistics(counts, variants).scores().tolist() == expected


def test_systems_of_different_length() -> None:
    one, two = make_testset(1, 1, 5)["s0"], make_testset(1, 1, 6)["s0"]
    with pytest.raises(MorposError, match="different numbers of segments"):
        collect_statistics({"one": one, "two": two}, ALL)
    with pytest.raises(MorposError, match="no system"):
        collect_statistics({}, ALL)


@pytest.mark.parametrize("segments", [1, 7, 100])
def test_draws_are_those_of_sacrebleu_whatever_the_chunks(segments: int) -> None:
    index = np.random.default_rng(5).choice(segments, size=(100, segments), replace=True)
    expected = [[Counter(row.tolist())[s] for s in range(segments)] for row in index]
    mask = np.random.default_rng(5).integers(2, size=(100, segments), dtype=bool)
    for rows in (32, 96, 1000):
        assert np.concatenate(list(bootstrap(segments, 100, 5, rows))).tolist() == expected
        assert (np.concatenate(list(draw_swaps((segments,), 100, 5, rows))) == mask).all()


def test_memory_is_bounded_and_chunks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    p = collect_statistics(make_testset(3, 3, 20), ALL)
    whole = bootstrap_scores(p, 100, 1), np.concatenate(list(swapped_differences(p, 100, 1)))
    monkeypatch.setattr("morpos.evaluation.resampling.BUDGET", 0)
    assert chunk_rows(1) == 32
    assert (bootstrap_scores(p, 100, 1) == whole[0]).all()
    assert (np.concatenate(list(swapped_differences(p, 100, 1))) == whole[1]).all()


def test_swapped_differences_are_those_of_swapped_texts() -> None:
    reference, *outputs = texts(4, 3, 12)
    p = collect_statistics(
        {str(i): counts_of(text, [reference]) for i, text in enumerate(outputs)}, ALL
    )
    keep = np.random.default_rng(9).integers(2, size=(20, 12), dtype=bool)
    got = np.concatenate(list(swapped_differences(p, 20, 9)))
    for b, row in enumerate(keep):
        for k, (i, j) in enumerate([(0, 1), (0, 2), (1, 2)]):
            one = [outputs[i if k else j][s] for s, k in enumerate(row)]
            two = [outputs[j if k else i][s] for s, k in enumerate(row)]
            a, z = counts_of(one, [reference]), counts_of(two, [reference])
            expected = [m.score(a) - m.score(z) for m in ALL]
            assert got[b, :, k] == pytest.approx(expected, abs=1e-14)


def test_flips() -> None:
    signs, exact = draw_signs(4, 10, 1)
    assert exact
    assert {tuple(row) for row in np.concatenate([signs, -signs])} == {
        (a, b, c, d) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1) for d in (-1, 1)
    }
    signs, exact = draw_signs(13, 10, 1)
    assert not exact
    assert signs.shape == (10, 13)
    assert set(signs.ravel()) == {-1, 1}


# --- human scores ------------------------------------------------------------------------------

ranks = st.lists(
    st.tuples(st.sampled_from(["a", "b", "c", "_ref"]), st.integers(1, 4)), min_size=2, max_size=5
)
rankings = st.lists(
    st.tuples(st.integers(1, 4), st.sampled_from(["x", "y"]), ranks), min_size=1, max_size=8
)


def values(scores: list[HumanScore]) -> list[float]:
    return [math.nan if s.score is None else s.score for s in scores]


@given(rankings, st.lists(st.integers(0, 2), min_size=8, max_size=8))
@settings(deadline=None, max_examples=100)
def test_ranked_scores_are_those_of_repeated_judgments(
    drawn: list[tuple[int, str, list[tuple[str, int]]]], weights: list[int]
) -> None:
    given_ = tuple(Ranking(s, j, tuple(r)) for s, j, r in drawn)
    reading = JudgmentSet("file", "wmt10", ("_ref", "a", "b", "c"), rankings=given_)
    by_segment = tuple(r for r in given_ for _ in range(weights[(r.segment or 0) - 1]))
    single = tuple(r for r, times in zip(given_, weights, strict=False) for _ in range(times))
    for rule in RANKING_RULES:
        for segments, more in ((4, by_segment), (None, single)):
            human = collect_judgments(reading, rule, segments)
            got = human.score(np.array([weights[: human.units]]))[0]
            expected = values(human_scores(replace(reading, rankings=more), rule))
            assert got == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_rated_scores_with_repeats() -> None:
    ratings = [("a", 1, 4), ("a", 1, 1), ("a", 2, 2), ("b", 1, 3), ("b", 3, 9), ("b", 3, 7)]
    reading = JudgmentSet(
        "file",
        "direct",
        ("a", "b"),
        ratings=tuple(
            Rating(s, "xy"[i % 2], n, Fraction(v)) for i, (n, s, v) in enumerate(ratings)
        ),
    )
    for rule in RATING_RULES:
        expected = values(human_scores(reading, rule))
        for segments in (3, None):
            assert collect_judgments(reading, rule, segments).scores() == pytest.approx(expected)
    human = collect_judgments(reading, "mean", 3)
    # Segment 1 twice, segment 2 once: a has (2.5 + 2.5 + 2) / 3, b has 3.
    assert human.score(np.array([[2, 1, 0]]))[0] == pytest.approx([7 / 3, 3])
    assert human.score(np.array([[0, 1, 0]]))[0] == pytest.approx([2, math.nan], nan_ok=True)
    assert segment_matrix(reading.ratings, ["b", "a"], 3) == pytest.approx(
        np.array([[3, math.nan, 8], [2.5, 2, math.nan]]), nan_ok=True
    )
    with pytest.raises(MorposError, match="segment 3"):
        segment_matrix(reading.ratings, ["b"], 2)
    with pytest.raises(MorposError, match="does not go with"):
        collect_judgments(reading, "wins", 3)
    with pytest.raises(MorposError, match="segment 3"):
        collect_judgments(reading, "mean", 2)


# --- correlations ------------------------------------------------------------------------------


def judged(seed: int, systems: Sequence[str], segments: int, number: int) -> JudgmentSet:
    rng = np.random.default_rng(seed)
    given_ = []
    for _ in range(number):
        chosen = rng.choice(len(systems), size=3, replace=False)
        ranked = stats.rankdata(chosen + rng.normal(scale=3, size=3))
        given_.append(
            Ranking(
                int(rng.integers(1, segments + 1)),
                "judge",
                tuple((systems[s], int(r)) for s, r in zip(chosen, ranked, strict=True)),
            )
        )
    return JudgmentSet("file", "wmt10", tuple(sorted(systems)), rankings=tuple(given_))


def naive(p: SegmentStatistics, reading: JudgmentSet, weights: Floats) -> list[float]:
    more = tuple(r for r in reading.rankings for _ in range(int(weights[(r.segment or 0) - 1])))
    human = values(human_scores(replace(reading, rankings=more)))
    known = [i for i, score in enumerate(human) if not math.isnan(score)]
    return [
        float(stats.spearmanr(scores[known], [human[i] for i in known]).statistic)
        for scores in p.score(weights[None])[0]
    ]


def test_joint_resamples_bring_judgments_along() -> None:
    p = collect_statistics(make_testset(5, 6, 25), ALL)
    reading = judged(6, p.systems, 25, 20)
    human = collect_judgments(reading, "better-or-equal", 25)
    result = resample_correlations(p, human, 50, 3)["spearman"]
    weights = next(bootstrap(25, 50, 3, 64))
    for b in range(50):
        assert result.drawn[b] == pytest.approx(naive(p, reading, weights[b]), nan_ok=True)
    assert result.observed == pytest.approx(naive(p, reading, np.ones(25)))
    # So few judgments that a system goes without in some resamples.
    assert 0 < result.missing < 0.2
    assert result.human == "joint"
    interval = result.intervals()[0]
    assert interval.value is not None
    assert interval.low is not None
    assert interval.high is not None
    assert interval.low < interval.high
    assert interval.n == 25


def test_fixed_human_scores_and_undefined_resamples() -> None:
    p = collect_statistics(make_testset(5, 4, 10), ALL)
    scores = {"s0": 0.9, "s1": 0.7, "s2": math.nan, "elsewhere": 0.3, "s3": 0.1}
    result = resample_correlations(p, scores, 40, 3)["spearman"]
    assert result.systems == ("s0", "s1", "s3")
    assert (result.human, result.missing) == ("fixed", 0)
    expected = p.score(next(bootstrap(10, 40, 3, 64)))[7, 2][[0, 1, 3]]
    assert result.drawn[7, 2] == pytest.approx(stats.spearmanr(expected, [3, 2, 1]).statistic)
    two = resample_correlations(p, {"s0": 1.0, "s1": 0.5}, 40, 3)["spearman"].intervals()[0]
    assert (two.value, two.low, two.undefined, two.note) == (None, None, 1, "undefined")
    reading = judged(6, p.systems, 9, 20)
    with pytest.raises(ValueError, match="not over the segments"):
        resample_correlations(p, collect_judgments(reading, "wins", 9), 40, 3)


def test_interval_over_systems_against_scipy() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=20)
    y = x + rng.normal(size=20)
    ours = systems_interval(x.tolist(), y.tolist(), "pearson", 5000)
    theirs = stats.bootstrap(
        (x, y),
        lambda a, b: stats.pearsonr(a, b).statistic,
        paired=True,
        vectorized=False,
        n_resamples=2000,
        method="percentile",
        rng=np.random.default_rng(1),
    ).confidence_interval
    assert [ours.low, ours.high] == pytest.approx([theirs.low, theirs.high], abs=0.03)
    few = systems_interval([1, 2, 3], [1, 2, 3])
    assert (few.value, few.low, few.high) == (1, None, None)
    assert "only 3 systems" in few.note


# --- sensitivity -------------------------------------------------------------------------------


def test_stability() -> None:
    p = collect_statistics(make_testset(7, 5, 60), [METRICS["WORDF"], METRICS["POSBLEU"]])
    result = stability(p, [5, 30, 60], samples=50)
    assert result.mean.shape == (3, 2)
    assert result.mean[2].tolist() == [1, 1]  # all segments: the ranking itself
    assert (np.diff(result.mean[:, 0]) > 0).all()
    low = np.array([[0.95, 0.1], [0.8, 0.95], [1.0, 0.95]])
    stable = replace(result, low=low).stable()
    assert stable.tolist() == [[False, False], [False, True], [True, True]]
    with pytest.raises(ValueError, match=r"1\.\.60"):
        stability(p, [61])


def test_variants() -> None:
    metric: Metric = METRICS["WPF"]
    assert [c.order for c in with_order(metric, 2).components] == [2, 2]
    weights = [tuple(c.weight for c in m.components) for m in with_weights(metric, 4)]
    assert weights == [(0, 1), (0.25, 0.75), (0.5, 0.5), (0.75, 0.25), (1, 0)]
    assert len(list(with_weights(METRICS["WMPF"], 4))) == 15
    assert next(with_weights(metric, 2)).name == "WPF[0/2,2/2]"
