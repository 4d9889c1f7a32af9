"""The rules that make scores of judgments."""

import math
from collections import Counter
from fractions import Fraction
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from morpos.human.judgments import Ranking, Rating
from morpos.human.scores import (
    Tally,
    better_or_equal,
    compare_outputs,
    expected_wins,
    standardise,
    tally,
    total,
    wins,
)


def test_rules_by_hand() -> None:
    opponents = {"b": Tally(wins=3, losses=1), "c": Tally(losses=2, ties=2), "d": Tally(ties=4)}
    assert total(opponents) == Tally(3, 3, 6)
    assert better_or_equal(opponents) == Fraction(9, 12)
    assert wins(opponents) == Fraction(3, 6)
    assert expected_wins(opponents) == (Fraction(3, 4) + 0) / 2  # d was met in ties only
    assert better_or_equal({}) is wins({}) is expected_wins({}) is None


RANKINGS = st.lists(
    st.builds(
        Ranking,
        st.integers(1, 4),
        st.sampled_from(["j", "k"]),
        st.lists(st.tuples(st.sampled_from("abcd"), st.integers(1, 5)), max_size=5).map(tuple),
    ),
    max_size=12,
)


@given(RANKINGS)
def test_tallies_equal_a_plain_count(rankings: list[Ranking]) -> None:
    expected: Counter[tuple[str, str, str]] = Counter()
    for ranking in rankings:
        for (x, i), (y, j) in permutations(ranking.ranks, 2):
            if x != y:
                expected[x, y, "win" if i < j else "loss" if i > j else "tie"] += 1
    table = tally(compare_outputs(rankings))
    found = Counter(
        {
            (x, y, kind): n
            for x, opponents in table.items()
            for y, t in opponents.items()
            for kind, n in (("win", t.wins), ("loss", t.losses), ("tie", t.ties))
        }
    )
    assert +found == +expected


@given(RANKINGS)
def test_tallies_of_segments_add_up(rankings: list[Ranking]) -> None:
    whole = tally(compare_outputs(rankings))
    parts: dict[tuple[str, str], Tally] = {}
    for segment in range(1, 5):
        own = [c for c in compare_outputs(rankings) if c.segment == segment]
        for x, opponents in tally(own).items():
            for y, t in opponents.items():
                parts[x, y] = parts.get((x, y), Tally()) + t
    assert parts == {(x, y): t for x, opponents in whole.items() for y, t in opponents.items()}


@given(st.lists(st.tuples(st.sampled_from("jk"), st.integers(-50, 50)), min_size=1, max_size=9))
def test_z_scores_do_not_depend_on_the_scale_of_a_judge(scores: list[tuple[str, int]]) -> None:
    ratings = [Rating(n, j, "s", Fraction(score)) for n, (j, score) in enumerate(scores, 1)]
    scaled = [r._replace(score=3 * r.score + 7) if r.judge == "j" else r for r in ratings]
    for one, other in zip(standardise(ratings), standardise(scaled), strict=True):
        assert one[:3] == other[:3]
        assert math.isclose(one.score, other.score, rel_tol=1e-12)
