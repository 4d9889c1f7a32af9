"""Tags that another program gave: a file for each text, a line for each segment."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path

from morpos.errors import MorposError
from morpos.files import read_segments, sha256
from morpos.layers.tags.base import Tagger


def path(pattern: str, text: str) -> Path:
    """The file with the tags of a text, such as `tags/{text}.txt` for all of them.

    Raises:
        MorposError: the pattern does not say where the text's id goes.
    """
    if "{text}" not in pattern:
        raise MorposError(
            f"the tagger 'given' needs a pattern with {{text}} as its model, such as "
            f"tags/{{text}}.txt; {pattern!r} is none"
        )
    return Path(pattern.replace("{text}", text))


class GivenTags(Tagger):
    """Tags from a file, one for each token of the word layer, separated by blanks or tabs.

    Args:
        pattern: path of the files, with `{text}` in place of a text's id
        text: id of the text, as in `results/words/{text}.txt`

    Raises:
        MorposError: the file is missing or not UTF-8.
    """

    def __init__(self, pattern: str, text: str) -> None:
        self._pattern = pattern
        self._path = path(pattern, text)
        lines = read_segments(self._path)
        self._tags = [line.removeprefix("\ufeff").split() for line in lines]

    def signature(self) -> dict[str, str]:
        """Tagger and pattern, the same for all texts; and the sha256 of this text's tags."""
        return {"tagger": "given", "model": self._pattern, "tags_sha256": sha256(self._path)}

    def tag(self, sentences: Iterable[Sequence[str]]) -> Iterator[list[str]]:
        """The tags in order.

        Raises:
            MorposError: not as many lines as segments, or tags as tokens; names the segment.
        """
        for number, (tokens, tags) in enumerate(zip_longest(sentences, self._tags), start=1):
            if tokens is None or tags is None or len(tokens) != len(tags):
                words, given = (
                    "no such segment" if units is None else f"{len(units)} {kind}"
                    for units, kind in ((tokens, "words"), (tags, "tags"))
                )
                raise MorposError(
                    f"{self._path}:{number}: {given}, but the text has {words}; tag the word layer "
                    "(results/words), one line a segment"
                )
            yield tags
