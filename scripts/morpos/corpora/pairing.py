"""Bring a text into the order of its reference."""

from collections.abc import Sequence
from pathlib import Path

from morpos.corpora.base import RawText
from morpos.errors import MorposError, first_names


def pair(
    reference_ids: Sequence[str] | None,
    text: RawText,
    reference_count: int,
    path: str | Path,
    *,
    reference: str = "the reference",
    notes: list[str] | None = None,
) -> tuple[str, ...]:
    """The segments of `text`, read from `path`, in the order of the reference.

    By id where both have ids (compared as whole strings: "1" is not "01"), by position otherwise.
    `reference` is what that is called; what a person should know is appended to `notes`.

    Raises:
        MorposError: segments are missing; by position, their number is not the reference's.
    """
    notes = [] if notes is None else notes
    if reference_ids is None or text.ids is None:
        if len(text.segments) != reference_count:
            raise MorposError(
                f"{path} has {len(text.segments)} segments, but {reference} has "
                f"{reference_count}; segments are paired line by line, so none may be missing"
            )
        if text.ids is not reference_ids:
            without = "reference" if reference_ids is None else "text"
            notes.append(f"paired by position, not by id: the {without} has no ids")
        return text.segments
    by_id = dict(zip(text.ids, text.segments, strict=True))
    if missing := [each for each in reference_ids if each not in by_id]:
        # A dict keeps the order, a set does not.
        documents = dict.fromkeys(each.rpartition("/")[0] for each in missing)
        hint = (
            f"; no id is common to both, this text begins with {first_names(text.ids, 1)}"
            if len(missing) == len(reference_ids) and text.ids
            else ""
        )
        raise MorposError(
            f"{path} lacks {len(missing)} of the reference's {len(reference_ids)} segments: "
            f"{first_names(missing)}"
            + (f" (documents: {first_names(documents)})" if any(documents) else "")
            + f"{hint}; add them (empty, where there is no translation) or take another file"
        )
    if surplus := len(by_id) - len(reference_ids):
        wanted = set(reference_ids)
        names = [each for each in text.ids if each not in wanted]
        notes.append(
            f"segments left out, the reference lacks them ({surplus}): {first_names(names)}"
        )
    return tuple(by_id[each] for each in reference_ids)
