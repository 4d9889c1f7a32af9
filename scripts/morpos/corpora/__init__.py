"""Text corpora: readers of the formats in which references and outputs come.

==========  ==================================================================================
``plain``   one segment a line
``sgml``    NIST SGML: ``<srcset|refset|tstset>``, ``<doc docid= sysid=>``, ``<seg id=>``
``xml``     WMT21 and later: ``<dataset>``, ``<doc id=>``, ``<src|ref|hyp>``, ``<seg id=>``
``tsv``     tab-separated with a header, never quoted; one column a text
``jsonl``   JSON Lines: one object a segment; one field a text
==========  ==================================================================================

Each may be gzipped. What a file says is only ever read: nothing in it is run, fetched or expanded.
"""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

from morpos.corpora.base import RawText
from morpos.corpora.pairing import pair
from morpos.errors import MorposError
from morpos.registry import Registry

__all__ = ["FORMATS", "RawText", "pair", "read"]

#: Readers: functions of a path, an encoding, what is to be selected, and changes to be counted.
FORMATS: Registry[Callable[[str | Path, str, str, Counter[str]], RawText]] = Registry(
    "text format",
    "morpos.text_readers",
    {
        "plain": "morpos.corpora.plain:read",
        "sgml": "morpos.corpora.sgml:read",
        "xml": "morpos.corpora.wmt_xml:read",
        "tsv": "morpos.corpora.tsv:read",
        "jsonl": "morpos.corpora.jsonl:read",
    },
)


def read(
    path: str | Path,
    format: str,
    *,
    encoding: str = "utf-8",
    select: str = "",
    changes: Counter[str],
) -> RawText:
    """Read one text from a file; adds to `changes` what was changed on the way.

    `select` says which text, where a file holds several: a sysid (sgml), ``src``, ``ref``,
    ``ref:<translator>`` or ``hyp:<system>`` (xml), a column (tsv), a field (jsonl). Where there is
    only one, all but xml do without.

    Raises:
        MorposError: an unknown format; a file that cannot be read, decoded or parsed, or that
            does not hold (only) what `select` says.
    """
    if format not in FORMATS:
        raise MorposError(f"{path}: no text format is called '{format}'; give {', '.join(FORMATS)}")
    return FORMATS.load(format)(path, encoding, select, changes)
