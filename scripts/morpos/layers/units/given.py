"""Units that another program made: a file for each text, a line for each segment."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from morpos.errors import MorposError
from morpos.files import read_segments, sha256
from morpos.layers.units.base import Splitter


class GivenUnits(Splitter):
    """Units from a file, separated by blanks or tabs.

    Args:
        pattern: path of the files, with `{text}` in place of a text's id
        text: id of the text, as in `results/texts/{text}.txt`

    Raises:
        MorposError: the file is missing or not UTF-8.
    """

    def __init__(self, pattern: str, text: str) -> None:
        self._pattern = pattern
        self._path = Path(pattern.replace("{text}", text))
        lines = read_segments(self._path)
        self._units = [line.removeprefix("\ufeff").split() for line in lines]

    def signature(self) -> dict[str, str]:
        """The pattern, the same for all texts; and the sha256 of this text's units."""
        return {
            "splitter": "files",
            "model": self._pattern,
            "units_sha256": sha256(self._path),
        }

    def split(self, segments: Iterable[str]) -> Iterator[list[str]]:
        """The units in order; none for a text that was left out, which has no segments.

        Raises:
            MorposError: not as many lines as segments.
        """
        number = sum(1 for _ in segments)
        if number not in (0, len(self._units)):
            raise MorposError(
                f"{self._path} has {len(self._units)} lines, but the text has {number} segments; "
                "give the units of the canonical text (results/texts), one line a segment"
            )
        yield from self._units[:number]
