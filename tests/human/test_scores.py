"""When a segment brings its judgments, and who is correlated."""

import math

import pytest

from morpos.evaluation.resampling import HumanPanel
from morpos.human.judgments import Ranking, Reading
from morpos.human.scores import human_side, judged
from morpos.scoring.ngrams import Counts

NAMED = Ranking(2, "j", (("A", 1), ("B", 2)))
UNNAMED = Ranking(None, "j", (("A", 2), ("B", 2)))


def side(human: str, *rankings: Ranking) -> object:
    reading = Reading("x", "pairwise", ("A", "B"), rankings)
    return human_side(reading, "better-or-equal", 3, human)


def test_joint_only_if_every_judgment_names_its_segment() -> None:
    joint = side("joint", NAMED, NAMED)
    assert isinstance(joint, HumanPanel)
    assert (joint.unit, joint.units) == ("segment", 3)
    assert side("fixed", NAMED) == {"A": 1.0, "B": 0.0}
    assert side("joint", NAMED, UNNAMED) == {"A": 1.0, "B": 0.5}


@pytest.mark.parametrize("missing", [{}, {"C": math.nan}])
def test_who_is_correlated(missing: dict[str, float]) -> None:
    systems = {name: Counts({}, {}) for name in ("A", "C", "_ref")}
    human = {"A": 0.5, "_ref": 1.0, "never scored": 0.1} | missing
    assert list(judged(systems, human, ["_ref"])) == ["A"]
