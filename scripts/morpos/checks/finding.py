"""A finding: what is odd about the data, where, and what to do about it."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from morpos import __version__
from morpos.signature import signature

#: What a level means, the gravest first.
LEVELS = {
    "error": "cannot be used; the run stops, or leaves it out",
    "warning": "is used as it is, but is probably not what was meant",
    "repaired": "was changed on reading, in a way that the scores should not depend on",
    "note": "good to know",
}
#: The levels that need a person.
GRAVE = ("error", "warning")


@dataclass(frozen=True)
class Finding:
    """One row of the table of findings."""

    level: str
    check: str  # as in docs/check.md
    message: str
    advice: str = ""
    testset: str = ""
    system: str = ""  # a reference has its path here, as in the table of texts
    file: str = ""
    line: int | None = None

    def __str__(self) -> str:
        place = self.file + (f", line {self.line}" if self.line else "")
        if self.message.startswith(self.file):  # of an error that names its place itself
            place = ""
        system = "" if self.system == self.file else self.system
        names = " ".join(filter(None, (self.testset, system)))
        parts = filter(None, (self.level, names, place, self.message, self.advice))
        return f"{': '.join(parts)} [{self.check}]"


COLUMNS = ("level", "testset", "system", "file", "line", "check", "message", "advice", "signature")


#: The columns that are text; `line` is a number.
TEXT = frozenset(COLUMNS) - {"line"}


def from_row(row: Mapping[str, Any]) -> Finding:
    """A finding from a row of its table."""
    line = None if math.isnan(row["line"]) else int(row["line"])
    texts = {name: row[name] for name in TEXT - {"signature"}}
    return Finding(line=line, **texts)


def rows(findings: Iterable[Finding]) -> list[dict[str, object]]:
    """Findings as rows of a table, the gravest first."""
    shared = {"signature": signature({"morpos": __version__})}
    return [asdict(finding) | shared for finding in ordered(findings)]


def ordered(findings: Iterable[Finding]) -> list[Finding]:
    """The gravest first, otherwise as they come; none twice."""
    levels = [*LEVELS]
    return sorted(dict.fromkeys(findings), key=lambda finding: levels.index(finding.level))


def counted(findings: Sequence[Finding]) -> str:
    """How many there are of each level, in words."""
    found = [finding.level for finding in findings]
    numbers = {level: found.count(level) for level in LEVELS if level in found}
    return (
        ", ".join(
            f"{number} {level}{'s' if number > 1 and level != 'repaired' else ''}"
            for level, number in numbers.items()
        )
        or "nothing to report"
    )
