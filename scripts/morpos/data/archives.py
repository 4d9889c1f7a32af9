"""Archives: unpacked as a whole or not at all, and never outside their folder.

Read are .tar.gz (.tgz), .zip, and a single gzipped file. Of what an archive may hold, only
regular files and folders are taken; anything else is refused, not skipped, for an archive that
holds it is not the one that was meant.
"""

import gzip
import lzma
import secrets
import shutil
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from os import devnull
from pathlib import Path, PurePosixPath
from typing import IO

from morpos.errors import MorposError

#: More than any archive of a shared task holds; beyond it lies a bomb.
MAX_MEMBERS = 100_000
MAX_BYTES = 4 * 1024**3

_CHUNK = 1 << 20
_TAR_BLOCK = 512
_NO_FILE = {
    tarfile.SYMTYPE: "is a symbolic link",
    tarfile.LNKTYPE: "is a hard link",
    tarfile.CHRTYPE: "is a device",
    tarfile.BLKTYPE: "is a device",
    tarfile.FIFOTYPE: "is a named pipe",
}
#: What the readers of the standard library raise for broken input.
_DAMAGED = (
    tarfile.TarError,
    zipfile.BadZipFile,
    gzip.BadGzipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    ValueError,
    OverflowError,
    RuntimeError,  # unknown compression, headers nested too deeply
)

#: A member: its path, and its content or, of a folder, None.
_Member = tuple[PurePosixPath, IO[bytes] | gzip.GzipFile | None]


def unpack(archive: str | Path, folder: str | Path) -> int:
    """Unpack an archive into a new folder, which gets its name when all is there.

    Returns:
        The number of files.

    Raises:
        MorposError: the folder is there and not empty; a damaged, cut or unknown archive; a
            member that is unsafe (it is named) or too much.
    """
    folder = Path(folder).absolute()
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise MorposError(f"{folder} is there already; remove it, then unpack again")
    temporary = folder.parent / f".{folder.name}.{secrets.token_hex(4)}"
    try:
        with _clear_errors(archive, temporary):
            temporary.mkdir(parents=True)
            files = _walk(archive, temporary)
            temporary.rename(folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return files


def check(archive: str | Path) -> None:
    """Read an archive to its end without writing anything.

    Raises:
        MorposError: as `unpack` would, for any fault of the archive.
    """
    with _clear_errors(archive, archive):
        _walk(archive, None)


def _walk(archive: str | Path, folder: Path | None) -> int:
    files = 0
    for path, stream in _members(Path(archive)):
        if stream is None:
            if folder:
                (folder / path).mkdir(parents=True, exist_ok=True)
            continue
        if folder:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
        # "x": where the file system does not tell A from a, a second one is an error too.
        with stream, open(folder / path, "xb") if folder else open(devnull, "wb") as output:
            shutil.copyfileobj(stream, output, _CHUNK)
        files += 1
    return files


def _members(archive: Path) -> Iterator[_Member]:
    """The members of an archive, in order; each must be read before the next."""
    with open(archive, "rb") as handle:
        start = handle.read(2)
    if start == b"PK":
        yield from _zip(archive)
    elif start != b"\x1f\x8b":
        first = " ".join(f"{byte:02X}" for byte in start)
        raise MorposError(
            f"{archive} is neither gzip nor zip (first bytes {first or 'none'}): an error page "
            "saved under this name? Fetch it again"
        )
    elif archive.name.endswith((".tar.gz", ".tgz")):
        yield from _tar(archive)
    else:
        with _Gzip(archive) as stream:
            yield PurePosixPath(archive.name.removesuffix(".gz")), stream


class _Gzip(gzip.GzipFile):
    """Gives out MAX_BYTES at most, headers of a tar included, and remembers the last piece."""

    given = 0
    last = b""

    def read(self, size: int | None = -1) -> bytes:
        # The header of a tar may claim any size, and tarfile reads it into memory.
        if size is None or not 0 <= size <= 16 * _CHUNK:
            raise tarfile.ReadError(f"a header of {size} bytes")
        self.last = super().read(size)
        self.given += len(self.last)
        if self.given > MAX_BYTES:
            raise MorposError(f"{self.name} {_too_big()}; nothing was unpacked")
        return self.last


def _tar(archive: Path) -> Iterator[_Member]:
    names = _Names(archive)
    # Not "r:gz": the file below it is asked afterwards whether it came to its end.
    with _Gzip(archive) as packed, tarfile.open(fileobj=packed, mode="r:") as tar:
        for member in tar:
            if not (member.isfile() or member.isdir()):
                fault = _NO_FILE.get(member.type, f"has the unknown type {member.type!r}")
                raise names.refusal(member.name, fault)
            path = names.accept(member.name, member.size, folder=member.isdir())
            yield path, None if member.isdir() else tar.extractfile(member)
        # tarfile takes a broken header for the end, but the end is a block of zeros.
        if packed.last != bytes(_TAR_BLOCK):
            raise tarfile.ReadError("the mark of its end is missing")
        while packed.read(_CHUNK):  # to the checksum of the gzip file
            pass


def _zip(archive: Path) -> Iterator[_Member]:
    names = _Names(archive)
    with zipfile.ZipFile(archive) as packed:
        members = packed.infolist()
        if (number := _number_of_members(archive)) not in (len(members), 0xFFFF):
            raise zipfile.BadZipFile(f"of {number} members, its directory lists {len(members)}")
        for member in members:  # all, before the first is read
            if not member.filename:  # zipfile falls over it
                raise names.refusal("", "has no name")
            kind = stat.S_IFMT(member.external_attr >> 16)  # 0: not made on Unix
            if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
                link = kind == stat.S_IFLNK
                fault = "is a symbolic link" if link else "is not a regular file"
                raise names.refusal(member.filename, fault)
            if member.flag_bits & 1:
                raise names.refusal(member.filename, "is encrypted")
            if "\0" in member.orig_filename:  # zipfile cuts the name there
                raise names.refusal(member.orig_filename, "has an unsafe name")
            names.accept(member.filename, member.file_size, folder=member.is_dir())
        for member in members:
            yield PurePosixPath(member.filename), None if member.is_dir() else packed.open(member)


def _number_of_members(archive: Path) -> int:
    """What the end of a zip says (0xFFFF: too many for it to say); zipfile does not ask."""
    with open(archive, "rb") as handle:
        handle.seek(max(0, archive.stat().st_size - (22 + 0xFFFF)))  # fixed part, then a comment
        end = handle.read().rpartition(b"PK\5\6")[2]
    return int.from_bytes(end[6:8], "little")


class _Names:
    """Judges the members of an archive by name, number and size."""

    def __init__(self, archive: Path) -> None:
        self.archive = archive
        self.files: set[PurePosixPath] = set()
        self.folders: set[PurePosixPath] = set()
        self.members = 0
        self.bytes = 0

    def accept(self, name: str, size: int, *, folder: bool) -> PurePosixPath:
        """The path of a member below the folder.

        Raises:
            MorposError: names the member and what is wrong with it.
        """
        path = PurePosixPath(name)
        self.members += 1
        if size < 0:  # it would make room for more than MAX_BYTES
            raise self.refusal(name, f"claims {size} bytes")
        self.bytes += size
        if path.is_absolute() or ".." in path.parts or "\\" in name or "\0" in name:
            raise self.refusal(name, "has an unsafe name")
        if not (folder or path.parts):
            raise self.refusal(name, "has no name")
        taken = path in self.files or (not folder and path in self.folders)
        if taken or not self.files.isdisjoint(path.parents):
            raise self.refusal(name, "is there twice, or a file lies where a folder does")
        if self.members > MAX_MEMBERS or self.bytes > MAX_BYTES:
            raise self.refusal(name, f"is too much: {self.archive.name} {_too_big()}")
        self.folders.update([path, *path.parents] if folder else path.parents)
        if not folder:
            self.files.add(path)
        return path

    def refusal(self, name: str, fault: str) -> MorposError:
        return MorposError(f"{self.archive}: member {name!r} {fault}; nothing was unpacked")


def _too_big() -> str:
    return f"holds more than {MAX_MEMBERS} members or {MAX_BYTES} bytes"


@contextmanager
def _clear_errors(archive: str | Path, written: str | Path) -> Iterator[None]:
    try:
        yield
    except _DAMAGED as error:
        raise MorposError(
            f"{archive} is a damaged or incomplete archive ({error}); nothing was unpacked. "
            "Fetch it again"
        ) from error
    except OSError as error:
        place = error.filename or written
        raise MorposError(f"cannot read or write {place}: {error.strerror or error}") from error
