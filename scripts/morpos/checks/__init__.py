"""Checks of a data set: what cannot be used, what was repaired, what is silently wrong.

`check_testset` checks the texts and judgments of one test set and needs nothing else, so the
workflow can call it for each; `project` looks at configuration, sheets and results. All checks with
their thresholds and reasons: docs/check.md.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from morpos.checks import judged, outputs, sets
from morpos.checks.alignment import Alignment
from morpos.checks.finding import Finding
from morpos.checks.profile import TextProfile
from morpos.corpora.loading import LoadedText
from morpos.human.judgments import JudgmentSet

__all__ = ["Finding", "check_testset"]


def check_testset(
    name: str,
    references: Sequence[LoadedText],
    systems: Sequence[LoadedText],
    reading: JudgmentSet | None = None,
    judged_references: Collection[str] = (),
) -> list[Finding]:
    """All findings about a test set.

    Args:
        references: with the same number of segments, or they are only looked at one by one.
        systems: those that were left out too.
        reading: its judgments, if it has any.
        judged_references: judged names that are not systems.
    """
    found = [*_reading(references, systems)]
    theirs = [TextProfile(text) for text in references]
    own = [TextProfile(text) for text in systems if not text.facts["left_out"]]
    found += sets.references(theirs)
    found += sets.names([text.facts["name"] for text in systems])
    reference = theirs[0]
    if fitting := [view for view in own if len(view.segments) == len(reference.segments)]:
        alignment = Alignment(reference)
        each = [[*outputs.check(view, reference, alignment)] for view in fitting]
        found += _attribute(each, reference)
        found += sets.duplicates(fitting)
        found += sets.swapped(fitting, reference)
    if reading:
        left_out = [text.facts["name"] for text in systems if text.facts["left_out"]]
        found += judged.check(reading, fitting, left_out, reference, judged_references)
    return [replace(finding, testset=name) for finding in found]


def _reading(references: Sequence[LoadedText], systems: Sequence[LoadedText]) -> Iterator[Finding]:
    """What the texts' own facts say."""
    for _, facts in (*references, *systems):
        place = {"system": facts["name"], "file": facts["source"]}
        if facts["left_out"]:
            yield Finding("error", "text", facts["left_out"], **place)
            continue
        if changes := [
            f"{n} {kind.replace('_', ' ')}" for kind, n in facts["changes"].items() if n
        ]:
            yield Finding(
                "repaired", "changed", ", ".join(changes), line=facts["first_changed"], **place
            )
        for note in facts["notes"]:
            yield Finding("note", "reading", note, **place)
    yield from _arrangement(references, systems)


def _arrangement(
    references: Sequence[LoadedText], systems: Sequence[LoadedText]
) -> Iterator[Finding]:
    """References that are arranged otherwise than one file a translation, one line a segment."""
    reference = references[0].facts
    lines, sizes = reference["segments"], {text.facts["found_segments"] for text in systems}
    if len(sizes) != 1 or not any(text.facts["left_out"] for text in systems):
        return
    (size,) = sizes
    if len(references) == size:
        message = (
            f"there are {size} references of {lines} lines each, and outputs of {size} lines: as "
            "if each file held the references of one segment"
        )
        advice = f"give {lines} files of {size} lines: one file a translation, one line a segment"
    elif size and lines % size == 0:
        message = f"has {lines // size} times as many lines ({lines}) as each output ({size})"
        advice = "does it hold several translations of each segment? Give each a file of its own"
    elif size and len(systems) > 1:
        message = f"has {lines} lines, but all {len(systems)} outputs have {size}"
        advice = "look at the reference, not at the outputs"
    else:
        return
    yield Finding(
        "error",
        "arrangement",
        message,
        advice,
        system=reference["name"],
        file=reference["source"],
    )


def _attribute(each: Sequence[Sequence[Finding]], reference: TextProfile) -> Iterator[Finding]:
    """What is said of all outputs of several is the reference's fault, and is said once."""
    kinds = [{finding.check for finding in findings} for findings in each]
    common = outputs.RELATIVE.intersection(*kinds) if len(each) > 1 else frozenset[str]()
    for findings in each:
        yield from (finding for finding in findings if finding.check not in common)
    for finding in each[0]:
        if finding.check in common:
            yield replace(
                finding,
                message=f"so it is with all {len(each)} outputs: {finding.system} "
                f"{finding.message}",
                advice=f"look at the reference, not at the outputs ({finding.advice})",
                system=reference.name,
                file=reference.file,
            )
