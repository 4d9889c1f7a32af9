"""What is fuzzed: each target takes any bytes; a reading that holds, or a MorposError, is right.

The same targets run in the tests, on their seeds and on what the fuzzer once found.
"""

import dataclasses
import gzip
import io
import os
import shutil
import sys
import tarfile
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

from morpos import corpora
from morpos.corpora.base import squeeze
from morpos.data import archives, downloads
from morpos.errors import MorposError
from morpos.evaluation import claims
from morpos.human import judgments
from morpos.human.scores import human_scores, rules_for
from morpos.io import sheets, tables
from morpos.io.text import canonical, read_bytes
from morpos.scoring import ngrams

# --- the watch: what no reader may do ----------------------------------------------------------

_FORBIDDEN = (
    *("socket.", "urllib.", "http.", "ftplib.", "subprocess.", "os.system", "os.exec", "os.fork"),
    *("os.posix_spawn", "os.startfile", "pickle.", "ctypes.", "os.symlink", "os.link", "os.chdir"),
)
#: Python may load its own modules (an encoding) while it reads; the schemas of sheets are ours.
_OWN = (sys.prefix, sys.base_prefix, str(Path(archives.__file__).parents[2]))
_folder: Path | None = None


def _watch(event: str, arguments: tuple[Any, ...]) -> None:
    if _folder is None:
        return
    if event.startswith(_FORBIDDEN):
        raise AssertionError(f"a reader did {event}{arguments}")
    if event in ("os.mkdir", "os.rename", "os.chmod"):
        for path in map(os.fspath, arguments[: 1 + (event == "os.rename")]):
            if os.path.isabs(path) and not path.startswith(str(_folder)):
                raise AssertionError(f"a reader did {event}{arguments}")
    if event == "open" and isinstance(path := arguments[0], str):
        if arguments[1] is None and not os.path.isabs(path):
            return  # shutil.rmtree, relative to an open folder
        path = os.path.realpath(path)
        reads = arguments[2] & os.O_ACCMODE == os.O_RDONLY
        inside = (str(_folder), os.devnull, *(_OWN if reads else ()))
        if not path.startswith(inside):
            raise AssertionError(f"a reader opened {path}")


sys.addaudithook(_watch)
for _format in corpora.FORMATS:  # imported before anything is watched
    corpora.FORMATS.load(_format)


@contextmanager
def watched() -> Iterator[Path]:
    """A new folder; until it goes, nothing else may be opened, fetched, run or unpickled."""
    global _folder
    folder = Path(os.path.realpath(tempfile.mkdtemp()))
    _folder = folder
    try:
        yield folder
    finally:
        _folder = None
        shutil.rmtree(folder)


@contextmanager
def file(data: bytes) -> Iterator[Path]:
    """A watched file with these bytes; that it is refused, in a message that names it, is right."""
    with watched() as folder:
        path = folder / "file"
        path.write_bytes(data)
        try:
            yield path
        except MorposError as error:
            check_message(error, path)


def check_message(error: MorposError, path: Path) -> None:
    assert str(path) in str(error), error
    str(error).encode()  # can be printed and written


# --- the targets -------------------------------------------------------------------------------


def _check(text: corpora.RawText) -> None:
    assert text.ids is None or len(set(text.ids)) == len(text.ids) == len(text.segments)
    for segment in text.segments:
        assert "\n" not in segment
        once = canonical(segment, Counter())
        changes: Counter[str] = Counter()
        assert canonical(once, changes) == once
        assert not +changes
        assert once.split() == (once.split(" ") if once else [])


def sgml(data: bytes) -> None:
    """NIST SGML."""
    with file(data) as path:
        _check(corpora.read(path, "sgml", changes=Counter()))


def xml(data: bytes) -> None:
    """XML of the WMTs, against ElementTree."""
    with file(data) as path:
        data = read_bytes(path)
        text = corpora.read(path, "xml", select="ref", changes=Counter())
        _check(text)
        found = {
            (squeeze(doc.get("id", "")) + "/" + squeeze(seg.get("id", "")))
            for doc in ElementTree.fromstring(data).iter("doc")
            for ref in doc.iter("ref")
            for seg in ref.iter("seg")
            if "testsuite" not in doc.attrib
        }
        assert found == set(text.ids or ())


def _lines(data: bytes) -> int:
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    return data.count(b"\n") + (data[-1:] not in (b"\n", b""))


def table(data: bytes) -> None:
    """Judgments (CSV and TSV), TSV texts, sheets and tables: the first byte says which.

    Every line is accounted for.
    """
    kind, data = data[0] if data else 0, data[1:]
    with file(data) as path:
        match kind % 13:
            case 0 | 1 | 2 | 3 | 4 | 5 as number:
                _judgments(path, list(judgments.READERS)[number], _lines(data))
            case 6:
                text = corpora.read(path, "tsv", changes=Counter())
                _check(text)
                assert len(text.segments) == _lines(data) - 1
            case 7:
                text = corpora.read(path, "plain", changes=Counter())
                _check(text)
                assert len(text.segments) == _lines(data)
            case 8:
                sheets.read_sheet(str(path), "testsets")
            case 9:
                tables.read(path)
            case 10:
                downloads.read_registry(path)
            case 11:
                claims.read_claims(str(path))
            case 12:
                text = corpora.read(path, "jsonl", changes=Counter())
                _check(text)
                assert len(text.segments) == _lines(data)


def _judgments(path: Path, format: str, lines: int) -> None:
    reading = judgments.read(path, format, "fr", "en")
    kinds = ("rows: ", "lines: ")
    left_out = sum(n for what, n in reading.skipped.items() if what.startswith(kinds))
    assert sum(reading.used.values()) + left_out == lines - 1
    ranked = {name for ranking in reading.rankings for name, _ in ranking.ranks}
    assert ranked | {rating.system for rating in reading.ratings} <= set(reading.systems)
    for rule in rules_for(format):
        human_scores(reading, rule)


_FIELDS = [field.name for field in dataclasses.fields(ngrams.LayerCounts)]
_ARRAYS = ("meta", *(f"word.{field}" for field in _FIELDS))


def counts(data: bytes) -> None:
    """Counts: any bytes or, after "A", the arrays one by one, cut at their magic string."""
    if data[:1] == b"A":
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            for name, part in zip(_ARRAYS, data[1:].split(b"\x93NUMPY"), strict=False):
                archive.writestr(zipfile.ZipInfo(name + ".npy"), b"\x93NUMPY" + part)
        data = packed.getvalue()
    with file(data) as path:
        loaded = ngrams.load(path)
        again = path.with_suffix(".npz")
        ngrams.save(again, loaded)
        for name, layer in ngrams.load(again).layers.items():
            for field in _FIELDS:
                assert np.array_equal(getattr(layer, field), getattr(loaded.layers[name], field))


def _checksums(tar: bytes) -> bytes:
    """Right checksums for whatever looks like a header of a tar, or no mutant would be read on."""
    blocks = [bytearray(tar[i : i + 512]) for i in range(0, len(tar), 512)]
    for block in blocks:
        if block[257:262] == b"ustar" and len(block) == 512:
            block[148:156] = b" " * 8
            block[148:156] = b"%06o\0 " % sum(block)
    return b"".join(blocks)


def archive(data: bytes) -> None:
    """Archives: any bytes or, after "T", a tar that is still to be gzipped."""
    name = "a.zip"
    if data[:1] == b"T":
        data, name = gzip.compress(_checksums(data[1:]), 1, mtime=0), "a.tar.gz"
    elif data[:1] == b"G":
        data, name = data[1:], "a.tar.gz"
    with watched() as folder:
        path, output = folder / name, folder / "in" / "out"
        path.write_bytes(data)
        output.parent.mkdir()
        sound = True
        try:
            archives.check(path)
        except MorposError as error:
            check_message(error, path)
            sound = False
        try:
            files = archives.unpack(path, output)
            assert sound
            assert files == sum(one.is_file() for one in output.rglob("*"))
            for one in output.rglob("*"):
                assert not one.is_symlink()
                assert one.is_file() or one.is_dir()
        except MorposError as error:  # of the file system, which `check` does not ask
            check_message(error, folder)
        assert sorted(folder.iterdir()) == [path, output.parent]
        assert list(output.parent.iterdir()) == [output] * output.exists()


TARGETS: dict[str, Callable[[bytes], None]] = {
    each.__name__: each for each in (sgml, xml, table, counts, archive)
}

# --- seeds -------------------------------------------------------------------------------------
# Packed without the time, or each run of the tests would draw other mutants.

_SGML = (
    '<!DOCTYPE x><refset setid="s" refid="r"><!-- c --><DOC docid=a sysid="S"><hl><seg id=2>one '
    "&amp;lt; &#233; <unk></seg></hl><p><seg id='1'>two\r\n &lt</seg><seg id=3 /></p></DOC>"
    "</refset>"
)
_XML = (
    "<?xml version='1.0' encoding='utf-8'?><dataset id='x'><collection><doc id='d' origlang='de'>"
    "<src lang='de'><p><seg id='1'>ä</seg></p></src><ref translator='A'><p><seg id='2'>b &amp; "
    "&#x41;</seg><seg id='1'><![CDATA[<c>]]><!-- c --></seg></p></ref><hyp system='S'/></doc>"
    "<doc id='t' testsuite='x'><src><seg id='1'>a</seg></src></doc></collection></dataset>"
)
_WMT08 = "TASK,TYPE,ITEM_ID,ANNOTATOR_ID,TIME," + ",".join(
    f"SYSTEM_{i},SCORE_{i}_A,SCORE_{i}_B" for i in range(5)
)
_ROW08 = "WMT08 French-English News,RANK,0,3,9,a,1,,b,2,,c,-1,"
_WMT10 = "srclang,trglang,srcIndex,documentId,segmentId,judgeId," + ",".join(
    [f"system{i}Number,system{i}Id" for i in range(1, 6)] + [f"system{i}rank" for i in range(1, 6)]
)
_JUDGMENTS = (
    f'{_WMT08}\n{_ROW08}\nWMT08 All-English News,RANK,1,3,9,"a_fr",1,,b_de,2,,"c_fr",2,\n',
    f"{_WMT08},EXTRA\n{_ROW08}{',' * 9}\n".replace(",", "\t"),
    f'{_WMT10}\nFrench,English,1,d,1,j,1,a,2,"b",3,_ref,4,d,5,e,1,2,-1,,3\r\n',
    "system1\tsystem2\trank1\trank2\tsegment\tjudge\na\tb\t1\t2\t3\tj\n",
    'system\tseg_id\tscore\trater\na\t1\t-2.5e1\tj\nb"\t1\tNA\tj\na\t2\t3\tj\n',
    "\ufeffsystem\tscore\r\na\t1\r\n\r\nb\t0.5\r\n",
)
_TABLES = (
    "id\tA\n1\tb c\n2\t\n",
    "a b\r\n\u2028c\x85\xa0\n",
    "testset\tsource\ttarget\treference\nd\tde\ten\tr.txt\n",
    "system\tspearman\tsignature\na\t0.5\tx:1\n",
    "path\tsha256\turl\tmirror_sha256\tnote\na/b\t\thttps://localhost/a\t\t\n",
    "claim\ttext\tfirst\tsecond\tpublished\nc\tt\tPOSF\tBLEU\t0.1\n",
    '{"doc": "d", "id": 1, "A": "b\\u00e9\\n"}\n{"doc": "d", "id": "2", "A": ""}\n',
)


def _counts_seed(meta: bytes = b'{"signature": "x"}') -> tuple[bytes, bytes]:
    parts = []
    layer = ngrams.count([["a", "b"], []], [[["a"], ["b"]]], 2)
    arrays = [np.frombuffer(meta, dtype=np.uint8)]
    arrays += [getattr(layer, field).astype(np.int32) for field in _FIELDS]
    for array in arrays:
        buffer = io.BytesIO()
        np.save(buffer, array)
        parts.append(buffer.getvalue().removeprefix(b"\x93NUMPY"))
    whole = io.BytesIO()
    np.savez(whole, **dict(zip(_ARRAYS, arrays, strict=True)))  # type: ignore[arg-type]
    return b"A" + b"\x93NUMPY".join(parts), whole.getvalue()


def _archive_seeds() -> Iterator[bytes]:
    for format in (tarfile.PAX_FORMAT, tarfile.GNU_FORMAT):
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w", format=format) as tar:
            for name, kind in (
                ("d", tarfile.DIRTYPE),
                ("d/é" + "x" * 100, tarfile.REGTYPE),
                ("l", tarfile.SYMTYPE),
            ):
                member = tarfile.TarInfo(name)
                member.type, member.size = kind, 3 * (kind == tarfile.REGTYPE)
                tar.addfile(member, io.BytesIO(b"abc"))
            good = tar.offset
        yield b"T" + buffer.getvalue()
        yield b"T" + buffer.getvalue()[: good - 512] + bytes(1024)
    yield b"G" + gzip.compress(buffer.getvalue(), mtime=0)
    for compression in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", compression) as packed:
            packed.writestr(zipfile.ZipInfo("d/a"), "abc", compression)
            packed.writestr(zipfile.ZipInfo("e/"), "")
        yield buffer.getvalue()
    yield gzip.compress(b"abc", mtime=0)


def _zip_without_a_name() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        member = zipfile.ZipInfo()
        member.filename = ""
        packed.writestr(member, "abc")
    return buffer.getvalue()


SEEDS: dict[str, list[bytes]] = {
    "sgml": [_SGML.encode(), gzip.compress(_SGML.encode(), mtime=0)],
    "xml": [_XML.encode(), gzip.compress(_XML.encode(), mtime=0)],
    "table": [bytes([i]) + text.encode() for i, text in enumerate((*_JUDGMENTS, *_TABLES))],
    "counts": [*_counts_seed()],
    "archive": [*_archive_seeds()],
}

#: What the fuzzer once found, made small.
FOUND: dict[str, list[bytes]] = {
    # NumPy's parser of headers raised TokenError; meta held NaN, which could not be written again.
    "counts": [
        b"A\x93NUMPY\1\0\6\0{'\0(\n",
        *(_counts_seed(b'{"x": %s}' % number)[1] for number in (b"NaN", b"-Infinity", b"1e999")),
    ],
    # The blank line of a last CR, and the LF before it, were taken for one line end.
    "table": [b"\5system\tscore\r\na\t2\r\n\r", b"\7a\n\r"],
    # A member without a name: zipfile raised IndexError.
    "archive": [_zip_without_a_name()],
}

#: Strings that a mutant may be given, where single bytes would take long to find them.
WORDS = (
    *("<seg id=", "</seg>", "<doc docid=", "<doc id='", "</doc>", "<tstset>", "<!--", "-->", "/>"),
    *("<ref>", "</ref>", "<hyp system='", "&amp;", "&#x", "&#", ";", "<![CDATA[", "]]>", " sysid="),
    *("<!DOCTYPE a [", "<!ENTITY a 'b'>", "]>", "&a;", "testsuite=''", "<seg id='1'>", "'", '"'),
    *("\u2028", "\x85", "\ufeff", "\u200d", "\r\n", "\t", "\n", ",", "-1", "RANK", "NaN", "1e9"),
    *("English", "French", "All", "News", "_fr", "../", "/", "\\", "ustar", "././@LongLink"),
    *("path=", "size=", "linkpath=", "GNU.sparse.major=", "PK\x01\x02", "PK\x03\x04", "PK\x05\x06"),
    *("\x93NUMPY", "descr", "fortran_order", "shape", "|O", "<i4", "|u1", "True", "(-1,)"),
)
