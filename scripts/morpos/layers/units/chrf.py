"""The units of chrF and chrF++.

M. Popović, "chrF: character n-gram F-score for automatic MT evaluation", WMT 2015, and "chrF++:
words helping character n-grams", WMT 2017.
"""

import string
from collections.abc import Iterable, Iterator

from morpos.layers.units.base import Splitter

_PUNCTUATION = frozenset(string.punctuation)


class Characters(Splitter):
    """All code points but the spaces."""

    def signature(self) -> dict[str, str]:
        return {"splitter": "characters"}

    def split(self, segments: Iterable[str]) -> Iterator[list[str]]:
        for segment in segments:
            yield list(segment.replace(" ", ""))


class ChrfWords(Splitter):
    """The words of chrF++: one ASCII punctuation character is split off the end of a word, or else
    off its beginning."""

    def signature(self) -> dict[str, str]:
        return {"splitter": "chrf-words"}

    def split(self, segments: Iterable[str]) -> Iterator[list[str]]:
        for segment in segments:
            yield [unit for word in segment.split() for unit in _split_punctuation(word)]


def _split_punctuation(word: str) -> tuple[str, ...]:
    if len(word) > 1 and word[-1] in _PUNCTUATION:
        return word[:-1], word[-1]
    if len(word) > 1 and word[0] in _PUNCTUATION:
        return word[0], word[1:]
    return (word,)
