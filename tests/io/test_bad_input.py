"""Each kind of bad input, and its variants, through the command line (docs/bad-input.md)."""

import bz2
import csv
import gzip
import io
import json
import lzma
import os
import re
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Literal

import pytest
import regex
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from morpos.corpora import read
from morpos.errors import MorposError
from morpos.human import judgments
from morpos.human.judgments import Ranking
from morpos.io import sheets, tables
from morpos.io import text as texts
from morpos.layers.given import UnitFile
from morpos.workflow import steps

# --- texts -------------------------------------------------------------------------------------

PLAIN = "a b c\nd é\n\nf\n"
SEGMENTS = ["a b c", "d é", "", "f"]


def run(*arguments: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What a step says on the way: "" if it has nothing to say."""
    code = steps.main(arguments)
    said = capsys.readouterr().err
    assert code == 0 or said.startswith(f"morpos {arguments[0]}: "), said
    assert "internal error" not in said
    return re.sub(r"^used .* MB\n", "", said, flags=re.MULTILINE)


class Reader:
    """Reads a text against a reference through the step."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self.capsys = folder, capsys
        self.notes: list[str] = []
        self.changes: dict[str, int] = {}

    def write(self, name: str, content: str | bytes) -> str:
        path = self.folder / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(path)

    def __call__(
        self, content: str | bytes, reference: str = PLAIN, *options: str, name: str = "text"
    ) -> list[str] | str:
        """The canonical segments, or why the text was refused."""
        base, output = (str(self.folder / name) for name in ("reference.txt", "output.txt"))
        shared = [option for option in options if option.startswith("--format")]
        first = ["--select=ref"] if shared == ["--format=xml"] else []
        place = self.write("reference", reference)
        assert not run("text", *shared, *first, "--output", base, place, capsys=self.capsys)
        place = self.write(name, content)
        said = run(
            *("text", *options, "--reference-facts", base.replace(".txt", ".json")),
            *("--output", output, place),
            capsys=self.capsys,
        )
        facts = json.loads(Path(output.replace(".txt", ".json")).read_text())
        self.notes, self.changes = facts["notes"], {k: n for k, n in facts["changes"].items() if n}
        if facts["left_out"]:
            assert facts["left_out"] in said
            return str(facts["left_out"])
        assert not said
        return Path(output).read_bytes().decode().split("\n")[:-1]


@pytest.fixture
def reader(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Reader:
    return Reader(tmp_path, capsys)


@pytest.mark.parametrize(
    "blank",
    [
        "\u2028",
        "\u2029",
        "\x85",
        "\x0b",
        "\x0c",
        "\x1c",
        "\x1d",
        "\x1e",
        "\r",
        "\t",
        "\x00",
        "\x1a",
    ],
)
def test_separators_and_controls_are_blanks(blank: str, reader: Reader) -> None:
    assert reader(PLAIN.replace("a b", f"a{blank}b")) == SEGMENTS
    assert reader.changes == {"controls": 1}


@pytest.mark.parametrize("blank", "\u00a0\u1680\u2000\u2007\u200a\u202f\u205f\u3000")
def test_unicode_blanks_are_blanks(blank: str, reader: Reader) -> None:
    assert reader(PLAIN.replace("a b", f"a{blank}b")) == SEGMENTS
    assert reader.changes == {"special_spaces": 1}


@pytest.mark.parametrize(
    "character",
    "\u00ad\u034f\u061c\u115f\u17b4\u180b\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202e\u2060"
    "\u2066\u3164\ufe00\ufe0f\ufeff\uffa0\ufffa\U0001bca0\U0001d173\U000e0041\U000e0100",
)
def test_invisible_characters_go(character: str, reader: Reader) -> None:
    assert reader(PLAIN.replace("a b", f"a{character} b")) == SEGMENTS
    assert reader.changes == {"invisible": 1}


def test_every_ignorable_character_is_known() -> None:
    """Against another implementation of Unicode's properties."""
    every = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x110000)]))
    seen = regex.sub(r"[\p{Z}\p{Cc}]", "", every)  # those are blanks
    words = texts.canonical(" ".join(f"x{c}x" for c in seen), Counter()).split(" ")
    gone = {c for c, word in zip(seen, words, strict=True) if word == "xx"}
    ignorable = set(regex.findall(r"\p{Default_Ignorable_Code_Point}", seen))
    assert gone == ignorable | set("\ufff9\ufffa\ufffb")


def gzipped(content: str | bytes) -> bytes:
    """With gzip, at the same time always."""
    return gzip.compress(content.encode() if isinstance(content, str) else content, mtime=0)


@pytest.mark.parametrize(
    ("content", "changes"),
    [
        (PLAIN.replace("\n", "\r\n"), {"line_ends": 4}),
        (PLAIN.replace("\n", "\r\n", 2), {"line_ends": 2}),
        (PLAIN.replace("\n", "\r\r\n"), {"line_ends": 4, "controls": 4, "extra_spaces": 4}),
        (PLAIN[:-1] + "\r", {"line_ends": 1}),
        (PLAIN[:-1], {}),
        ("\ufeff" + PLAIN, {"invisible": 1}),
        ("\ufeff\ufeff" + PLAIN.replace("\n", "\n\ufeff", 3), {"invisible": 5}),
        (gzipped(PLAIN), {}),
        (gzipped(PLAIN[:5]) + gzipped(PLAIN[5:]) + bytes(9), {}),
        (unicodedata.normalize("NFD", PLAIN), {"normalised_segments": 1}),
    ],
    ids=[
        *("CR LF", "two CR LF", "CR CR LF", "CR at the end", "no last line end"),
        *("byte order mark", "several marks", "gzip", "gzip in two members", "NFD"),
    ],
)
def test_what_is_repaired_and_counted(
    content: str | bytes, changes: dict[str, int], reader: Reader
) -> None:
    assert reader(content) == SEGMENTS
    assert reader.changes == changes


def zipped(content: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(zipfile.ZipInfo("text"), content)  # of 1980, not of now
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (PLAIN.replace("\n", "\r"), "no line ends in LF, but there are 3 CR"),
        (PLAIN + "\n", "has 5 segments, but the reference has 4"),
        (PLAIN + "\x1a", "has 5 segments, but the reference has 4"),
        (PLAIN.replace("\n", "\n\r"), "has 5 segments, but the reference has 4"),
        (PLAIN[:-2], "has 3 segments, but the reference has 4"),
        ("", "has 0 segments, but the reference has 4"),
        ("\n", "has 1 segments, but the reference has 4"),
        (PLAIN.encode("latin-1"), "line 2: byte 0xE9 at byte offset 8 is not UTF-8"),
        (PLAIN.replace("é", "“").encode("cp1252"), "line 2: byte 0x93 at byte offset 8"),
        (PLAIN.encode() + b"\xe9\n", "line 5: byte 0xE9"),
        (b"\xc0\x80\n\n\n\n", "line 1: byte 0xC0"),  # overlong
        (b"\xed\xa0\x80\n\n\n\n", "line 1: byte 0xED"),  # half of a character
        (b"\xf4\x90\x80\x80\n\n\n\n", "line 1: byte 0xF4"),  # above U+10FFFF
        (PLAIN.encode()[:-2] + b"\xc3", "line 4: byte 0xC3"),  # cut within a character
        (PLAIN.encode("utf-16"), "starts with the byte order mark of UTF-16"),
        (b"\xfe\xff" + PLAIN.encode("utf-16-be"), "starts with the byte order mark of UTF-16"),
        (PLAIN.encode("utf-32"), "starts with the byte order mark of UTF-32"),
        ("ab\ncd\n\nef\n".encode("utf-16-be"), "10 of its 20 bytes are control characters"),
        ("да\nнет\n\nя\n".encode("utf-16-le"), "of its 20 bytes are control characters"),
        ("ab\ncd\n\nef\n".encode("utf-32-le"), "of its 40 bytes are control characters"),
        (bz2.compress(PLAIN.encode()), "is packed (bzip2)"),
        (lzma.compress(PLAIN.encode()), "is packed (xz)"),
        (b"\x28\xb5\x2f\xfd\x24\x0a", "is packed (zstd)"),
        (b"7z\xbc\xaf\x27\x1c", "is packed (7z)"),
        (zipped(PLAIN), "is packed (zip)"),
        (gzipped(zipped(PLAIN)), "holds another packed file (zip)"),
        (gzipped(gzipped(PLAIN)), "holds another packed file (gzip)"),
        (gzipped(PLAIN)[:-3], "damaged or incomplete gzip file"),
        (gzipped(PLAIN) + b"more", "damaged or incomplete gzip file"),
        (b"\x1f\x8b", "damaged or incomplete gzip file"),
    ],
)
def test_what_is_refused_with_its_reason(
    content: str | bytes, message: str, reader: Reader
) -> None:
    assert message in reader(content)


@pytest.mark.parametrize(
    ("encoding", "content", "message"),
    [
        *((e, PLAIN.encode(e), "") for e in ("latin-1", "cp1250", "UTF8", "utf-16", "utf-32")),
        ("utf-8", PLAIN.encode("utf-8-sig"), ""),
        ("latin-1", PLAIN.encode("utf-16-le"), "are control characters"),
        ("utf-16", PLAIN.encode("utf-16")[:-1], "is not UTF-16"),
        *((e, PLAIN.encode(), "knows no encoding") for e in ("é", "x\0y", "rot13", "../x", "os")),
        *((e, PLAIN.encode(), "is not") for e in ("ascii", "idna", "utf-7")),
    ],
)
def test_encodings(encoding: str, content: bytes, message: str, reader: Reader) -> None:
    found = reader(content, PLAIN, f"--encoding={encoding}")
    assert message in found if message else found == SEGMENTS


def test_bombs(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    assert 2**28 < texts.MAX_BYTES <= 2**32
    monkeypatch.setattr(texts, "MAX_BYTES", 10**6)
    assert reader(gzipped(PLAIN)) == SEGMENTS
    assert "holds more than 1000000 bytes" in reader(gzipped(b"a" * 10**6 + b"\n"))
    assert "holds more than 1000000 bytes" in reader(b"a" * 10**6 + b"\n")


def test_lost_characters_are_noted(reader: Reader) -> None:
    assert reader("a\n\ufffd\ufffd b\n\n\n") == ["a", "\ufffd\ufffd b", "", ""]
    assert "2 times U+FFFD" in reader.notes[0]


def test_paths(reader: Reader, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reader(PLAIN)
    output = ("--output", str(tmp_path / "o.txt"))
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "dangling").symlink_to(tmp_path / "nothing")
    for path, message in (
        ("/dev/zero", "it is a device, not a file"),
        (".", "it is a folder, not a file"),
        ("loop", "Too many levels of symbolic links"),
        ("dangling", "No such file"),
        ("text/below", "Not a directory"),
        ("x" * 300, "File name too long"),
        (os.fsdecode(b"caf\xe9"), "'caf\\udce9' is not UTF-8; rename"),
    ):
        place = path if path.startswith("caf") else str(tmp_path / path)
        assert message in run("text", *output, place, capsys=capsys)
    (tmp_path / "link é '1").symlink_to(tmp_path / "text")
    assert not run("text", *output, str(tmp_path / "x" / ".." / "link é '1"), capsys=capsys) or True
    for path in (".", "pipe", "x" * 300, "text/below"):
        place = str(tmp_path / path)
        assert "cannot write" in run(
            "text", "--output", place, str(tmp_path / "text"), capsys=capsys
        )
    assert (tmp_path / "pipe").is_fifo()


# --- SGML and XML ------------------------------------------------------------------------------

SGML = '<refset><doc docid="d"><seg id="1">%s</seg><seg id="2">c</seg></doc></refset>'
XML = (
    '<dataset><doc id="d"><ref><p><seg id="1">r</seg><seg id="2">r</seg></p></ref>'
    '<hyp><p><seg id="1">%s</seg><seg id="2">c</seg></p></hyp></doc></dataset>'
)


@pytest.mark.parametrize(
    ("inside", "text", "note"),
    [
        ("&amp;amp; &#38;lt;", "&amp; &lt;", ""),
        ("&lt;b&gt; &quot;&apos;&#65;&#x42;&#X43;", "<b> \"'ABC", ""),
        ("&#10;a&#133;b&#0;", "a b&#0;", ""),
        ("R&D; &eacute; &nbsp;", "R&D; &eacute; &nbsp;", "unknown references, which were kept as"),
        ("&amp a &lt &", "&amp a &lt &", ""),
        ("<![CDATA[a &amp; <b>]]> &amp; c", "a &amp; <b> & c", "segments with tags"),
        ("a <![CDATA[ &amp; b", "a <![CDATA[ & b", ""),
        ("a <!-- b --> <?c?>", "a <!-- b --> <?c?>", "segments with tags"),
        ("a<br/><unk>", "a<br/><unk>", "segments with tags"),
        ("a < b > c", "a < b > c", ""),
        ("\r\n a\n\n\tb ", "a b", ""),
    ],
)
def test_sgml_segments(inside: str, text: str, note: str, reader: Reader) -> None:
    assert reader(SGML % inside, SGML % "r", "--format=sgml") == [text, "c"]
    assert bool(reader.notes) == bool(note)
    assert not note or reader.notes[0].startswith(note)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("</doc>", "lost</doc>", ["text outside of segments left out, before line 1 for one"]),
        ('"2"', '"1"', "segment 'd/1' was given in line 1 already"),
        ('"2"', '"02"', "lacks 1 of the reference's 2 segments: 'd/2'"),
        ('"d"', '"D"', "lacks 2 of the reference's 2 segments"),
        (' id="2"', "", "<seg> without an id"),
        ("seg", "x:seg", "has no <seg>"),
        ("</seg>", "", "has no </seg> before <seg>"),
        ("</doc>", "<doc docid=e></doc><seg id=3>x</seg></doc>", "<seg> outside of <doc>"),
    ],
)
def test_sgml_structure(old: str, new: str, message: str | list[str], reader: Reader) -> None:
    found = reader((SGML % "a").replace(old, new), SGML % "r", "--format=sgml")
    if isinstance(message, list):
        assert (found, reader.notes) == (["a", "c"], message)
    else:
        assert message in found


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("<hyp>", "lost<hyp>", ["text outside of segments left out, in line 1 for one"]),
        ("<hyp>", "<hyp>lost", ["text outside of segments left out, in line 1 for one"]),
        ("<hyp>", "<doc id='e'/><hyp>", "<doc> inside document 'd'"),
        ("<hyp>", "<hyp><src/>", "<src> inside hyp; close it first"),
        ("<hyp>", "<seg id='9'>x</seg><hyp>", "<seg> outside of any text"),
        ("<doc ", "<hyp/><doc ", "<hyp> outside of <doc>"),
        ("<hyp>", "<hyp system='T'><seg id='1'>x</seg></hyp><hyp>", "'hyp' selects 2 texts"),
        ("<hyp>", "<hyp><seg id='1'>x</seg></hyp><hyp>", "segment 'd/1' was given in line 1"),
        ("doc", "DOC", "<ref> outside of <doc>"),
        ("a", "&nbsp;", "undefined entity"),
        ("a", "x\x01y", "invalid token"),
        ("</dataset>", "", "no element found"),
    ],
)
def test_xml_structure(old: str, new: str, message: str | list[str], reader: Reader) -> None:
    content = (XML % "_").replace(old, new) if old != "a" else XML % new
    found = reader(content, XML % "a", "--format=xml", "--select=hyp")
    if isinstance(message, list):
        assert (found, reader.notes) == (["_", "c"], message)
    else:
        assert message in found


@pytest.mark.parametrize(
    "declared",
    [
        '<!ENTITY a "b"><!ENTITY c "&a;&a;&a;">',
        '<!ENTITY a SYSTEM "file:///etc/passwd">',
        '<!ENTITY % a SYSTEM "http://localhost/a"> %a;',
    ],
)
def test_entities_are_never_expanded(declared: str, reader: Reader) -> None:
    xml = f"<!DOCTYPE dataset [{declared}]>" + XML % "&a;"
    assert "the entity 'a' is declared" in reader(xml, XML % "r", "--format=xml", "--select=hyp")
    sgml = f"<!DOCTYPE refset [{declared}]>" + SGML % "&a;"
    assert reader(sgml, SGML % "r", "--format=sgml") == ["&a;", "c"]


# --- judgments ---------------------------------------------------------------------------------

COLUMNS = ["srclang", "trglang", "srcIndex", "documentId", "judgeId"]


def wmt10(*ranks: str, **cells: str) -> str:
    """A file of one row, as many systems as ranks."""
    row = {"srclang": "German", "trglang": "English", "srcIndex": "1", "documentId": "d"}
    row |= {"judgeId": "j"} | {f"system{i}Id": "abcdefgh"[i - 1] for i in range(1, len(ranks) + 1)}
    row |= {f"system{i}rank": rank for i, rank in enumerate(ranks, 1)} | cells
    return ",".join(row) + "\n" + ",".join(row.values()) + "\n"


def rankings(content: str | bytes, path: Path, format: str = "wmt10") -> object:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    try:
        reading = judgments.read(path, format, "de", "en")
    except MorposError as error:
        return str(error)
    return [dict(ranking.ranks) for ranking in reading.rankings]


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (
            wmt10("1", "2", "3", "4", "5", "6", "7"),
            [dict(zip("abcdefg", range(1, 8), strict=True))],
        ),
        (wmt10("1", "-1", "", "2"), [{"a": 1, "d": 2}]),
        (wmt10("2", "1", system1Id='"x, ""y"""'), [{'x, "y"': 2, "b": 1}]),
        (wmt10("2", "1", system1Id="x\u2028\x85"[:2]), [{"x\u2028": 2, "b": 1}]),
        (wmt10("2", "1", srclang="deu", extra="x"), [{"a": 2, "b": 1}]),
        (wmt10("2", "1").replace("\n", "\n\n"), [{"a": 2, "b": 1}]),
        (gzipped("\ufeff" + wmt10("2", "1")), [{"a": 2, "b": 1}]),
        *(
            (wmt10("1", rank), f"line 2: system2rank '{rank}' is not a rank")
            for rank in ("0", "1.0", "NaN", "01", "+1", " 1", "-2", "１", "9" * 10)
        ),
        *(
            (wmt10("1", "2", srcIndex=index), f"line 2: srcIndex '{index}' is not the number")
            for index in ("0", "-1", "", "1.0", "٣", "9" * 10)
        ),
        (wmt10("1", "2", system3rank="3"), "no column system3Id"),
        (wmt10("1", "2", system3Id="c"), "no column system3rank"),
        (wmt10("1", "2", system2Id=""), "system2rank '2' without a name"),
        (wmt10("1", "2", system2Id="b\tc"), r"the name 'b\tc' holds a tab"),
        (wmt10("1", "2", system2Id='"b\nc"'), "line 2: this is not comma-separated CSV"),
        (wmt10("1", "2").replace("documentId", "srclang"), "srclang and srclang mean the same"),
        (wmt10("1", "2").replace(",", ";"), "no column srcIndex in 'srclang;"),
        (wmt10("1", "2").replace("\n", "\r"), "no line ends in LF"),
        (wmt10("1", "2", system1Id="é").encode("latin-1"), "byte 0xE9"),
        (wmt10("1", "2").encode("utf-16-le"), "are control characters"),
        ("x," * 100_000 + "\n", "and 99971 more"),
        ("", "is empty; judgments begin with a header line"),
    ],
)
def test_rankings(content: str | bytes, found: object, tmp_path: Path) -> None:
    seen = rankings(content, tmp_path / "judgments")
    if isinstance(found, str):
        assert found in str(seen)
        assert len(str(seen)) < 2000
    else:
        assert seen == found


@pytest.mark.parametrize(
    "score", ["0,5", "1,000.5", "inf", "-inf", "1_000", "0x1", "½", "１", "1 ", "50%", "1e100", "."]
)
def test_scores_that_are_none(score: str, tmp_path: Path) -> None:
    content = f"system\tseg_id\tscore\na\t1\t{score}\n"
    assert f"line 2: score '{score}' is no" in str(rankings(content, tmp_path / "x", "direct"))


# --- tables of scores -------------------------------------------------------------------------

SCORES = {"a": "0.1", "b": "0.2", "é": "0.3"}


def correlate(
    folder: Path, capsys: pytest.CaptureFixture[str], scores: str, human: str
) -> tuple[str, dict[str, str]]:
    """What the step says, and why systems were left out."""
    (folder / "scores").write_text(scores)
    (folder / "human").write_text(human)
    options = ("--testset=d", f"--output={folder}/out", f"--left-out={folder}/left")
    said = run("correlations", *options, f"{folder}/scores", f"{folder}/human", capsys=capsys)
    left = tables.read(folder / "left") if not said else []
    return said, {row["system"]: row["note"] for row in left}


def table(column: str, rows: Iterable[tuple[str, str]]) -> str:
    return f"system\t{column}\n" + "".join(f"{name}\t{value}\n" for name, value in rows)


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (table("M", [*SCORES.items(), ("a", "1")]), "two rows for the system 'a'"),
        (table("M", SCORES.items()).replace("system", "name"), "no column system; it needs"),
        (table("M", SCORES.items()).replace("\t", ","), "no column system; it needs"),
        (table("M", [("a", "0,1")]), "line 2, column 'M': '0,1' is not a number"),
        (table("M", [("a", "inf")]), "'inf' is not a finite number"),
        ("", "no column system; it needs"),
    ],
)
def test_tables_of_scores(
    scores: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in correlate(tmp_path, capsys, scores, table("score", SCORES.items()))[0]
    said, _ = correlate(tmp_path, capsys, table("M", []), scores.replace("M", "score"))
    assert said.startswith(f"morpos correlations: {tmp_path}/human")


@pytest.mark.parametrize(("name", "other"), [("é", "e\u0301"), ("a", "A"), ("b", "b\u00a0")])
def test_names_that_look_alike_are_told(
    name: str, other: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    judged = {other if each == name else each: value for each, value in SCORES.items()}
    said, left_out = correlate(
        tmp_path, capsys, table("M", SCORES.items()), table("score", judged.items())
    )
    assert not said
    assert left_out == {
        name: f"scored, but never judged; is it {other!a}, not {name!a}?",
        other: f"judged, but not scored: no output, or left out; is it {name!a}, not {other!a}?",
    }


# --- properties --------------------------------------------------------------------------------

SLOW = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
NASTY = st.one_of(
    st.sampled_from("\t\r\x00\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029\u00a0\ufeff\u200d\u0301 a\"',|"),
    st.characters(exclude_categories=["Cs"], exclude_characters="\n"),
)
SEGMENT = st.text(NASTY, max_size=20)


def reference(segment: str) -> str:
    """Canonical form, said another way."""
    kept = regex.sub(r"[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]", "", segment)
    spaced = "".join(" " if regex.match(r"[\p{Cc}\p{Z}]", c) else c for c in kept)
    return " ".join(filter(None, unicodedata.normalize("NFC", spaced).split(" ")))


@settings(max_examples=150, deadline=None, suppress_health_check=SLOW)
@given(
    segments=st.lists(SEGMENT, max_size=8),
    end=st.sampled_from(["\n", "\r\n"]),
    final=st.booleans(),
    mark=st.booleans(),
    packed=st.booleans(),
)
def test_no_segment_is_lost_or_shifted(
    segments: list[str], end: str, final: bool, mark: bool, packed: bool, tmp_path: Path
) -> None:
    content = end.join(segments) + (end if final or segments[-1:] == [""] else "")
    content = "" if not segments else content
    data = ("\ufeff" * mark + content).encode()
    controls = sum(byte < 32 and byte not in b"\t\r\n" for byte in data)
    path = tmp_path / "text"
    path.write_bytes(gzip.compress(data) if packed else data)
    changes: Counter[str] = Counter()
    bare = "\n" not in content and "\r" in content[:-1]
    if bare or controls > len(data) / 4:
        with pytest.raises(MorposError, match=r"no line ends in LF|are control characters"):
            read(path, "plain", changes=changes)
        return
    found = read(path, "plain", changes=changes).segments
    expected = segments or [""] * mark
    assert [texts.canonical(s, Counter()) for s in found] == [reference(s) for s in expected]


NAME = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=6)
RANKED = st.lists(st.tuples(NAME, st.sampled_from(["1", "2", "3", "12", "", "-1"])), max_size=7)


@settings(max_examples=100, deadline=None, suppress_health_check=SLOW)
@given(
    rows=st.lists(st.tuples(st.integers(1, 99), NAME, RANKED), min_size=1, max_size=5),
    random=st.randoms(use_true_random=False),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    end=st.sampled_from(["\n", "\r\n"]),
)
def test_rankings_in_any_order_of_columns(
    rows: list[tuple[int, str, list[tuple[str, str]]]],
    random: Random,
    quoting: Literal[0, 1],
    end: str,
    tmp_path: Path,
) -> None:
    most = max(2, *(len(row[2]) for row in rows))
    outputs = [f"system{i}{what}" for i in range(1, most + 1) for what in ("Id", "rank")]
    columns = [*COLUMNS, *outputs]
    random.shuffle(columns)
    written = io.StringIO()
    table = csv.DictWriter(written, columns, restval="", quoting=quoting, lineterminator=end)
    table.writeheader()
    expected = []
    for segment, judge, ranked in rows:
        cells = {"srclang": "de", "trglang": "en", "srcIndex": str(segment), "judgeId": judge}
        for number, (name, rank) in enumerate(ranked, 1):
            cells |= {f"system{number}Id": name, f"system{number}rank": rank}
        table.writerow(cells)
        valid = tuple((name, int(rank)) for name, rank in ranked if rank not in ("", "-1"))
        if len(valid) > 1:
            expected.append(Ranking(segment, judge, valid))
    path = tmp_path / "judgments"
    path.write_bytes(written.getvalue().encode())
    reading = judgments.read(path, "wmt10", "de", "en")
    assert list(reading.rankings) == expected
    lines = sum(n for what, n in reading.skipped.items() if what.startswith("lines: "))
    assert sum(reading.used.values()) + lines == len(rows)


UNIT = NAME.filter(lambda unit: " " not in unit)
CELL = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=8)


@settings(max_examples=60, deadline=None, suppress_health_check=SLOW)
@given(rows=st.lists(st.tuples(CELL, CELL, CELL), min_size=1, max_size=5), crlf=st.booleans())
def test_sheets_keep_their_cells(
    rows: list[tuple[str, str, str]], crlf: bool, tmp_path: Path
) -> None:
    end = "\r\n" if crlf else "\n"
    lines = ["\t".join(row) for row in [("file", "system", "testset"), *rows]]
    path = tmp_path / "sheet"
    path.write_bytes((end.join(lines) + end * 2).encode("utf-8-sig"))
    quoted = any(len(c) > 1 and c[0] == c[-1] == '"' for row in rows for c in (row[0], row[2]))
    if quoted:
        with pytest.raises(MorposError, match="cells are not quoted"):
            sheets.read_sheet(str(path), "systems")
        return
    found = sheets.read_sheet(str(path), "systems")
    keys = ("file", "system", "testset")
    assert [tuple(row[key] for key in keys) for row in found] == rows
    assert [row["line"] for row in found] == [str(n) for n in range(2, len(rows) + 2)]


@settings(max_examples=60, deadline=None, suppress_health_check=SLOW)
@given(
    rows=st.lists(st.tuples(CELL, st.floats(allow_infinity=False)), max_size=5),
    packed=st.booleans(),
)
def test_tables_keep_names_and_numbers(
    rows: list[tuple[str, float]], packed: bool, tmp_path: Path
) -> None:
    path = tmp_path / ("table.gz" if packed else "table")
    columns = ("system", "score", "signature")
    written = [dict(zip(columns, (*row, "s:1"), strict=True)) for row in rows]
    tables.write(path, columns, written)
    found = tables.read(path)
    assert [row["system"] for row in found] == [name for name, _ in rows]
    for row, (_, score) in zip(found, rows, strict=True):
        assert row["score"] == score or (score != score and row["score"] != row["score"])


@settings(max_examples=60, deadline=None, suppress_health_check=SLOW)
@given(segments=st.lists(st.lists(UNIT, max_size=5), min_size=1))
def test_given_units_keep_their_characters(segments: list[list[str]], tmp_path: Path) -> None:
    lines = "".join("\t ".join(segment) + " \r\n" for segment in segments)
    (tmp_path / "text.units").write_text(lines, newline="")
    mark = "\ufeff"
    if segments[0] and segments[0][0].startswith(mark):  # taken for a byte order mark
        segments[0][0] = segments[0][0].removeprefix(mark)
        segments[0] = [unit for unit in segments[0] if unit]
    assert (
        UnitFile("{text}.units", str(tmp_path / "text.units")).units(len(segments), "") == segments
    )
