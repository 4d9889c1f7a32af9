"""Units that another program made: a file for each text, a line for each segment."""

from collections.abc import Iterable, Iterator

from morpos.layers.given import UnitFile
from morpos.layers.units.base import Splitter


class GivenUnits(Splitter):
    """Units from files.

    Args:
        source: path of all such files, with `{text}` in place of a text's id
        given: that of one text

    Raises:
        MorposError: no such pattern; the file cannot be read or decoded.
    """

    def __init__(self, source: str = "", given: str = "") -> None:
        self._given = UnitFile(source, given)

    def signature(self) -> dict[str, str]:
        """The pattern, the same for all texts; and the sha256 of this text's units."""
        return {"splitter": "files"} | self._given.signature()

    def split(self, segments: Iterable[str]) -> Iterator[list[str]]:
        """The units in order.

        Raises:
            MorposError: not as many lines as segments.
        """
        number = sum(1 for _ in segments)
        yield from self._given.units(number, "the canonical text (results/texts)")
