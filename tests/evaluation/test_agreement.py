"""Agreement by hand and against the published figures; intervals of human scores."""

import math
from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from morpos.evaluation.agreement import Kind, agreement, human_intervals
from morpos.evaluation.human_statistics import collect_judgments
from morpos.evaluation.resampling import bootstrap
from morpos.human import judgments
from morpos.human.judgments import JudgmentSet, Ranking, Rating
from morpos.human.scores import RankedPair, compare_outputs, human_scores


def test_kappa_by_hand() -> None:
    compared = [
        RankedPair(1, "x", "a", "b", 1),
        RankedPair(1, "y", "b", "a", -1),  # the same, said the other way round
        RankedPair(1, "z", "a", "b", 0),
        RankedPair(1, "x", "a", "b", 1),
        RankedPair(2, "x", "a", "b", 1),  # another segment: nothing to compare with
        RankedPair(1, "x", "a", "c", 1),  # another pair
    ]
    # Segment 1: x y, y x agree; x z, y z, z x do not.
    inter = agreement(compared, "inter")
    assert (inter.agreed, inter.n, inter.items) == (2 / 5, 5, 1)
    assert inter.value == pytest.approx((2 / 5 - 1 / 3) / (2 / 3))
    intra = agreement(compared, "intra")
    assert (intra.agreed, intra.n, intra.value) == (1, 1, 1)
    # One tie in six: (1/6)² + 2 (5/12)².
    empirical = agreement(compared, "inter", "empirical")
    assert empirical.chance == pytest.approx(1 / 36 + 2 * 25 / 144)
    assert empirical.ties == pytest.approx(1 / 6)


def test_nothing_judged_twice() -> None:
    result = agreement([RankedPair(1, "x", "a", "b", 1)], "intra")
    assert (result.value, result.n) == (None, 0)
    assert "twice by the same judge" in result.note
    assert agreement([], "inter").value is None
    ties = [RankedPair(1, "x", "a", "b", 0), RankedPair(1, "y", "a", "b", 0)]
    assert agreement(ties, "inter", "empirical").value is None
    assert agreement(ties, "inter").value == 1


@given(
    st.lists(
        st.tuples(
            st.integers(1, 2),
            st.sampled_from("xy"),
            st.sampled_from([("a", "b"), ("b", "a"), ("b", "c")]),
            st.integers(-1, 1),
        ),
        max_size=9,
    )
)
def test_pairs_of_judgments_one_by_one(
    drawn: list[tuple[int, str, tuple[str, str], int]],
) -> None:
    compared = [RankedPair(s, judge, *names, outcome) for s, judge, names, outcome in drawn]

    def normal(c: RankedPair) -> tuple[object, ...]:
        turn = c.first > c.second
        return c.segment, *sorted((c.first, c.second)), -c.outcome if turn else c.outcome

    kinds: tuple[Kind, Kind] = ("inter", "intra")
    for kind in kinds:
        both = [
            (normal(c), normal(d))
            for c, d in combinations(compared, 2)
            if normal(c)[:3] == normal(d)[:3] and (c.judge == d.judge) == (kind == "intra")
        ]
        result = agreement(compared, kind)
        assert result.n == len(both)
        if both:
            assert result.agreed == pytest.approx(sum(c == d for c, d in both) / len(both))


def test_published_agreement_of_wmt10(shared: Path) -> None:
    """Callison-Burch et al. (WMT 2010): P(A) and κ, with and without references."""
    path = shared / "wmt/alopez-wmt-ranking/raw_data/wmt10/data_RNK.csv"
    pairs = [pair for x in ("cs", "de", "es", "fr") for pair in ((x, "en"), ("en", x))]
    compared = [
        list(compare_outputs(judgments.read(path, "wmt10", *pair).rankings)) for pair in pairs
    ]
    published: dict[tuple[bool, Kind], tuple[float, float]] = {
        (True, "inter"): (0.658, 0.487),
        (False, "inter"): (0.626, 0.439),
        (True, "intra"): (0.755, 0.633),
        (False, "intra"): (0.734, 0.601),
    }
    for (with_reference, kind), (agreed, kappa) in published.items():
        results = [agreement(_kept(task, with_reference), kind) for task in compared]
        n = sum(result.n for result in results)
        share = sum((result.agreed or 0) * result.n for result in results) / n
        assert share == pytest.approx(agreed, abs=0.0005)
        assert (share - 1 / 3) / (2 / 3) == pytest.approx(kappa, abs=0.0006)


def _kept(task: Iterable[RankedPair], with_reference: bool) -> list[RankedPair]:
    return [c for c in task if with_reference or "_ref" not in (c.first, c.second)]


def test_intervals_of_ranked_systems() -> None:
    rankings = [
        Ranking(s, "judge", (("a", 1 + s % 2), ("b", 2), ("c", 3 - s % 3))) for s in range(1, 21)
    ]
    rankings.append(Ranking(20, "judge", (("a", 1), ("rare", 2))))
    reading = JudgmentSet("file", "wmt10", ("a", "b", "c", "rare"), rankings=tuple(rankings))
    for segments, method in ((20, "bootstrap over segments"), (None, "bootstrap over judgments")):
        human = collect_judgments(reading, "better-or-equal", segments)
        result = human_intervals(human, 500, 4)
        scores = {s.system: s.score for s in human_scores(reading)}
        assert {name: interval.value for name, interval in result.items()} == scores
        assert result["a"].method == method
        drawn = np.concatenate([human.score(w) for w in bootstrap(human.units, 500, 4, 32)])
        low, high = np.quantile(drawn[:, 0], [0.025, 0.975])
        assert (result["a"].low, result["a"].high) == (low, high)
        # Judged once: missing from (1 - 1/n)^n of the resamples.
        n = human.units
        assert result["rare"].undefined == pytest.approx((1 - 1 / n) ** n, abs=0.08)


def test_interval_of_a_mean_is_about_the_normal_one() -> None:
    rng = np.random.default_rng(1)
    values = rng.integers(0, 101, size=400)
    ratings = tuple(Rating(s, "judge", "a", Fraction(int(v))) for s, v in enumerate(values, 1))
    reading = JudgmentSet("file", "direct", ("a",), ratings=ratings)
    interval = human_intervals(collect_judgments(reading, "mean"), 2000)["a"]
    reach = 1.96 * values.std() / math.sqrt(400)
    assert interval.low == pytest.approx(values.mean() - reach, abs=0.4)
    assert interval.high == pytest.approx(values.mean() + reach, abs=0.4)
