"""Unpacking: honest archives in the layouts of the shared tasks, damaged and hostile ones."""

import argparse
import gzip
import io
import random
import shutil
import stat
import tarfile
import warnings
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from morpos.data import archives
from morpos.data.archives import check, unpack
from morpos.errors import MorposError
from morpos.workflow.steps import unpack as step

# The layouts of the official archives, filled with texts of our own.
SGML = b'<tstset trglang="en"><doc docid="d" sysid="a"><seg id="1">One .</seg></doc></tstset>\n'
WMT08 = {
    "wmt08-eval/submissions/en-de.test2008.a": b"eins\n",
    "wmt08-eval/submissions/en-de.newstest2008.a": b"zwei\n",
    "wmt08-eval/submissions/en-de.nc-test2008.a": b"drei\n",
    "wmt08-eval/src-ref/newstest2008.en": b"two\n",
    "wmt08-eval/src-ref/newstest2008.de": b"zwei\n",
    "wmt08-eval/submissions-xml/en-de/en-de.newstest2008.a.xml": SGML,
}
WMT09 = {
    "wmt09-eval/source+ref-xml/newstest2009-src.en.xml": SGML,
    "wmt09-eval/source+ref-xml/newstest2009-ref.de.xml": SGML,
    "wmt09-eval/submissions-xml/en-de/en-de.newstest2009.a.xml": SGML,
}
WMT10 = {
    "wmt10-data/xml/src/newssyscombtest2010.en.src.xml": SGML,
    "wmt10-data/xml/ref/newssyscombtest2010.en-de.ref.xml": SGML,
    "wmt10-data/xml/tst-primary/en-de/newssyscombtest2010.en-de.a.xml": SGML,
    "wmt10-data/xml/tst-secondary/en-de/newssyscombtest2010.en-de.b.xml": SGML,
}
JUDGMENTS = b"TASK,TYPE,ITEM_ID\nWMT08 English-German News,RANK,0\n"


def member(name: str, size: int = 0, kind: bytes = tarfile.REGTYPE) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.size, info.type = size, kind
    return info


def tar(
    path: Path, files: Mapping[str, bytes], *more: tarfile.TarInfo, folders: bool = False
) -> Path:
    with tarfile.open(path, "w:gz") as packed:
        if folders:
            for name in sorted({str(Path(f).parent) for f in files}):
                packed.addfile(member(name, kind=tarfile.DIRTYPE))
        for name, data in files.items():
            packed.addfile(member(name, len(data)), io.BytesIO(data))
        for info in more:
            packed.addfile(info, io.BytesIO(bytes(info.size)))
    return path


def zipped(path: Path, files: Mapping[str, bytes], *more: tuple[zipfile.ZipInfo, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of names that are there twice
        for name, data in files.items():
            packed.writestr(name, data)
        for info, data in more:
            packed.writestr(info, data)
    return path


def content(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def refused(archive: Path, words: str, tmp_path: Path) -> None:
    """Refused by both functions, and nothing of it is anywhere."""
    (tmp_path / "out").mkdir(exist_ok=True)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(MorposError, match=words) as caught:
        unpack(archive, tmp_path / "out" / "new")
    assert archive.name in str(caught.value)
    with pytest.raises(MorposError, match=words):
        check(archive)
    assert sorted(tmp_path.rglob("*")) == before


# Honest ones.


@pytest.mark.parametrize("folders", [True, False])
@pytest.mark.parametrize(
    ("name", "files"), [("wmt08-eval.tar.gz", WMT08), ("wmt09-eval.tar.gz", WMT09)]
)
def test_tar(tmp_path: Path, name: str, files: dict[str, bytes], folders: bool) -> None:
    archive = tar(tmp_path / name, files, folders=folders)
    check(archive)
    assert unpack(archive, tmp_path / "new") == len(files)
    assert content(tmp_path / "new") == files
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new", name]


def test_zip(tmp_path: Path) -> None:
    archive = zipped(tmp_path / "wmt10-data.zip", {"wmt10-data/": b"", **WMT10})
    check(archive)
    assert unpack(archive, tmp_path / "new") == 4
    assert content(tmp_path / "new") == WMT10


def test_judgments_zip(tmp_path: Path) -> None:
    archive = zipped(tmp_path / "manual-eval-judgments.zip", {"data_RNK.csv": b"srclang\n"})
    unpack(archive, tmp_path / "new")
    assert content(tmp_path / "new") == {"data_RNK.csv": b"srclang\n"}


def test_a_single_gzipped_file(tmp_path: Path) -> None:
    archive = tmp_path / "wmt08-human-judgments.csv.gz"
    archive.write_bytes(gzip.compress(JUDGMENTS))
    check(archive)
    assert unpack(archive, tmp_path / "new") == 1
    assert content(tmp_path / "new") == {"wmt08-human-judgments.csv": JUDGMENTS}


def test_names_of_all_kinds(tmp_path: Path) -> None:
    files = {
        "./a/..b/c..": b"1",
        "a/Ä ö.txt": b"2",
        "a/" + "long" * 40 + "/" + "x" * 120: b"3",
        "-rf": b"4",
        "a/...": b"5",
    }
    for archive in (tar(tmp_path / "a.tar.gz", files), zipped(tmp_path / "a.zip", files)):
        unpack(archive, tmp_path / f"new-{archive.suffix}")
        found = content(tmp_path / f"new-{archive.suffix}")
        assert found == {name.removeprefix("./"): data for name, data in files.items()}


def test_rights_are_those_of_any_new_file(tmp_path: Path) -> None:
    info = member("a/b", 3)
    info.mode = 0o6777
    unpack(tar(tmp_path / "a.tar.gz", {}, info), tmp_path / "new")
    (tmp_path / "plain").touch()
    (tmp_path / "folder").mkdir()
    assert (tmp_path / "new/a/b").stat().st_mode == (tmp_path / "plain").stat().st_mode
    assert (tmp_path / "new/a").stat().st_mode == (tmp_path / "folder").stat().st_mode
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "folder").stat().st_mode


def test_what_is_there_already_stays(tmp_path: Path) -> None:
    archive = tar(tmp_path / "a.tar.gz", WMT08)
    (tmp_path / "empty").mkdir()
    unpack(archive, tmp_path / "empty")
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "x").write_text("x")
    for place in (mine, mine / "x"):
        with pytest.raises(MorposError, match="is there already"):
            unpack(archive, place)
    assert content(mine) == {"x": b"x"}


def test_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    tar(tmp_path / "a.tar.gz", WMT08)
    parser = argparse.ArgumentParser()
    step.arguments(parser)
    step.run(parser.parse_args(["a.tar.gz", "--output", "some/where"]))
    assert content(tmp_path / "some/where") == WMT08
    assert "6 files unpacked into some/where" in capsys.readouterr().err


# Damaged ones.


def test_no_archive(tmp_path: Path) -> None:
    path = tmp_path / "a.tar.gz"
    path.write_text("<!DOCTYPE html>")
    refused(path, r"neither gzip nor zip \(first bytes 3C 21\)", tmp_path)
    path.write_bytes(b"")
    refused(path, "first bytes none", tmp_path)
    path.write_bytes(gzip.compress(b"plain text, no tar" * 100))
    refused(path, "damaged or incomplete", tmp_path)
    with pytest.raises(MorposError, match=r"cannot read .*none\.zip"):
        check(tmp_path / "none.zip")


@pytest.mark.parametrize("name", ["a.tar.gz", "a.zip", "a.csv.gz"])
def test_cut_anywhere(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if name == "a.csv.gz":
        path.write_bytes(gzip.compress(JUDGMENTS))
    else:
        (tar(path, WMT09) if "tar" in name else zipped(path, WMT09))
    data = path.read_bytes()
    for length in range(2, len(data)):
        path.write_bytes(data[:length])
        with pytest.raises(MorposError, match="damaged or incomplete"):
            unpack(path, tmp_path / "new")
    assert sorted(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["a.tar.gz", "a.zip"])
def test_damaged_anywhere(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    (tar(path, WMT09) if "tar" in name else zipped(path, WMT09))
    data = path.read_bytes()
    chance = random.Random(1)
    for _ in range(400):
        broken = bytearray(data)
        broken[chance.randrange(2, len(data))] ^= 1 << chance.randrange(8)
        path.write_bytes(broken)
        place = tmp_path / "new"
        try:
            unpack(path, place)
        except MorposError:
            assert not place.exists()
        else:  # a date, a flag: contents are whole
            assert sorted(content(place).values()) == sorted(WMT09.values())
            for one in sorted(place.rglob("*"), reverse=True):
                one.rmdir() if one.is_dir() else one.unlink()
            place.rmdir()


def test_a_tar_that_was_cut_before_it_was_gzipped(tmp_path: Path) -> None:
    # tarfile would take these for complete: the gzip trailer is right.
    whole = gzip.decompress(tar(tmp_path / "a.tar.gz", WMT08).read_bytes())
    blocks = len(whole.rstrip(b"\0")) // 512 + 1
    for end in range(512, 512 * blocks + 1, 512):
        (tmp_path / "a.tar.gz").write_bytes(gzip.compress(whole[:end], compresslevel=1))
        refused(tmp_path / "a.tar.gz", "damaged or incomplete", tmp_path)
    broken = bytearray(whole)
    broken[1024 + 148] ^= 1  # the checksum of the second header
    (tmp_path / "a.tar.gz").write_bytes(gzip.compress(broken))
    refused(tmp_path / "a.tar.gz", "the mark of its end is missing", tmp_path)


def test_a_zip_whose_directory_is_shorter_than_it_says(tmp_path: Path) -> None:
    # zipfile would list what is left of it.
    archive = zipped(tmp_path / "a.zip", WMT09)
    data = bytearray(archive.read_bytes())
    end = data.rindex(b"PK\5\6")
    first = 46 + len(next(iter(WMT09)))
    size = int.from_bytes(data[end + 12 : end + 16], "little") - first
    data[end + 12 : end + 16] = size.to_bytes(4, "little")
    archive.write_bytes(data)
    refused(archive, "of 3 members, its directory lists 2", tmp_path)


def test_a_disk_that_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    archive = tar(tmp_path / "a.tar.gz", WMT08)
    monkeypatch.setattr(shutil, "copyfileobj", full)
    with pytest.raises(MorposError, match="No space left"):
        unpack(archive, tmp_path / "new")
    assert sorted(tmp_path.iterdir()) == [archive]


def test_what_a_kill_left_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    archive = tar(tmp_path / "a.tar.gz", WMT08)
    monkeypatch.setattr(Path, "rename", killed)
    monkeypatch.setattr(shutil, "rmtree", lambda *_, **__: None)  # nobody tidies up
    with pytest.raises(KeyboardInterrupt):
        unpack(archive, tmp_path / "new")
    monkeypatch.undo()
    assert not (tmp_path / "new").exists()
    unpack(archive, tmp_path / "new")
    assert content(tmp_path / "new") == WMT08


# Hostile ones.

NAMES = ["../x", "a/../../x", "a/../b", "/tmp/x", "//x", "..", "a\\..\\x", "C:\\x", "a/.."]


@pytest.mark.parametrize("name", NAMES)
def test_unsafe_names(tmp_path: Path, name: str) -> None:
    files = {"first": b"1", name: b"2"}
    refused(tar(tmp_path / "a.tar.gz", files), "unsafe name", tmp_path)
    (tmp_path / "a.tar.gz").unlink()
    refused(zipped(tmp_path / "a.zip", files), "unsafe name", tmp_path)


@pytest.mark.parametrize("name", ["../x/", "/x/"])
def test_unsafe_folders(tmp_path: Path, name: str) -> None:
    folder = member(name, kind=tarfile.DIRTYPE)
    refused(tar(tmp_path / "a.tar.gz", {}, folder), "unsafe name", tmp_path)
    refused(zipped(tmp_path / "a.zip", {name: b""}), "unsafe name", tmp_path)


def test_nul_in_names(tmp_path: Path) -> None:
    info = member("x", 1)
    info.pax_headers = {"path": "good\0/../../x"}
    refused(tar(tmp_path / "a.tar.gz", {}, info), "unsafe name", tmp_path)
    archive = zipped(tmp_path / "a.zip", {"good_name": b"1"})
    archive.write_bytes(archive.read_bytes().replace(b"good_name", b"good\0name"))
    refused(archive, r"good\\x00name' has an unsafe name", tmp_path)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (tarfile.SYMTYPE, "symbolic link"),
        (tarfile.LNKTYPE, "hard link"),
        (tarfile.CHRTYPE, "a device"),
        (tarfile.BLKTYPE, "a device"),
        (tarfile.FIFOTYPE, "named pipe"),
        (b"Z", "unknown type b'Z'"),
    ],
)
@pytest.mark.parametrize("target", ["/etc/passwd", "../../x", "first"])
def test_no_files(tmp_path: Path, kind: bytes, words: str, target: str) -> None:
    info = member("a/evil", kind=kind)
    info.linkname = target
    archive = tar(tmp_path / "a.tar.gz", {"first": b"1"}, info)
    refused(archive, f"member 'a/evil' .*{words}", tmp_path)


def test_a_file_through_a_link(tmp_path: Path) -> None:
    info = member("a", kind=tarfile.SYMTYPE)
    info.linkname = str(tmp_path)
    refused(tar(tmp_path / "a.tar.gz", {}, info, member("a/x", 1)), "member 'a'", tmp_path)


@pytest.mark.parametrize(
    ("mode", "words"), [(stat.S_IFLNK, "symbolic link"), (stat.S_IFCHR, "not a regular file")]
)
def test_no_files_in_a_zip(tmp_path: Path, mode: int, words: str) -> None:
    info = zipfile.ZipInfo("a/evil")
    info.create_system = 3
    info.external_attr = (mode | 0o777) << 16
    archive = zipped(tmp_path / "a.zip", {"first": b"1"}, (info, b"/etc/passwd"))
    refused(archive, f"member 'a/evil' is .*{words}", tmp_path)


def test_an_encrypted_zip(tmp_path: Path) -> None:
    archive = zipped(tmp_path / "a.zip", {"x": b"1"})
    data = bytearray(archive.read_bytes())
    data[data.index(b"PK\1\2") + 8] |= 1
    archive.write_bytes(data)
    refused(archive, "member 'x' is encrypted", tmp_path)


@pytest.mark.parametrize("second", ["a/b", "./a//b", "a/b/c", "a"])
def test_two_members_in_one_place(tmp_path: Path, second: str) -> None:
    words = "there twice, or a file lies where a folder does"
    archive = tar(tmp_path / "a.tar.gz", {"a/b": b"1"}, member(second, 1))
    with pytest.raises(MorposError, match=words):
        unpack(archive, tmp_path / "new")
    archive = zipped(tmp_path / "a.zip", {"a/b": b"1"}, (zipfile.ZipInfo(second), b"2"))
    with pytest.raises(MorposError, match=words):
        unpack(archive, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_file_without_a_name(tmp_path: Path) -> None:
    refused(tar(tmp_path / "a.tar.gz", {}, member(".", 1)), "has no name", tmp_path)


# Bombs.


def test_limits_are_stated_and_wide_enough() -> None:
    assert archives.MAX_BYTES >= 1 << 30
    assert archives.MAX_MEMBERS >= 10_000


def bomb_tar(path: Path) -> Path:
    return tar(path / "a.tar.gz", {}, member("big", 3 << 20))


def bomb_zip(path: Path) -> Path:
    return zipped(path / "a.zip", {"big": bytes(3 << 20)})


def bomb_gz(path: Path) -> Path:
    archive = path / "big.gz"
    archive.write_bytes(gzip.compress(bytes(3 << 20)))
    return archive


@pytest.mark.parametrize("bomb", [bomb_tar, bomb_zip, bomb_gz])
def test_too_many_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bomb: Callable[[Path], Path]
) -> None:
    archive = bomb(tmp_path)
    monkeypatch.setattr(archives, "MAX_BYTES", 2 << 20)
    refused(archive, "big.* holds more than", tmp_path)
    monkeypatch.setattr(archives, "MAX_BYTES", 4 << 20)
    check(archive)


@pytest.mark.parametrize("make", [tar, zipped])
def test_too_many_members(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[..., Path]
) -> None:
    archive = make(tmp_path / ("a.zip" if make is zipped else "a.tar.gz"), WMT08)
    monkeypatch.setattr(archives, "MAX_MEMBERS", 5)
    refused(archive, f"member '{list(WMT08)[5]}' is too much", tmp_path)
    monkeypatch.setattr(archives, "MAX_MEMBERS", 6)
    check(archive)


def test_a_header_that_claims_a_huge_file(tmp_path: Path) -> None:
    path = tmp_path / "a.tar.gz"
    path.write_bytes(gzip.compress(member("big", 5 << 30).tobuf(tarfile.GNU_FORMAT)))
    refused(path, "member 'big' is too much", tmp_path)


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME])
def test_a_header_that_is_huge_itself(tmp_path: Path, kind: bytes) -> None:
    # tarfile would read it into memory.
    path = tmp_path / "a.tar.gz"
    header = member("pax", 3 << 30, kind).tobuf(tarfile.GNU_FORMAT)
    path.write_bytes(gzip.compress(header + bytes(1 << 20)))
    refused(path, "a header of", tmp_path)


def test_headers_nested_without_end(tmp_path: Path) -> None:
    path = tmp_path / "a.tar.gz"
    header = member("././@LongLink", 512, tarfile.GNUTYPE_LONGNAME).tobuf(tarfile.GNU_FORMAT)
    path.write_bytes(gzip.compress((header + b"x" * 512) * 5000))
    refused(path, "damaged or incomplete", tmp_path)


@pytest.mark.parametrize(
    "headers",
    [
        {"size": "-4000000000"},
        {"GNU.sparse.major": "0", "GNU.sparse.map": "0,0", "GNU.sparse.size": "-4000000000"},
        {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.realsize": "-4000000000"},
    ],
)
def test_a_size_below_zero_makes_no_room(tmp_path: Path, headers: dict[str, str]) -> None:
    path = tmp_path / "a.tar.gz"
    with tarfile.open(path, "w:gz", format=tarfile.PAX_FORMAT) as packed:
        more = {key: value.lstrip("-") for key, value in headers.items()}
        for name, pax in (("less", headers), ("more", more)):
            info = member(name, 512)
            info.pax_headers = pax
            packed.addfile(info, io.BytesIO(b"1\n0\n0\n".ljust(512, b"\0")))
    refused(path, "claims -4000000000 bytes|damaged", tmp_path)


def test_a_path_that_is_too_long(tmp_path: Path) -> None:
    archive = tar(tmp_path / "a.tar.gz", {"a/" * 3000 + "x": b"1"})
    with pytest.raises(MorposError, match="File name too long"):
        unpack(archive, tmp_path / "new")
    assert sorted(tmp_path.iterdir()) == [archive]
