"""Human scores as the evaluation needs them: fixed, or made anew on each resample of segments."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from morpos.errors import MorposError
from morpos.human.judgments import JudgmentSet, Rating
from morpos.human.scores import check_rule, compare_outputs, ratings_for_rule, scores_by_system
from morpos.scoring.metrics import Floats
from morpos.scoring.ngrams import Counts


def select_correlated(
    systems: Mapping[str, Counts], human: Mapping[str, float], references: Collection[str]
) -> dict[str, Counts]:
    """The systems that are correlated: those that have a human score and are not a reference."""
    return {
        name: counts
        for name, counts in systems.items()
        if name not in references and not math.isnan(human.get(name, math.nan))
    }


@dataclass(frozen=True)
class JudgmentStatistics:
    """Human scores that can be made anew from any selection of segments or judgments.

    A system's score is the mean over K columns of numerator / denominator, columns with
    denominator 0 left out. K is the number of opponents for expected-wins, else 1.

    Attributes:
        unit: what is drawn, segment or judgment.
        numerator, denominator: sparse, shape (units, N * K).
    """

    unit: str
    systems: tuple[str, ...]
    numerator: Any
    denominator: Any
    columns: int

    @property
    def units(self) -> int:
        """How many segments or judgments there are to draw from."""
        return int(self.numerator.shape[0])

    def score(self, weights: NDArray[Any]) -> Floats:
        """Scores in the unit of the rule, NaN where undefined: shape (B, units) to (B, N)."""
        shape = (len(weights), len(self.systems), self.columns)
        above = (self.numerator.T @ weights.T).T.reshape(shape)
        below = (self.denominator.T @ weights.T).T.reshape(shape)
        share = np.divide(above, below, out=np.zeros(shape), where=below > 0)
        used = (below > 0).sum(axis=2)
        undefined = np.full(used.shape, np.nan)
        return np.asarray(np.divide(share.sum(axis=2), used, out=undefined, where=used > 0))

    def scores(self) -> Floats:
        """The scores of all judgments: shape (N,)."""
        return np.asarray(self.score(np.ones((1, self.units)))[0])


def collect_judgments(
    judgments: JudgmentSet, rule: str, segments: int | None = None
) -> JudgmentStatistics:
    """Prepare human scores by one of the rules of `morpos.human.scores` for resampling.

    Scores of the rule mean-z are standardised per judge once, over all judgments.

    Args:
        segments: S of the test set, to draw segments with all their judgments (joint with a
            `SegmentStatistics`); left out, single judgments are drawn: a ranked set or a rating.

    Raises:
        MorposError: the rule does not go with the judgments, or they name no segment of these.
    """
    check_rule(judgments, rule)
    place = {name: number for number, name in enumerate(judgments.systems)}
    columns = len(place) if rule == "expected-wins" else 1
    entries: list[tuple[int, int, float, float]] = []  # unit, column, numerator, denominator

    def unit(number: int, segment: int | None) -> int:
        if segments is None:
            return number
        if segment is None or segment > segments:
            raise MorposError(
                f"{judgments.path}: a judgment of segment {segment}, the test set has 1 to "
                f"{segments}; draw judgments, or keep the human scores fixed"
            )
        return segment - 1

    for number, ranking in enumerate(judgments.rankings):
        for _, _, *names, outcome in compare_outputs([ranking]):
            one, two = (place[name] for name in names)
            for system, other, sign in ((one, two, outcome), (two, one, -outcome)):
                column = system * columns + (other if columns > 1 else 0)
                won, decided = (sign >= 0, 1) if rule == "better-or-equal" else (sign > 0, sign**2)
                entries.append((unit(number, ranking.segment), column, won, decided))
    ratings = ratings_for_rule(judgments, rule)
    repeats = Counter((rating.system, rating.segment) for rating in ratings)
    for number, rating in enumerate(ratings):
        # Repeats of one output count as one score, their mean.
        share = 1 / repeats[rating.system, rating.segment]
        row = unit(number, rating.segment)
        entries.append((row, place[rating.system], float(rating.score) * share, share))

    number = len(judgments.rankings) + len(ratings) if segments is None else segments
    size = (number, len(place) * columns)
    units, places, above, below = np.array(entries, dtype=np.float64).reshape(-1, 4).T
    where = (units.astype(np.int64), places.astype(np.int64))
    numerator, denominator = (sparse.csr_array((v, where), shape=size) for v in (above, below))
    unit_name = "judgment" if segments is None else "segment"
    return JudgmentStatistics(unit_name, judgments.systems, numerator, denominator, columns)


def prepare_human_scores(
    judgments: JudgmentSet, rule: str, segments: int, human: str
) -> JudgmentStatistics | dict[str, float]:
    """Human scores to be drawn with the segments (`human` is joint), or fixed ones.

    They are fixed, too, where judgments do not say of which segment they are.
    """
    if human == "joint" and judgments.segments_named:
        return collect_judgments(judgments, rule, segments)
    return scores_by_system(judgments, rule)


def segment_matrix(ratings: Iterable[Rating], systems: Sequence[str], segments: int) -> Floats:
    """Mean score of each output, repeats averaged: shape (N, S), NaN if none.

    Ratings of other systems, and those that name no segment, do not count.

    Raises:
        MorposError: a rating of a segment beyond S.
    """
    row = {name: number for number, name in enumerate(systems)}
    total, count = np.zeros((2, len(row), segments))
    for rating in ratings:
        if rating.segment is None or rating.system not in row:
            continue
        if rating.segment > segments:
            raise MorposError(f"a score of segment {rating.segment}, the test set has {segments}")
        cell = (row[rating.system], rating.segment - 1)
        total[cell] += float(rating.score)
        count[cell] += 1
    return np.asarray(np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0))
