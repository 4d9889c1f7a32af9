"""The morpheme layer: the morphemes of a word join up to it."""

import functools
from collections.abc import Iterable, Mapping, Sequence

from morpos.errors import MorposError
from morpos.layers.annotation import Annotation
from morpos.layers.morphemes.base import Segmenter
from morpos.signature import model

_NOT_OPTIONS = ("segmenter", "version", "sha256")


def split(
    segments: Iterable[Sequence[str]],
    segmenter: Segmenter,
    *,
    training: str,
    sha256: str,
    boundary: str = "",
) -> Annotation:
    """The morphemes of segments of words.

    Args:
        training: what the model was trained on.
        sha256: of the model's file.
        boundary: marker behind every morpheme of a word but the last.

    Raises:
        MorposError: the segmenter's morphemes do not join up to a word.
    """

    @functools.cache
    def morphemes(word: str) -> list[str]:
        (parts,) = groups([word], segmenter.segment(word))
        return put_boundaries(parts, boundary)

    units = [[morpheme for word in words for morpheme in morphemes(word)] for words in segments]
    details = segmenter.signature() | {"training": training, "sha256": sha256}
    if boundary:
        details["boundary"] = boundary
    return Annotation(units, {"morph": segmenter_signature(details)}, details)


def segmenter_signature(details: Mapping[str, str]) -> str:
    """Segmenter, version, options and model for a signature, from the details of a layer."""
    name = f"{details['segmenter']}-{details['version']}" + "".join(
        f",{key}={value}" for key, value in details.items() if key not in _NOT_OPTIONS
    )
    return model(name, details["sha256"])


def put_boundaries(morphemes: Sequence[str], boundary: str) -> list[str]:
    """Put the boundary marker behind every morpheme of a word but the last, such as `walk+ ing`.

    A word that holds the marker itself is left whole, so that `groups` can tell the words apart.
    """
    word = "".join(morphemes)
    if boundary and boundary in word:
        return [word]
    return [*(f"{morpheme}{boundary}" for morpheme in morphemes[:-1]), *morphemes[-1:]]


def groups(words: Sequence[str], morphemes: Sequence[str], boundary: str = "") -> list[list[str]]:
    """Give the morphemes of a segment back to its words: one group a word, without markers.

    Raises:
        MorposError: the morphemes do not join up to the words.
    """
    result = []
    position = 0
    for word in words:
        group: list[str] = []
        left = len(word)
        while left > 0 and position < len(morphemes):
            # A word that holds the marker has none: it is whole.
            part = morphemes[position].removesuffix("" if boundary in word else boundary)
            group.append(part)
            left -= len(part)
            position += 1
        if "".join(group) != word or "" in group:
            raise MorposError(f"the morphemes {group} do not join up to the word {word!r}")
        result.append(group)
    if position < len(morphemes):
        raise MorposError(f"the morphemes {list(morphemes[position:])} belong to no word")
    return result
