"""Canonical texts: one segment a line, and a count of everything that was changed on the way.

The rule is written down here once and applied to references and hypotheses alike:

* only LF ends a segment; a CR before it belongs to the line end;
* C0 and C1 controls (with TAB, U+0085), U+2028 and U+2029 become a blank;
* every other Unicode blank (U+00A0, U+202F, U+3000 ...) becomes a blank;
* invisible format characters (zero width, byte order mark, soft hyphen, directional marks) go;
* NFC; runs of blanks become one, none at the edges.
"""

import gzip
import re
import unicodedata
import zlib
from collections import Counter
from pathlib import Path

from morpos.errors import MorposError

# General category Zs without U+0020 itself.
_BLANKS = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
_CONTROLS = "\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029"
# Of category Cf those that are never seen; Arabic number signs, for one, are.
_INVISIBLE = (
    "\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff"
    "\ufff9-\ufffb\U000e0001\U000e0020-\U000e007f"
)
_TO_BLANK = re.compile(f"[{_BLANKS}{_CONTROLS}]")
_ANY = re.compile(f"[{_BLANKS}{_CONTROLS}{_INVISIBLE}]")
_RUN = re.compile(" {2,}")
_KINDS = {
    "controls": re.compile(f"[{_CONTROLS}]"),
    "blanks": re.compile(f"[{_BLANKS}]"),
    "invisible": re.compile(f"[{_INVISIBLE}]"),
}

#: What can be counted as changed, in the order of the report.
CHANGES = ("line_ends", *_KINDS, "normalised_segments", "surplus_blanks", "inserted_segments")


def read_bytes(path: str | Path) -> bytes:
    """Read a file, gunzipped where its first bytes (1F 8B) say so, whatever its name.

    Raises:
        MorposError: unreadable; named .gz without being gzip; a damaged or cut gzip file.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise MorposError(f"cannot read {path}: {error.strerror or error}") from error
    if data[:2] == b"\x1f\x8b":
        try:
            return gzip.decompress(data)
        except (OSError, EOFError, zlib.error) as error:
            raise MorposError(
                f"{path} is a damaged or incomplete gzip file ({error}); fetch it again"
            ) from error
    if str(path).endswith(".gz"):
        first = " ".join(f"{byte:02X}" for byte in data[:2])
        raise MorposError(
            f"{path} is not gzip (first bytes {first or 'none'}, gzip begins with 1F 8B): "
            "an error page saved under this name? Fetch it again or rename it"
        )
    return data


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
    if encoding.lower().replace("_", "-") in ("utf-8", "utf8") and data[:2] in (
        b"\xff\xfe",
        b"\xfe\xff",
    ):
        raise MorposError(
            f"{path}: starts with the byte order mark of UTF-16, not UTF-8; convert it to UTF-8"
            + hint.format("utf-16")
        )
    try:
        text = data.decode(encoding)
        text.encode()  # some encodings can yield halves of characters
        return text
    except UnicodeEncodeError as error:
        raise MorposError(f"{path}: its encoding {encoding} yields no valid text") from error
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise MorposError(
            f"{path}, line {line}: byte 0x{data[error.start]:02X} at byte offset {error.start} "
            f"is not {encoding.upper()}; convert the file to UTF-8"
            + hint.format("latin-1 (or cp1250 ...)")
        ) from error
    except (LookupError, UnicodeError) as error:
        raise MorposError(
            f"{path}: Python knows no encoding '{encoding}'; use a name such as latin-1 or cp1250"
        ) from error


def read_text(path: str | Path, encoding: str | None = None) -> str:
    """A file of the user's as text: plain or gzipped, with or without a byte order mark.

    Raises:
        MorposError: as `read_bytes` and `decode`.
    """
    return decode(read_bytes(path), path, encoding).removeprefix("\ufeff")


def split_lines(text: str, changes: Counter[str]) -> list[str]:
    """Split at LF only; CR LF counts as a line end; the last line needs none."""
    crlf = text.count("\r\n") + text.endswith("\r")
    if crlf:
        changes["line_ends"] += crlf
        text = text.replace("\r\n", "\n").removesuffix("\r")
    return text.removesuffix("\n").split("\n") if text else []


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
    changes["surplus_blanks"] += len(segment) - len(tidy)
    return tidy
