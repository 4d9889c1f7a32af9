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
from contextlib import nullcontext
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import requests

from morpos import downloads
from morpos.archives import unpack
from morpos.downloads import Entry, Folder, Lock, Web, fetch, fetch_all, read_registry, select
from morpos.errors import MorposError
from morpos.steps import download as step

ROOT = Path(__file__).parents[1]
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


def body(data: bytes, *, headers: dict[str, str] | None = None) -> Reply:
    def reply(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(data)))
        for key, value in (headers or {}).items():
            handler.send_header(key, value)
        handler.end_headers()
        handler.wfile.write(data)

    return reply


def cut(data: bytes, *, length: bool = True) -> Reply:
    """Half of the data; the connection is closed before the length that was promised."""

    def reply(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        if length:
            handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data[: len(data) // 2])
        handler.close_connection = True

    return reply


def status(code: int, **headers: str) -> Reply:
    def reply(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(code)
        for key, value in headers.items():
            handler.send_header(key, value)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return reply


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
def lock(tmp_path: Path) -> Lock:
    return Lock(tmp_path / "download.lock.tsv")


def entry(server: Server, data: bytes | None = TEXT, path: str = NAME, **more: str) -> Entry:
    return Entry(path, digest(data) if data else "", f"{server.address}/{path}", **more)


def web(mirror: str | None = None, tries: int = 3) -> Web:
    return Web(mirror, waits=[0.01] * (tries - 1), timeout=(2, 0.3))


def files(folder: Path) -> list[str]:
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


# One file.


def test_a_good_file(server: Server, folder: Path, lock: Lock) -> None:
    server.add(NAME, body(TEXT))
    assert fetch(entry(server), folder, web(), lock) is True
    assert (folder / NAME).read_bytes() == TEXT
    assert files(folder) == [NAME]
    assert not lock.path.exists()


def test_its_rights_are_those_of_any_new_file(server: Server, folder: Path, lock: Lock) -> None:
    server.add(NAME, body(TEXT))
    fetch(entry(server), folder, web(), lock)
    (folder / "plain").touch()
    assert (folder / NAME).stat().st_mode == (folder / "plain").stat().st_mode
    assert stat.S_IMODE((folder / NAME).stat().st_mode) != 0o600


def test_a_right_file_is_not_fetched_again(server: Server, folder: Path, lock: Lock) -> None:
    (folder / NAME).parent.mkdir(parents=True)
    (folder / NAME).write_bytes(TEXT)
    before = (folder / NAME).stat().st_mtime_ns
    assert fetch(entry(server), folder, web(), lock) is False
    assert server.asked == []
    assert (folder / NAME).stat().st_mtime_ns == before


def test_a_wrong_file_is_fetched_again_with_a_note(
    server: Server, folder: Path, lock: Lock, capsys: pytest.CaptureFixture[str]
) -> None:
    server.add(NAME, body(TEXT))
    (folder / NAME).parent.mkdir(parents=True)
    (folder / NAME).write_bytes(TEXT[:-1])
    assert fetch(entry(server), folder, web(), lock) is True
    assert (folder / NAME).read_bytes() == TEXT
    note = capsys.readouterr().err
    assert digest(TEXT[:-1]) in note
    assert "fetched again" in note


def test_a_truncated_body_is_tried_again(server: Server, folder: Path, lock: Lock) -> None:
    server.add(NAME, cut(TEXT), body(TEXT))
    fetch(entry(server), folder, web(), lock)
    assert (folder / NAME).read_bytes() == TEXT
    assert len(server.asked) == 2


def test_always_truncated_leaves_nothing(server: Server, folder: Path, lock: Lock) -> None:
    server.add(NAME, cut(TEXT))
    with pytest.raises(MorposError, match=r"IncompleteRead.*tried 3 times"):
        fetch(entry(server), folder, web(), lock)
    assert len(server.asked) == 3
    assert files(folder) == []


def test_a_cut_that_the_server_hides_is_found_by_the_checksum(
    server: Server, folder: Path, lock: Lock
) -> None:
    server.add(NAME, cut(TEXT, length=False))
    with pytest.raises(MorposError, match=digest(TEXT[: len(TEXT) // 2])):
        fetch(entry(server), folder, web(), lock)
    assert files(folder) == []


def test_a_wrong_checksum_is_final(server: Server, folder: Path, lock: Lock) -> None:
    server.add(NAME, body(OTHER))
    with pytest.raises(MorposError) as caught:
        fetch(entry(server), folder, web(), lock)
    for word in (f"{server.address}/{NAME}", digest(TEXT), digest(OTHER), "Do not trust it"):
        assert word in str(caught.value)
    assert len(server.asked) == 1
    assert files(folder) == []


def test_404_is_final(server: Server, folder: Path, lock: Lock) -> None:
    with pytest.raises(MorposError, match=r"HTTP 404 Not Found.*mirror.*directory") as caught:
        fetch(entry(server), folder, web(), lock)
    assert f"{server.address}/{NAME}" in str(caught.value)
    assert len(server.asked) == 1
    assert files(folder) == []


@pytest.mark.parametrize("code", [408, 429, 500, 502, 503, 504])
def test_a_fault_of_the_server_may_pass(
    server: Server, folder: Path, lock: Lock, capsys: pytest.CaptureFixture[str], code: int
) -> None:
    server.add(NAME, status(code), status(code), body(TEXT))
    fetch(entry(server), folder, web(), lock)
    assert (folder / NAME).read_bytes() == TEXT
    assert capsys.readouterr().err.count(f"HTTP {code}") == 2


def test_a_silent_server_is_not_waited_for(server: Server, folder: Path, lock: Lock) -> None:
    over = threading.Event()

    def silent(handler: BaseHTTPRequestHandler) -> None:
        over.wait()
        handler.close_connection = True

    server.add(NAME, silent, body(TEXT))
    fetch(entry(server), folder, web(), lock)
    over.set()
    assert (folder / NAME).read_bytes() == TEXT


def test_redirects_are_followed(server: Server, folder: Path, lock: Lock) -> None:
    server.add(NAME, status(302, Location="/elsewhere"))
    server.add("elsewhere", body(TEXT))
    fetch(entry(server), folder, web(), lock)
    assert (folder / NAME).read_bytes() == TEXT


@pytest.mark.parametrize(
    "place", ["http://localhost:{port}/x", "file:///etc/hostname", "//localhost/x", "http://[::1"]
)
@pytest.mark.parametrize("known", [True, False])
def test_redirects_to_another_host_are_refused(
    place: str, known: bool, server: Server, folder: Path, lock: Lock
) -> None:
    place = place.format(port=server.http.server_port)
    server.add(NAME, status(302, Location=place))
    server.add("x", body(TEXT))
    with pytest.raises(MorposError, match=r"leads to .*download: \{mirror:") as caught:
        fetch(entry(server, TEXT if known else None), folder, web(), lock)
    assert place in str(caught.value)
    assert server.asked == [NAME]
    assert files(folder) == []


def test_a_secure_address_stays_secure() -> None:
    (stay,) = web().session.hooks["response"]
    response = requests.Response()
    response.url, response.status_code = "https://www.example.org/a", 302
    for place, fits in (("http://www.example.org/a", False), ("https://example.org/a", True)):
        response.headers["location"] = place
        with nullcontext() if fits else pytest.raises(MorposError, match="leads to another place"):
            stay(response)


def test_nobody_listens(folder: Path, lock: Lock) -> None:
    address = f"{free_address()}/{NAME}"
    with pytest.raises(MorposError) as caught:
        fetch(Entry(NAME, digest(TEXT), address), folder, web(), lock)
    for word in (address, "Connection refused", "download: {mirror:", "download: {directory:"):
        assert word in str(caught.value)
    assert files(folder) == []


def test_no_such_host(folder: Path, lock: Lock) -> None:
    address = f"http://nowhere.invalid/{NAME}"
    with pytest.raises(MorposError, match=r"nowhere\.invalid.*download: \{mirror:"):
        fetch(Entry(NAME, digest(TEXT), address), folder, web(tries=1), lock)


@pytest.mark.parametrize(
    "mirror", ["ftp://127.0.0.1", "file:///etc", "some/folder", "http://", "http://[::1"]
)
def test_no_address_at_all(folder: Path, lock: Lock, mirror: str) -> None:
    with pytest.raises(MorposError, match="cannot fetch"):
        fetch(Entry(NAME, digest(TEXT), "unused"), folder, web(mirror), lock)
    assert files(folder) == []


def test_waits_grow() -> None:
    assert list(downloads.WAITS) == sorted(set(downloads.WAITS))


def test_a_folder_that_cannot_be_written(server: Server, folder: Path, lock: Lock) -> None:
    server.add(NAME, body(TEXT))
    folder.write_text("a file where a folder should be")
    with pytest.raises(MorposError, match="cannot write"):
        fetch(entry(server), folder, web(), lock)


def test_a_gz_stays_as_it_is_stored(server: Server, folder: Path, lock: Lock) -> None:
    # Some servers announce any .gz as an encoding, which clients then undo.
    packed = gzip.compress(TEXT)
    server.add(NAME, body(packed, headers={"Content-Encoding": "x-gzip"}))
    fetch(entry(server, packed), folder, web(), lock)
    assert (folder / NAME).read_bytes() == packed


# Mirrors and folders.


def test_a_mirror(server: Server, folder: Path, lock: Lock) -> None:
    server.add(f"deep/mirror/{NAME}", body(TEXT))
    one = Entry(NAME, digest(TEXT), f"{free_address()}/never/asked")
    fetch(one, folder, web(f"{server.address}/deep/mirror/"), lock)
    assert (folder / NAME).read_bytes() == TEXT


def test_a_mirror_is_not_trusted_more(server: Server, folder: Path, lock: Lock) -> None:
    server.add(NAME, body(OTHER))
    with pytest.raises(MorposError, match="Do not trust it"):
        fetch(entry(server), folder, web(server.address), lock)


def test_a_folder_is_copied_and_verified(tmp_path: Path, folder: Path, lock: Lock) -> None:
    origin = tmp_path / "origin" / NAME
    origin.parent.mkdir(parents=True)
    origin.write_bytes(TEXT)
    one = Entry(NAME, digest(TEXT), "http://never.asked/")
    fetch(one, folder, Folder(tmp_path / "origin"), lock)
    origin.write_bytes(OTHER)
    assert not (folder / NAME).is_symlink()
    assert (folder / NAME).read_bytes() == TEXT
    (folder / NAME).unlink()
    with pytest.raises(MorposError, match=f"{origin}.*{digest(OTHER)}"):
        fetch(one, folder, Folder(tmp_path / "origin"), lock)
    origin.unlink()
    with pytest.raises(MorposError, match=r"cannot copy .*No such file.*directory: FOLDER"):
        fetch(one, folder, Folder(tmp_path / "origin"), lock)
    assert files(folder) == []


# Two accepted checksums.


def twofold(server: Server) -> Entry:
    return entry(server, mirror_sha256=digest(OTHER), note="names are replaced")


def test_the_mirrors_version_is_accepted_from_a_mirror_and_said(
    server: Server, folder: Path, lock: Lock, capsys: pytest.CaptureFixture[str]
) -> None:
    server.add(NAME, body(OTHER))
    fetch(twofold(server), folder, web(server.address), lock)
    assert (folder / NAME).read_bytes() == OTHER
    assert "mirror's version: names are replaced" in capsys.readouterr().err
    row = lock.read()[NAME]
    assert (row.sha256, row.bytes) == (digest(OTHER), str(len(OTHER)))
    assert row.address == f"{server.address}/{NAME}"
    assert fetch(twofold(server), folder, web(server.address), lock) is False
    assert "mirror's version" in capsys.readouterr().err


def test_a_mirror_may_hold_the_original(
    server: Server, folder: Path, lock: Lock, capsys: pytest.CaptureFixture[str]
) -> None:
    server.add(NAME, body(TEXT))
    fetch(twofold(server), folder, web(server.address), lock)
    assert lock.read()[NAME].sha256 == digest(TEXT)
    assert "version" not in capsys.readouterr().err


def test_upstream_must_be_the_original(server: Server, folder: Path, lock: Lock) -> None:
    server.add(NAME, body(OTHER), body(TEXT))
    with pytest.raises(MorposError, match=digest(OTHER)):
        fetch(twofold(server), folder, web(), lock)
    # A mirror's version that is there already is replaced when the original can be had.
    (folder / NAME).write_bytes(OTHER)
    assert fetch(twofold(server), folder, web(), lock) is True
    assert (folder / NAME).read_bytes() == TEXT
    assert lock.read()[NAME].sha256 == digest(TEXT)


def test_neither_of_the_two(server: Server, folder: Path, lock: Lock) -> None:
    server.add(NAME, body(b"third"))
    with pytest.raises(MorposError, match=f"{digest(TEXT)} or {digest(OTHER)}"):
        fetch(twofold(server), folder, web(server.address), lock)
    assert files(folder) == []


# No known checksum: the lock file.

ARCHIVE = "official/eval.tar.gz"


def test_the_first_copy_is_trusted_and_enforced(
    server: Server, folder: Path, lock: Lock, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = tar_gz(TEXT), tar_gz(OTHER)
    server.add(ARCHIVE, body(first), body(second))
    one = entry(server, None, ARCHIVE)
    fetch(one, folder, web(), lock)
    note = capsys.readouterr().err
    assert digest(first) in note
    assert "trusted" in note
    assert lock.path.read_text().splitlines() == [
        "path\tsha256\tbytes\taddress",
        f"{ARCHIVE}\t{digest(first)}\t{len(first)}\t{server.address}/{ARCHIVE}",
    ]
    assert fetch(one, folder, web(), lock) is False
    assert capsys.readouterr().err == ""
    (folder / ARCHIVE).unlink()
    with pytest.raises(MorposError) as caught:
        fetch(one, folder, web(server.address), lock)
    for word in (digest(first), digest(second), str(lock.path), "remove its row"):
        assert word in str(caught.value)
    assert files(folder) == []


def test_a_changed_copy_on_disk_is_fetched_again(server: Server, folder: Path, lock: Lock) -> None:
    server.add(ARCHIVE, body(tar_gz()))
    one = entry(server, None, ARCHIVE)
    fetch(one, folder, web(), lock)
    (folder / ARCHIVE).write_bytes(tar_gz(OTHER))
    assert fetch(one, folder, web(), lock) is True
    assert (folder / ARCHIVE).read_bytes() == tar_gz()


@pytest.mark.parametrize(
    "data", [b"<html>moved</html>", tar_gz()[:-5], b""], ids=["page", "cut", "empty"]
)
def test_nothing_is_recorded_that_is_no_whole_archive(
    server: Server, folder: Path, lock: Lock, data: bytes
) -> None:
    server.add(ARCHIVE, body(data), body(tar_gz()))
    one = entry(server, None, ARCHIVE)
    with pytest.raises(MorposError, match="nothing recorded"):
        fetch(one, folder, web(), lock)
    assert not lock.path.exists()
    assert files(folder) == []
    assert fetch(one, folder, web(), lock) is True


def test_a_file_without_a_record_is_recorded(server: Server, folder: Path, lock: Lock) -> None:
    # As after a kill between the renaming and the recording.
    (folder / ARCHIVE).parent.mkdir(parents=True)
    (folder / ARCHIVE).write_bytes(tar_gz())
    assert fetch(entry(server, None, ARCHIVE), folder, web(), lock) is False
    assert lock.read()[ARCHIVE].sha256 == digest(tar_gz())
    assert server.asked == []


def test_rows_of_other_files_stay(server: Server, folder: Path, lock: Lock) -> None:
    for path in ("z.tar.gz", "a.tar.gz"):
        server.add(path, body(tar_gz()))
        fetch(entry(server, None, path), folder, web(), lock)
    assert list(lock.read()) == ["a.tar.gz", "z.tar.gz"]


def test_a_damaged_lock_file_is_not_taken_for_an_empty_one(
    server: Server, folder: Path, lock: Lock
) -> None:
    lock.path.write_text("path\tsha256\n")
    with pytest.raises(MorposError, match="line 1"):
        fetch(entry(server, None, ARCHIVE), folder, web(), lock)


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
        "import argparse, sys; from morpos.steps import download as step; "
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


def case_or_twin(twin: bool) -> tuple[bytes, bytes]:
    """The full archive and its first 60 percent."""
    if twin:
        full = tar_gz(random.Random(1).randbytes(1000))
        return full, full[: len(full) * 6 // 10]
    inputs = SHARED / "cases" / "ar-03-partial-download" / "inputs"
    return (inputs / "full.tar.gz").read_bytes(), (inputs / "cut.tar.gz").read_bytes()


@pytest.mark.parametrize("twin", [pytest.param(False, marks=needs_cases), True])
@pytest.mark.parametrize("pinned", [True, False])
def test_case_ar_03(
    server: Server, tmp_path: Path, folder: Path, lock: Lock, twin: bool, pinned: bool
) -> None:
    full, part = case_or_twin(twin)
    if not twin:
        expected = json.loads(
            (SHARED / "cases" / "ar-03-partial-download" / "expected.json").read_text()
        )
        assert digest(full) == expected["sha256_full"]
        assert (len(full), len(part)) == (expected["bytes_full"], expected["bytes_cut"])
    server.add("full.tar.gz", body(part), body(full))
    one = entry(server, full if pinned else None, "full.tar.gz")
    with pytest.raises(MorposError, match=digest(part) if pinned else "damaged or incomplete"):
        fetch(one, folder, web(), lock)
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
            fetch(one, folder, web(), lock)
    assert fetch(one, folder, web(), lock) is True
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
    server: Server, folder: Path, lock: Lock
) -> None:
    entries = many(server)
    server.add(entries[7].path, status(404), body(b"text 7"))
    with pytest.raises(MorposError, match=entries[7].path):
        fetch_all(entries, folder, web(), lock)
    assert files(folder) == sorted(e.path for e in entries[:7])
    assert fetch_all(entries, folder, web(), lock) == 5
    assert fetch_all(entries, folder, web(), lock) == 0


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
    fetch_all(entries, tmp_path / "one", web(), Lock(tmp_path / "lock"))
    assert capsys.readouterr().err == ""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    fetch_all(entries, tmp_path / "two", web(), Lock(tmp_path / "lock"))
    assert f"3/12 {entries[2].path}" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[K")


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
        ("x\tabc\thttp://a/\t\t", "no sha256"),
        ("x\t\thttp://a/\tABC\t", "no sha256"),
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
    registry = read_registry(REGISTRY)
    assert {
        one.path: one.mirror_sha256 or one.sha256 for one in registry.values() if one.sha256
    } == {path: checksum for checksum, path in (line.split("  ") for line in lines)}


@needs_wmt
def test_real_files_over_http(server: Server, tmp_path: Path, folder: Path, lock: Lock) -> None:
    registry = read_registry(REGISTRY)
    entries = select(registry, ["alvations-warmth/metric_data/WMT08/references", RNK])
    for one in entries:
        server.add(one.path, body((SHARED / "wmt" / one.path).read_bytes()))
    assert fetch_all(entries, folder, web(server.address), lock) == len(entries) == 7
    assert list(lock.read()) == [RNK]
    fetch_all(entries, tmp_path / "copy", Folder(SHARED / "wmt"), lock)
    for one in entries:
        data = (SHARED / "wmt" / one.path).read_bytes()
        assert (
            (folder / one.path).read_bytes() == data == (tmp_path / "copy" / one.path).read_bytes()
        )
