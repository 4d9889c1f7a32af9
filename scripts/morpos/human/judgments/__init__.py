"""Human judgments: readers of rankings and of direct scores.

Formats (plain or gzipped UTF-8, a byte order mark is dropped, lines end in LF or CR LF):

========  =========================================================================================
wmt08     comma CSV: TASK, TYPE, ITEM_ID (from 0), ANNOTATOR_ID, SYSTEM_0, SCORE_0_A, ...
wmt09     the same columns and EXTRA, but separated by tabs in spite of the name `.csv`
wmt10     comma CSV of WMT10 and later: srclang, trglang, srcIndex (from 1), judgeId, system1Id,
          system1rank, system2Id, ...; two or more systems a line, as the header says
pairwise  tabs: system1, system2, rank1, rank2 (lower is better), optional segment and judge
direct    tabs: system, seg_id or segment, score, optional rater or judge, optional itemType;
          other columns are ignored
system    tabs: system, score; the score of a system is given, not computed
========  =========================================================================================

Tab-separated files are split at tabs only: a quote is an ordinary character. Rank 1 is best; an
empty cell or -1 is "not ranked". Segments count from 1 whatever the file does. The first three
formats hold many tasks, of which one is selected; a file in one of the others is one task. System
names are kept byte for byte.

A format is a module here with a subclass of `RankingReader`, `RatingReader` or `JudgmentReader`,
and a row in `READERS`; in another package, an entry point of `morpos.judgment_readers`.
"""

from pathlib import Path

from morpos.errors import MorposError
from morpos.human.judgments.base import JudgmentReader, JudgmentSet, Ranking, Rating, Selection
from morpos.io.text import read_text
from morpos.registry import Registry

__all__ = ["READERS", "JudgmentSet", "Ranking", "Rating", "detect_format", "read"]

#: The reader of each format. A header that fits several formats is one of the first of these.
READERS: Registry[type[JudgmentReader]] = Registry(
    "format of judgments",
    "morpos.judgment_readers",
    {
        "wmt08": "morpos.human.judgments.wmt08:Wmt08",
        "wmt09": "morpos.human.judgments.wmt08:Wmt09",
        "wmt10": "morpos.human.judgments.wmt10:Wmt10",
        "pairwise": "morpos.human.judgments.pairwise:Pairwise",
        "direct": "morpos.human.judgments.direct:Direct",
        "system": "morpos.human.judgments.system:System",
    },
)


def read(
    path: str | Path,
    format: str,
    source: str | None = None,
    target: str | None = None,
    domain: str | None = None,
    *,
    higher_is_better: bool = True,
    segments: int | None = None,
) -> JudgmentSet:
    """Read the judgments of one task.

    Args:
        format: one of `READERS`.
        source, target: languages, as codes or names; wmt08, wmt09 and wmt10 need them.
        domain: wmt08 and wmt09 only: News, Europarl, Commentary; needed where a language pair
            has several.
        higher_is_better: false turns the sign of direct and system scores (MQM counts errors).
        segments: how many the test set has, if that is to be checked.

    Raises:
        MorposError: the file cannot be read, is not in this format, holds no such task, or judges
            a segment that the test set does not have.
    """
    if format not in READERS:
        raise MorposError(
            f"{path}: unknown judgment format {format!r}; known are {', '.join(READERS)}"
        )
    selection = Selection(source, target, domain, higher_is_better, segments)
    return READERS.load(format)(format, Path(path), selection).read()


def detect_format(path: str | Path) -> str:
    """The format of a file of judgments, from the columns of its header.

    Raises:
        MorposError: it cannot be read, or its header is that of no format.
    """
    header = read_text(path).split("\n", 1)[0].removesuffix("\r")
    for format in READERS:
        reader = READERS.load(format)
        columns = set(header.split(reader.separator))
        if any(needed <= columns for needed in reader.headers):
            return format
    raise MorposError(
        f"{path}, line 1: these columns are those of no format of judgments; name the format, or "
        "make a table with tabs and the columns system and score"
    )
