"""Text corpora: readers of the formats in which references and outputs come.

==========  ==================================================================================
``plain``   one segment a line
``sgml``    NIST SGML: ``<srcset|refset|tstset>``, ``<doc docid= sysid=>``, ``<seg id=>``
``xml``     WMT21 and later: ``<dataset>``, ``<doc id=>``, ``<src|ref|hyp>``, ``<seg id=>``
``tsv``     tab-separated with a header, never quoted; one column a text
==========  ==================================================================================

Each may be gzipped. What a file says is only ever read: nothing in it is run, fetched or expanded.
"""

from collections import Counter
from pathlib import Path

from morpos.corpora import plain, sgml, tsv, wmt_xml
from morpos.corpora.base import RawText
from morpos.corpora.pairing import pair
from morpos.errors import MorposError

__all__ = ["FORMATS", "RawText", "pair", "read"]

_READERS = {"plain": plain.read, "sgml": sgml.read, "xml": wmt_xml.read, "tsv": tsv.read}
#: The names of the formats.
FORMATS = tuple(_READERS)


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
    ``ref:<translator>`` or ``hyp:<system>`` (xml), a column (tsv). Where there is only one,
    sgml and tsv do without.

    Raises:
        MorposError: an unknown format; a file that cannot be read, decoded or parsed, or that
            does not hold (only) what `select` says.
    """
    if format not in FORMATS:
        raise MorposError(f"{path}: no text format is called '{format}'; give {', '.join(FORMATS)}")
    return _READERS[format](path, encoding, select, changes)
