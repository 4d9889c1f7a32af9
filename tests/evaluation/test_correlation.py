"""Correlations against scipy and by hand; the paper's table by hand."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from morpos.evaluation.correlation import breakdown, count_tied, find_undefined, spearman, summarise

values = st.lists(st.integers(0, 6), min_size=3, max_size=12)


@given(st.data())
def test_spearman_is_pearson_of_mean_ranks(data: st.DataObject) -> None:
    x = data.draw(values)
    y = data.draw(st.lists(st.integers(0, 6), min_size=len(x), max_size=len(x)))
    result = spearman(x, y)
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert result.value is None
        assert "same score" in result.note
    else:
        ranks = np.corrcoef(stats.rankdata(x), stats.rankdata(y))[0, 1]
        assert result.value == pytest.approx(ranks, abs=1e-12)
    assert result.n == len(x)


def test_ties_by_hand() -> None:
    # Ranks 1 2.5 2.5 4 against 1 2 3 4: 4.5 / sqrt(4.5 * 5).
    noisy = [1, 2, 2.0000000000000004, 4]
    assert spearman([1, 2, 2, 4], [1, 2, 3, 4]).value == pytest.approx(4.5 / 22.5**0.5)
    assert spearman(noisy, [1, 2, 3, 4]) == spearman([1, 2, 2, 4], [1, 2, 3, 4])
    assert count_tied(noisy) == 2


def test_too_few_systems() -> None:
    result = spearman([0.1, 0.2], [1, 2])
    assert result.value is None
    assert "only 2 systems" in result.note


def rows(table: dict[str, dict[str, float]]) -> list[dict[str, Any]]:
    return [
        {"testset": testset, "metric": metric, "spearman": rho, "note": "why" * math.isnan(rho)}
        for testset, values in table.items()
        for metric, rho in values.items()
    ]


def test_summary_by_hand() -> None:
    correlations = rows(
        {
            "one": {"A": 0.5, "B": 0.5 + 1e-12, "C": 0.1},
            "two": {"A": 0.9, "B": 0.2, "C": -1.0},
            "gone": {"A": 0.9, "B": math.nan, "C": 1.0},
        }
    )
    table = summarise(correlations)
    assert find_undefined(correlations) == {"gone": "B: why"}
    assert [row["metric"] for row in table] == ["A", "B", "C"]
    assert [row["mean"] for row in table] == pytest.approx([0.7, 0.35, -0.45])
    # A: above C twice, above B once, equal to B once (they agree to ten decimals), of 2 * 2 pairs.
    assert [row["rank_gt"] for row in table] == [3 / 4, 2 / 4, 0]
    assert [row["rank_ge"] for row in table] == [4 / 4, 3 / 4, 0]
    assert {(row["testsets"], row["of"]) for row in table} == {(2, 3)}
    assert {row["of"] for row in summarise(correlations, 33)} == {33}


def test_summary_without_any_defined_testset() -> None:
    table = summarise(rows({"one": {"A": math.nan, "B": 1.0}}))
    assert all(math.isnan(row[k]) for row in table for k in ("mean", "rank_gt", "rank_ge"))


def test_breakdown_by_hand() -> None:
    def testset(
        name: str, source: str, target: str, group: str, rho: float, exclude_from_summary: int = 0
    ) -> Any:
        return {
            "testset": name,
            "source": source,
            "target": target,
            "group": group,
            "exclude_from_summary": exclude_from_summary,
            "systems": "all",
            "metric": "A",
            "spearman": rho,
            "note": "",
        }

    table = breakdown(
        [
            testset("a", "de", "en", "2008", 0.1),
            testset("b", "en", "de", "2008", 0.2),
            testset("c", "fr", "en", "2009", 0.6),
            testset("d", "hu", "en", "2009", 0.9, exclude_from_summary=1),
        ]
    )
    found = {row["table"]: (row["mean"], row["testsets"]) for row in table}
    assert found == {
        "all": (pytest.approx(0.3), 3),
        "target en": (pytest.approx(0.35), 2),
        "target de": (0.2, 1),
        "group 2008": (pytest.approx(0.15), 2),
        "group 2009": (0.6, 1),
        "into English": (pytest.approx(0.35), 2),
        "out of English": (0.2, 1),
        "all and d": (pytest.approx(0.45), 4),
    }
