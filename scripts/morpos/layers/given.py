"""Files that another program made for a layer: one for each text, a line for each segment."""

from collections import Counter
from pathlib import Path

from morpos.errors import MorposError
from morpos.io.files import sha256
from morpos.io.text import read_text, split_lines, units


class UnitFile:
    """The given units of a text, separated by spaces or tabs.

    Args:
        pattern: path of all such files, with `{text}` in place of a text's id
        path: that of one text

    Raises:
        MorposError: the pattern does not say where the id goes; the file cannot be read or decoded.
    """

    def __init__(self, pattern: str, path: str) -> None:
        if "{text}" not in pattern:
            raise MorposError(
                "given files need a pattern with {text} in place of a text's id, such as "
                f"mine/{{text}}.txt; {pattern!r} is none"
            )
        self._pattern = pattern
        self.path = Path(path)
        self._units = [units(s) for s in split_lines(read_text(self.path), self.path, Counter())]

    def signature(self) -> dict[str, str]:
        """The pattern, the same for all texts; and the sha256 of this text's file."""
        return {"model": self._pattern, "given_sha256": sha256(self.path)}

    def units(self, segments: int, made_from: str) -> list[list[str]]:
        """The units by segment; none for a text that was left out, which has no segments.

        Args:
            segments: how many segments the text has
            made_from: what the units had to be made from, for the message

        Raises:
            MorposError: not as many lines as segments.
        """
        if segments not in (0, len(self._units)):
            raise MorposError(
                f"{self.path} has {len(self._units)} lines, but the text has {segments} segments; "
                f"make it from {made_from}, one line a segment"
            )
        return self._units[:segments]
