"""What the readers share: the text they return, and segments found under ids."""

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from morpos.errors import MorposError, quoted

_SPACE = re.compile("[ \t\r\n]+")


@dataclass(frozen=True)
class RawText:
    """A text as its file has it, before it is made canonical."""

    segments: tuple[str, ...]
    """Raw segments, references like ``&amp;`` decoded once, no LF inside."""
    ids: tuple[str, ...] | None
    """``document/segment`` of each, unique; None where the format has none."""
    notes: tuple[str, ...]
    """What a person should know about how the file was read."""


class MarkedSegment(NamedTuple):
    """A segment of a marked-up file and the line where it begins."""

    document: str
    segment: str
    line: int
    text: str

    @property
    def id(self) -> str:
        """The id by which texts are paired."""
        return f"{self.document}/{self.segment}"


def squeeze(text: str) -> str:
    """Runs of spaces, tabs and line breaks become one space, none at the edges."""
    return _SPACE.sub(" ", text).strip(" ")


def arrange(
    path: str | Path, found: list[MarkedSegment], notes: list[str], changes: Counter[str]
) -> RawText:
    """Order segments by document, as the file has them, and by segment id where ids are numbers.

    In marked-up text line breaks are layout: they, tabs and spaces are squeezed.

    Raises:
        MorposError: an id comes twice.
    """
    lines: dict[str, int] = {}
    documents: dict[str, list[MarkedSegment]] = {}
    for each in found:
        if each.id in lines:
            raise MorposError(
                f"{path}, line {each.line}: segment {quoted(each.id)} was given in line "
                f"{lines[each.id]} already; a document may have an id only once, remove or renumber"
            )
        lines[each.id] = each.line
        documents.setdefault(each.document, []).append(each)
    for segments in documents.values():
        if all(each.segment.isascii() and each.segment.isdigit() for each in segments):
            segments.sort(key=lambda each: _magnitude(each.segment))
    ordered = [each for segments in documents.values() for each in segments]
    if ordered != found:
        notes.append("segments were put in the order of their ids, which is not that of the file")
    texts = []
    for each in ordered:
        text = squeeze(each.text)
        changes["controls"] += sum(map(each.text.count, "\t\r\n"))
        changes["extra_spaces"] += len(each.text) - len(text)
        texts.append(text)
    return RawText(tuple(texts), tuple(each.id for each in ordered), tuple(notes))


def _magnitude(digits: str) -> tuple[int, str]:
    # Sorts like int(), which refuses more than 4300 digits.
    digits = digits.lstrip("0")
    return len(digits), digits
