"""What the formats of direct scores share: a line holds one score; a file is one task."""

import re
from collections import Counter
from fractions import Fraction
from typing import ClassVar

from morpos.errors import MorposError, quoted
from morpos.human.judgments.base import (
    JudgmentReader,
    JudgmentSet,
    JudgmentTable,
    Line,
    Rating,
)

# Bounded, so that a hostile 1e999999999 cannot become a number with a thousand million digits.
_SCORE = re.compile(r"[+-]?([0-9]{1,20}(\.[0-9]{0,50})?|\.[0-9]{1,50})([eE][+-]?[0-9]{1,2})?")
_NO_SCORE = ("", "na", "nan", "none")


class RatingReader(JudgmentReader):
    """Reads a table with tabs and the columns system and score.

    Attributes:
        segment: names that its column may have; none where a score is that of a whole system.
        judge: names that its column may have, if there is one.
        optional: other columns that there may be.
    """

    holds = "ratings"
    segment: ClassVar[tuple[str, ...]] = ()
    judge: ClassVar[tuple[str, ...]] = ()
    optional: ClassVar[tuple[str, ...]] = ()

    def read(self) -> JudgmentSet:
        table = JudgmentTable(self.path, self.separator)
        system, score = table.column("system"), table.column("score")
        segment = table.column(*self.segment) if self.segment else None
        judge = table.find(*self.judge)
        for name in self.optional:
            table.find(name)
        skipped: Counter[str] = Counter()
        last: dict[str, Line] = {}  # where each system was last seen
        ratings = []
        for line in table.lines(skipped):
            name, text = line.get(system), line.get(score)
            if reason := self.skip_reason(line):
                skipped[reason] += 1
                continue
            if not name:
                raise line.fault("no system", "fill it in or remove the line")
            if segment is None and name in last:
                raise line.fault(
                    f"a second score {quoted(text)} for {quoted(name)}, after {last[name].place}",
                    "keep one",
                )
            last[name] = line
            index = self.read_segment(line, segment) if segment else None
            if text.casefold() in _NO_SCORE:
                skipped["lines: no score"] += 1
                continue
            ratings.append(Rating(index, line.get(judge), name, self._read_score(line, text)))
        if not last:
            raise MorposError(f"{self.path} holds no scores below its header; is it complete?")
        return JudgmentSet(
            str(self.path),
            self.format,
            tuple(sorted(last)),
            ratings=tuple(ratings),
            used={self.format: len(ratings)},
            skipped=dict(skipped),
        )

    def _read_score(self, line: Line, text: str) -> Fraction:
        if not _SCORE.fullmatch(text):
            raise line.fault(
                f"score {quoted(text)} is not a decimal number", "fix it, or leave it empty"
            )
        return Fraction(text) if self.selection.higher_is_better else -Fraction(text)
