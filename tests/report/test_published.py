"""Our table beside a published one, and choices left to other years, by hand."""

import math
from pathlib import Path

import pytest

from morpos.evaluation.grid import choose_elsewhere
from morpos.report.published import agreement, compare_published, distinct_tags, latex, markdown

SUMMARY = [
    {
        "metric": metric,
        "mean": mean,
        "rank_gt": 0.5,
        "rank_ge": 0.75,
        "testsets": 24,
        "of": 33,
        "signature": "s",
    }
    for metric, mean in (("A", 0.5), ("B_w", 0.75), ("C", 0.625))
]
PUBLISHED = [
    {"metric": "A", "mean": 0.25, "rank_gt": 0.25, "rank_ge": 0.5},
    {"metric": "B_w", "mean": 0.5, "rank_gt": 0.75, "rank_ge": 1.0},
    {"metric": "C", "mean": 0.75, "rank_gt": 0.5, "rank_ge": 0.5},
    {"metric": "D", "mean": 0.1, "rank_gt": 0.0, "rank_ge": 0.0},
]


def test_differences() -> None:
    rows = {row["metric"]: row for row in compare_published(SUMMARY, PUBLISHED)}
    assert list(rows) == ["A", "B_w", "C", "D"]
    assert rows["A"]["difference_mean"] == 0.25
    assert rows["B_w"]["difference_rank_gt"] == -0.25
    assert math.isnan(rows["D"]["mean"])
    assert math.isnan(rows["D"]["difference_mean"])


def test_agreement_by_hand() -> None:
    # Ranks 1 3 2 against 1 2 3: 1 - 6 * 2 / 24.
    sentence = agreement(compare_published(SUMMARY, PUBLISHED))
    assert "over 3 metrics: 0.500" in sentence


def test_pages_hold_the_same_numbers() -> None:
    rows = compare_published(SUMMARY, PUBLISHED)
    page, table = markdown(rows, [], "What differs."), latex(rows)
    for text in ("24 of 33 test sets", "0.625", "-0.125", "+25.0"):
        assert text in page
        assert text in table
    assert "What differs." in page
    for command in (r"\toprule", r"\midrule", r"\bottomrule", r"B\_w", r"$\rho$"):
        assert command in table


def test_distinct_tags(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("N V\n\n")
    (tmp_path / "b").write_text("N D\n")
    layers = {"de": [str(tmp_path / "a"), str(tmp_path / "b")], "hu": [str(tmp_path / "a")]}
    rows = distinct_tags(layers, [{"target": "de", "tags": 54.0}])
    assert [(row["target"], row["tags"]) for row in rows] == [("de", 3), ("hu", 2)]
    assert rows[0]["published"] == 54
    assert math.isnan(rows[1]["published"])


def breakdown(setup: str, means: dict[str, tuple[float, int]]) -> list[dict[str, object]]:
    return [
        {
            "setup": setup,
            "table": f"group {group}",
            "systems": "all",
            "metric": "M",
            "mean": mean,
            "testsets": testsets,
        }
        for group, (mean, testsets) in means.items()
    ]


def test_leave_one_group_out() -> None:
    rows = breakdown("default", {"1": (0.5, 1), "2": (0.5, 3), "3": (0.5, 1)})
    rows += breakdown("other", {"1": (0.9, 1), "2": (0.3, 3), "3": (0.6, 1)})
    found = {row["held_out"]: row for row in choose_elsewhere(rows)}
    # Without 1: other has (3 * .3 + .6) / 4 = .375 < .5; without 2: (.9 + .6) / 2 = .75 > .5.
    assert found["1"]["setup"] == "default"
    assert found["1"]["mean_held_out"] == 0.5
    assert found["1"]["best_held_out"] == 0.9
    assert found["2"]["setup"] == "other"
    assert found["2"]["mean_elsewhere"] == pytest.approx(0.75)
    assert found["2"]["mean_held_out"] == 0.3
    assert found["3"]["setup"] == "default"
