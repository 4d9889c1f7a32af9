"""NIST SGML, as the WMTs used it up to 2020.

It is not XML and often not well-formed, so it is read by its few tags: the sets, ``doc`` and
``seg``. Around segments everything else (``hl``, ``p``, comments, declarations) is passed over;
inside, everything else but CDATA is text: a bare ``<`` or ``&``, but also ``<b>`` or ``<unk>``,
which a system may have put out as a word. Notes say so, and of text outside of segments.
"""

import re
from collections import Counter
from pathlib import Path

from morpos.corpora.base import MarkedSegment, RawText, arrange, squeeze
from morpos.errors import MorposError, first_names, quoted
from morpos.io.text import decode, read_bytes

# Every repetition below is possessive or ends at the next "<", so hostile files cost linear time.
# Group 3 fails for a tag that is not complete.
_TAG = re.compile(
    r"<!--|<(/?)(seg|doc|srcset|refset|tstset)(?![\w.:-])"
    r"(?:((?:[^<>\"']|\"[^<\"]*\"|'[^<']*')*+)>)?",
    re.ASCII | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(
    r"(?<![\w.:-])([\w.:-]++)\s*+=\s*+(?:\"([^\"]*)\"|'([^']*)'|([^\s\"']++))", re.ASCII
)
_SELF_CLOSED = re.compile(r"(?<![^\s\"'])/\s*\Z")
_OTHER_TAG = re.compile("<(/?[A-Za-z]|!--|[?])")
_OTHER_REFERENCE = re.compile("&[A-Za-z][A-Za-z0-9]*;")
_MARKUP = re.compile("<[^<>]*>")
_REFERENCE = re.compile(r"&(?:(lt|gt|amp|quot|apos)|#0*+([0-9]{1,7})|#[Xx]0*+([0-9A-Fa-f]{1,6}));")
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}


def read(path: str | Path, encoding: str, select: str, changes: Counter[str]) -> RawText:
    """Read the segments of one system (`select` is its sysid, needed if there are several).

    Raises:
        MorposError: the file cannot be read or decoded; no segment; a system that is not there
            or not chosen; a document or segment without an id; an id twice; a segment, comment
            or tag that does not end.
    """
    systems, notes = _parse(decode(read_bytes(path), path, encoding), path)
    if not systems:
        raise MorposError(f"{path} has no <seg>: is it NIST SGML? Give the right format")
    if not select and len(systems) > 1:
        raise MorposError(
            f"{path} holds {len(systems)} systems, select one: {first_names(systems, 20)}"
        )
    if select and select not in systems:
        raise MorposError(
            f"{path} has no system {quoted(select)}; there are {first_names(systems, 20)}"
        )
    found = systems[select or next(iter(systems))]
    if tagged := [each.id for each in found if _OTHER_TAG.search(each.text)]:
        notes.append(
            f"segments with tags, which were kept as text ({len(tagged)}): {first_names(tagged)}"
        )
    names = [name for each in found for name in _OTHER_REFERENCE.findall(each.text)]
    if unknown := Counter(name for name in names if name[1:-1] not in _NAMED):
        notes.append(
            f"unknown references, which were kept as text ({unknown.total()}): "
            + first_names(unknown)
        )
    return arrange(path, [each._replace(text=_plain(each.text)) for each in found], notes, changes)


def _plain(text: str) -> str:
    """A segment's text: references decoded, but not inside of ``<![CDATA[ ]]>``, which goes."""
    first, *rest = text.split("<![CDATA[")
    plain = [unescape(first)]
    for part in rest:
        inside, end, after = part.partition("]]>")
        plain.append(inside + unescape(after) if end else unescape(f"<![CDATA[{part}"))
    return "".join(plain)


def unescape(text: str) -> str:
    """Decode ``&lt; &gt; &amp; &quot; &apos;`` and numeric references, each exactly once.

    Any other name and numbers that are no character of XML stay as they are.
    """
    return _REFERENCE.sub(_character, text)


def _character(reference: re.Match[str]) -> str:
    name, decimal, hexadecimal = reference.groups()
    if name:
        return _NAMED[name]
    code = int(decimal) if decimal else int(hexadecimal, 16)
    valid = (
        code in (0x9, 0xA, 0xD)
        or 0x20 <= code <= 0xD7FF
        or 0xE000 <= code <= 0xFFFD
        or 0x10000 <= code <= 0x10FFFF
    )
    return chr(code) if valid else reference[0]


def _attributes(text: str) -> dict[str, str]:
    return {
        name.lower(): squeeze(unescape(double or single or bare))
        for name, double, single, bare in _ATTRIBUTE.findall(text)
    }


def _parse(text: str, path: str | Path) -> tuple[dict[str, list[MarkedSegment]], list[str]]:
    """The segments of each system, with their references still in, and notes."""
    systems: dict[str, list[MarkedSegment]] = {}
    opened = ""  # the set
    set_system = system = ""
    document: str | None = None
    segment: MarkedSegment | None = None  # its text is still to come ...
    begin = 0  # ... from here
    position = counted = 0
    line = 1
    stray: list[int] = []  # lines with text that belongs to no segment
    while tag := _TAG.search(text, position):
        line += text.count("\n", counted, tag.start())
        if document and segment is None and _MARKUP.sub("", text[position : tag.start()]).strip():
            stray.append(line)
        position, counted = tag.end(), tag.start()
        place = f"{path}, line {line}"
        closing, name, inside = tag.groups()
        if name is None:
            if segment is None:
                position = text.find("-->", position) + 3
                if position < 3:
                    raise MorposError(f"{place}: this comment does not end; close it with -->")
            continue
        if inside is None:
            raise MorposError(
                f"{place}: this tag does not end: {text[tag.start() : tag.start() + 40]!r}; "
                "look for a missing > or quotation mark"
            )
        name = name.lower()
        if segment is not None:
            if not (closing and name == "seg"):
                raise _unclosed(path, segment, f"<{closing}{name}> in line {line}")
            systems[system].append(segment._replace(text=text[begin : tag.start()]))
            segment = None
        elif closing:
            if name == "seg":
                raise MorposError(f"{place}: </seg> without <seg>; text before it would be lost")
            document = None
            if name != "doc":
                opened = set_system = ""
        elif name == "seg":
            number = _attributes(inside).get("id")
            if document is None:
                raise MorposError(f"{place}: <seg> outside of <doc>; segments are paired by both")
            if not number:
                raise MorposError(
                    f"{place}: <seg> without an id; segments are paired by their ids, add it"
                )
            segment, begin = MarkedSegment(document, number, line, ""), tag.end()
            systems.setdefault(system, [])
            if _SELF_CLOSED.search(inside):
                systems[system].append(segment)
                segment = None
        elif name == "doc":
            attributes = _attributes(inside)
            document = attributes.get("docid")
            if not document:
                raise MorposError(
                    f"{place}: <doc> without a docid; segments are paired by it, add it"
                )
            system = attributes.get("sysid") or set_system
        else:
            attributes = _attributes(inside)
            opened, document = name, None
            # The later NIST format names the system here.
            set_system = attributes.get("sysid") or attributes.get("refid") or ""
    if segment is not None:
        raise _unclosed(path, segment, "the end of the file")
    notes = [f"there is no closing </{opened}>: is the file complete?"] if opened else []
    if stray:
        notes.append(f"text outside of segments left out, before line {stray[0]} for one")
    return systems, notes


def _unclosed(path: str | Path, segment: MarkedSegment, before: str) -> MorposError:
    return MorposError(
        f"{path}, line {segment.line}: segment {quoted(segment.id)} has no </seg> before {before}; "
        "add it, or fetch the file again if it was cut"
    )
