"""The XML of WMT21 and later: sources, references and outputs in one file.

Expat of the standard library reads it: it fetches nothing by itself, and entity declarations,
the only thing in XML that grows, are refused as soon as they are seen.
"""

import re
from collections import Counter
from pathlib import Path
from xml.parsers import expat

from morpos.corpora.base import MarkedSegment, RawText, arrange, squeeze
from morpos.errors import MorposError, first_names, quoted
from morpos.io.text import decode, is_utf8, read_bytes

_KINDS = {"src": "", "ref": "translator", "hyp": "system"}
_DECLARED = re.compile(
    rb"(?:\xef\xbb\xbf)?<\?xml[^>]*?\bencoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']"
)


def read(path: str | Path, encoding: str, select: str, changes: Counter[str]) -> RawText:
    """Read ``src``, ``ref[:<translator>]`` or ``hyp[:<system>]``, whichever `select` says.

    The part after the colon may go where the file has only one. Test-suite documents are left
    out, and so are documents without a reference where others have one (notes say so). The
    encoding is the file's own declaration unless `encoding` says something else than UTF-8.

    Raises:
        MorposError: the file cannot be read, decoded or parsed; it declares entities; a document
            or segment has no id; an id twice; `select` fits none or several of its texts.
    """
    data = read_bytes(path)
    if is_utf8(encoding) and (declared := _DECLARED.match(data[:400])):
        encoding = declared[1].decode("ascii")
    kind, _, name = select.partition(":")
    file = _File(path, kind)
    file.parse(decode(data, path, encoding))
    if not file.texts:
        raise MorposError(
            f"{path} has no <doc> with <src>, <ref> or <hyp>: is it XML of the WMT kind?"
        )
    fitting = [text for text in file.texts if text[0] == kind and name in ("", text[1])]
    if len(fitting) != 1:
        there = first_names([_label(*text) for text in file.texts], 40)
        raise MorposError(
            f"{path}: '{select}' selects {len(fitting)} texts, not one; select one of {there}"
        )
    chosen, notes = fitting[0], list[str]()
    if inner := file.inner[chosen]:
        notes.append(f"tags inside segments left out, the text between them kept ({inner})")
    if file.stray:
        notes.append(f"text outside of segments left out, in line {file.stray} for one")
    if file.suites:
        notes.append(
            f"test-suite documents skipped ({len(file.suites)}): {first_names(file.suites)}"
        )
    documents = file.documents
    referenced = {each for each, texts in documents.items() if any(t[0] == "ref" for t in texts)}
    if referenced and (bare := [each for each in documents if each not in referenced]):
        notes.append(f"documents without a reference skipped ({len(bare)}): {first_names(bare)}")
        documents = {each: texts for each, texts in documents.items() if each in referenced}
    if lacking := [each for each, texts in documents.items() if chosen not in texts]:
        notes.append(
            f"documents without {_label(*chosen)} ({len(lacking)}): {first_names(lacking)}"
        )
    return arrange(
        path, [each for each in file.found[chosen] if each.document in documents], notes, changes
    )


def _label(kind: str, name: str) -> str:
    return f"{kind}:{name}" if name else kind


_Text = tuple[str, str]  # kind, name


class _File:
    """What a file holds; of the segments only those of one kind."""

    def __init__(self, path: str | Path, kind: str) -> None:
        self.texts: dict[_Text, None] = {}  # a set that keeps the order
        self.documents: dict[str, set[_Text]] = {}
        self.suites: dict[str, None] = {}
        self.found: dict[_Text, list[MarkedSegment]] = {}
        self.inner: Counter[_Text] = Counter()  # elements inside segments
        self.stray = 0  # a line with text that lies in no segment
        self._path, self._kind = path, kind
        self._document: str | None = None
        self._suite = False
        self._text: _Text | None = None
        self._segment: MarkedSegment | None = None
        self._parts: list[str] = []
        self._parser = expat.ParserCreate()

    def parse(self, text: str) -> None:
        """Fill in what `text` holds."""
        parser = self._parser
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.EntityDeclHandler = self._entity
        parser.SkippedEntityHandler = self._entity
        try:
            parser.Parse(text, True)
        except expat.ExpatError as error:
            raise MorposError(
                f"{self._path}, line {error.lineno}: not well-formed XML "
                f"({expat.ErrorString(error.code)}); repair it, or give the format sgml "
                "if it is NIST SGML"
            ) from error

    def _fault(self, message: str) -> MorposError:
        return MorposError(f"{self._path}, line {self._parser.CurrentLineNumber}: {message}")

    def _entity(self, name: str, *_: object) -> None:
        raise self._fault(
            f"the entity {quoted(name)} is declared or used; entities can fetch or multiply text "
            "and are refused, write the characters themselves"
        )

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if self._segment is not None:
            if name in ("doc", "seg", *_KINDS):
                raise self._fault(
                    f"<{name}> inside segment {quoted(self._segment.id)}; close it first"
                )
            assert self._text is not None
            self.inner[self._text] += 1
        elif name == "doc":
            if self._document is not None:
                raise self._fault(f"<doc> inside document {quoted(self._document)}; close it first")
            document = squeeze(attributes.get("id", ""))
            if not document:
                raise self._fault("<doc> without an id; segments are paired by it, add it")
            self._document, self._text = document, None
            self._suite = "testsuite" in attributes
            if self._suite:
                self.suites[document] = None
            else:
                self.documents.setdefault(document, set())
        elif self._suite:
            pass
        elif self._document is None or (name == "seg" and self._text is None):
            if name in ("seg", *_KINDS):
                raise self._fault(
                    f"<{name}> outside of {'<doc>' if self._document is None else 'any text'}; "
                    "segments are paired by the documents and texts that they lie in"
                )
        elif name in _KINDS:
            if self._text is not None:
                raise self._fault(f"<{name}> inside {_label(*self._text)}; close it first")
            self._text = (name, squeeze(attributes.get(_KINDS[name], "")))
            self.texts[self._text] = None
            self.documents[self._document].add(self._text)
            self.found.setdefault(self._text, [])
        elif name == "seg" and self._text and self._text[0] == self._kind:
            number = squeeze(attributes.get("id", ""))
            if not number:
                raise self._fault("<seg> without an id; segments are paired by their ids, add it")
            line = self._parser.CurrentLineNumber
            self._segment = MarkedSegment(self._document, number, line, "")

    def _end(self, name: str) -> None:
        if name == "seg" and self._segment is not None:
            assert self._text is not None
            self.found[self._text].append(self._segment._replace(text="".join(self._parts)))
            self._segment, self._parts = None, []
        elif name == "doc":
            self._document, self._text, self._suite = None, None, False
        elif name in _KINDS:
            self._text = None

    def _characters(self, text: str) -> None:
        if self._segment is not None:
            self._parts.append(text)
        elif self._document and not self._suite and text.strip():
            # Segments of another kind are passed over, and their text with them.
            mine = self._text is None or self._text[0] == self._kind
            self.stray = self.stray or (self._parser.CurrentLineNumber if mine else 0)
