"""What all formats of judgments share: what is read, the table it is read from, the reader."""

import csv
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import ClassVar, Literal, NamedTuple

from morpos.errors import MorposError, first_names, quoted
from morpos.io.text import read_text, split_lines

_INDEX = re.compile(r"[0-9]{1,9}")


class Ranking(NamedTuple):
    """One judge's ranks (1 is best, ties allowed) for outputs of one segment (from 1)."""

    segment: int | None
    judge: str
    ranks: tuple[tuple[str, int], ...]


class Rating(NamedTuple):
    """One judge's score for one output, higher is better; exact, so equal means stay equal."""

    segment: int | None
    judge: str
    system: str
    score: Fraction


@dataclass(frozen=True, slots=True)
class JudgmentSet:
    """What a file holds for one task, and what was left out of it.

    Attributes:
        systems: every name in the selected lines, also those without a valid judgment.
        rankings, ratings: one of both, by the format.
        used: number of lines with a judgment, by task as the file names it (or by format).
        skipped: number of things left out, by reason; a reason begins with the thing counted.
    """

    path: str
    format: str
    systems: tuple[str, ...]
    rankings: tuple[Ranking, ...] = ()
    ratings: tuple[Rating, ...] = ()
    used: dict[str, int] = field(default_factory=dict)
    skipped: dict[str, int] = field(default_factory=dict)

    @property
    def segments_named(self) -> bool:
        """Whether every judgment says of which segment it is."""
        named = [ranking.segment for ranking in self.rankings]
        named += [rating.segment for rating in self.ratings]
        return None not in named


class Selection(NamedTuple):
    """Which judgments of a file are wanted; the arguments of `morpos.human.judgments.read`."""

    source: str | None = None
    target: str | None = None
    domain: str | None = None
    higher_is_better: bool = True
    segments: int | None = None


class Line(NamedTuple):
    """A line below the header."""

    path: Path
    number: int
    cells: dict[str, str]

    def get(self, column: str | None) -> str:
        """The cell of a column, "" if there is no such column or the line ends before it."""
        return self.cells.get(column, "") if column else ""

    @property
    def place(self) -> str:
        """Where it is, for messages."""
        return f"{self.path}, line {self.number}"

    def fault(self, problem: str, advice: str) -> MorposError:
        """The error to raise about this line."""
        return MorposError(f"{self.place}: {problem}; {advice}")


class JudgmentTable:
    """A table of judgments with a header line."""

    def __init__(self, path: Path, separator: str) -> None:
        self.path = path
        self.separator = separator
        # Lines end at LF alone: names and texts may hold U+0085, U+2028 and the like.
        self._lines = split_lines(read_text(path), path, Counter())
        if not self._lines:
            raise MorposError(f"{path} is empty; judgments begin with a header line")
        self.header = self._split(self._lines[0], 1)

    def lines(self, skipped: Counter[str], shortest: int | None = None) -> Iterator[Line]:
        """The lines below the header. Empty lines are counted, a wrong width is an error.

        Args:
            shortest: columns that a line has at least, if it may end before the header does.
        """
        width = len(self.header)
        for number, text in enumerate(self._lines[1:], 2):
            if not text:
                skipped["lines: empty"] += 1
                continue
            cells = self._split(text, number)
            line = Line(self.path, number, dict(zip(self.header, cells, strict=False)))
            if not (shortest or width) <= len(cells) <= width:
                raise line.fault(
                    f"{len(cells)} columns, the header has {width}",
                    "is the file cut, or is a separator missing or doubled?",
                )
            yield line

    def _split(self, text: str, number: int) -> list[str]:
        if self.separator == "\t":
            return text.split("\t")
        try:  # line by line, so that a stray quote cannot swallow the lines after it
            return next(csv.reader([text], strict=True), [])
        except csv.Error as error:
            line = Line(self.path, number, {})
            raise line.fault(f"this is not comma-separated CSV ({error})", "fix it") from error

    def find(self, *names: str) -> str | None:
        """The one column that has one of these names, if there is one."""
        found = [column for column in self.header if column in names]
        if len(found) > 1:
            raise self._fault(f"{' and '.join(found)} mean the same", "keep one of them")
        return found[0] if found else None

    def column(self, *names: str) -> str:
        """The one column that has one of these names."""
        found = self.find(*names)
        if found is None:
            words = re.findall(r"[^\s;]+", self._lines[0])
            if self.separator == "\t" and len(self.header) == 1 < len(words):
                raise self._fault(
                    f"{quoted(self._lines[0])} is one cell: put tabs, not spaces or ; between the "
                    "cells",
                    "or set the judgment format that the file has",
                )
            raise self._fault(
                f"no column {' or '.join(names)} in {first_names(self.header, 30)}",
                "set the judgment format that the file has, or add a header line",
            )
        return found

    def _fault(self, problem: str, advice: str) -> MorposError:
        return Line(self.path, 1, {}).fault(problem, advice)


class JudgmentReader(ABC):
    """Reads one format; a subclass says what is special to it.

    Attributes:
        holds: what a judgment is; the rules of `morpos.human.scores` go by it.
        headers: a file with all columns of one of these is of this format.
        first_segment: number that the file gives to the first segment.
    """

    holds: ClassVar[Literal["rankings", "ratings"]]
    headers: ClassVar[tuple[frozenset[str], ...]]
    separator: ClassVar[str] = "\t"
    first_segment: ClassVar[int] = 1

    def __init__(self, format: str, path: Path, selection: Selection) -> None:
        self.format = format
        self.path = path
        self.selection = selection

    @abstractmethod
    def read(self) -> JudgmentSet:
        """Read the judgments of the task that is selected.

        Raises:
            MorposError: the file cannot be read, is not in this format, holds no such task, or
                judges a segment that the test set does not have.
        """

    def skip_reason(self, line: Line) -> str:
        """Why a line does not count, "" if it does."""
        return ""

    def read_segment(self, line: Line, column: str) -> int:
        """The segment of a line, from 1 whatever the file counts from."""
        text, first, segments = line.get(column), self.first_segment, self.selection.segments
        if not _INDEX.fullmatch(text) or int(text) < first:
            raise line.fault(
                f"{column} {quoted(text)} is not the number of a segment",
                f"they count from {first}"
                + "; if this file counts from 0, add 1 to all" * (text == "0"),
            )
        if segments is not None and int(text) - first >= segments:
            raise line.fault(
                f"{column} {text!r}, but the test set's segments are {first} to "
                f"{first + segments - 1}",
                "are these the judgments of another test set, or is the reference cut?",
            )
        return int(text) - first + 1
