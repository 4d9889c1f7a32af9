"""The morpheme layer: the morphemes of a word join up to it."""

from collections.abc import Sequence

from morpos.errors import MorposError


def groups(words: Sequence[str], morphemes: Sequence[str]) -> list[list[str]]:
    """Give the morphemes of a segment back to its words: one group a word.

    Raises:
        MorposError: the morphemes do not join up to the words.
    """
    result = []
    position = 0
    for word in words:
        start, length = position, 0
        while length < len(word) and position < len(morphemes):
            length += len(morphemes[position])
            position += 1
        group = list(morphemes[start:position])
        if "".join(group) != word or "" in group:
            raise MorposError(f"the morphemes {group} do not join up to the word {word!r}")
        result.append(group)
    if position < len(morphemes):
        raise MorposError(f"the morphemes {list(morphemes[position:])} belong to no word")
    return result
