"""Run the steps of a local run in warm workers: processes in which their modules are imported.

Of a job of 0.4 s, 0.1 to 0.3 s are the start of an interpreter and its imports, and a run has
thousands of jobs. So the Snakefile starts one server; `python -m morpos.workflow <step>` (`client`)
passes it arguments, environment and open files, and the server forks a process for the step, which
does the same as it would do in an interpreter of its own. Without a server, and on a cluster, steps
run by themselves, with the same results.

The server imports the module of a step when its first job arrives. What steps load besides, such as
the models of taggers, it is told at its start (`preload`).
"""

import contextlib
import gc
import importlib
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterable
from dataclasses import dataclass, field

from morpos.io.streams import open_streams
from morpos.workflow import steps
from morpos.workflow.server.client import BUSY
from morpos.workflow.server.preload import Preload, Tool


@dataclass
class _Job:
    """A client and, once its message is complete, the process that runs its step."""

    client: socket.socket
    message: bytearray = field(default_factory=bytearray)
    files: list[int] = field(default_factory=list)
    process: int = 0


def start(tools: Iterable[Tool] = ()) -> str:
    """Start a server that ends with this process; its address, for `client.ADDRESS`.

    The address is empty if no server can run; it has said why.

    Args:
        tools: what the jobs of the run will load, such as `preload.project_tools` lists it.
    """
    # Never closed by us: the server ends when its standard input does.
    server = subprocess.Popen(
        [sys.executable, "-m", __name__, json.dumps(list(tools))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout
    return server.stdout.readline().strip()


def serve(tools: Iterable[Tool]) -> None:
    """Run steps for all who connect, until standard input ends; prints its address first."""
    preload = Preload(tools)
    open_streams()
    # Ctrl-C is for Snakemake, which ends its jobs and then us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with (
        tempfile.TemporaryDirectory(prefix="morpos-") as folder,
        socket.socket(socket.AF_UNIX) as listener,
        selectors.DefaultSelector() as selector,
    ):
        address = f"{folder}/steps"
        try:
            listener.bind(address)
        except OSError as error:  # a path of over 100 bytes, or a disk that knows no sockets
            sys.exit(f"Steps take longer, each for itself: {error}: {address}; set TMPDIR")
        listener.listen(64)
        selector.register(sys.stdin.fileno(), selectors.EVENT_READ, "end")
        selector.register(listener, selectors.EVENT_READ, "connect")
        print(address, flush=True)
        while True:
            for key, _ in selector.select():
                if key.data == "end":
                    for other in selector.get_map().values():
                        _kill(other.data)
                    return
                if key.data == "connect":
                    try:
                        client = listener.accept()[0]
                    except OSError:  # too many files are open: it waits until a step has ended
                        time.sleep(0.01)
                        continue
                    selector.register(client, selectors.EVENT_READ, _Job(client))
                elif selector.get_map().get(key.fd) is not key:
                    continue  # a client whose step has just ended, and was finished before
                elif key.fileobj is key.data.client:
                    _receive(selector, key.data, preload)
                else:
                    _finish(selector, key.data, int(key.fd))


def _receive(selector: selectors.BaseSelector, job: _Job, preload: Preload) -> None:
    """Take what a client sends; it sends nothing more but its end."""
    try:
        data, files, _, _ = socket.recv_fds(job.client, 1 << 20, 3)
    except ConnectionError:
        data, files = b"", []
    job.files += files
    job.message += data
    whole = len(job.message) >= 8 + int.from_bytes(job.message[:8], "big")
    if data and not whole:
        return
    if data and len(job.files) == 3:
        _start(selector, job, preload)
        return
    selector.unregister(job.client)
    if job.process:  # killed; `_finish` sees the end of its step
        _kill(job)
        return
    if whole:  # but not its files: more are open than may be
        _refuse(job)
    else:  # killed before its step began
        _close(job)


def _refuse(job: _Job) -> None:
    """Have the client run its step itself."""
    with contextlib.suppress(OSError):
        job.client.send(bytes([BUSY]))
    _close(job)


def _close(job: _Job) -> None:
    job.client.close()
    for file in job.files:
        os.close(file)


def _kill(job: object) -> None:
    if isinstance(job, _Job) and job.process:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(job.process, signal.SIGKILL)


def _start(selector: selectors.BaseSelector, job: _Job, preload: Preload) -> None:
    """Fork a process that runs the step of a complete message."""
    cwd, number, *rest = os.fsdecode(bytes(job.message[8:])).split("\0")
    environment, arguments = rest[: int(number)], rest[int(number) :]
    with contextlib.suppress(Exception):  # the step will say it better
        importlib.import_module(f"morpos.workflow.steps.{arguments[0]}")
        preload.load_for(arguments[0], arguments[1:])
    gc.freeze()
    pipe: tuple[int, ...] = ()
    try:
        pipe = end, held = os.pipe()  # its end comes with the end of the process that holds it
        job.process = os.fork()
    except OSError:  # too many files are open, or processes run
        for side in pipe:
            os.close(side)
        selector.unregister(job.client)
        _refuse(job)
        return
    if not job.process:
        code = 1
        try:
            os.setpgid(0, 0)
            for key in list(selector.get_map().values()):
                os.close(key.fd)
            for file, standard in zip(job.files, (0, 1, 2), strict=True):
                os.dup2(file, standard)
            _open_streams()
            code = _run(cwd, environment, arguments)
        finally:  # on no account into the code of the server, whose copy this is
            os._exit(code)
    os.setpgid(job.process, job.process)
    os.close(held)
    for file in job.files:
        os.close(file)
    selector.register(end, selectors.EVENT_READ, job)


def _open_streams() -> None:
    """Text streams that know nothing of the server's own files."""
    sys.stdin = os.fdopen(0, encoding=sys.stdin.encoding)
    sys.stdout = os.fdopen(1, "w", encoding=sys.stdout.encoding)
    sys.stderr = os.fdopen(2, "w", 1, encoding=sys.stderr.encoding, errors="backslashreplace")


def _run(cwd: str, environment: list[str], arguments: list[str]) -> int:
    """Run the step in this process, a child of the server."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        os.chdir(cwd)
        os.environ.clear()
        os.environ.update((key, value) for key, _, value in (e.partition("=") for e in environment))
        code = steps.main(arguments)
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else int(error.code is not None)
    except BaseException:
        traceback.print_exc()
        code = 1
    with contextlib.suppress(OSError):  # whoever was to read it has gone
        sys.stdout.flush()
    return code


def _finish(selector: selectors.BaseSelector, job: _Job, end: int) -> None:
    """Tell the client the exit code of its step, which has ended."""
    selector.unregister(end)
    os.close(end)
    code = os.waitstatus_to_exitcode(os.waitpid(job.process, 0)[1])
    with contextlib.suppress(OSError):  # the client may have been killed
        job.client.send(bytes([code if code >= 0 else 128 - code]))
    with contextlib.suppress(KeyError, ValueError):
        selector.unregister(job.client)
    job.client.close()


if __name__ == "__main__":
    serve(json.loads(sys.argv[1]) if sys.argv[1:] else ())
