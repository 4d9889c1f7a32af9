"""JudgmentSet references and outputs from plain text, NIST SGML, WMT XML and TSV."""

import gzip
import json
import os
import time
from collections import Counter
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from morpos.corpora import FORMATS, RawText, pair, read
from morpos.corpora.base import squeeze
from morpos.corpora.sgml import unescape
from morpos.errors import MorposError
from morpos.io.text import canonical

SHARED = Path(os.environ.get("MORPOS_SHARED", Path(__file__).parents[3] / "shared"))


def case(name: str) -> tuple[Path, Any]:
    """The inputs and the expected values of a shared case."""
    folder = SHARED / "cases" / name
    if not folder.is_dir():
        pytest.skip(f"{folder} is not here; set MORPOS_SHARED")
    return folder / "inputs", json.loads((folder / "expected.json").read_text(encoding="utf-8"))


def load(path: Path, format: str, select: str = "", encoding: str = "utf-8") -> RawText:
    return read(path, format, encoding=encoding, select=select, changes=Counter())


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def write(content: str | bytes, name: str = "text") -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def fault(path: Path, format: str, select: str = "", encoding: str = "utf-8") -> str:
    with pytest.raises(MorposError) as caught:
        load(path, format, select, encoding)
    assert str(path) in str(caught.value)
    return str(caught.value)


# The shared cases.


def test_case_line_separators() -> None:
    inputs, expected = case("ls-01-nel-ls-ps")
    for name, count in expected["segments"].items():
        text = load(inputs / name, "plain")
        clean = load(inputs.parent / "clean" / name, "plain")
        assert len(text.segments) == count
        assert text.ids is None
        tidy = [canonical(each, Counter()) for each in text.segments]
        assert tidy == list(clean.segments)


def test_case_entities() -> None:
    inputs, expected = case("ent-01-sgml-entities")
    for name in ("ref.sgm", "sys/S.sgm"):
        assert list(load(inputs / name, "sgml").segments) == expected["plain"]


def test_case_tags_in_any_case_and_order() -> None:
    inputs, expected = case("sgm-01-case-and-order")
    reference, system = load(inputs / "ref.sgm", "sgml"), load(inputs / "sys/S.sgm", "sgml")
    for text in (reference, system):
        assert text.ids is not None
        assert dict(zip(text.ids, text.segments, strict=True)) == expected["by_key"]
    assert reference.ids == tuple(expected["by_key"])
    assert pair(reference.ids, system, 4, "S") == reference.segments


def test_case_raw_markup_and_breaks() -> None:
    inputs, expected = case("sgm-03-raw-markup-and-breaks")
    assert list(load(inputs / "ref.sgm", "sgml").segments) == expected["plain"]


def test_case_xml_with_test_suite_and_gap() -> None:
    inputs, expected = case("xml-01-testsuite-and-missing-hyp")
    path = inputs / "set.xml"
    reference = load(path, "xml", "ref")
    assert reference == load(path, "xml", "ref:A")
    assert list(reference.segments) == expected["reference_A"]
    assert any("suite.1" in note for note in reference.notes)
    complete = load(path, "xml", "hyp:SysA")
    assert list(pair(reference.ids, complete, 4, path)) == expected["SysA"]
    partial = load(path, "xml", "hyp:SysB")
    assert len(partial.segments) == 2
    with pytest.raises(MorposError, match=r"lacks 2 of the reference's 4 .*'news\.2/1'.*'news\.2'"):
        pair(reference.ids, partial, 4, path)


def test_case_stray_quotes() -> None:
    inputs, expected = case("tab-01-stray-quotes")
    text = load(inputs / "judgments.tsv", "tsv", "target")
    assert list(text.segments) == expected["targets"]


# All formats.


def test_unknown_format(write: Any) -> None:
    assert "plain, sgml, xml, tsv" in fault(write("a\n"), "tmx")


@pytest.mark.parametrize("format", FORMATS)
def test_missing_file(format: str, tmp_path: Path) -> None:
    assert "cannot read" in fault(tmp_path / "nowhere", format)


SMALL = {
    "plain": "über alles\n",
    "sgml": '<refset><doc docid="d"><seg id="1">über alles</seg></doc></refset>',
    "xml": '<dataset><doc id="d"><ref><seg id="1">über alles</seg></ref></doc></dataset>',
    "tsv": "id\ttext\nd/1\tüber alles\n",
    "jsonl": '{"doc": "d", "id": 1, "text": "über alles"}\n',
}


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
@pytest.mark.parametrize("zipped", [False, True])
def test_gzip_and_encodings(format: str, encoding: str, zipped: bool, write: Any) -> None:
    data = SMALL[format].encode(encoding)
    path = write(gzip.compress(data) if zipped else data, "text.gz" if zipped else "text")
    named = "utf-8" if encoding == "utf-8-sig" else encoding
    text = load(path, format, "ref" if format == "xml" else "", named)
    # The mark is the canonical form's to count where it stands in a segment.
    assert text.segments in (("über alles",), ("\ufeffüber alles",))
    assert text.ids == (None if format == "plain" else ("d/1",))


@pytest.mark.parametrize("format", FORMATS)
def test_wrong_encoding_names_the_line(format: str, write: Any) -> None:
    assert "byte 0xFC" in fault(write(SMALL[format].encode("latin-1")), format)


# Plain text.


def test_plain(write: Any) -> None:
    changes: Counter[str] = Counter()
    text = read(write("one\u0085 &amp;\r\n\r\nlast\tone"), "plain", changes=changes)
    assert text == RawText(("one\u0085 &amp;", "", "last\tone"), None, ())
    assert changes == {"line_ends": 2}


def test_plain_selects_nothing_and_warns_of_markup(write: Any) -> None:
    path = write('<TSTSET setid="a">\n')
    assert "selection 'x'" in fault(path, "plain", "x")
    assert "sgml" in load(path, "plain").notes[0]
    assert load(write("<s> a\n"), "plain").notes == ()


# SGML.


def sgml(*segments: str, head: str = '<tstset setid="s"><doc docid="d">') -> str:
    return head + "\n" + "\n".join(segments) + "\n</doc></tstset>\n"


def test_sgml_loose_markup(write: Any) -> None:
    text = load(
        write(
            "<?xml version='1.0'?><!DOCTYPE tstset SYSTEM 'x.dtd'>\n"
            '<!-- <doc docid="old"><seg id="1">not this</seg> -->\n'
            "<TstSet\n SETID='s' SysID=one>stray words<Doc\tGenre=\"a>b\" DocID = 'x y' >\n"
            '<hl><SEG other="id=7" id=2> fish &\r\n\tchips </SEG></hl><p><seg id=10 /></p>'
            "<seg id='1'>2 <3<!-- a word --> &amp;lt; &nbsp;</seg></DOC>\n"
            "<doc sysid=one docid=a/b><seg id=A&amp;B>x</seg></doc></tstset>"
        ),
        "sgml",
    )
    assert text.ids == ("x y/1", "x y/2", "x y/10", "a/b/A&B")
    assert text.segments == ("2 <3<!-- a word --> &lt; &nbsp;", "fish & chips", "", "x")
    assert text.notes == (
        "segments with tags, which were kept as text (1): 'x y/1'",
        "unknown references, which were kept as text (1): '&nbsp;'",
        "segments were put in the order of their ids, which is not that of the file",
    )


def test_numbers_are_ordered_whatever_their_zeros(write: Any) -> None:
    path = write(sgml(*(f"<seg id={i}>x</seg>" for i in ("010", "2", "0003", "1"))))
    assert load(path, "sgml").ids == ("d/1", "d/2", "d/0003", "d/010")
    path = write(sgml(*(f"<seg id={i}>x</seg>" for i in ("b", "2", "a", "1"))))
    assert load(path, "sgml").ids == ("d/b", "d/2", "d/a", "d/1")


def test_sgml_inner_tags_are_text(write: Any) -> None:
    inside = "a <b>bold</b> <unk> <segment> <\u017feg> <!-- no end"
    text = load(write(sgml(f"<seg id=1>{inside}</seg>")), "sgml")
    assert text.segments == (inside,)
    assert text.notes == ("segments with tags, which were kept as text (1): 'd/1'",)


def test_sgml_counts_what_it_changes(write: Any) -> None:
    changes: Counter[str] = Counter()
    read(write(sgml("<seg id=1> a\r\n\tb&#10;&#160;c </seg>")), "sgml", changes=changes)
    # Four controls became one blank, and another one; two blanks were at the edges.
    assert changes == {"controls": 4, "extra_spaces": 4}


@pytest.mark.parametrize(
    ("reference", "character"),
    [
        ("&amp;amp;", "&amp;"),
        ("&#38;#38;", "&#38;"),
        ("&#x26;lt;", "&lt;"),
        ("&#000000000065;&#X0041;", "AA"),
        ("&#x10FFFF;", "\U0010ffff"),
        *((each, each) for each in ("&#0;", "&#x110000;", "&#xD800;", "&#xFFFE;", "&#8;")),
        *((each, each) for each in ("&#9999999;", "&#99999999999;", "&#;", "&#x;", "&lt", "&#65")),
        *((each, each) for each in ("&eacute;", "&LT;", "& lt;", "&#\uff16\uff15;", "R&D")),
    ],
)
def test_references_are_decoded_once(reference: str, character: str) -> None:
    assert unescape(f"a{reference}b") == f"a{character}b"


def test_sgml_several_systems(write: Any) -> None:
    one = '<doc docid="d" sysid="%s"><seg id="1">%s</seg></doc>'
    path = write("<tstset>" + one % ("A", "eins") + one % ("B", "zwei") + "</tstset>")
    assert load(path, "sgml", "B").segments == ("zwei",)
    assert "2 systems, select one: 'A', 'B'" in fault(path, "sgml")
    assert "no system 'C'; there are 'A', 'B'" in fault(path, "sgml", "C")
    path = write(
        '<refset refid="r1"><doc docid=d><seg id=1>a</seg></doc></refset>'
        '<refset refid="r2"><doc docid=d><seg id=1>b</seg></doc></refset>'
    )
    assert load(path, "sgml", "r2").segments == ("b",)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (sgml("<seg id=1>a</seg>", "<seg id=1>b</seg>"), "line 3: segment 'd/1' .* in line 2"),
        (sgml("<seg id=1>a</seg>", "<seg>b</seg>"), "line 3: <seg> without an id"),
        (sgml("<seg id=''>a</seg>"), "line 2: <seg> without an id"),
        (sgml("<seg id=1>a", "<seg id=2>b</seg>"), "line 2: .* before <seg> in line 3"),
        (sgml("<seg id=1>a"), "line 2: segment 'd/1' has no </seg> before </doc> in line 3"),
        ("<tstset><doc docid=d>\n<seg id=1>a\n", "line 2: .* before the end of the file"),
        (sgml("<seg id=1>a</seg> b</seg>"), "line 2: </seg> without <seg>"),
        (sgml("<seg id='1>a</seg>"), "line 2: this tag does not end: \"<seg id='1>a"),
        (sgml("<seg id=1>a</seg"), "line 2: this tag does not end"),
        (sgml("<seg id=1>a</seg>", "<!-- <seg id=2>"), "line 3: this comment does not end"),
        ("<tstset>\n<seg id=1>a</seg>", "line 2: <seg> outside of <doc>"),
        ("<tstset>\n<doc id=1>\n", "line 2: <doc> without a docid"),
        ("<refset></refset>", "no <seg>"),
        ("", "no <seg>"),
        ("<tstset\n><doc\ndocid=d\n><seg\n>", "line 4: <seg> without an id"),
    ],
)
def test_sgml_faults(content: str, message: str, write: Any) -> None:
    path = write(content)
    with pytest.raises(MorposError, match=message):
        load(path, "sgml")


def test_sgml_cut_between_segments_is_noted(write: Any) -> None:
    text = load(write("<refset><doc docid=d><seg id=1>a</seg>"), "sgml")
    assert text.notes == ("there is no closing </refset>: is the file complete?",)


# XML.


def xml(*documents: str, head: str = "") -> str:
    return f"{head}<dataset>\n" + "\n".join(documents) + "\n</dataset>\n"


def document(name: str, *texts: str, more: str = "") -> str:
    return f'<doc id="{name}"{more}>' + "".join(texts) + "</doc>"


def series(tag: str, attributes: str = "", **segments: str) -> str:
    inside = "".join(f'<seg id="{key[1:]}">{text}</seg>' for key, text in segments.items())
    return f"<{tag} {attributes}><p>{inside}</p></{tag}>"


TWO = xml(
    document(
        "d",
        series("src", 'lang="de"', s1="Äpfel"),
        series("ref", 'translator="A"', s1="apples"),
        series("ref", 'translator="B:2"', s1="the apples"),
        series("hyp", 'system="X"', s1="apple"),
        series("hyp", 'system="Y"', s1="an apple"),
    ),
    document("e", series("src", s1="Birnen"), series("ref", 'translator="A"', s1="pears")),
    document("f", series("src", s1="Nüsse"), series("hyp", 'system="X"', s1="nuts")),
)


def test_xml_selects(write: Any) -> None:
    path = write(TWO)
    skipped = "documents without a reference skipped (1): 'f'"
    assert load(path, "xml", "src") == RawText(("Äpfel", "Birnen"), ("d/1", "e/1"), (skipped,))
    assert load(path, "xml", "ref:B:2").segments == ("the apples",)
    assert load(path, "xml", "ref:B:2").notes == (skipped, "documents without ref:B:2 (1): 'e'")
    assert load(path, "xml", "hyp:Y").ids == ("d/1",)
    for select in ("", "ref", "hyp", "hyp:Z", "news"):
        message = fault(path, "xml", select)
        assert "'src', 'ref:A', 'ref:B:2', 'hyp:X', 'hyp:Y'" in message
        assert f"'{select}' selects {2 if select in ('ref', 'hyp') else 0} texts" in message


def test_xml_of_outputs_only(write: Any) -> None:
    """A submission has no references at all; then no document is skipped."""
    path = write(xml(document("d", series("src", s1="a"), series("hyp", 'system="X"', s1="b"))))
    assert load(path, "xml", "hyp") == RawText(("b",), ("d/1",), ())


def test_xml_text_is_kept(write: Any) -> None:
    text = load(
        write(
            xml(
                document(
                    "d",
                    series(
                        "ref",
                        s2="<b>fat</b> &amp;amp; <!-- no --><![CDATA[<raw>]]>\n\t&#10;end ",
                        s1="",
                        s10="&#65;",
                    ),
                )
            )
        ),
        "xml",
        "ref",
    )
    assert text.segments == ("", "fat &amp; <raw> end", "A")
    assert text.ids == ("d/1", "d/2", "d/10")
    assert text.notes[0] == "tags inside segments left out, the text between them kept (1)"


def test_xml_collections_and_harmless_doctype(write: Any) -> None:
    body = f'<collection id="c">{document("d", series("ref", s1="a"))}</collection>'
    head = '<?xml version="1.0"?>\n<!DOCTYPE dataset SYSTEM "http://localhost/x.dtd">\n'
    assert load(write(xml(body, head=head)), "xml", "ref").segments == ("a",)


def test_xml_declared_encoding(write: Any) -> None:
    head = '<?xml version="1.0" encoding="ISO-8859-2"?>'
    path = write(xml(document("d", series("ref", s1="dvůr")), head=head).encode("iso-8859-2"))
    assert load(path, "xml", "ref").segments == ("dvůr",)


REF = series("ref", s1="a")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (xml(document("d", series("ref", s1="a"), "\n", REF)), "line 3: segment 'd/1' .* line 2"),
        (xml("<doc>" + REF + "</doc>"), "line 2: <doc> without an id"),
        (xml(document("d", "<ref><seg>a</seg></ref>")), "line 2: <seg> without an id"),
        (xml(document("d", series("ref", s1="<seg id='2'>a</seg>"))), "line 2: <seg> inside"),
        (xml(document("d", series("ref", s1="a & b"))), "line 2: not well-formed XML"),
        (xml(document("d", series("ref", s1="&nbsp;"))), "line 2: not well-formed.*undefined"),
        ("", "not well-formed"),
        ("<html/>", "WMT kind"),
    ],
)
def test_xml_faults(content: str, message: str, write: Any) -> None:
    path = write(content)
    with pytest.raises(MorposError, match=message):
        load(path, "xml", "ref")


LAUGHS = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10 if i else "ha"}">\n' for i in range(12))


@pytest.mark.parametrize(
    "declaration",
    [
        f"[{LAUGHS}]",
        '[<!ENTITY l11 SYSTEM "file:///etc/hostname">]',
        '[<!ENTITY l11 "harmless">]',
        '[<!ENTITY % p SYSTEM "http://localhost/p.dtd"> %p;]',
        "[%p;]",
        # Not declared here, so perhaps there: expat would leave it out without a word.
        'SYSTEM "http://localhost/x.dtd"',
    ],
)
def test_xml_entities_are_refused(declaration: str, write: Any) -> None:
    path = write(
        xml(document("d", series("ref", s1="&l11;")), head=f"<!DOCTYPE dataset {declaration}>\n")
    )
    assert "refused" in fault(path, "xml", "ref")


# TSV.


def test_tsv(write: Any) -> None:
    path = write('\ufeffsegment\tA\tB\r\ns1\t"a\t\r\ns2\t\tb"\u0085\n')
    assert load(path, "tsv", "A") == RawText(('"a', ""), ("s1", "s2"), ())
    assert load(path, "tsv", "B") == RawText(("", 'b"\u0085'), ("s1", "s2"), ())
    assert load(path, "tsv", "segment") == RawText(("s1", "s2"), None, ())
    assert "select one of the 2 columns 'A', 'B'" in fault(path, "tsv")
    assert "0 columns are called 'C', not one; there are 'segment', 'A'" in fault(path, "tsv", "C")


def test_tsv_prefers_id_and_reads_one_column(write: Any) -> None:
    assert load(write("segment\tid\nwords\t1\n"), "tsv") == RawText(("words",), ("1",), ())
    assert load(write("text\na\n\nb\n"), "tsv") == RawText(("a", "", "b"), None, ())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is empty"),
        ("id\tA\n1\ta\n2\tb\tc\n", "line 3: 3 cells, but the header has 2"),
        ("id\tA\n1\ta\n\n", "line 3: 1 cells"),
        ("id\tA\n1\ta\n1\tb\n", "line 3: '1' in column 'id' was given in line 2"),
        ("A\tA\nx\ty\n", "2 columns are called 'A'"),
        ("id\tid\tA\n1\t2\tx\n", "2 columns are called 'id'"),
    ],
)
def test_tsv_faults(content: str, message: str, write: Any) -> None:
    path = write(content)
    with pytest.raises(MorposError, match=message):
        load(path, "tsv", "A")


# JSON Lines.


def test_json_lines(write: Any) -> None:
    path = write(
        '\ufeff{"doc": "d", "id": 2, "A": "\\u00fc\\n\\t\u2028", "more": {"x": [1]}}\r\n'
        '{"A": "", "id": "01", "doc": 7}'
    )
    changes: Counter[str] = Counter()
    text = read(path, "jsonl", select="A", changes=changes)
    assert text == RawText(("ü \t\u2028", ""), ("d/2", "7/01"), ())
    assert changes == {"controls": 1, "line_ends": 1}
    assert "select one of the 2 fields 'A', 'more'" in fault(path, "jsonl")


def test_json_lines_without_ids(write: Any) -> None:
    assert load(write('{"text": "a"}\n{"text": "b"}\n'), "jsonl") == RawText(("a", "b"), None, ())
    one = write('{"id": 1, "segment": "words", "document": "d"}\n')
    assert load(one, "jsonl", "segment") == RawText(("words",), ("d/1",), ())


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", r"line 2 is not JSON \(column 1: Expecting value\); each line is one object"),
        ("{'A': 1}", r"line 2 is not JSON \(column 2: "),
        ('{"A": "a"} {}', r"line 2 is not JSON \(column 12: Extra data\)"),
        ("[" * 100_000, "line 2 is nested too deeply"),
        (f'{{"A": {"1" * 5000}}}', "line 2 cannot be read: Exceeds the limit"),
        ("[1]", r'line 2 is not an object, such as \{"id": 1, "text": "..."\}'),
        ('{"id": 2, "B": "b"}', "line 2: no field is called 'A'; there are 'id', 'B'"),
        ('{"A": "a"}', "line 2: no field is called 'id'; there are 'A'"),
        (
            '{"id": 2, "A": null}',
            "line 2: the field 'A' is null; where there is no text, gi",
        ),
        ('{"id": 2, "A": 1.5}', "line 2: the field 'A' holds a number, not a text in quotes"),
        ('{"id": 2, "A": {}}', "line 2: the field 'A' holds an object, not a text in quotes"),
        ('{"id": [2], "A": "a"}', "line 2: the field 'id' holds a list, which is not an id"),
        ('{"id": true, "A": "a"}', "line 2: the field 'id' holds true or false, which is not an"),
        ('{"id": "1", "A": "a"}', "line 2: the id '1' was given in line 1 already"),
        ('{"id": 2, "A": "a", "A": "b"}', "line 2: the field 'A' is there twice"),
        (r'{"id": 2, "A": "\ud800"}', "line 2: half of a character"),
    ],
)
def test_json_lines_faults(line: str, message: str, write: Any) -> None:
    path = write(f'{{"id": 1, "A": "a"}}\n{line}\n')
    with pytest.raises(MorposError, match=message):
        load(path, "jsonl", "A")


def test_json_lines_of_no_line(write: Any) -> None:
    assert "is empty" in fault(write(""), "jsonl")


# Pairing.


def test_pair_by_id() -> None:
    text = RawText(("c", "a", "b"), ("d/10", "d/1", "e/x"), ())
    notes: list[str] = []
    assert pair(("d/1", "d/10"), text, 2, "S", notes=notes) == ("a", "c")
    assert notes == ["segments left out, the reference lacks them (1): 'e/x'"]
    assert pair(("d/1",), text, 1, "S") == ("a",)


def test_pair_names_what_is_missing() -> None:
    text = RawText(("a",), ("d/01",), ())
    wanted = [f"d/{i}" for i in range(1, 8)]
    message = (
        r"^S lacks 7 of the reference's 7 segments: 'd/1', 'd/2', 'd/3', 'd/4', 'd/5' and 2 more "
        r"\(documents: 'd'\); no id is common to both, this text begins with 'd/01'"
    )
    with pytest.raises(MorposError, match=message):
        pair(wanted, text, 7, "S")
    with pytest.raises(MorposError, match=r"lacks 1 .* 2 segments: '2'; add them"):
        pair(("1", "2"), RawText(("a",), ("1",), ()), 2, "S")


def test_pair_by_position() -> None:
    notes: list[str] = []
    assert pair(None, RawText(("a", "b"), None, ()), 2, "S", notes=notes) == ("a", "b")
    assert notes == []
    pair(None, RawText(("a",), ("d/1",), ()), 1, "S", notes=notes)
    pair(("d/1",), RawText(("a",), None, ()), 1, "S", notes=notes)
    assert notes == [
        "paired by position, not by id: the reference has no ids",
        "paired by position, not by id: the text has no ids",
    ]
    with pytest.raises(MorposError, match="S has 1 segments, but the reference has 2"):
        pair(None, RawText(("a",), None, ()), 2, "S")


# Round trips.

# Characters that XML 1.0 can hold.
WORDS = st.text(
    st.one_of(
        st.sampled_from("<>&'\"/!-;#x \t\n\r=\u0085\u2028\u00a0\ufeff"),
        st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"),
    ),
    max_size=30,
)
IDS = WORDS.map(squeeze).filter(bool)
ROUND_TRIP = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
TEXTS = st.dictionaries(
    IDS.filter(lambda name: "/" not in name),
    st.dictionaries(IDS.filter(lambda name: "/" not in name), WORDS, min_size=1, max_size=4),
    min_size=1,
    max_size=3,
)


def flat(texts: dict[str, dict[str, str]]) -> dict[str, str]:
    return {f"{d}/{s}": squeeze(text) for d, each in texts.items() for s, text in each.items()}


def as_dict(text: RawText) -> dict[str, str]:
    assert text.ids is not None
    return dict(zip(text.ids, text.segments, strict=True))


@ROUND_TRIP
@given(texts=TEXTS)
def test_sgml_round_trip(texts: dict[str, dict[str, str]], write: Any) -> None:
    content = "<refset>"
    for name, segments in texts.items():
        content += f"<doc docid={quoteattr(name)}>"
        for key, text in segments.items():
            content += f"<seg id={quoteattr(key)}>{escape(text)}</seg>"
        content += "</doc>"
    assert as_dict(load(write(content + "</refset>"), "sgml")) == flat(texts)


@ROUND_TRIP
@given(texts=TEXTS)
def test_xml_round_trip(texts: dict[str, dict[str, str]], write: Any) -> None:
    content = "<dataset>"
    for name, segments in texts.items():
        content += f"<doc id={quoteattr(name)}><hyp system='S'>"
        for key, text in segments.items():
            content += f"<p><seg id={quoteattr(key)}>{escape(text)}</seg></p>"
        content += "</hyp></doc>"
    assert as_dict(load(write(content + "</dataset>"), "xml", "hyp:S")) == flat(texts)


@ROUND_TRIP
@given(rows=st.lists(WORDS.map(lambda text: text.replace("\t", "").replace("\n", ""))))
def test_tsv_round_trip(rows: list[str], write: Any) -> None:
    content = "id\tA\tB\n" + "".join(f"{i}\t{row}\tx\n" for i, row in enumerate(rows))
    assert load(write(content), "tsv", "A").segments == tuple(rows)


@ROUND_TRIP
@given(content=st.text() | st.lists(st.sampled_from(
    ["<", ">", "<seg id=1", "</seg>", "<doc docid=d>", "</doc>", "<refset>", "'", '"', "<!--",
     "-->", "&#", ";", "id=", " ", "\n", "x", "/>", "<hyp>", "</hyp>", "<!DOCTYPE a [", "]>"]
)).map("".join))  # fmt: skip
def test_any_text_is_read_or_refused(content: str, write: Any) -> None:
    path = write(content.encode())
    for format in FORMATS:
        try:
            text = load(path, format)
        except MorposError:
            continue
        assert not any("\n" in segment for segment in text.segments)
        assert text.ids is None or len(set(text.ids)) == len(text.segments)


# Hostile files: 5 MB each, in linear time.

SIZE = 5_000_000
HEAD = "<tstset><doc docid=d>"


@pytest.mark.parametrize(
    ("format", "head", "unit", "tail"),
    [
        ("sgml", HEAD, '<seg "', ""),
        ("sgml", HEAD, "<seg", ""),
        ("sgml", HEAD + "<seg ", "a", ">"),
        ("sgml", HEAD + "<seg ", "a= ", ""),
        ("sgml", HEAD + "<seg ", "/ ", ">"),
        ("sgml", HEAD + "<seg ", "'\"'\"", ">"),
        ("sgml", HEAD + "<seg id=1>", "<!--", "</seg>"),
        ("sgml", HEAD + "<seg id=1>", " \t", "x</seg>"),
        ("sgml", HEAD + "<seg id=1>&#", "0", "</seg>"),
        ("sgml", HEAD + "<seg id=1>", "&#0", "</seg>"),
        ("sgml", HEAD + "<seg id=", "9", ">a</seg><seg id=1>b</seg>"),
        ("sgml", HEAD + "<seg id=", "9", ">"),
        ("sgml", HEAD, "<!-- -->\n", ""),
        ("xml", "<dataset><doc id='d'><ref><seg id='1'>", "<a>", ""),
        ("xml", "<dataset><doc id='d'><ref><seg id='1'>", "a\n", "</seg></ref></doc></dataset>"),
        ("xml", "<dataset a='", "a", "'/>"),
        ("xml", "<dataset><doc id='d'><ref><seg id='", "9", "'><seg>"),
        ("tsv", "", "\t", "\n"),
        ("jsonl", "", "{}\n", ""),
        ("jsonl", '{"a":', "[", "\n"),
        ("plain", "<", " ", "\n"),
    ],
)
def test_hostile_files_cost_linear_time(
    format: str, head: str, unit: str, tail: str, write: Any
) -> None:
    path = write(head + unit * ((SIZE - len(head) - len(tail)) // len(unit)) + tail)
    start = time.process_time()
    message = ""
    try:
        load(path, format, "ref" if format == "xml" else "")
    except MorposError as error:
        message = str(error)
    assert len(message) < 10_000
    assert time.process_time() - start < 5
