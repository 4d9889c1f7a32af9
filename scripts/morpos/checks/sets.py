"""A test set's texts among each other: duplicates, names, references, and who is the reference."""

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from morpos.checks.finding import Finding
from morpos.checks.profile import ENOUGH, TextProfile, overlap

#: Least share of equal lines of two outputs, or two references, that are the same.
SAME = 0.95
#: Fewer outputs than this do not show which text is the odd one out.
_SYSTEMS = 4
#: Share of lines equal to the reference's from which on one was made from the other.
DERIVED = 0.1
#: How much less like the others (F of words) the outlier output is than the reference.
APART = 0.05
# Pairs of texts are compared on about so many lines.
_SAMPLE = 200


def names(outputs: Sequence[str]) -> Iterator[Finding]:
    """Names that differ in nothing that a person would see."""
    seen: dict[str, str] = {}
    for name in outputs:
        if (other := seen.setdefault(alike(name), name)) != name:
            yield Finding(
                "warning",
                "names",
                f"the systems {other!r} and {name!r} differ in case, blanks or signs only",
                "are they one? Spell it as the judgments do",
                system=name,
            )


def alike(name: str) -> str:
    """What is left of a name without case, blanks, signs and forms of letters."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    return "".join(filter(str.isalnum, plain)) or plain


def duplicates(outputs: Sequence[TextProfile]) -> Iterator[Finding]:
    """Outputs that are the same, or nearly."""
    for one, other in combinations(outputs, 2):
        same, of = _equal(one, other)
        if same >= SAME * of:
            message = (
                f"is the same as {one.name!r}"
                if same == of
                else (f"{same} of {of} lines are the same as those of {one.name!r}")
            )
            yield Finding(
                "warning",
                "duplicate",
                message,
                "is one of them the wrong file? As two systems they count twice",
                system=other.name,
                file=other.file,
            )


def _equal(one: TextProfile, other: TextProfile) -> tuple[int, int]:
    pairs = [(a, b) for a, b in zip(one.segments, other.segments, strict=True) if a or b]
    return sum(a == b for a, b in pairs), len(pairs)


def references(texts: Sequence[TextProfile]) -> Iterator[Finding]:
    """References that are the same as another, or empty lines in them."""
    for one, other in combinations(texts, 2):
        if len(one.segments) != len(other.segments):
            continue
        same, of = _equal(one, other)
        if same >= SAME * of:
            yield Finding(
                "warning",
                "same-references",
                f"{same} of {of} lines are the same as those of the reference {one.name}",
                "give each translation once; the same twice changes nothing but the signature",
                system=other.name,
                file=other.file,
            )
    for text in texts:
        if lines := [n for n, segment in enumerate(text.segments, 1) if not segment]:
            yield Finding(
                "note",
                "empty",
                f"{len(lines)} of {len(text.segments)} lines of the reference are empty, first "
                f"line {lines[0]}",
                "whatever an output has there counts as wrong",
                system=text.name,
                file=text.file,
                line=lines[0],
            )


def swapped(outputs: Sequence[TextProfile], reference: TextProfile) -> Iterator[Finding]:
    """The reference stands among the outputs, and an output stands apart from all.

    Outputs are more like each other than like a human translation: in 24 of the 25 test sets of
    WMT08-10 the reference is the outlier text. One that was made from an output, or that outputs
    were made from (as in the demo), is in the midst of all; that is no sign of anything, and many
    of its lines are then those of an output.
    """
    size = len(reference.segments)
    if len(outputs) < _SYSTEMS or size < ENOUGH:
        return
    if any(_equal(output, reference)[0] > DERIVED * size for output in outputs):
        return
    sample = range(0, size, max(1, size // _SAMPLE))
    texts = [*outputs, reference]
    near = np.zeros((len(texts), len(texts)))
    for (i, one), (j, other) in combinations(enumerate(texts), 2):
        similar = sum(overlap(one.words[n], other.words[n]) for n in sample)
        near[i, j] = near[j, i] = similar / len(sample)
    *others, own = near.sum(axis=1) / (len(texts) - 1)
    less_like = [mean for mean in others if mean < own]
    if 2 <= len(less_like) < len(others) and min(others) < own - APART:
        lone = outputs[int(np.argmin(others))]
        yield Finding(
            "warning",
            "swapped",
            f"the reference is as like the outputs as they are like each other (F of words "
            f"{own:.2f}), but {lone.name!r} is not ({min(others):.2f})",
            "is the reference the output of a system, and this file the reference?",
            system=lone.name,
            file=lone.file,
        )
