"""The human side of a test set, as the steps of meta-evaluation need it."""

import math
from collections.abc import Collection, Mapping

from morpos.evaluation.resampling import HumanPanel, human_panel
from morpos.human import judgments
from morpos.human.judgments import Reading
from morpos.scoring.ngrams import Counts


def judged(
    systems: Mapping[str, Counts], human: Mapping[str, float], references: Collection[str]
) -> dict[str, Counts]:
    """The systems that have a human score and are no reference: those that are correlated."""
    return {
        name: counts
        for name, counts in systems.items()
        if name not in references and not math.isnan(human.get(name, math.nan))
    }


def human_scores(reading: Reading, rule: str) -> dict[str, float]:
    """The human score of each system, NaN if undefined."""
    return {
        row.system: math.nan if row.score is None else row.score
        for row in judgments.human_scores(reading, rule)
    }


def segments_named(reading: Reading) -> bool:
    """Whether every judgment says of which segment it is."""
    named = [ranking.segment for ranking in reading.rankings]
    named += [rating.segment for rating in reading.ratings]
    return None not in named


def human_side(
    reading: Reading, rule: str, segments: int, human: str
) -> HumanPanel | dict[str, float]:
    """Human scores to be drawn with the segments (joint), or fixed ones.

    They are fixed, too, where judgments do not say of which segment they are.
    """
    if human == "joint" and segments_named(reading):
        return human_panel(reading, rule, segments)
    return human_scores(reading, rule)
