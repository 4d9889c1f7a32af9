"""Texts for the benchmarks, drawn by a seeded program: words whose frequencies follow Zipf's law.

A system repeats its reference with some words replaced, left out or swapped, so that about as many
n-grams match as with real systems (BLEU between 20 and 30).
"""

import resource
from collections.abc import Sequence

import numpy as np

Layer = list[list[str]]
_VOCABULARY = 30_000
_SYLLABLES = [
    consonants + vowel
    for consonants in ["b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "st", "t", "v"]
    for vowel in ["a", "e", "i", "o", "u"]
]
_ENDINGS = ["", "", "s", "en", "ing", "er"]
_TAGS = ["NN", "VV", "ADJ", "ADV", "DET", "PRP", "CC", "PRO", "CD", "NE"]


def cpu() -> float:
    """CPU seconds of this process and of its finished children: what others run counts little."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def _word(number: int) -> tuple[str, str]:
    """The stem and ending of a word; frequent words are short."""
    stem, rest = "", number // len(_ENDINGS)
    while not stem or rest:
        rest, syllable = divmod(rest, len(_SYLLABLES))
        stem += _SYLLABLES[syllable]
    return stem, _ENDINGS[number % len(_ENDINGS)]


_WORDS = [_word(number) for number in range(_VOCABULARY)]


def layers(text: Sequence[Sequence[int]]) -> dict[str, Layer]:
    """The words, morphemes and tags of a text of word numbers."""
    return {
        "word": [["".join(_WORDS[w]) for w in segment] for segment in text],
        "morpheme": [[part for w in segment for part in _WORDS[w] if part] for segment in text],
        "pos": [[_TAGS[w * 7 % len(_TAGS)] for w in segment] for segment in text],
    }


def make_testset(
    segments: int, systems: int, seed: int = 1
) -> tuple[list[list[int]], list[list[list[int]]]]:
    """A reference and its systems as word numbers; about 20 words a segment."""
    rng = np.random.default_rng(seed)
    weights = 1 / np.arange(2.7, _VOCABULARY + 2.7)
    cumulated = np.cumsum(weights) / weights.sum()

    def draw(size: int) -> list[int]:
        found: list[int] = np.searchsorted(cumulated, rng.random(size)).tolist()
        return found

    lengths = np.maximum(1, rng.gamma(3, 7, segments).astype(int))
    words = draw(lengths.sum())
    ends = np.cumsum(lengths).tolist()
    reference = [words[end - size : end] for end, size in zip(ends, lengths.tolist(), strict=True)]

    def system() -> list[list[int]]:
        others, chances = iter(draw(len(words))), iter(rng.random(len(words)).tolist())
        text = []
        for segment in reference:
            own: list[int] = []
            for word in segment:
                chance = next(chances)
                if chance < 0.3:
                    own.append(next(others))
                elif chance < 0.4 and own:
                    own.insert(len(own) - 1, word)
                elif chance < 0.95:
                    own.append(word)
            text.append(own)
        return text

    return reference, [system() for _ in range(systems)]
