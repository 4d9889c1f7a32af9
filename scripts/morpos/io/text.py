"""Canonical texts: one segment a line, and a count of everything that was changed on the way.

The rule is written down here once and applied to references and hypotheses alike:

* only LF ends a segment; a CR before it belongs to the line end;
* C0 and C1 controls (with TAB, U+0085), U+2028 and U+2029 become a space;
* every other Unicode space (U+00A0, U+202F, U+3000 ...) becomes a space;
* invisible characters go: zero width, byte order mark, soft hyphen, directional marks, variation
  selectors, fillers (Unicode's Default_Ignorable_Code_Point) and interlinear annotation marks;
* NFC; runs of spaces become one, none at the edges.
"""

import gzip
import io
import re
import stat
import unicodedata
import zlib
from collections import Counter
from pathlib import Path

from morpos.errors import MorposError

# General category Zs without U+0020 itself.
_BLANKS = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
_CONTROLS = "\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029"
# DerivedCoreProperties.txt, Default_Ignorable_Code_Point; then U+FFF9-FFFB.
_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff\ufff9-\ufffb"
)
_TO_BLANK = re.compile(f"[{_BLANKS}{_CONTROLS}]")
_ANY = re.compile(f"[{_BLANKS}{_CONTROLS}{_INVISIBLE}]")
_RUN = re.compile(" {2,}")
_UNIT = re.compile("[^ \t\r]+")
_KINDS = {
    "controls": re.compile(f"[{_CONTROLS}]"),
    "special_spaces": re.compile(f"[{_BLANKS}]"),
    "invisible": re.compile(f"[{_INVISIBLE}]"),
}

#: What can be counted as changed, in the order of the report.
CHANGES = ("line_ends", *_KINDS, "normalised_segments", "extra_spaces", "inserted_segments")


#: More than any text holds, packed or not; beyond it lies a bomb.
MAX_BYTES = 1 << 32

_GZIP = re.compile(rb"\x1f\x8b")
_PACKED = {
    "gzip": _GZIP,
    "bzip2": re.compile(rb"BZh[1-9]1AY&SY"),
    "xz": re.compile(rb"\xfd7zXZ\0"),
    "zstd": re.compile(rb"\x28\xb5\x2f\xfd"),
    "zip": re.compile(rb"PK\x03\x04"),
    "7z": re.compile(rb"7z\xbc\xaf\x27\x1c"),
}
# What lies at the start of other encodings, the longer mark first.
_MARKS = {
    b"\xff\xfe\0\0": "UTF-32",
    b"\0\0\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
_C0 = bytes({*range(0x20)} - {*b"\t\n\r"})


def read_bytes(path: str | Path) -> bytes:
    """Read a file, gunzipped where its first bytes (1F 8B) say so, whatever its name.

    Raises:
        MorposError: unreadable, a folder or a device; named .gz without being gzip; a damaged or
            cut gzip file; packed twice or otherwise; more than MAX_BYTES.
    """
    path = Path(path)
    try:
        found = path.stat()
        # Some devices never end; standard input may be a terminal.
        device = stat.S_ISCHR(found.st_mode) or stat.S_ISBLK(found.st_mode)
        if path.is_dir() or (device and path != Path("/dev/stdin")):
            kind = "a folder" if path.is_dir() else "a device"
            raise MorposError(f"cannot read {path}: it is {kind}, not a file")
        if found.st_size > MAX_BYTES:
            raise _too_much(path)
        data = path.read_bytes()
    except OSError as error:
        raise MorposError(f"cannot read {path}: {error.strerror or error}") from error
    packed = _GZIP.match(data)
    if packed:
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
                data = stream.read(MAX_BYTES + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise MorposError(
                f"{path} is a damaged or incomplete gzip file ({error}); fetch it again"
            ) from error
        if len(data) > MAX_BYTES:
            raise _too_much(path)
    elif path.suffix == ".gz":
        first = " ".join(f"{byte:02X}" for byte in data[:2])
        raise MorposError(
            f"{path} is not gzip (first bytes {first or 'none'}, gzip begins with 1F 8B): "
            "an error page saved under this name? Fetch it again or rename it"
        )
    for name, magic in _PACKED.items():
        if magic.match(data):
            inside = "holds another packed file" if packed else "is packed"
            raise MorposError(f"{path} {inside} ({name}); unpack it, or pack it once with gzip")
    return data


def _too_much(path: Path) -> MorposError:
    return MorposError(f"{path} holds more than {MAX_BYTES} bytes: is it a text?")


def decode(data: bytes, path: str | Path, encoding: str | None = None) -> str:
    """Decode a file's bytes; a byte order mark at the start is kept (and counted later).

    Args:
        encoding: of a text, whose sheet may say it; None for files that must be UTF-8.

    Raises:
        MorposError: with file, line, 0-based byte offset and the first byte that does not fit.
    """
    hint = (
        ""
        if encoding is None
        else (" or, for a text, give its encoding: --encoding {}, or the sheet's column 'encoding'")
    )
    encoding = encoding or "utf-8"
    if is_utf8(encoding):
        for mark, name in _MARKS.items():
            if data.startswith(mark):
                raise MorposError(
                    f"{path}: starts with the byte order mark of {name}, not UTF-8; convert it to "
                    "UTF-8" + hint.format(name.lower())
                )
    try:
        text = data.decode(encoding)
        encoded = text.encode()  # some encodings can yield halves of characters
    except UnicodeEncodeError as error:
        raise MorposError(f"{path}: its encoding {encoding} yields no valid text") from error
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise MorposError(
            f"{path}, line {line}: byte 0x{data[error.start]:02X} at byte offset {error.start} "
            f"is not {encoding.upper()}; convert the file to UTF-8"
            + hint.format("latin-1 (or cp1250 ...)")
        ) from error
    except (LookupError, ValueError) as error:
        raise MorposError(
            f"{path}: Python knows no encoding {encoding!r}; use a name such as latin-1 or cp1250"
        ) from error
    # UTF-16 without a mark can be valid UTF-8: every other byte is a control, mostly NUL.
    controls = len(encoded) - len(encoded.translate(None, _C0))
    if controls > len(encoded) / 4:
        raise MorposError(
            f"{path}: {controls} of its {len(encoded)} bytes are control characters, as in UTF-16, "
            "UTF-32 or a file that is not text; convert it to UTF-8"
            + hint.format("utf-16-le (or utf-16-be ...)")
        )
    return text


def read_text(path: str | Path, encoding: str | None = None) -> str:
    """A file of the user's as text: plain or gzipped, with or without a byte order mark.

    Raises:
        MorposError: as `read_bytes` and `decode`.
    """
    return decode(read_bytes(path), path, encoding).removeprefix("\ufeff")


def is_utf8(encoding: str) -> bool:
    """Whether this is the default, however spelt."""
    return encoding.lower().replace("_", "-") in ("utf-8", "utf8")


def split_lines(text: str, path: str | Path, changes: Counter[str]) -> list[str]:
    """Split at LF only; CR LF counts as a line end; the last line needs none.

    Raises:
        MorposError: lines end in CR alone, as on the Macintosh before 2001.
    """
    if "\n" not in text and (bare := text.count("\r", 0, -1)):
        raise MorposError(
            f"{path}: no line ends in LF, but there are {bare} CR: lines of an old Macintosh? "
            "Replace each CR by LF"
        )
    if text.endswith("\r"):  # its LF is missing, but the line that it ends is there
        text += "\n"
    if crlf := text.count("\r\n"):
        changes["line_ends"] += crlf
        text = text.replace("\r\n", "\n")
    return text.removesuffix("\n").split("\n") if text else []


def units(line: str) -> list[str]:
    """What stands between spaces and tabs.

    No `str.split`: it would also split at U+00A0 and U+0085, inside a unit.
    """
    return _UNIT.findall(line)


def canonical(segment: str, changes: Counter[str]) -> str:
    """The canonical form of one segment; adds to `changes` what was done."""
    if _ANY.search(segment):
        for kind, pattern in _KINDS.items():
            if count := len(pattern.findall(segment)):
                changes[kind] += count
        segment = _ANY.sub("", _TO_BLANK.sub(" ", segment))
    if not unicodedata.is_normalized("NFC", segment):
        changes["normalised_segments"] += 1
        segment = unicodedata.normalize("NFC", segment)
    tidy = _RUN.sub(" ", segment).strip(" ")
    changes["extra_spaces"] += len(segment) - len(tidy)
    return tidy
