"""Downloads over real HTTP: a server on the loopback address that can misbehave."""

import argparse
import gzip
import hashlib
import io
import json
import os
import random
import signal
import socket
import stat
import subprocess
import sys
import tarfile
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import quote

import pytest
import requests

from morpos.data import downloads
from morpos.data.archives import unpack
from morpos.data.downloads import Entry, fetch_all, read_lock, read_registry, select
from morpos.errors import MorposError
from morpos.workflow.steps import download as step

ROOT = Path(__file__).parents[2]
SHARED = Path(os.environ.get("MORPOS_SHARED", ROOT.parent / "shared"))
REGISTRY = ROOT / "config" / "wmt08-10" / "registry.tsv"
RNK = "alopez-wmt-ranking/raw_data/wmt10/data_RNK.csv"
COMMITS = {
    "alvations-warmth": "alvations/warmth/f3ea2eb4a6cffb70226ae93fd6f99bf86652bbc3",
    "alopez-wmt-ranking": "alopez/wmt-ranking/23ed4c6c4c40099333ae6b2f4a7ba4f5c156c6e6",
}
TEXT = b"ein Satz\nnoch einer\n" * 5000
OTHER = b"something else\n"
NAME = "texts/en-de/x.txt"

needs_wmt = pytest.mark.skipif(
    not (SHARED / "wmt").exists(), reason="../shared/wmt is not here (MORPOS_SHARED names it)"
)
needs_cases = pytest.mark.skipif(
    not (SHARED / "cases").exists(), reason="../shared/cases is not here (MORPOS_SHARED names it)"
)

Reply = Callable[[BaseHTTPRequestHandler], None]


class Server:
    """Answers each path with its replies, one after the other; the last one stays."""

    def __init__(self) -> None:
        self.replies: dict[str, list[Reply]] = {}
        self.asked: list[str] = []
        replies, asked = self.replies, self.asked

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"  # connections are kept, as by real servers
            disable_nagle_algorithm = True

            def do_GET(self) -> None:
                path = self.path.lstrip("/")
                asked.append(path)
                queue = replies.get(path, [status(404)])
                (queue.pop(0) if len(queue) > 1 else queue[0])(self)

            def log_message(self, *_: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.http.server_port}"
        self.thread = threading.Thread(target=self.http.serve_forever, args=(0.02,))

    def add(self, path: str, *replies: Reply) -> None:
        self.replies[path] = list(replies)


def body(data: bytes, *, code: int = 200, **headers: str) -> Reply:
    """Another Content-Length than that of the data closes the connection; an empty one is none."""

    def reply(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(code)
        for key, value in ({"Content_Length": str(len(data))} | headers).items():
            if value:
                handler.send_header(key.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(data)
        handler.close_connection |= "Content_Length" in headers

    return reply


def cut(data: bytes, *, length: bool = True) -> Reply:
    """Half of the data; the connection is closed before the length that was promised."""
    return body(data[: len(data) // 2], Content_Length=str(len(data)) if length else "")


def status(code: int, **headers: str) -> Reply:
    return body(b"", code=code, **headers)


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def free_address() -> str:
    """An address at which nobody listens."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{one.getsockname()[1]}"


def tar_gz(data: bytes = TEXT) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        member = tarfile.TarInfo("corpus/a.txt")
        member.size = len(data)
        tar.addfile(member, io.BytesIO(data))
    return gzip.compress(packed.getvalue(), mtime=0)  # the same bytes whenever it is made


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    one = Server()
    one.thread.start()
    yield one
    one.http.shutdown()
    one.thread.join()
    one.http.server_close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    return tmp_path / "download.lock.tsv"


@pytest.fixture(autouse=True)
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds between the three tries, which are not waited for."""
    waits: list[float] = []
    monkeypatch.setattr("pooch.core.time", SimpleNamespace(sleep=waits.append))
    monkeypatch.setattr(downloads, "RETRIES", 2)
    monkeypatch.setattr(downloads, "TIMEOUT", (2, 0.3))
    return waits


def entry(server: Server, data: bytes | None = TEXT, path: str = NAME, **more: str) -> Entry:
    return Entry(path, digest(data) if data else "", f"{server.address}/{path}", **more)


def fetch(one: Entry, folder: Path, lock: Path, **place: str) -> bool:
    return fetch_all([one], folder, lock, **place) == 1


def files(folder: Path) -> list[str]:
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


# One file.


def test_a_good_file(server: Server, folder: Path, lock: Path) -> None:
    server.add(NAME, body(TEXT))
    assert fetch(entry(server), folder, lock) is True
    assert (folder / NAME).read_bytes() == TEXT
    assert files(folder) == [NAME]
    assert not lock.exists()
    # Its rights are those of any new file, not of a temporary one.
    (folder / "plain").touch()
    assert (folder / NAME).stat().st_mode == (folder / "plain").stat().st_mode
    assert stat.S_IMODE((folder / NAME).stat().st_mode) != 0o600


def test_a_right_file_is_not_fetched_again(server: Server, folder: Path, lock: Path) -> None:
    (folder / NAME).parent.mkdir(parents=True)
    (folder / NAME).write_bytes(TEXT)
    before = (folder / NAME).stat().st_mtime_ns
    assert fetch(entry(server), folder, lock) is False
    assert server.asked == []
    assert (folder / NAME).stat().st_mtime_ns == before


def test_a_wrong_file_is_fetched_again_with_a_note(
    server: Server, folder: Path, lock: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.add(NAME, body(TEXT))
    (folder / NAME).parent.mkdir(parents=True)
    (folder / NAME).write_bytes(TEXT[:-1])
    assert fetch(entry(server), folder, lock) is True
    assert (folder / NAME).read_bytes() == TEXT
    note = capsys.readouterr().err
    assert digest(TEXT[:-1]) in note
    assert "fetched again" in note


def test_a_truncated_body_is_tried_again(server: Server, folder: Path, lock: Path) -> None:
    server.add(NAME, cut(TEXT), body(TEXT))
    fetch(entry(server), folder, lock)
    assert (folder / NAME).read_bytes() == TEXT
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("reply", "fault", "tries"),
    [
        (cut(TEXT), r"IncompleteRead.*tried 3 times", 3),  # always
        (cut(TEXT, length=False), f"sha256 is {digest(TEXT[: len(TEXT) // 2])}", 1),
        (body(OTHER), f"sha256 is {digest(OTHER)}.* {digest(TEXT)}.*Do not trust it", 1),
        (status(404), r"HTTP 404 Not Found.*mirror.*directory", 1),
        (status(206), "HTTP 206", 1),
        (body(TEXT, Content_Length="many"), "cannot fetch .*many'", 1),
        (status(302, Location=f"/{NAME}"), "cannot fetch .*redirects", 31),  # in a circle
    ],
)
@pytest.mark.parametrize("mirrored", [False, True])
def test_a_final_fault_leaves_nothing(
    server: Server,
    folder: Path,
    lock: Path,
    reply: Reply,
    fault: str,
    tries: int,
    mirrored: bool,
) -> None:
    server.add(NAME, reply)
    with pytest.raises(MorposError, match=fault) as caught:
        fetch(entry(server), folder, lock, **({"mirror": server.address} if mirrored else {}))
    assert f"{server.address}/{NAME}" in str(caught.value)
    assert len(server.asked) == tries
    assert files(folder) == []


@pytest.mark.parametrize("code", [408, 429, 500, 502, 503, 504])
def test_a_fault_of_the_server_may_pass(
    server: Server,
    folder: Path,
    lock: Path,
    waits: list[float],
    capsys: pytest.CaptureFixture[str],
    code: int,
) -> None:
    server.add(NAME, status(code), status(code), body(TEXT))
    fetch(entry(server), folder, lock)
    assert (folder / NAME).read_bytes() == TEXT
    assert capsys.readouterr().err.count(f"HTTP {code}") == 2
    assert waits == [1, 2]


def test_a_silent_server_is_not_waited_for(server: Server, folder: Path, lock: Path) -> None:
    over = threading.Event()

    def silent(handler: BaseHTTPRequestHandler) -> None:
        over.wait()
        handler.close_connection = True

    server.add(NAME, silent, body(TEXT))
    fetch(entry(server), folder, lock)
    over.set()
    assert (folder / NAME).read_bytes() == TEXT


def test_redirects_are_followed(server: Server, folder: Path, lock: Path) -> None:
    server.add(NAME, status(302, Location="/elsewhere"))
    server.add("elsewhere", body(TEXT))
    fetch(entry(server), folder, lock)
    assert (folder / NAME).read_bytes() == TEXT


@pytest.mark.parametrize(
    "place", ["http://localhost:{port}/x", "file:///etc/hostname", "//localhost/x", "http://[::1"]
)
@pytest.mark.parametrize("known", [True, False])
def test_redirects_to_another_host_are_refused(
    place: str, known: bool, server: Server, folder: Path, lock: Path
) -> None:
    place = place.format(port=server.http.server_port)
    server.add(NAME, status(302, Location=place))
    server.add("x", body(TEXT))
    with pytest.raises(MorposError, match=r"leads to .*download: \{mirror:") as caught:
        fetch(entry(server, TEXT if known else None), folder, lock)
    assert place in str(caught.value)
    assert server.asked == [NAME]
    assert files(folder) == []


@pytest.mark.parametrize(
    ("place", "fault", "asks"),
    [
        ("http://www.example.org/b", "leads to another place", 1),
        ("https://example.org/b", "HTTP 404", 2),
    ],
)
def test_a_secure_address_stays_secure(
    monkeypatch: pytest.MonkeyPatch, folder: Path, lock: Path, place: str, fault: str, asks: int
) -> None:
    asked = []

    def send(_: object, request: requests.PreparedRequest, **more: object) -> requests.Response:
        asked.append(request.url)
        response = requests.Response()
        response.request, response.url, response.raw = request, str(request.url), io.BytesIO()
        response.status_code = 404 if request.url == place else 302
        response.headers["location"] = place
        return response

    monkeypatch.setattr(requests.adapters.HTTPAdapter, "send", send)
    with pytest.raises(MorposError, match=fault):
        fetch(Entry(NAME, digest(TEXT), "https://www.example.org/a"), folder, lock)
    assert len(asked) == asks


@pytest.mark.parametrize(
    ("mirror", "reason"),
    [
        ("{free}", "Connection refused"),
        ("http://nowhere.invalid", r"nowhere\.invalid"),
        *(
            (x, "")
            for x in ("ftp://127.0.0.1", "file:///etc", "some/dir", "http://", "http://[::1")
        ),
    ],
)
def test_nobody_answers(folder: Path, lock: Path, mirror: str, reason: str) -> None:
    mirror = mirror.format(free=free_address())
    with pytest.raises(MorposError, match=f"cannot fetch .*{reason}.*directory: FOLDER") as caught:
        fetch(Entry(NAME, digest(TEXT), "unused"), folder, lock, mirror=mirror)
    assert f"{mirror.rstrip('/')}/{NAME}" in str(caught.value)
    assert files(folder) == []


def test_a_folder_that_cannot_be_written(server: Server, folder: Path, lock: Path) -> None:
    server.add(NAME, body(TEXT))
    folder.write_text("a file where a folder should be")
    with pytest.raises(MorposError, match="cannot write"):
        fetch(entry(server), folder, lock)


def test_a_gz_stays_as_it_is_stored(server: Server, folder: Path, lock: Path) -> None:
    # Some servers announce any .gz as an encoding, which clients then undo.
    packed = gzip.compress(TEXT)
    server.add(NAME, body(packed, Content_Encoding="x-gzip"))
    fetch(entry(server, packed), folder, lock)
    assert (folder / NAME).read_bytes() == packed


# Mirrors and folders.


@pytest.mark.parametrize("name", [NAME, "texts/ä b%20?#.txt"])
def test_a_mirror(server: Server, folder: Path, lock: Path, name: str) -> None:
    server.add(f"deep/mirror/{quote(name)}", body(TEXT))
    one = Entry(name, digest(TEXT), f"{free_address()}/never/asked")
    fetch(one, folder, lock, mirror=f"{server.address}/deep/mirror/")
    assert (folder / name).read_bytes() == TEXT


def test_a_folder_is_copied_and_verified(tmp_path: Path, folder: Path, lock: Path) -> None:
    origin = tmp_path / "origin" / NAME
    origin.parent.mkdir(parents=True)
    origin.write_bytes(TEXT)
    one = Entry(NAME, digest(TEXT), "http://never.asked/")
    fetch(one, folder, lock, directory=str(tmp_path / "origin"))
    origin.write_bytes(OTHER)
    assert not (folder / NAME).is_symlink()
    assert (folder / NAME).read_bytes() == TEXT
    (folder / NAME).unlink()
    with pytest.raises(MorposError, match=f"{origin}.*{digest(OTHER)}"):
        fetch(one, folder, lock, directory=str(tmp_path / "origin"))
    origin.unlink()
    with pytest.raises(MorposError, match=r"cannot copy .*No such file.*directory: FOLDER"):
        fetch(one, folder, lock, directory=str(tmp_path / "origin"))
    assert files(folder) == []


# Two accepted checksums.


def twofold(server: Server) -> Entry:
    return entry(server, mirror_sha256=digest(OTHER), note="names are replaced")


def test_the_mirrors_version_is_accepted_from_a_mirror_and_said(
    server: Server, folder: Path, lock: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.add(NAME, body(OTHER))
    fetch(twofold(server), folder, lock, mirror=server.address)
    assert (folder / NAME).read_bytes() == OTHER
    assert "mirror's version: names are replaced" in capsys.readouterr().err
    row = read_lock(lock)[NAME]
    assert (row.sha256, row.bytes) == (digest(OTHER), str(len(OTHER)))
    assert row.address == f"{server.address}/{NAME}"
    assert fetch(twofold(server), folder, lock, mirror=server.address) is False
    assert "mirror's version" in capsys.readouterr().err


def test_a_mirror_may_hold_the_original(
    server: Server, folder: Path, lock: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.add(NAME, body(TEXT))
    fetch(twofold(server), folder, lock, mirror=server.address)
    assert read_lock(lock)[NAME].sha256 == digest(TEXT)
    assert "version" not in capsys.readouterr().err


def test_upstream_must_be_the_original(server: Server, folder: Path, lock: Path) -> None:
    server.add(NAME, body(OTHER), body(TEXT))
    with pytest.raises(MorposError, match=digest(OTHER)):
        fetch(twofold(server), folder, lock)
    # A mirror's version that is there already is replaced when the original can be had.
    (folder / NAME).write_bytes(OTHER)
    assert fetch(twofold(server), folder, lock) is True
    assert (folder / NAME).read_bytes() == TEXT
    assert read_lock(lock)[NAME].sha256 == digest(TEXT)


def test_neither_of_the_two(server: Server, folder: Path, lock: Path) -> None:
    server.add(NAME, body(b"third"))
    with pytest.raises(MorposError, match=f"{digest(TEXT)} or {digest(OTHER)}"):
        fetch(twofold(server), folder, lock, mirror=server.address)
    assert files(folder) == []


# No known checksum: the lock file.

ARCHIVE = "official/eval.tar.gz"


def test_the_first_copy_is_trusted_and_enforced(
    server: Server, folder: Path, lock: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = tar_gz(TEXT), tar_gz(OTHER)
    server.add(ARCHIVE, body(first), body(first), body(second))
    one = entry(server, None, ARCHIVE)
    fetch(one, folder, lock)
    note = capsys.readouterr().err
    assert digest(first) in note
    assert "trusted" in note
    assert lock.read_text().splitlines() == [
        "path\tsha256\tbytes\taddress",
        f"{ARCHIVE}\t{digest(first)}\t{len(first)}\t{server.address}/{ARCHIVE}",
    ]
    assert fetch(one, folder, lock) is False
    assert capsys.readouterr().err == ""
    (folder / ARCHIVE).write_bytes(second)
    assert fetch(one, folder, lock) is True
    assert (folder / ARCHIVE).read_bytes() == first
    (folder / ARCHIVE).unlink()
    with pytest.raises(MorposError) as caught:
        fetch(one, folder, lock, mirror=server.address)
    for word in (digest(first), digest(second), str(lock), "remove its row"):
        assert word in str(caught.value)
    assert files(folder) == []


@pytest.mark.parametrize(
    "data", [b"<html>moved</html>", tar_gz()[:-5], b""], ids=["page", "cut", "empty"]
)
def test_nothing_is_recorded_that_is_no_whole_archive(
    server: Server, folder: Path, lock: Path, data: bytes
) -> None:
    server.add(ARCHIVE, body(data), body(tar_gz()))
    one = entry(server, None, ARCHIVE)
    with pytest.raises(MorposError, match="nothing recorded"):
        fetch(one, folder, lock)
    assert not lock.exists()
    assert files(folder) == []
    assert fetch(one, folder, lock) is True


def test_a_file_without_a_record_is_recorded(server: Server, folder: Path, lock: Path) -> None:
    # As after a kill between the renaming and the recording.
    (folder / ARCHIVE).parent.mkdir(parents=True)
    (folder / ARCHIVE).write_bytes(tar_gz())
    assert fetch(entry(server, None, ARCHIVE), folder, lock) is False
    assert read_lock(lock)[ARCHIVE].sha256 == digest(tar_gz())
    assert server.asked == []


def test_rows_of_other_files_stay(server: Server, folder: Path, lock: Path) -> None:
    for path in ("z.tar.gz", "a.tar.gz"):
        server.add(path, body(tar_gz()))
        fetch(entry(server, None, path), folder, lock)
    assert list(read_lock(lock)) == ["a.tar.gz", "z.tar.gz"]


def test_a_damaged_lock_file_is_not_taken_for_an_empty_one(
    server: Server, folder: Path, lock: Path
) -> None:
    lock.write_text("path\tsha256\n")
    with pytest.raises(MorposError, match="line 1"):
        fetch(entry(server, None, ARCHIVE), folder, lock)


# Interruptions.


def run_step(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser()
    step.arguments(parser)
    step.run(parser.parse_args(arguments))


def write_registry(path: Path, *entries: Entry) -> Path:
    lines = ["path\tsha256\turl\tmirror_sha256\tnote"]
    lines += ["\t".join((e.path, e.sha256, e.url, e.mirror_sha256, e.note)) for e in entries]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_kill_half_way(server: Server, tmp_path: Path, folder: Path) -> None:
    data = TEXT * 20
    half, over = threading.Event(), threading.Event()

    def stall(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data[: len(data) // 2])
        handler.wfile.flush()
        half.set()
        over.wait()
        handler.close_connection = True

    server.add(NAME, stall, body(data))
    registry = write_registry(tmp_path / "registry.tsv", entry(server, data))
    arguments = [NAME, "--registry", str(registry), "--output-dir", str(folder)]
    code = (
        "import argparse, sys; from morpos.workflow.steps import download as step; "
        "p = argparse.ArgumentParser(); step.arguments(p); step.run(p.parse_args(sys.argv[1:]))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT / "scripts")},
    )
    try:
        assert half.wait(20)
        # The bytes that came so far lie under another name.
        while not any(p.stat().st_size for p in folder.rglob("tmp*")):
            assert process.poll() is None
            time.sleep(0.01)
        assert not (folder / NAME).exists()
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
        over.set()
    assert not (folder / NAME).exists()
    run_step(arguments)
    assert (folder / NAME).read_bytes() == data


@pytest.mark.parametrize("twin", [pytest.param(False, marks=needs_cases), True])
@pytest.mark.parametrize("pinned", [True, False])
def test_case_ar_03(
    server: Server, tmp_path: Path, folder: Path, lock: Path, twin: bool, pinned: bool
) -> None:
    full = tar_gz(random.Random(1).randbytes(1000))
    part = full[: len(full) * 6 // 10]
    if not twin:
        case = SHARED / "cases" / "ar-03-partial-download"
        full, part = ((case / "inputs" / f"{x}.tar.gz").read_bytes() for x in ("full", "cut"))
        expected = json.loads((case / "expected.json").read_text())
        assert digest(full) == expected["sha256_full"]
        assert (len(full), len(part)) == (expected["bytes_full"], expected["bytes_cut"])
    server.add("full.tar.gz", body(part), body(full))
    one = entry(server, full if pinned else None, "full.tar.gz")
    with pytest.raises(MorposError, match=digest(part) if pinned else "damaged or incomplete"):
        fetch(one, folder, lock)
    assert files(folder) == []
    # Even past the checksum, nothing of it is unpacked.
    (tmp_path / "cut.tar.gz").write_bytes(part)
    with pytest.raises(MorposError, match="damaged or incomplete"):
        unpack(tmp_path / "cut.tar.gz", tmp_path / "corpus")
    assert not (tmp_path / "corpus").exists()
    # The cut one lies there under the full one's name: the next run fetches again.
    (folder / "full.tar.gz").write_bytes(part)
    if not pinned:
        with pytest.raises(MorposError, match="It was deleted"):
            fetch(one, folder, lock)
    assert fetch(one, folder, lock) is True
    assert unpack(folder / "full.tar.gz", tmp_path / "corpus") > 0
    assert sorted(p.name for p in tmp_path.iterdir() if p.is_dir()) == ["corpus", "data"]


# Many files; the step.


def many(server: Server) -> list[Entry]:
    entries = []
    for number in range(12):
        path = f"texts/{'en-de' if number % 2 else 'de-en'}/{number:02}.txt"
        data = f"text {number}".encode()
        server.add(path, body(data))
        entries.append(entry(server, data, path))
    return entries


def test_what_was_fetched_before_a_failure_is_kept(
    server: Server, folder: Path, lock: Path
) -> None:
    entries = many(server)
    server.add(entries[7].path, status(404), body(b"text 7"))
    with pytest.raises(MorposError, match=entries[7].path):
        fetch_all(entries, folder, lock)
    assert files(folder) == sorted(e.path for e in entries[:7])
    assert fetch_all(entries, folder, lock) == 5
    assert fetch_all(entries, folder, lock) == 0


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_on_a_terminal_only(
    server: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    entries = many(server)
    fetch_all(entries, tmp_path / "one", tmp_path / "lock")
    assert capsys.readouterr().err == ""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    fetch_all(entries, tmp_path / "two", tmp_path / "lock")
    assert f"3/12 {entries[2].path}" in terminal.getvalue()
    assert terminal.getvalue().split("\r")[-2].isspace()  # cleared


def test_the_step_takes_files_and_folders(
    server: Server,
    tmp_path: Path,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    entries = many(server)
    registry = write_registry(tmp_path / "registry.tsv", *entries)
    common = ["--registry", str(registry), "--output-dir", str(folder)]
    run_step(["texts/en-de/", entries[0].path, *common, "--mirror", server.address])
    assert len(files(folder)) == 7
    assert "7 files fetched, 0 were there already" in capsys.readouterr().err
    run_step(["texts", *common])
    assert "5 files fetched, 7 were there already" in capsys.readouterr().err
    with pytest.raises(MorposError, match="no file or folder 'text'"):
        run_step(["text", *common])


# The registry.


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ("../x\t\thttp://a/\t\t", "unsafe"),
        ("/x\t\thttp://a/\t\t", "unsafe"),
        ("\t\thttp://a/\t\t", "unsafe"),
        ("x\tabc\thttp://a/\t\t", "not a sha256"),
        ("x\t\thttp://a/\tABC\t", "not a sha256"),
        ("x\thttp://a/", "cells"),
        ("x\t\thttp://a/\t\t\nx\t\thttp://a/\t\t", "line 3"),
    ],
)
def test_a_faulty_registry(tmp_path: Path, row: str, fault: str) -> None:
    path = tmp_path / "registry.tsv"
    path.write_text(f"path\tsha256\turl\tmirror_sha256\tnote\n{row}\n")
    with pytest.raises(MorposError, match=fault):
        read_registry(path)


def test_no_registry(tmp_path: Path) -> None:
    with pytest.raises(MorposError, match="cannot read"):
        read_registry(tmp_path / "none.tsv")


def test_registry_of_wmt() -> None:
    registry = read_registry(REGISTRY)
    assert list(registry) == sorted(registry)
    official = [one for one in registry.values() if not one.sha256]
    assert len(official) == 6
    assert len(registry) == 376
    for one in registry.values():
        top, rest = one.path.split("/", 1)
        if one in official:
            assert one.url == f"https://www.statmt.org/{rest}"
            assert one.path.endswith((".tar.gz", ".csv.gz", ".zip"))
        else:
            assert one.url == f"https://raw.githubusercontent.com/{COMMITS[top]}/{rest}"
        assert bool(one.mirror_sha256) == (one.path == RNK)
    assert registry[RNK].sha256 == (
        "8ace075b9dfd88bc2607a7172d0f4214f8c65835237bb58b79ac4127dfdf40b7"
    )
    assert len(select(registry, ["alvations-warmth", "alopez-wmt-ranking"])) == 370


@needs_wmt
def test_registry_equals_the_checksums_of_the_mirror() -> None:
    lines = (SHARED / "wmt" / "SHA256SUMS").read_text().splitlines()
    known = {path: checksum for checksum, path in (line.split("  ") for line in lines)}
    registry = {
        one.path: one.mirror_sha256 or one.sha256
        for one in read_registry(REGISTRY).values()
        if one.sha256
    }
    # The mirror has years that this registry does not; of its own folders it has every file.
    folders = {str(Path(path).parent) for path in registry}
    assert registry == {p: known[p] for p in known if str(Path(p).parent) in folders}


@needs_wmt
def test_real_files_over_http(server: Server, tmp_path: Path, folder: Path, lock: Path) -> None:
    registry = read_registry(REGISTRY)
    entries = select(registry, ["alvations-warmth/metric_data/WMT08/references", RNK])
    for one in entries:
        server.add(one.path, body((SHARED / "wmt" / one.path).read_bytes()))
    assert fetch_all(entries, folder, lock, mirror=server.address) == len(entries) == 7
    assert list(read_lock(lock)) == [RNK]
    fetch_all(entries, tmp_path / "copy", lock, directory=str(SHARED / "wmt"))
    for one in entries:
        data = (SHARED / "wmt" / one.path).read_bytes()
        assert (
            (folder / one.path).read_bytes() == data == (tmp_path / "copy" / one.path).read_bytes()
        )
