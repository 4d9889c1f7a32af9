"""A text on its way from its file to canonical segments, and the facts that are kept of it."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from morpos.corpora import pair, read
from morpos.errors import MorposError
from morpos.io.files import check_sha256, sha256
from morpos.io.text import CHANGES, canonical

Facts = dict[str, Any]


class LoadedText(NamedTuple):
    """Canonical segments (none if the text was left out) and what is written beside them."""

    segments: list[str]
    facts: Facts


class ReferenceOrder(NamedTuple):
    """The order of segments into which outputs are brought."""

    ids: Sequence[str] | None
    segments: int
    name: str = "the reference"


@dataclass
class CanonicalText:
    """A text, and what was found out about it: up to the fault, if it cannot be used.

    Attributes:
        found: segments of the file.
        segments: canonical ones, in the order of the reference.
        ids: of the segments; None where the format has none, or the reference has them.
        changes: how many of each of `CHANGES`.
        notes: what a person should know about how it was read.
        first_changed: number of the first segment that was changed.
    """

    found: int = 0
    segments: list[str] = field(default_factory=list)
    ids: tuple[str, ...] | None = None
    changes: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    first_changed: int | None = None

    def read(
        self,
        path: str | Path,
        *,
        format: str = "plain",
        select: str = "",
        encoding: str = "utf-8",
        missing: str = "",
        reference: ReferenceOrder | None = None,
    ) -> None:
        """Read it from a file.

        Args:
            missing: as for `load`.
            reference: what an output must fit.

        Raises:
            MorposError: it cannot be read or does not fit.
        """
        text = read(path, format, encoding=encoding, select=select, changes=self.changes)
        self.notes += text.notes
        if lost := sum(segment.count("\ufffd") for segment in text.segments):
            self.notes.append(
                f"{lost} times U+FFFD, the mark of a character that an earlier conversion lost"
            )
        self.found = len(text.segments)
        raw, self.ids = text.segments, text.ids
        if reference is not None:
            if missing:
                if text.ids:
                    raise MorposError(
                        f"{path}: segments are paired by id, so none can be declared missing"
                    )
                filled = _fill(text.segments, missing, path, self.changes)
                text = replace(text, segments=filled)
            ids, number, name = reference
            raw, self.ids = pair(ids, text, number, path, reference=name, notes=self.notes), None
        self.segments = [canonical(segment, self.changes) for segment in raw]
        changed = (n for n, (a, b) in enumerate(zip(raw, self.segments, strict=True), 1) if a != b)
        self.first_changed = next(changed, None)


def load(
    path: str,
    *,
    name: str = "",
    format: str = "plain",
    select: str = "",
    encoding: str = "utf-8",
    missing: str = "",
    expected: Sequence[str] = (),
    reference: Mapping[str, Any] | None = None,
    strict: bool = False,
) -> LoadedText:
    """Read a text of a test set.

    Args:
        missing: segments that are known to be missing, such as 7,9-11: empty ones are put in.
        expected: what the file's sha256 may be; anything if empty.
        reference: facts of the reference that an output must fit; None for a reference itself.
        strict: an output that does not fit is an error; otherwise it is left out, and the facts
            have the reason.

    Raises:
        MorposError: a reference that cannot be read or is empty; a file that was changed.
    """
    text, left_out = CanonicalText(), None
    check_sha256(path, expected)
    fits = ReferenceOrder(reference["ids"], reference["segments"]) if reference else None
    how = {"format": format, "select": select, "encoding": encoding, "missing": missing}
    try:
        text.read(path, **how, reference=fits)
        if reference is None and not text.segments:
            raise MorposError(f"{path} is empty: a reference needs one segment at least")
    except MorposError as error:
        if strict or reference is None:
            raise
        text.segments, left_out = [], str(error)
    return LoadedText(
        text.segments,
        {
            "name": name or f"{path} {select}".rstrip(),
            "source": path,
            "sha256": None if left_out else sha256(path),
            "found_segments": text.found,
            "segments": len(text.segments),
            "empty_segments": text.segments.count(""),
            "ids": text.ids,
            "changes": {kind: text.changes[kind] for kind in CHANGES},
            "first_changed": text.first_changed,
            "notes": text.notes,
            "left_out": left_out,
        },
    )


_MANY = 1_000_000  # more segments than any text has


def _fill(
    segments: Sequence[str], missing: str, path: str | Path, changes: Counter[str]
) -> tuple[str, ...]:
    """Put an empty segment wherever one is declared to be missing."""
    numbers: list[int] = []
    for first, last in re.findall(r"(\d{1,9})(?:-(\d{1,9}))?", missing):
        numbers += range(int(first), min(int(last or first), _MANY) + 1)
    if not numbers or numbers != sorted(set(numbers)) or numbers[0] < 1:
        raise MorposError(
            f"{path}: the missing segments '{missing}' are not numbers from 1 in ascending order"
        )
    filled = list(segments)
    for number in numbers:
        if number > len(filled) + 1:
            raise MorposError(
                f"{path}: segment {number} is declared to be missing, but there are only "
                f"{len(filled)} segments before it"
            )
        filled.insert(number - 1, "")
    changes["inserted_segments"] += len(numbers)
    return tuple(filled)
