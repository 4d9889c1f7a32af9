"""A text as the checks see it."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from morpos.corpora.loading import LoadedText

#: From this number of segments on, shares and profiles say something.
ENOUGH = 10
#: Characters are profiled on about so many segments, taken evenly: more do not change the result.
_SAMPLE = 400
_WORD = re.compile(r"\w+")


class TextProfile:
    """Canonical segments with what several checks need of them."""

    def __init__(self, text: LoadedText) -> None:
        self.name: str = text.facts["name"]
        self.file: str = text.facts["source"]
        self.segments: Sequence[str] = text.segments

    @cached_property
    def words(self) -> list[frozenset[str]]:
        """The words of each segment, in lower case, without punctuation."""
        return [frozenset(_WORD.findall(segment.lower())) for segment in self.segments]

    @cached_property
    def text(self) -> str:
        """All segments, one a line."""
        return "\n".join(self.segments)

    @cached_property
    def characters(self) -> Counter[str]:
        """How often each character occurs."""
        return Counter(self.text)

    @cached_property
    def trigrams(self) -> Counter[str]:
        """A profile of the language: character trigrams."""
        return trigrams(self._sample)

    @cached_property
    def split_half_similarity(self) -> float:
        """Cosine of the profiles of the text's odd and even segments."""
        return cosine(trigrams(self._sample[::2]), trigrams(self._sample[1::2]))

    @property
    def _sample(self) -> Sequence[str]:
        return self.segments[:: max(1, len(self.segments) // _SAMPLE)]

    def find(self, kind: re.Pattern[str]) -> dict[int, list[str]]:
        """All matches of a pattern by line from 1."""
        if not kind.search(self.text):
            return {}
        found = ((n, kind.findall(segment)) for n, segment in enumerate(self.segments, 1))
        return {n: matches for n, matches in found if matches}

    def count(self, kind: re.Pattern[str]) -> int:
        """How many matches of a pattern there are."""
        return len(kind.findall(self.text))


def trigrams(segments: Sequence[str]) -> Counter[str]:
    """Character trigrams of words in lower case."""
    found: Counter[str] = Counter()
    for segment in segments:
        text = f" {' '.join(_WORD.findall(segment.lower()))} "
        found.update(map("".join, zip(text, text[1:], text[2:], strict=False)))
    return found


def cosine(one: Counter[str], other: Counter[str]) -> float:
    """Cosine of two profiles, 0 to 1."""
    norm = sum(n * n for n in one.values()) * sum(n * n for n in other.values())
    shared = one.keys() & other.keys()
    return float(sum(one[key] * other[key] for key in shared) / norm**0.5) if norm else 0.0


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """F of the words of two segments, each counted once; 1 if both are empty."""
    total = len(one) + len(other)
    return 2 * len(one & other) / total if total else 1.0
