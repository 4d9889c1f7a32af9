"""Segments on which two judges of translations disagree most: two metrics, or a metric and humans.

They disagree where they order two outputs of one segment differently; the size of a disagreement
is the product of both sides' differences. Differences by a metric are divided by its standard
deviation over all outputs, so that metrics can be compared, and multiplied by the square root of
the segment's length, since scores of a word or two jump between 0 and 1.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from morpos.human.judgments import JudgmentSet
from morpos.human.scores import compare_outputs
from morpos.scoring.metrics import Floats
from morpos.scoring.ngrams import Integers

#: Scaled differences below it are rounding.
_TOLERANCE = 1e-9


class Disagreement(NamedTuple):
    """One segment (from 1), of which `metric` prefers the first output and the other the second.

    Attributes:
        other: a metric, or "" for the humans.
        metric_scores: the metric's scores in 0..1 of the first and the second output.
        other_scores: the same of the other metric; of humans who ranked, how often each of both
            won against the other one; of humans who scored, their mean scores.
        size: the product of both sides' differences.
    """

    segment: int
    first: str
    second: str
    metric: str
    other: str
    metric_scores: tuple[float, float]
    other_scores: tuple[float, float]
    size: float


class Preferences(NamedTuple):
    """What humans think of pairs of outputs of one segment; arrays of shape (pairs,).

    Attributes:
        first, second: places of the systems.
        scores: shape (2, pairs), what is said of each, higher is better.
        difference: of the first and the second, on a scale common to all segments.
    """

    first: NDArray[np.intp]
    second: NDArray[np.intp]
    scores: Floats
    difference: Floats


def between_metrics(
    metrics: Sequence[str], systems: Sequence[str], scores: Floats, lengths: Integers, most: int
) -> list[Disagreement]:
    """The largest disagreement of two metrics in each segment; the `most` largest of these.

    Args:
        scores: (M, N, S), 0..1.
        lengths: (S,), of the reference.
    """
    first, second = np.triu_indices(len(systems), 1)
    found = []
    for segment, scaled in enumerate(_scaled(scores, lengths)) if len(first) else ():
        difference = scaled[:, first] - scaled[:, second]
        high, low = difference.max(axis=0), difference.min(axis=0)
        # Of all pairs of metrics, those with the largest and the smallest difference.
        size = np.where((high > _TOLERANCE) & (low < -_TOLERANCE), -high * low, 0.0)
        pair = int(size.argmax())
        if size[pair] > 0:
            metric, other = int(difference[:, pair].argmax()), int(difference[:, pair].argmin())
            i, j = int(first[pair]), int(second[pair])
            found.append(
                Disagreement(
                    segment + 1,
                    systems[i],
                    systems[j],
                    metrics[metric],
                    metrics[other],
                    _of_pair(scores[metric, :, segment], i, j),
                    _of_pair(scores[other, :, segment], i, j),
                    float(size[pair]),
                )
            )
    return _largest(found, most)


def with_humans(
    metrics: Sequence[str],
    systems: Sequence[str],
    scores: Floats,
    lengths: Integers,
    human: Mapping[int, Preferences],
    most: int,
) -> list[Disagreement]:
    """The largest disagreement of a metric with the humans in each segment; the `most` largest.

    Args:
        scores: (M, N, S), 0..1.
        lengths: (S,), of the reference.
        human: by segment, from 0.
    """
    found = []
    for segment, scaled in enumerate(_scaled(scores, lengths)):
        if segment not in human:
            continue
        first, second, said, difference = human[segment]
        size = (scaled[:, second] - scaled[:, first]) * difference
        metric, pair = divmod(int(size.argmax()), size.shape[1])
        if size[metric, pair] > _TOLERANCE:
            # Reported with the metric's favourite first.
            ends = (0, 1) if difference[pair] < 0 else (1, 0)
            i, j = (int((first, second)[end][pair]) for end in ends)
            a, b = (float(said[end, pair]) for end in ends)
            found.append(
                Disagreement(
                    segment + 1,
                    systems[i],
                    systems[j],
                    metrics[metric],
                    "",
                    _of_pair(scores[metric, :, segment], i, j),
                    (a, b),
                    float(size[metric, pair]),
                )
            )
    return _largest(found, most)


def _of_pair(scores: Floats, first: int, second: int) -> tuple[float, float]:
    return float(scores[first]), float(scores[second])


def _scaled(scores: Floats, lengths: Integers) -> Iterator[Floats]:
    """The scores of each segment, (M, N), as the size of a disagreement is made of them."""
    spread = scores.std(axis=(1, 2)) if scores.size else np.ones(len(scores))
    scale = np.where(spread > 0, spread, 1.0)[:, None]
    weights = np.sqrt(lengths / max(1.0, lengths.mean())) if len(lengths) else lengths
    return (scores[:, :, segment] / scale * weight for segment, weight in enumerate(weights))


def _largest(found: Iterable[Disagreement], most: int) -> list[Disagreement]:
    return sorted(found, key=lambda one: (-one.size, one.segment))[:most]


def preferences(judgments: JudgmentSet, systems: Sequence[str]) -> dict[int, Preferences]:
    """What the judgments say of pairs of these systems, by segment from 0.

    Judgments that do not say of which segment they are, do not count.
    """
    place = {system: number for number, system in enumerate(systems)}
    if judgments.rankings:
        return _of_rankings(judgments, place)
    return _of_ratings(judgments, place)


def _of_rankings(judgments: JudgmentSet, place: Mapping[str, int]) -> dict[int, Preferences]:
    compared: defaultdict[int, defaultdict[tuple[int, int], list[int]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for segment, _, first, second, outcome in compare_outputs(judgments.rankings):
        if segment is not None and first in place and second in place:
            i, j = place[first], place[second]
            pair, outcome = ((i, j), outcome) if i < j else ((j, i), -outcome)
            compared[segment - 1][pair].append(outcome)
    found = {}
    for segment, pairs in compared.items():
        first, second = np.array(list(pairs), dtype=np.intp).T
        wins = [(o.count(1), o.count(-1)) for o in pairs.values()]
        scores = np.array(wins, dtype=np.float64).T
        numbers = np.array([len(outcomes) for outcomes in pairs.values()])
        found[segment] = Preferences(first, second, scores, (scores[0] - scores[1]) / numbers)
    return found


def _of_ratings(judgments: JudgmentSet, place: Mapping[str, int]) -> dict[int, Preferences]:
    rated: defaultdict[int, defaultdict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for rating in judgments.ratings:
        if rating.segment is not None and rating.system in place:
            rated[rating.segment - 1][place[rating.system]].append(float(rating.score))
    means = {
        segment: {i: float(np.mean(scores)) for i, scores in sorted(by_system.items())}
        for segment, by_system in rated.items()
    }
    spread = float(np.std([m for by_system in means.values() for m in by_system.values()] or [0]))
    found = {}
    for segment, by_system in means.items():
        if len(by_system) > 1 and spread > 0:
            one, two = np.triu_indices(len(by_system), 1)
            places, values = np.array(list(by_system)), np.array(list(by_system.values()))
            found[segment] = Preferences(
                places[one],
                places[two],
                np.stack([values[one], values[two]]),
                (values[one] - values[two]) / spread,
            )
    return found
