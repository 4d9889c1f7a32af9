"""Tags that another program gave: a file for each text, a line for each segment."""

from collections.abc import Iterable, Iterator, Sequence

from morpos.errors import MorposError
from morpos.layers.given import UnitFile
from morpos.layers.tags.base import Tagger

_MADE_FROM = "the word layer (results/words)"


class GivenTags(Tagger):
    """Tags from files, one for each token of the word layer.

    Args:
        model: path of all such files, with `{text}` in place of a text's id
        given: that of one text

    Raises:
        MorposError: no such pattern; the file cannot be read or decoded.
    """

    def __init__(
        self, language: str, model: str | None = None, *, given: str = "", **_: object
    ) -> None:
        self._given = UnitFile(model or "", given)

    @classmethod
    def fault(cls, language: str, model: str | None) -> str:
        if model and "{text}" in model:
            return ""
        return "given tags need a path with {text} in place of a text's id (docs/taggers.md)"

    @classmethod
    def files(cls, model: str | None, text: str) -> dict[str, str]:
        return {"given": (model or "").replace("{text}", text)}

    def signature(self) -> dict[str, str]:
        """Tagger and pattern, the same for all texts; and the sha256 of this text's tags."""
        return {"tagger": "given"} | self._given.signature()

    def tag(self, sentences: Iterable[Sequence[str]]) -> Iterator[list[str]]:
        """The tags in order.

        Raises:
            MorposError: not as many lines as segments, or tags as tokens; names the line.
        """
        words = list(sentences)
        given = self._given.units(len(words), _MADE_FROM)
        for number, (tokens, tags) in enumerate(zip(words, given, strict=True), start=1):
            if len(tokens) != len(tags):
                raise MorposError(
                    f"{self._given.path}, line {number}: {len(tags)} tags, but the segment has "
                    f"{len(tokens)} words; make it from {_MADE_FROM}, one tag a word"
                )
            yield tags
