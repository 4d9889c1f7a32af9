"""Plain text: one segment a line, no ids."""

import re
from collections import Counter
from pathlib import Path

from morpos.corpora.base import RawText
from morpos.errors import MorposError
from morpos.io.text import decode, read_bytes, split_lines

_MARKUP = re.compile(
    r"\ufeff?\s*<(\?xml|!doctype|srcset|refset|tstset|dataset)\b", re.ASCII | re.IGNORECASE
)


def read(path: str | Path, encoding: str, select: str, changes: Counter[str]) -> RawText:
    """Read one segment a line. Only LF (or CR LF) ends a line.

    Raises:
        MorposError: the file cannot be read or decoded; something is to be selected.
    """
    if select:
        raise MorposError(
            f"{path} is to be read as plain text, which holds one text only: "
            f"clear the selection '{select}' or give the right format"
        )
    lines = split_lines(decode(read_bytes(path), path, encoding), path, changes)
    notes = []
    if lines and _MARKUP.match(lines[0]):
        notes.append(
            "read as plain text, but it begins like SGML or XML: its tags count as words; "
            "give the format sgml or xml"
        )
    return RawText(tuple(lines), None, tuple(notes))
