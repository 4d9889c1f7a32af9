"""Downloads: addresses and checksums from a registry; no file is used before it is verified.

The registry is a table: path, sha256, url, mirror_sha256, note. Two kinds of file are special:

* without a sha256 (nobody published one): it is recorded in the lock file at first use and
  enforced from then on;
* with a mirror_sha256: a mirror or a folder may hold this version instead. Which one was found
  is said, and recorded in the lock file too.
"""

import csv
import re
import shutil
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Protocol
from urllib.parse import quote, urljoin, urlsplit

import pooch
import requests
import urllib3

from morpos import archives
from morpos.errors import MorposError
from morpos.files import atomic, sha256

#: Seconds between one try and the next; after the last one it is given up.
WAITS = (1.0, 4.0, 16.0)
#: Seconds to connect, and without a byte while reading.
TIMEOUT = (10.0, 30.0)
#: Too many requests, and faults of the server: those may pass. 404 does not.
PASSING = {408, 429, 500, 502, 503, 504}

_CHUNK = 1 << 16
_LARGE = 5_000_000  # bytes from which on a single file's progress is shown
_HELP = (
    "Another place that holds the same files can be given in the configuration, "
    "`download: {mirror: ADDRESS}` or, without a network, `download: {directory: FOLDER}`; "
    "below it, each file must lie under its path in the registry"
)

pooch.get_logger().setLevel("WARNING")  # it tells of each file; so do we, on a terminal only


@dataclass(frozen=True)
class Entry:
    """A file of the registry."""

    path: str
    sha256: str  # "" = unknown
    url: str
    mirror_sha256: str = ""
    note: str = ""


@dataclass(frozen=True)
class Locked:
    """What was found where the registry alone does not say what a file is."""

    path: str
    sha256: str
    bytes: str
    address: str


def read_registry(path: str | Path) -> dict[str, Entry]:
    """Read a registry, by path.

    Raises:
        MorposError: unreadable, a wrong header or row, an unsafe path, a path twice.
    """
    registry: dict[str, Entry] = {}
    columns = [*Entry.__dataclass_fields__]
    for number, cells in _rows(path, columns):
        entry = Entry(*cells)
        place = f"{path}, line {number}"
        parts = PurePosixPath(entry.path).parts
        if not parts or ".." in parts or entry.path.startswith("/") or entry.path in registry:
            raise MorposError(f"{place}: '{entry.path}' is unsafe or there twice")
        if "/".join(parts) != entry.path or "{" in entry.path or "}" in entry.path:
            raise MorposError(
                f"{place}: '{entry.path}' must be written without braces, './', '//' or '/' at the "
                f"end, as in the sheets: '{'/'.join(parts)}'"
            )
        for value in filter(None, (entry.sha256, entry.mirror_sha256)):
            if not re.fullmatch("[0-9a-f]{64}", value):
                raise MorposError(f"{path}, line {number}: '{value}' is no sha256")
        registry[entry.path] = entry
    return registry


def select(registry: Mapping[str, Entry], paths: Iterable[str]) -> list[Entry]:
    """The files of the registry that are named, alone or by a folder above them.

    Raises:
        MorposError: a path that is not in the registry.
    """
    chosen: dict[str, Entry] = {}
    for path in paths:
        name = path.rstrip("/")
        found = {
            key: entry
            for key, entry in registry.items()
            if key == name or key.startswith(f"{name}/")
        }
        if not found:
            raise MorposError(f"the registry has no file or folder '{path}'")
        chosen |= found
    return list(chosen.values())


class Source(Protocol):
    """Where files come from."""

    upstream: bool  # the address of the registry itself, which holds no mirror's version

    def address(self, entry: Entry) -> str:
        """Where this file lies, as it is named in messages."""

    def get(self, address: str, output: Path) -> None:
        """Write the file; whether it is the right one is checked afterwards.

        Raises:
            MorposError: it cannot be had; says what to do.
        """


class Folder:
    """A local folder. Files are copied: a link could change or vanish after it was verified."""

    upstream = False

    def __init__(self, directory: str | Path) -> None:
        self.directory = Path(directory)

    def address(self, entry: Entry) -> str:
        return str(self.directory / entry.path)

    def get(self, address: str, output: Path) -> None:
        try:
            shutil.copyfile(address, output)
        except OSError as error:
            message = f"cannot copy {address}: {error.strerror or error}"
            if not Path(address).is_file():
                message += f". {_HELP}"
            raise MorposError(message) from error


class Web:
    """The addresses of the registry, or a mirror: any address below which its paths lie."""

    def __init__(
        self,
        mirror: str | None = None,
        *,
        waits: Sequence[float] = WAITS,
        timeout: tuple[float, float] = TIMEOUT,
    ) -> None:
        self.mirror = mirror.rstrip("/") if mirror else None
        self.upstream = not mirror
        self.waits = waits
        self.timeout = timeout
        self.session = requests.Session()
        # As stored: a server must neither pack a text nor unpack a .gz on the way.
        self.session.headers["Accept-Encoding"] = "identity"
        self.session.hooks["response"].append(_stay)

    def address(self, entry: Entry) -> str:
        return f"{self.mirror}/{quote(entry.path)}" if self.mirror else entry.url

    def get(self, address: str, output: Path) -> None:
        try:
            for wait in self.waits:
                if not (fault := self._try(address, output)):
                    return
                say(f"{address}: {fault}; next try in {wait:g} s")
                time.sleep(wait)
            if fault := self._try(address, output):
                raise MorposError(
                    f"cannot fetch {address}: {fault} (tried {len(self.waits) + 1} times). {_HELP}"
                )
        except requests.RequestException as error:
            raise MorposError(f"cannot fetch {address}: {error}. {_HELP}") from error

    def _try(self, address: str, output: Path) -> str | None:
        """None = done; otherwise a fault that may pass. Others are raised."""
        try:
            with self.session.get(address, stream=True, timeout=self.timeout) as response:
                status = f"HTTP {response.status_code} {response.reason}"
                if response.status_code in PASSING:
                    return status
                if response.status_code != 200:
                    raise MorposError(f"cannot fetch {address}: {status}. {_HELP}")
                with open(output, "wb") as handle:
                    # A body shorter than its Content-Length is an error of urllib3.
                    for chunk in response.raw.stream(_CHUNK, decode_content=False):
                        handle.write(chunk)
                        if handle.tell() > _LARGE:
                            _show(f"{handle.tell() / 1e6:.1f} MB of {address}")
        except (
            requests.ConnectionError,
            requests.Timeout,
            urllib3.exceptions.HTTPError,
        ) as error:
            return _reason(error)
        return None


def _stay(response: requests.Response, **_: Any) -> None:
    """Refuse to be sent to another host, or from https to http, before it is asked.

    A name below the host's or above it (www.) is the same host.
    """
    if not response.is_redirect:
        return
    target = response.headers["location"]
    old = urlsplit(response.url)
    try:
        target = urljoin(response.url, target)
        new = urlsplit(target)
    except ValueError as error:  # no address at all
        raise MorposError(f"{response.url} leads to {target}: {error}. {_HELP}") from error
    hosts = sorted([f".{old.hostname}", f".{new.hostname}"], key=len)
    if not hosts[1].endswith(hosts[0]) or (old.scheme, new.scheme) == ("https", "http"):
        raise MorposError(
            f"{response.url} leads to another place, {target}, which is not among the addresses "
            f"given. If it is to be trusted, {_HELP[0].lower()}{_HELP[1:]}"
        )


def _reason(error: BaseException) -> str:
    """In few words what lies at the root of an error of requests, which wraps it thrice."""
    while inner := error.__cause__ or error.__context__:
        error = inner
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


class Lock:
    """The lock file: checksums that were recorded at first use. Keep it with the results."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def read(self) -> dict[str, Locked]:
        """All rows, by path.

        Raises:
            MorposError: it is there, but no lock file.
        """
        if not self.path.exists():
            return {}
        rows = _rows(self.path, [*Locked.__dataclass_fields__])
        return {cells[0]: Locked(*cells) for _, cells in rows}

    def record(self, row: Locked) -> None:
        """Add or replace the row of a path."""
        rows = self.read()
        if rows.get(row.path) == row:
            return
        rows[row.path] = row
        with atomic(self.path) as handle:
            print(*Locked.__dataclass_fields__, sep="\t", file=handle)
            for _, one in sorted(rows.items()):
                print(one.path, one.sha256, one.bytes, one.address, sep="\t", file=handle)


def fetch(entry: Entry, folder: str | Path, source: Source, lock: Lock) -> bool:
    """Have a file of the registry, verified, at its path below `folder`.

    A file that is there and right is left alone. A new one gets a temporary name in the same
    folder and is renamed after its checksum was found right, so whatever bears the final name is
    complete; what a kill leaves behind (`tmp...`) is never read.

    Returns:
        Whether it had to be fetched.

    Raises:
        MorposError: it cannot be had, or is not the file that the registry or the lock expects.
    """
    target = Path(folder) / entry.path
    locked = None if entry.sha256 else lock.read().get(entry.path)
    accepted = [entry.sha256] if entry.sha256 else [locked.sha256] if locked else []
    if entry.mirror_sha256 and not source.upstream:
        accepted.append(entry.mirror_sha256)
    reason = "as the registry says"
    if locked:
        reason = (
            f"as recorded in {lock.path} at first use (from {locked.address}). If it is known to "
            "have changed there, remove its row from the lock file"
        )
    try:
        found = sha256(target) if target.is_file() else ""
        # Without any checksum, what lies there already is as good as fetched for the first time.
        new = not found or bool(accepted and found not in accepted)
        if new:
            if found:
                say(
                    f"{target} is there, but its sha256 is {found}, not the expected "
                    f"{' or '.join(accepted)}; it is fetched again"
                )
            found = _retrieve(source.address(entry), source, target, accepted, reason)
        if not accepted:
            _check_whole(target)
            say(
                f"{entry.path}: no checksum is known, so this first copy is trusted; its sha256 "
                f"{found} is recorded in {lock.path} and enforced from now on"
            )
        size = target.stat().st_size
    except OSError as error:
        raise MorposError(f"cannot write {target}: {error.strerror or error}") from error
    if found == entry.mirror_sha256:
        say(f"{entry.path} is the mirror's version: {entry.note} (sha256 {found})")
    if not accepted or (entry.mirror_sha256 and new):
        address = source.address(entry) if new else f"found at {target}"
        lock.record(Locked(entry.path, found, str(size), address))
    return new


def fetch_all(entries: Sequence[Entry], folder: str | Path, source: Source, lock: Lock) -> int:
    """Fetch one file after the other over one connection; on a terminal, show how far it is.

    Returns:
        How many had to be fetched.

    Raises:
        MorposError: as `fetch`, at the first file that fails; those before it are kept.
    """
    fetched = 0
    try:
        for number, entry in enumerate(entries, 1):
            _show(f"{number}/{len(entries)} {entry.path}")
            fetched += fetch(entry, folder, source, lock)
    finally:
        _show("")
    return fetched


def say(message: str) -> None:
    """A note for people."""
    _show("")
    print(message, file=sys.stderr)


def _show(progress: str) -> None:
    if sys.stderr.isatty():
        width = shutil.get_terminal_size().columns - 1
        print(f"\r\x1b[K{progress[:width]}", end="", file=sys.stderr, flush=True)


def _retrieve(
    address: str, source: Source, target: Path, accepted: Sequence[str], reason: str
) -> str:
    """Fetch a file under a temporary name, verify it, rename it: pooch's part. Its sha256."""
    found = ""

    def download(address: str, output: str, _: Any) -> None:
        nonlocal found
        # pooch's temporary file is private; a new one has the rights that the umask gives.
        Path(output).unlink()
        source.get(address, Path(output))
        found = sha256(output)

    # pooch knows one checksum only. The few files with two are fetched again for the second one.
    for expected in accepted or (None,):
        with suppress(ValueError):  # pooch's word for a wrong checksum
            folder = target.parent.absolute()
            pooch.retrieve(address, expected, target.name, folder, downloader=download)
            return found
    raise MorposError(
        f"{address} is not the expected file: its sha256 is {found}, but should be "
        f"{' or '.join(accepted)}, {reason}. Do not trust it; it was not kept"
    )


def _check_whole(target: Path) -> None:
    """Nothing is trusted that cannot be read to its end, such as an error page of a server."""
    try:
        archives.check(target)
    except MorposError as error:
        target.unlink()
        raise MorposError(f"{error}. It was deleted and nothing recorded; run again") from error


def _rows(path: str | Path, columns: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """The rows of a table with these columns, and the numbers of their lines."""
    try:
        with open(path, encoding="utf-8", newline="") as handle:
            reader = csv.reader(handle, delimiter="\t", quoting=csv.QUOTE_NONE)
            for number, cells in enumerate(reader, 1):
                if len(cells) != len(columns) or (number == 1 and cells != columns):
                    raise MorposError(
                        f"{path}, line {number}: {len(cells)} cells; expected the columns "
                        f"{', '.join(columns)}"
                    )
                if number > 1:
                    yield number, cells
    except (OSError, ValueError, csv.Error) as error:
        raise MorposError(f"cannot read {path}: {error}") from error
