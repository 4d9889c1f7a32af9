"""Downloads: addresses and checksums from a registry; no file is used before it is verified.

The registry is a table: path, sha256, url, mirror_sha256, note. Two kinds of file are special:

* without a sha256 (nobody published one): it is recorded in the lock file at first use and
  enforced from then on;
* with a mirror_sha256: a mirror or a folder may hold this version instead. Which one was found
  is said, and recorded in the lock file too.

pooch asks, waits, asks again, verifies and renames. Ours is what it does not know: files with no
checksum or with two, which faults are final, and what people are told.
"""

import re
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar
from urllib.parse import quote, urljoin, urlsplit

import pooch
import requests
from tqdm import tqdm

from morpos.data import archives
from morpos.errors import MorposError
from morpos.io import tables
from morpos.io.files import sha256

#: How often a fault that may pass is given another try, after 1, 2, 3 ... seconds.
RETRIES = 6
#: Seconds to connect, and without a byte while reading.
TIMEOUT = (10.0, 30.0)

#: Too many requests, and faults of the server: those may pass. 404 does not.
_PASSING = {408, 429, 500, 502, 503, 504}
_CHUNK = 1 << 16
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
    for number, entry in enumerate(_rows(path, Entry), 2):
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
                raise MorposError(f"{place}: '{value}' is not a sha256")
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


def read_lock(path: Path) -> dict[str, Locked]:
    """The lock file: checksums that were recorded at first use. Keep it with the results.

    Raises:
        MorposError: it is there, but no lock file.
    """
    return {row.path: row for row in _rows(path, Locked)} if path.exists() else {}


def fetch_all(
    entries: Sequence[Entry],
    folder: str | Path,
    lock: Path,
    *,
    mirror: str | None = None,
    directory: str | None = None,
) -> int:
    """Have files of the registry, verified, at their paths below `folder`.

    They come from the addresses of the registry, or from a mirror or a local folder below which
    the same paths lie. A file that is there and right is left alone. A new one gets a temporary
    name in the same folder and is renamed after its checksum was found right, so whatever bears the
    final name is complete; what a kill leaves behind (`tmp...`) is never read.

    Returns:
        How many had to be fetched.

    Raises:
        MorposError: at the first file that cannot be had, or is not the one that the registry or
            the lock expects; those before it are kept.
    """
    place = mirror.rstrip("/") if mirror else ""
    urls = {one.path: f"{place}/{quote(one.path)}" if place else one.url for one in entries}
    store = pooch.create(
        path=Path(folder).absolute(),
        base_url=directory or place,
        registry=dict.fromkeys(urls),
        urls={} if directory else urls,
        retry_if_failed=RETRIES,
    )
    get = _copy if directory else _get
    fetcher = _Fetcher(store, Path(folder), lock, get, upstream=not (mirror or directory))
    fetched = 0
    for number, entry in enumerate(entries, 1):
        name = f"{number}/{len(entries)} {entry.path}"
        # On a terminal only. pooch asks whether there is a bar; without a total, tqdm fails there.
        with tqdm(desc=name, total=1, unit="B", unit_scale=True, leave=False, disable=None) as bar:
            fetched += fetcher.fetch(entry, bar)
    return fetched


class _Wrong(Exception):
    """Not the file with that checksum. pooch's own word for it, ValueError, means another try."""


@dataclass(frozen=True)
class _Fetcher:
    """pooch, and what it leaves to us."""

    store: pooch.Pooch
    folder: Path
    lock: Path
    get: "Callable[[str, str, tqdm[Any]], None]"
    upstream: bool  # the addresses of the registry itself, which hold no mirror's version

    def fetch(self, entry: Entry, bar: "tqdm[Any]") -> bool:
        """Whether it had to be fetched."""
        target = self.folder / entry.path
        address = self.store.get_url(entry.path)
        accepted, reason = self._accepted(entry)
        try:
            found = sha256(target) if target.is_file() else ""
            # Without any checksum, what lies there is as good as fetched for the first time.
            new = not found or bool(accepted and found not in accepted)
            if new:
                if found:
                    say(
                        f"{target} is there, but its sha256 is {found}, not the expected "
                        f"{' or '.join(accepted)}; it is fetched again"
                    )
                found = self._retrieve(entry, accepted, reason, bar)
            if not accepted:
                _check_whole(target)
                say(
                    f"{entry.path}: no checksum is known, so this first copy is trusted; its "
                    f"sha256 {found} is recorded in {self.lock} and enforced from now on"
                )
            size = target.stat().st_size
        except requests.RequestException as error:
            raise MorposError(
                f"cannot fetch {address}: {_reason(error)} (tried {RETRIES + 1} times). {_HELP}"
            ) from error
        except OSError as error:
            raise MorposError(f"cannot write {target}: {error.strerror or error}") from error
        if found == entry.mirror_sha256:
            say(f"{entry.path} is the mirror's version: {entry.note} (sha256 {found})")
        if not accepted or (entry.mirror_sha256 and new):
            place = address if new else f"found at {target}"
            rows = read_lock(self.lock) | {entry.path: Locked(entry.path, found, str(size), place)}
            columns = [field.name for field in fields(Locked)]
            tables.write(self.lock, columns, [vars(row) for _, row in sorted(rows.items())])
        return new

    def _accepted(self, entry: Entry) -> tuple[list[str], str]:
        """The checksums that are right (none: any is), and why."""
        reason = "as the registry says"
        accepted = [entry.sha256] if entry.sha256 else []
        if not entry.sha256 and (locked := read_lock(self.lock).get(entry.path)):
            accepted = [locked.sha256]
            reason = (
                f"as recorded in {self.lock} at first use (from {locked.address}). If it is "
                "known to have changed there, remove its row from the lock file"
            )
        if entry.mirror_sha256 and not self.upstream:
            accepted.append(entry.mirror_sha256)
        return accepted, reason

    def _retrieve(
        self, entry: Entry, accepted: Sequence[str], reason: str, bar: "tqdm[Any]"
    ) -> str:
        """Fetch a file under a temporary name, verify it, rename it. Its sha256."""
        found = ""

        def download(address: str, output: str, store: pooch.Pooch) -> None:
            nonlocal found
            # pooch's temporary file is private; a new one has the rights that the umask gives.
            Path(output).unlink()
            self.get(address, output, bar)
            found = sha256(output)
            if store.registry[entry.path] not in (None, found):
                raise _Wrong

        # pooch knows one checksum only. The one file with two is fetched again for the second.
        for expected in accepted or (None,):
            self.store.registry[entry.path] = expected
            with suppress(_Wrong):
                self.store.fetch(entry.path, downloader=download)
                return found
        raise MorposError(
            f"{self.store.get_url(entry.path)} is not the expected file: its sha256 is {found}, "
            f"but should be {' or '.join(accepted)}, {reason}. Do not trust it; it was not kept"
        )


def say(message: str) -> None:
    """A note for people."""
    tqdm.write(message, file=sys.stderr)


def _copy(origin: str, output: str, _: "tqdm[Any]") -> None:
    """From a local folder. Not linked: a link could change or vanish after it was verified."""
    try:
        shutil.copyfile(origin, output)
    except OSError as error:
        raise MorposError(f"cannot copy {origin}: {error.strerror or error}. {_HELP}") from error


def _get(address: str, output: str, bar: "tqdm[Any]") -> None:
    """From the web, a connection a file. pooch tries again after errors of requests, not ours."""
    download = pooch.HTTPDownloader(
        bar,
        _CHUNK,
        timeout=TIMEOUT,
        headers={"Accept-Encoding": "identity"},  # a server must not pack a text on the way
        hooks={"response": _judge},
    )
    try:
        download(address, output, None)
    except (ValueError, requests.TooManyRedirects) as error:  # no address at all, among others
        raise MorposError(f"cannot fetch {address}: {error}. {_HELP}") from error
    except requests.RequestException as error:
        bar.reset()
        say(f"{address}: {_reason(error)}; this may pass")
        raise


def _judge(response: requests.Response, **_: Any) -> None:
    """Refuse a response whose body is not to be read."""
    if response.is_redirect:
        _stay(response)
        return
    fault = f"HTTP {response.status_code} {response.reason}"
    if response.status_code in _PASSING:
        raise requests.HTTPError(fault)
    if response.status_code != 200:
        raise MorposError(f"cannot fetch {response.url}: {fault}. {_HELP}")
    # Some servers call any .gz an encoding, which would be undone here: files stay as stored.
    response.raw.headers.pop("Content-Encoding", None)


def _stay(response: requests.Response) -> None:
    """Refuse to be sent to another host, or from https to http, before it is asked.

    A name below the host's or above it (www.) is the same host.
    """
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


def _check_whole(target: Path) -> None:
    """Nothing is trusted that cannot be read to its end, such as an error page of a server."""
    try:
        archives.check(target)
    except MorposError as error:
        target.unlink()
        raise MorposError(f"{error}. It was deleted and nothing recorded; run again") from error


_Row = TypeVar("_Row", Entry, Locked)


def _rows(path: str | Path, kind: type[_Row]) -> list[_Row]:
    """A table, row by row."""
    needed = [field.name for field in fields(kind)]
    tables.require(path, needed)
    rows = tables.read(path, frozenset(tables.columns(path)))  # all is text
    return [kind(*(row[column] for column in needed)) for row in rows]
