"""A finding: what is odd about the data, where, and what to do about it."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from morpos import __version__
from morpos.errors import MorposError
from morpos.signature import signature

#: What a severity means, the most severe first.
SEVERITIES = {
    "error": "cannot be used; the run stops, or leaves it out",
    "warning": "is used as it is, but is probably not what was meant",
    "repaired": "was changed on reading, in a way that the scores should not depend on",
    "note": "good to know",
}
#: Those that need a person.
SEVERE = ("error", "warning")


@dataclass(frozen=True)
class Finding:
    """One row of the table of findings."""

    severity: str
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
        parts = filter(None, (self.severity, names, place, self.message, self.advice))
        return f"{': '.join(parts)} [{self.check}]"


COLUMNS = (
    "severity",
    "testset",
    "system",
    "file",
    "line",
    "check",
    "message",
    "advice",
    "signature",
)


def from_error(error: MorposError, check: str, **place: str) -> Finding:
    """A finding about what an error says: its place is the error's own, or else the one given."""
    own = {"file": error.path} if error.path else {}
    column = f"column '{error.column}': " if error.column else ""
    message = column + error.message if error.faults == (error,) else str(error)
    return Finding("error", check, message, error.advice, line=error.line, **place | own)


def from_row(row: Mapping[str, Any]) -> Finding:
    """A finding from a row of its table."""
    line = None if math.isnan(row["line"]) else int(row["line"])
    return Finding(**{name: row[name] for name in COLUMNS[:-1]} | {"line": line})


def rows(findings: Iterable[Finding]) -> list[dict[str, object]]:
    """Findings as rows of a table, the most severe first."""
    shared = {"signature": signature({"morpos": __version__})}
    return [asdict(finding) | shared for finding in ordered(findings)]


def ordered(findings: Iterable[Finding]) -> list[Finding]:
    """The most severe first, otherwise as they come; none twice."""
    order = [*SEVERITIES]
    return sorted(dict.fromkeys(findings), key=lambda finding: order.index(finding.severity))


def counted(findings: Sequence[Finding]) -> str:
    """How many there are of each severity, in words."""
    found = [finding.severity for finding in findings]
    numbers = {severity: found.count(severity) for severity in SEVERITIES if severity in found}
    return (
        ", ".join(
            f"{number} {severity}{'s' if number > 1 and severity != 'repaired' else ''}"
            for severity, number in numbers.items()
        )
        or "nothing to report"
    )
