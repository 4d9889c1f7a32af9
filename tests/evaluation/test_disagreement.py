"""Most divergent segments: values by hand, and the largest by trying all pairs."""

from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import pytest

from morpos.evaluation.disagreement import between_metrics, preferences, with_humans
from morpos.human.judgments import JudgmentSet, Ranking, Rating


def test_two_metrics_by_hand() -> None:
    # Metrics x system: in segment 1 they agree; in 2 the first prefers A by .4, the second B by .2.
    scores = np.array([[[0.9, 0.6], [0.5, 0.2]], [[0.8, 0.3], [0.4, 0.5]]])
    (found,) = between_metrics(["M1", "M2"], ["A", "B"], scores, np.array([4, 4]), 10)
    assert (found.segment, found.first, found.second) == (2, "A", "B")
    assert (found.metric, found.other) == ("M1", "M2")
    assert found.metric_scores == (0.6, 0.2)
    assert found.other_scores == (0.3, 0.5)
    spread = [np.std([0.9, 0.6, 0.5, 0.2]), np.std([0.8, 0.3, 0.4, 0.5])]
    assert found.size == pytest.approx(0.4 / spread[0] * 0.2 / spread[1])


def test_two_metrics_by_trying_all() -> None:
    rng = np.random.default_rng(1)
    scores, lengths = rng.random((4, 5, 6)), rng.integers(1, 30, 6)
    scaled = scores / scores.std(axis=(1, 2))[:, None, None] * np.sqrt(lengths / lengths.mean())
    found = between_metrics(list("abcd"), list("ABCDE"), scores, lengths, 4)
    largest = sorted(
        (
            max(
                (scaled[m, i, s] - scaled[m, j, s]) * (scaled[o, j, s] - scaled[o, i, s])
                for m, o in permutations(range(4), 2)
                for i, j in combinations(range(5), 2)
                # Both differences have the same sign, so the metrics order i and j differently.
                if (scaled[m, i, s] > scaled[m, j, s]) and (scaled[o, j, s] > scaled[o, i, s])
            ),
            s + 1,
        )
        for s in range(6)
    )[:-5:-1]
    assert [one.segment for one in found] == [segment for _, segment in largest]
    assert [one.size for one in found] == pytest.approx([size for size, _ in largest])


def test_a_metric_and_rankings_by_hand() -> None:
    rankings = (
        Ranking(1, "j", (("A", 1), ("B", 2), ("_ref", 1))),
        Ranking(1, "k", (("B", 1), ("A", 2))),
        Ranking(2, "j", (("B", 1), ("A", 2))),
        Ranking(2, "k", (("B", 2), ("A", 2))),
        Ranking(None, "k", (("B", 1), ("A", 2))),
    )
    human = preferences(JudgmentSet("", "pairwise", ("A", "B"), rankings=rankings), ["A", "B"])
    assert human[0].difference.tolist() == [0]  # one comparison each way
    assert human[1].difference.tolist() == [-0.5]  # B won one of two, the other is a tie
    scores = np.array([[[0.5, 0.9], [0.1, 0.3]]])
    lengths = np.array([5, 5])
    (found,) = with_humans(["M"], ["A", "B"], scores, lengths, human, 10)
    assert found[:5] == (2, "A", "B", "M", "")
    assert found.metric_scores == (0.9, 0.3)
    assert found.other_scores == (0, 1)
    assert found.size == pytest.approx(0.6 / scores.std() * 0.5)
    # Where the humans prefer the first, the metric's favourite is the second.
    (found,) = with_humans(["M"], ["B", "A"], scores, lengths, {1: human[1]}, 10)
    assert (found.first, found.second, found.other_scores) == ("B", "A", (0, 1))


def test_a_metric_and_ratings_by_hand() -> None:
    ratings = tuple(
        Rating(segment, "j", system, Fraction(score))
        for segment, system, score in (
            (1, "A", 10),
            (1, "A", 20),
            (1, "B", 75),
            (2, "A", 50),
            (2, "C", 60),
        )
    )
    human = preferences(JudgmentSet("", "direct", ("A", "B"), ratings=ratings), ["A", "B", "C"])
    spread = np.std([15, 75, 50, 60])
    assert human[0].difference == pytest.approx([-60 / spread])
    assert human[1].first.tolist() == [0]
    assert human[1].second.tolist() == [2]
    scores = np.array([[[0.7, 0.2], [0.4, 0.0], [0.0, 0.3]]])
    (found,) = with_humans(["M"], ["A", "B", "C"], scores, np.array([5, 5]), human, 10)
    assert found[:5] == (1, "A", "B", "M", "")
    assert found.other_scores == (15, 75)


def test_nothing_to_disagree_on() -> None:
    one_system, constant = np.ones((2, 1, 3)), np.ones((2, 2, 3))
    lengths = np.array([1, 1, 1])
    assert between_metrics(["a", "b"], ["A"], one_system, lengths, 5) == []
    assert between_metrics(["a", "b"], ["A", "B"], constant, lengths, 5) == []
    assert preferences(JudgmentSet("", "pairwise", ()), ["A"]) == {}
