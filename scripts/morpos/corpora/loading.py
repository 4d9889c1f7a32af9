"""A text on its way from its file to canonical segments, and the facts that are kept of it."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
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
    """Read a text.

    Args:
        missing: segments that are known to be missing, such as 7,9-11: empty ones are put in.
        expected: what the file's sha256 may be; anything if empty.
        reference: facts of the reference that an output must fit; None for a reference itself.
        strict: an output that does not fit is an error; otherwise it is left out, and the facts
            have the reason.

    Raises:
        MorposError: a reference that cannot be read or is empty; a file that was changed.
    """
    changes: Counter[str] = Counter()
    notes: list[str] = []
    changed: list[int] = []
    ids, segments, left_out, found = None, list[str](), None, 0
    check_sha256(path, expected)
    try:
        text = read(path, format, encoding=encoding, select=select, changes=changes)
        notes += text.notes
        if lost := sum(segment.count("\ufffd") for segment in text.segments):
            notes.append(
                f"{lost} times U+FFFD, the mark of a character that an earlier conversion lost"
            )
        found = len(text.segments)
        if reference is not None:
            if missing:
                if text.ids:
                    raise MorposError(
                        f"{path}: segments are paired by id, so none can be declared missing"
                    )
                text = replace(text, segments=_fill(text.segments, missing, path, changes))
            raw = pair(reference["ids"], text, reference["segments"], path, notes=notes)
        else:
            raw, ids = text.segments, text.ids
            if not raw:
                raise MorposError(f"{path} is empty: a reference needs one segment at least")
        segments = [canonical(segment, changes) for segment in raw]
        changed = [n for n, (a, b) in enumerate(zip(raw, segments, strict=True), 1) if a != b]
    except MorposError as error:
        if strict or reference is None:
            raise
        segments, left_out = [], str(error)
    return LoadedText(
        segments,
        {
            "name": name or f"{path} {select}".rstrip(),
            "source": path,
            "sha256": None if left_out else sha256(path),
            "found_segments": found,
            "segments": len(segments),
            "empty_segments": segments.count(""),
            "ids": ids,
            "changes": {kind: changes[kind] for kind in CHANGES},
            "first_changed": changed[0] if changed else None,
            "notes": notes,
            "left_out": left_out,
        },
    )


_MANY = 1_000_000  # more segments than any text has


def _fill(
    segments: Sequence[str], missing: str, path: str, changes: Counter[str]
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
