"""The one-line format of the metrics' author: `words ++ morphemes ++ tags`, units between spaces.

`++` may also be a unit. Where a line has more than two of them, the one split counts whose tags are
as many as its words and whose morphemes join up to its words.
"""

from collections.abc import Sequence
from itertools import combinations

from morpos.errors import MorposError
from morpos.io.text import units

SEPARATOR = "++"
LAYERS = ("word", "morpheme", "pos")


def split_levels(line: str, place: str) -> tuple[list[str], list[str], list[str]]:
    """Split one segment into words, morphemes and tags.

    Raises:
        MorposError: there are fewer than two separators, or more and no single way to split.
    """
    found = units(line)
    separators = [i for i, unit in enumerate(found) if unit == SEPARATOR]
    splits = [_split(found, i, j) for i, j in combinations(separators, 2)]
    if len(splits) > 1:
        splits = [split for split in splits if _fits(*split)]
    if len(splits) != 1:
        ways = "no way" if not splits else f"{len(splits)} ways"
        raise MorposError(
            f"{place}: there is {ways} to read this as words {SEPARATOR} morphemes {SEPARATOR} tags"
        )
    return splits[0]


def _split(units: Sequence[str], i: int, j: int) -> tuple[list[str], list[str], list[str]]:
    return list(units[:i]), list(units[i + 1 : j]), list(units[j + 1 :])


def _fits(words: Sequence[str], morphemes: Sequence[str], tags: Sequence[str]) -> bool:
    return len(words) == len(tags) and "".join(words) == "".join(morphemes)
