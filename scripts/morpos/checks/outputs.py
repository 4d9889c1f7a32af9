"""An output beside its reference: what is silently wrong, or silently different.

Every threshold lies well beyond what the 341 real outputs of WMT08-10 and the demo have;
docs/check.md says how far.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from morpos.checks.alignment import Alignment, shifts, shuffled
from morpos.checks.finding import Finding
from morpos.checks.profile import ENOUGH, TextProfile, cosine

#: Least share of lines that are equal to the reference's for the output to be a copy of it.
COPY = 0.8
#: Similarity to the reference's profile of characters, as a share of how similar its halves are.
LANGUAGE = 0.8
#: Characters of the output for each of the reference.
SHORT, LONG = 0.7, 1.4
#: Share of capital letters against the reference's; share of lines that lost all their capitals.
LOWERED, RAISED, LINES_LOWERED = 0.5, 2.5, 0.2
#: Share of full stops and commas with a blank before them.
TOKENISED, RAW = 0.5, 0.1
#: Share of letters beyond ASCII that the reference never has; that many of them at least.
STRANGE, STRANGE_LETTERS = 0.5, 20
#: Share of letters beyond ASCII against the reference's, where it has that share at least.
STRIPPED, ACCENTED = 0.1, 0.01
#: Wrongly decoded or replaced characters, lost letters, and entities that are no chance.
GARBLED, LOST, ENTITIES = 3, 10, 3
#: Share of empty lines; empty lines at the end.
EMPTY, CUT = 0.01, 3
#: Lines that have all the same, the greatest length: in characters; in words, and their share.
CAPPED, CAPPED_WORDS, CAPPED_SHARE = 3, 5, 0.005

_STOP = re.compile(r"[.,](?!\S)")
_APART = re.compile(r"(?<!\S)[.,](?!\S)")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,8}[0-9]{0,2});")
_LOST = re.compile(r"[^\W\d_]\?[^\W\d_]")
# A replacement character, or what the two bytes of a letter in UTF-8 are in Windows-1252.
_GARBLED = re.compile(
    "\ufffd|[\u00c2-\u00df][\u00a0-\u00bf\u0152-\u0178\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]"
)

#: Checks that compare an output with the reference: if all outputs fail one, the reference is odd.
RELATIVE = {"shift", "shuffle", "language", "length", "case", "tokenised", "letters"}


def check(output: TextProfile, reference: TextProfile, alignment: Alignment) -> Iterator[Finding]:
    """All findings about an output; without its test set."""
    yield from _empty(output, reference)
    yield from _characters(output, reference)
    if len(output.segments) < ENOUGH or not "".join(output.segments):
        return
    same = [
        n
        for n, pair in enumerate(zip(output.segments, reference.segments, strict=True), 1)
        if pair[0] == pair[1]
    ]
    if len(same) >= COPY * len(output.segments):
        yield _warning(
            "copy",
            output,
            f"{_of(len(same), output)} are equal to the reference",
            "is this the reference, given as an output? An output is no translation of itself",
        )
        return
    if language := [*_language(output, reference)]:
        yield from language  # all else would follow from it
        return
    yield from _alignment(output, alignment)
    yield from _length(output, reference)
    yield from _case(output, reference)
    yield from _tokenised(output, reference)


def _warning(
    check: str, output: TextProfile, message: str, advice: str, line: int | None = None
) -> Finding:
    return Finding(
        "warning", check, message, advice, system=output.name, file=output.file, line=line
    )


def _of(number: int, output: TextProfile) -> str:
    return f"{number} of {len(output.segments)} lines"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _first(lines: Sequence[int], most: int = 5) -> str:
    more = f" and {len(lines) - most} more" if len(lines) > most else ""
    return ", ".join(map(str, lines[:most])) + more


def _language(output: TextProfile, reference: TextProfile) -> Iterator[Finding]:
    alike = cosine(output.trigrams, reference.trigrams)
    if alike < LANGUAGE * reference.split_half_similarity:
        yield _warning(
            "language",
            output,
            f"its letters are distributed otherwise than the reference's (similarity {alike:.2f}; "
            f"the reference's odd and even lines have {reference.split_half_similarity:.2f})",
            "is it in the target language, is it the source, or read in a wrong encoding?",
        )


def _alignment(output: TextProfile, alignment: Alignment) -> Iterator[Finding]:
    distances = alignment.distances(output)
    for shift in shifts(distances):
        yield _warning(
            "shift",
            output,
            f"lines {shift.first} to {shift.last} fit the reference's {abs(shift.distance)} "
            f"{'below' if shift.distance > 0 else 'above'} much better than its lines "
            f"{shift.first} to {shift.last}",
            "a line is missing or too many before them (an empty one, a broken one, a heading): "
            "compare the lines there",
            shift.first,
        )
    if lines := shuffled(distances):
        yield _warning(
            "shuffle",
            output,
            f"{len(lines)} of {len(distances)} lines with rare words fit another line of the "
            f"reference much better than their own: lines {_first(lines)}",
            "was it sorted or shuffled, or is it of another test set? Put the lines in the order "
            "of the reference",
            lines[0],
        )


def _length(output: TextProfile, reference: TextProfile) -> Iterator[Finding]:
    lengths = [sum(map(len, text.segments)) for text in (output, reference)]
    ratio = lengths[0] / max(1, lengths[1])
    if not SHORT <= ratio <= LONG:
        yield _warning(
            "length",
            output,
            f"has {lengths[0]} characters, {_percent(ratio)} of the reference's {lengths[1]}",
            "is it complete, and of this test set?",
        )
    for unit, least, of in (
        ("characters", CAPPED, len),
        ("words", max(CAPPED_WORDS, CAPPED_SHARE * len(output.segments)), _words),
    ):
        measured = list(map(of, output.segments))
        longest = max(measured)
        lines = [n for n, length in enumerate(measured, 1) if length == longest]
        pairs = [(output.segments[n - 1], reference.segments[n - 1]) for n in lines]
        torn = [own for own, other in pairs if own[-1:] != other[-1:] and of(other) > longest / 2]
        beyond = max(map(of, reference.segments)) > longest
        if len(lines) >= least and beyond and 2 * len(torn) > len(lines):
            yield _warning(
                "cut",
                output,
                f"{len(lines)} lines have exactly {longest} {unit} and none has more: lines "
                f"{_first(lines)}",
                "were long segments cut off? Translate them as a whole",
                lines[0],
            )
            return


def _words(segment: str) -> int:
    return len(segment.split(" "))


def _case(output: TextProfile, reference: TextProfile) -> Iterator[Finding]:
    capitals = [
        sum(n for c, n in text.characters.items() if c.isupper())
        / max(1, sum(n for c, n in text.characters.items() if c.isalpha()))
        for text in (output, reference)
    ]
    cased = [
        (n, line)
        for n, (line, other) in enumerate(zip(output.segments, reference.segments, strict=True), 1)
        if line and sum(map(str.isupper, other)) > 1
    ]
    lowered = [n for n, line in cased if not any(map(str.isupper, line))]
    if not max(capitals) or (len(cased) < ENOUGH and capitals[1]):
        return
    lines = (
        f"; {len(lowered)} lines have no capital where the reference has, such as {_first(lowered)}"
        if lowered
        else ""
    )
    what = (
        f"{_percent(capitals[0])} of its letters are capitals, of the reference's "
        f"{_percent(capitals[1])}"
    )
    if capitals[0] < LOWERED * capitals[1] or len(lowered) > LINES_LOWERED * len(cased):
        yield _warning(
            "case",
            output,
            what + lines,
            "was it lower-cased? Restore the case or compare all without it (words: {case: lower})",
            lowered[0] if lowered else None,
        )
    elif capitals[0] > RAISED * capitals[1]:
        yield _warning(
            "case",
            output,
            what,
            "is it in capitals, or was the reference lower-cased? Restore the case or compare all "
            "without it (words: {case: lower})",
        )


def _tokenised(output: TextProfile, reference: TextProfile) -> Iterator[Finding]:
    stops = [text.count(_STOP) for text in (output, reference)]
    if min(stops) < ENOUGH:
        return
    own, other = (
        text.count(_APART) / n for text, n in zip((output, reference), stops, strict=True)
    )
    if (own > TOKENISED and other < RAW) or (own < RAW and other > TOKENISED):
        yield _warning(
            "tokenised",
            output,
            f"{_percent(own)} of its full stops and commas stand after a blank, of the reference's "
            f"{_percent(other)}",
            "one of the two is tokenised: give both as plain text, or both tokenised with "
            "words: {tokenizer: none}",
        )


def _characters(output: TextProfile, reference: TextProfile) -> Iterator[Finding]:
    """Damage that files take when they are saved or read in a wrong encoding, and entities."""
    pairs = {n: [*filter(_misread, found)] for n, found in output.find(_GARBLED).items()}
    for check, found, least, theirs, what, advice in (
        (
            "garbled",
            {n: pairs[n] for n in pairs if pairs[n]},
            GARBLED,
            sum(map(_misread, _GARBLED.findall(reference.text))),
            "characters were decoded wrongly or replaced",
            "the text was read in a wrong encoding before it was saved: make it anew",
        ),
        (
            "lost",
            output.find(_LOST),
            LOST,
            reference.count(_LOST),
            "question marks stand inside a word",
            "letters were lost when the text was saved in a poorer encoding: make it anew",
        ),
        (
            "entities",
            output.find(_ENTITY),
            ENTITIES,
            reference.count(_ENTITY),
            "entities were left in",
            "decode them once (they count as several words), or read the file as sgml or xml if "
            "it is",
        ),
    ):
        kinds = Counter(match for matches in found.values() for match in matches)
        if kinds.total() >= least and kinds.total() > 3 * theirs:
            examples = ", ".join(kind for kind, _ in kinds.most_common(3))
            yield _warning(
                check,
                output,
                f"{kinds.total()} {what}, such as {examples}: lines {_first([*found])}",
                advice,
                next(iter(found)),
            )
    yield from _letters(output, reference)


def _misread(found: str) -> bool:
    """Whether it is the replacement character, or one letter's two bytes as two letters."""
    try:
        return found == "\ufffd" or len(found.encode("cp1252").decode("utf-8")) == 1
    except UnicodeError:
        return False


def _letters(output: TextProfile, reference: TextProfile) -> Iterator[Finding]:
    own, theirs = output.characters, reference.characters
    beyond = [
        sum(n for c, n in text.items() if c > "\x7f" and c.isalpha()) for text in (own, theirs)
    ]
    strange = {c: n for c, n in own.items() if c > "\x7f" and c.isalpha() and c not in theirs}
    letters = [sum(n for c, n in text.items() if c.isalpha()) for text in (own, theirs)]
    share = [n / max(1, of) for n, of in zip(beyond, letters, strict=True)]
    if share[1] < ACCENTED:  # such as English: letters beyond ASCII are of foreign words
        return
    if beyond[0] >= STRANGE_LETTERS and sum(strange.values()) > STRANGE * beyond[0]:
        kinds = Counter(strange)
        yield _warning(
            "letters",
            output,
            f"{sum(strange.values())} of its {beyond[0]} letters beyond ASCII never occur in the "
            f"reference, such as {', '.join(c for c, _ in kinds.most_common(5))}",
            "is its encoding given rightly (column 'encoding'), is it in the target language?",
        )
    elif len(output.segments) >= ENOUGH and share[0] < STRIPPED * share[1]:
        yield _warning(
            "letters",
            output,
            f"{_percent(share[0])} of its letters are beyond ASCII, of the reference's "
            f"{_percent(share[1])}",
            "accents were lost: make it anew, or restore them",
        )


def _empty(output: TextProfile, reference: TextProfile) -> Iterator[Finding]:
    lines = [
        n
        for n, (line, other) in enumerate(zip(output.segments, reference.segments, strict=True), 1)
        if other and not line
    ]
    if not lines:
        return
    last = len(output.segments)
    while last and not output.segments[last - 1]:
        last -= 1
    end = [n for n in lines if n > last]
    if len(end) >= CUT:
        yield _warning(
            "cut",
            output,
            f"nothing follows line {last}: the last {len(end)} lines are empty",
            "it was cut off, or filled up to the right number of lines: complete it",
            last + 1,
        )
    elif len(lines) >= max(CUT, EMPTY * len(output.segments)):
        yield _warning(
            "empty",
            output,
            f"{_of(len(lines), output)} are empty where the reference is not: "
            f"lines {_first(lines)}",
            "they score 0: complete the output, if they are not meant",
            lines[0],
        )
    else:
        yield Finding(
            "note",
            "empty",
            f"{_of(len(lines), output)} {'are' if len(lines) > 1 else 'is'} empty where the "
            f"reference is not: {_first(lines)}",
            "an empty line scores 0",
            system=output.name,
            file=output.file,
            line=lines[0],
        )
