"""Judgments beside the outputs that they judge."""

import difflib
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np

from morpos.checks.finding import Finding
from morpos.checks.profile import TextProfile, overlap
from morpos.checks.sets import alike
from morpos.human.judgments import READERS, JudgmentSet
from morpos.human.scores import compare_outputs

#: How well (in standard deviations), and how much better, judgments fit segments one further on.
OFF_BY_ONE = 4.0
#: From which on judgments contradict the outputs.
REVERSED = -4.0


def check(
    reading: JudgmentSet,
    outputs: Sequence[TextProfile],
    left_out: Collection[str],
    reference: TextProfile,
    references: Collection[str],
) -> Iterator[Finding]:
    """All findings about the judgments of a test set; without its test set.

    Args:
        left_out: names of systems whose outputs could not be used.
        references: judged names that are not systems.
    """
    yield from _names(reading, [output.name for output in outputs], left_out, references)
    judged = [r.segment for r in reading.rankings] + [r.segment for r in reading.ratings]
    segments = [segment for segment in judged if segment is not None]
    beyond = [segment for segment in segments if segment > len(reference.segments)]
    if beyond:
        first = READERS.load(reading.format).first_segment
        size = len(reference.segments)
        hint = (
            f"the format counts from {first}, does this file count from {1 - first}?"
            if first == 0 and max(beyond) == size + 1
            else "are they of this test set, and is the reference complete?"
        )
        yield Finding(
            "error",
            "judged-range",
            f"{len(beyond)} of {len(segments)} judgments are of segments beyond the last, {size}; "
            f"the highest is {max(beyond)}, counted from 1",
            hint,
            file=reading.path,
        )
    yield from _fit(reading, {output.name: output for output in outputs}, reference)


def _names(
    reading: JudgmentSet,
    outputs: Sequence[str],
    left_out: Collection[str],
    references: Collection[str],
) -> Iterator[Finding]:
    unjudged = sorted({*outputs} - {*reading.systems})
    unknown = sorted({*reading.systems} - {*outputs, *left_out, *references})
    if not {*outputs} & {*reading.systems} - {*references}:
        yield Finding(
            "error",
            "judged-names",
            f"none of the {len(reading.systems)} judged names is an output's: judged are "
            f"{_some(reading.systems)}; outputs are {_some(outputs)}",
            "names must be equal to the letter: rename the files, or list them in systems.tsv",
            file=reading.path,
        )
        return
    for name in unknown:
        if near := _near(name, unjudged):
            yield Finding(
                "warning",
                "judged-names",
                f"{name!r} was judged, but has no output; {near!r} has one, but was not judged",
                "if they are one, spell them alike (systems.tsv gives a file any name)",
                system=near,
                file=reading.path,
            )
            unjudged.remove(near)
        else:
            yield Finding(
                "note",
                "judged-names",
                "was judged, but has no output",
                "its judgments count for its opponents only",
                system=name,
                file=reading.path,
            )
    for name in unjudged:
        yield Finding(
            "note",
            "judged-names",
            "has an output, but was never judged",
            "it is scored, but not correlated",
            system=name,
            file=reading.path,
        )


def _some(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names[:5])) + (" ..." if len(names) > 5 else "")


def _near(name: str, others: Sequence[str]) -> str | None:
    same = [other for other in others if alike(other) == alike(name)]
    return next(iter(same or difflib.get_close_matches(name, others, 1, 0.85)), None)


def _fit(
    reading: JudgmentSet, outputs: Mapping[str, TextProfile], reference: TextProfile
) -> Iterator[Finding]:
    """Whether the outputs that were preferred have more of the reference's words.

    Each preference is weighed by the difference of the two outputs' F of words in that segment,
    less their difference in all segments, so that only the segment counts. The sum over its
    standard deviation is 5 to 24 in the 25 test sets of WMT08-10, and never higher one segment
    further on.
    """
    scores = {
        name: np.array([overlap(*pair) for pair in zip(output.words, reference.words, strict=True)])
        for name, output in outputs.items()
    }
    pairs = [
        (s, a, b, sign) for s, a, b, sign in _preferences(reading) if a in scores and b in scores
    ]
    fits = {}
    for distance in (-1, 0, 1):
        near = [
            sign * (scores[a][n] - scores[a].mean() - scores[b][n] + scores[b].mean())
            for segment, a, b, sign in pairs
            if 0 <= (n := segment - 1 + distance) < len(reference.segments)
        ]
        spread = float(np.sqrt(np.square(near).sum()))
        fits[distance] = float(np.sum(near)) / spread if spread else 0.0
    best = max(fits, key=lambda distance: fits[distance])
    numbers = ", ".join(
        f"{fits[d]:.1f} for {d:+d}" if d else f"{fits[d]:.1f} as it is" for d in fits
    )
    if best and min(fits[best], fits[best] - fits[0]) >= OFF_BY_ONE:
        yield Finding(
            "warning",
            "judged-shift",
            f"the judgments fit the outputs better if their segments are counted {best:+d} "
            f"(agreement in standard deviations: {numbers})",
            "do they count from 0 where the format counts from 1, or the other way round?",
            file=reading.path,
        )
    elif fits[0] <= REVERSED:
        yield Finding(
            "warning",
            "judged-reversed",
            f"outputs with fewer of the reference's words are preferred (agreement in standard "
            f"deviations: {fits[0]:.1f})",
            "is the best rank 1? Do scores count errors (column lower_is_better)?",
            file=reading.path,
        )


def _preferences(reading: JudgmentSet) -> Iterator[tuple[int, str, str, int]]:
    """Segment, two systems, and 1 if the first was preferred, else -1."""
    for compared in compare_outputs(reading.rankings):
        if compared.outcome and compared.segment:
            yield compared.segment, compared.first, compared.second, compared.outcome
    by_segment = defaultdict(list)
    for rating in reading.ratings:
        if rating.segment:
            by_segment[rating.segment].append(rating)
    for segment, ratings in by_segment.items():
        for one, other in combinations(ratings, 2):
            if one.system != other.system and one.score != other.score:
                yield segment, one.system, other.system, 1 if one.score > other.score else -1
