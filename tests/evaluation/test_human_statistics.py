"""When a segment brings its judgments, and who is correlated."""

import math

import pytest

from morpos.evaluation.human_statistics import (
    JudgmentStatistics,
    prepare_human_scores,
    select_correlated,
)
from morpos.human.judgments import JudgmentSet, Ranking
from morpos.scoring.ngrams import Counts

NAMED = Ranking(2, "j", (("A", 1), ("B", 2)))
UNNAMED = Ranking(None, "j", (("A", 2), ("B", 2)))


def prepare(human: str, *rankings: Ranking) -> object:
    judgments = JudgmentSet("x", "pairwise", ("A", "B"), rankings)
    return prepare_human_scores(judgments, "better-or-equal", 3, human)


def test_joint_only_if_every_judgment_names_its_segment() -> None:
    joint = prepare("joint", NAMED, NAMED)
    assert isinstance(joint, JudgmentStatistics)
    assert (joint.unit, joint.units) == ("segment", 3)
    assert prepare("fixed", NAMED) == {"A": 1.0, "B": 0.0}
    assert prepare("joint", NAMED, UNNAMED) == {"A": 1.0, "B": 0.5}


@pytest.mark.parametrize("missing", [{}, {"C": math.nan}])
def test_who_is_correlated(missing: dict[str, float]) -> None:
    systems = {name: Counts({}, {}) for name in ("A", "C", "_ref")}
    human = {"A": 0.5, "_ref": 1.0, "never scored": 0.1} | missing
    assert list(select_correlated(systems, human, ["_ref"])) == ["A"]
