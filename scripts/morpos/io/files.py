"""Files as every step writes them: complete or not there, UTF-8, LF, no timestamps."""

import errno
import gzip
import hashlib
import json
import math
import os
import re
import shutil
import tempfile
import unicodedata
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from morpos.errors import MorposError


@contextmanager
def _name_file(path: Path) -> Iterator[None]:
    """A full disk is not a fault of ours: say which file could not be written."""
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS):
            raise
        raise MorposError(f"cannot write {path}: {error.strerror}") from error


@contextmanager
def atomic(path: str | Path, *, binary: bool = False) -> Iterator[IO[Any]]:
    """Open `path` for writing under a temporary name and rename it once all is written.

    Raises:
        MorposError: it cannot be written, or is something else than a file.
    """
    path = Path(path)
    try:
        if path.exists() and not path.is_file():  # a device, for one, would be replaced
            raise MorposError(f"cannot write {path}: it is there, and is not a file")
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", dir=path.parent)
    except OSError as error:
        raise MorposError(f"cannot write {path}: {error.strerror or error}") from error
    temporary = Path(name)
    try:
        if binary:
            handle: IO[Any] = os.fdopen(descriptor, "wb")
        else:
            handle = os.fdopen(descriptor, "w", encoding="utf-8", newline="\n")
        with _name_file(path), handle:
            yield handle
        # mkstemp makes private files; results are to be shared as the user's umask says.
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def new_folder(path: str | Path) -> Iterator[Path]:
    """A folder to fill under a temporary name; it takes the place of `path` once all is written."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(prefix=f".{path.name[:40]}.", dir=path.parent))
    try:
        yield temporary
        temporary.chmod(0o777 & ~_umask())
        shutil.rmtree(path, ignore_errors=True)
        temporary.replace(path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _umask() -> int:
    value = os.umask(0)
    os.umask(value)
    return value


def slug(name: str) -> str:
    """A short ASCII file name for any text; different texts stay different without case too."""
    ascii_name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    readable = re.sub(r"[^A-Za-z0-9._-]+", "-", ascii_name).strip("-.")[:40]
    return f"{readable}-{digest(name)}".lstrip("-")


def digest(*parts: str) -> str:
    """A short digest of texts, for names of files."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:8]


def sha256(path: str | Path) -> str:
    """The sha256 of a file, in hexadecimal."""
    with open(path, "rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def check_sha256(path: str | Path, expected: Sequence[str]) -> None:
    """Refuse a file that is not one of those expected; any file is right where none is.

    Raises:
        MorposError: names both checksums.
    """
    if expected and Path(path).is_file() and (found := sha256(path)) not in expected:
        raise MorposError(
            f"{path} has the sha256 {found}, but {' or '.join(expected)} was expected: it was "
            "changed, or is not the file of the registry. Delete it, if it was downloaded, and run "
            "again"
        )


def write_text(path: str | Path, text: str) -> None:
    """Write a whole file."""
    with atomic(path) as handle:
        handle.write(text)


def parts(paths: Sequence[str], number: int) -> list[Sequence[str]]:
    """Cut a list of files into as many equal parts.

    Raises:
        MorposError: they cannot be equal.
    """
    size, rest = divmod(len(paths), number)
    if rest or not size:
        raise MorposError(f"{len(paths)} files cannot be of {number} layers; give each as many")
    return [paths[start : start + size] for start in range(0, len(paths), size)]


def json_text(value: Any) -> str:
    """JSON, readable and diff-able; NaN is refused, undefined is null."""
    return json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def write_json(path: str | Path, value: Any) -> None:
    """Write JSON as `json_text` gives it."""
    write_text(path, json_text(value))


def parse_json(text: str) -> Any:
    """What `json_text` may have given: no NaN, and no number beyond all floats.

    Raises:
        ValueError: the text is not JSON.
    """
    return json.loads(text, parse_constant=_finite, parse_float=_finite)


def _finite(text: str) -> float:
    if not math.isfinite(number := float(text)):
        raise ValueError(f"{text} is not a finite number")
    return number


def read_json(path: str | Path) -> Any:
    """Read JSON.

    Raises:
        MorposError: the file is missing or no JSON.
    """
    try:
        return parse_json(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise MorposError(f"cannot read {path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise MorposError(f"{path} is not valid JSON: {error}") from error


def write_segments(path: str | Path, segments: Iterable[str]) -> None:
    """Write one segment a line; gzipped, without a time, where the name ends in .gz."""
    data = "".join(f"{segment}\n" for segment in segments).encode()
    with atomic(path, binary=True) as handle:
        handle.write(gzip.compress(data, mtime=0) if str(path).endswith(".gz") else data)


def read_segments(path: str | Path) -> list[str]:
    """Read what `write_segments` wrote. Only LF ends a line: never `str.splitlines`."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise MorposError(f"cannot read {path}: {error.strerror or error}") from error
    try:
        text = (gzip.decompress(data) if str(path).endswith(".gz") else data).decode()
    except (OSError, EOFError, zlib.error) as error:
        raise MorposError(
            f"{path} is a damaged gzip file ({error}); delete it and run again"
        ) from error
    except UnicodeDecodeError as error:
        raise MorposError(
            f"{path} is not UTF-8 at byte {error.start}; delete it and run again"
        ) from error
    return text.removesuffix("\n").split("\n") if text else []


def read_units(path: str | Path) -> list[list[str]]:
    """Read a layer: one segment a line, its units separated by one blank."""
    return [segment.split(" ") if segment else [] for segment in read_segments(path)]
