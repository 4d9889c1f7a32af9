"""Human judgments: read rankings and direct scores, and turn them into one score a system.

Formats (plain or gzipped UTF-8, a byte order mark is dropped, lines end in LF or CR LF):

========  =========================================================================================
wmt08     comma CSV: TASK, TYPE, ITEM_ID (from 0), ANNOTATOR_ID, SYSTEM_0, SCORE_0_A, ...
wmt09     the same columns and EXTRA, but separated by tabs in spite of the name `.csv`
wmt10     comma CSV of WMT10 and later: srclang, trglang, srcIndex (from 1), judgeId, system1Id,
          system1rank, system2Id, ...; two or more systems a row, as the header says
pairwise  tabs: system1, system2, rank1, rank2 (lower is better), optional segment and judge
direct    tabs: system, seg_id or segment, score, optional rater or judge, optional itemType
          (see below); other columns are ignored
system    tabs: system, score; the score of a system is given, not computed
========  =========================================================================================

Tab-separated files are split at tabs only: a quote is an ordinary character. Rank 1 is best; a
blank or -1 is "not ranked". Segments count from 1 whatever the file does. The first three formats
hold many tasks, of which one is selected; a file in one of the others is one task.

Direct assessment mixes in items that control the judges. The column itemType, as Appraise has it,
tells them: TGT (outputs) and CHK (outputs shown again) count, BAD (damaged) and REF do not.

Seen in the real files: system names carry no prefix and are kept byte for byte. Only in the
"All-English" tasks, which mix the source languages, a name ends in its source (`rbmt3_fr`; WMT09
`google_CZ`; `_xx` is a combination over several sources). The names without that ending are those
of the single tasks, so WMT08's All-English News counts for each xx-en News task too, outputs of
that source against each other only, as the organisers counted. WMT09's is a task of its own.
"""

import csv
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from morpos.errors import MorposError, quoted, some
from morpos.io.text import read_text, split_lines

# The code shown, then the other names that WMT files use. WMT wrote "cz" up to 2011.
_LANGUAGES = (
    "all All",
    "cs cz ces cze Czech",
    "de deu ger German",
    "en eng English",
    "es spa Spanish",
    "fi fin Finnish",
    "fr fra fre French",
    "hi hin Hindi",
    "hu hun Hungarian",
    "ro ron rum Romanian",
    "ru rus Russian",
    "tr tur Turkish",
    "xx Multisource",
)
_CODES = {name.casefold(): names.split()[0] for names in _LANGUAGES for name in names.split()}
_WMT08_TASK = re.compile(r"WMT[0-9]+ ([^- ]+)-([^- ]+) (.+)")
_RANK = re.compile(r"[1-9][0-9]{0,8}")
_INDEX = re.compile(r"[0-9]{1,9}")
# Bounded, so that a hostile 1e999999999 cannot become a number with a thousand million digits.
_SCORE = re.compile(r"[+-]?([0-9]{1,20}(\.[0-9]{0,50})?|\.[0-9]{1,50})([eE][+-]?[0-9]{1,2})?")
_NO_RANK = ("", "-1")
_NO_SCORE = ("", "na", "nan", "none")
_OUTPUTS, _CONTROLS = ("", "TGT", "CHK"), ("BAD", "REF")


class Ranking(NamedTuple):
    """One judge's ranks (1 is best, ties allowed) for outputs of one segment (from 1)."""

    segment: int | None
    judge: str
    ranks: tuple[tuple[str, int], ...]


class Rating(NamedTuple):
    """One judge's score for one output, higher is better; exact, so equal means stay equal."""

    segment: int | None
    judge: str
    system: str
    score: Fraction


class Comparison(NamedTuple):
    """Two outputs of one segment: outcome 1 if the first is better, 0 if tied, -1 if worse."""

    segment: int | None
    judge: str
    first: str
    second: str
    outcome: int


@dataclass(frozen=True, slots=True)
class Tally:
    """Numbers of comparisons, seen from one system."""

    wins: int = 0
    losses: int = 0
    ties: int = 0

    @property
    def decided(self) -> int:
        """Comparisons that are no tie."""
        return self.wins + self.losses

    @property
    def comparisons(self) -> int:
        """All comparisons."""
        return self.decided + self.ties

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.wins + other.wins, self.losses + other.losses, self.ties + other.ties)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a file holds for one task, and what was left out of it.

    Attributes:
        systems: every name in the selected rows, also those without a valid judgment.
        rankings, ratings: one of both, by the format.
        used: number of rows with a judgment, by task as the file names it (or by format).
        skipped: number of things left out, by reason; a reason begins with the thing counted.
    """

    path: str
    format: str
    systems: tuple[str, ...]
    rankings: tuple[Ranking, ...] = ()
    ratings: tuple[Rating, ...] = ()
    used: dict[str, int] = field(default_factory=dict)
    skipped: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HumanScore:
    """The human score of a system; None has its reason in `note`.

    The tallies are 0 for direct scores, `ratings` is 0 for rankings.
    """

    system: str
    score: float | None
    wins: int
    losses: int
    ties: int
    comparisons: int
    ratings: int
    is_reference: bool
    note: str


# --- reading ---------------------------------------------------------------------------------


def language(name: str) -> str:
    """The ISO 639-1 code of a language name or code as WMT files write it.

    "xx" is several sources at once, "all" the task that mixes sources. A name that is not known
    comes back in lower case, so that it can still be selected by the word that the file uses.
    """
    return _CODES.get(name.casefold(), name.casefold())


def read(
    path: str | Path,
    format: str,
    source: str | None = None,
    target: str | None = None,
    domain: str | None = None,
    *,
    higher_is_better: bool = True,
    segments: int | None = None,
) -> Reading:
    """Read the judgments of one task.

    Args:
        format: one of `FORMATS`.
        source, target: languages, as codes or names; wmt08, wmt09 and wmt10 need them.
        domain: wmt08 and wmt09 only: News, Europarl, Commentary; needed where a language pair
            has several.
        higher_is_better: false turns the sign of direct and system scores (MQM counts errors).
        segments: how many the test set has, if that is to be checked.

    Raises:
        MorposError: the file cannot be read, is not in this format, holds no such task, or judges
            a segment that the test set does not have.
    """
    if format in _RANKING_FORMATS:
        return _read_rankings(Path(path), format, source, target, domain, segments)
    if format in _SCORE_FORMATS:
        return _read_ratings(Path(path), format, 1 if higher_is_better else -1, segments)
    raise MorposError(f"{path}: unknown judgment format {format!r}; known are {', '.join(FORMATS)}")


def format_of(path: str | Path) -> str:
    """The format of a file of judgments, from the columns of its header.

    Raises:
        MorposError: it cannot be read, or its header is that of no format.
    """
    header = read_text(path).split("\n", 1)[0]
    for format, separator, columns in _TELLING:
        if columns <= set(header.removesuffix("\r").split(separator)):
            return format
    raise MorposError(
        f"{path}, line 1: these columns are those of no format of judgments; name the format, or "
        "make a table with tabs and the columns system and score"
    )


class _Task(NamedTuple):
    source: str
    target: str
    domain: str  # "" where the format has none

    def __str__(self) -> str:
        return f"{self.source}-{self.target} {self.domain}".rstrip()


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where a ranking format keeps what; a tuple of column names are alternatives."""

    separator: str
    segment: tuple[str, ...]
    judge: tuple[str, ...]
    outputs: tuple[str, str]  # columns of the n-th system and its rank
    task: tuple[str, ...] = ()
    first: int = 1  # number of the first segment
    first_output: int = 1  # number of the first system
    shortest: int | None = None  # columns that a row has at least, if not all
    optional: bool = False  # segment and judge may be missing
    shares_all_english: bool = False


_WMT08 = _Layout(
    separator=",",
    task=("TASK",),
    segment=("ITEM_ID",),
    first=0,
    judge=("ANNOTATOR_ID",),
    outputs=("SYSTEM_{}", "SCORE_{}_A"),
    first_output=0,
    shortest=8,
    shares_all_english=True,
)
_RANKING_FORMATS = {
    "wmt08": _WMT08,
    "wmt09": _Layout(
        separator="\t",
        task=_WMT08.task,
        segment=_WMT08.segment,
        first=0,
        judge=_WMT08.judge,
        outputs=_WMT08.outputs,
        first_output=0,
        shortest=22,
    ),
    "wmt10": _Layout(
        separator=",",
        task=("srclang", "trglang"),
        segment=("srcIndex",),
        judge=("judgeId", "judgeID"),
        outputs=("system{}Id", "system{}rank"),
    ),
    "pairwise": _Layout(
        separator="\t",
        segment=("segment",),
        judge=("judge",),
        outputs=("system{}", "rank{}"),
        optional=True,
    ),
}
_SCORE_FORMATS = ("direct", "system")
FORMATS = (*_RANKING_FORMATS, *_SCORE_FORMATS)
#: The columns by which a format is told: the first one that has them all, and its separator.
_TELLING = (
    ("wmt08", ",", {"TASK", "ITEM_ID"}),
    ("wmt09", "\t", {"TASK", "ITEM_ID"}),
    ("wmt10", ",", {"srclang", "trglang", "srcIndex"}),
    ("pairwise", "\t", {"system1", "system2", "rank1", "rank2"}),
    ("direct", "\t", {"system", "score", "seg_id"}),
    ("direct", "\t", {"system", "score", "segment"}),
    ("system", "\t", {"system", "score"}),
)


class _Row(NamedTuple):
    where: str
    cells: dict[str, str]

    def get(self, column: str | None) -> str:
        return self.cells.get(column, "") if column else ""


class _Table:
    """A table with a header line."""

    def __init__(self, path: Path, separator: str) -> None:
        self.path = path
        self.separator = separator
        # Lines end at LF alone: names and texts may hold U+0085, U+2028 and the like.
        self.lines = split_lines(read_text(path), path, Counter())
        if not self.lines:
            raise MorposError(f"{path} is empty; judgments begin with a header line")
        self.header = self._split(self.lines[0], 1)

    def rows(self, skipped: Counter[str], shortest: int | None = None) -> Iterator[_Row]:
        """The rows below the header. Blank lines are counted, a wrong width is an error.

        Args:
            shortest: columns that a row has at least, if it may end before the header does.
        """
        width = len(self.header)
        for number, line in enumerate(self.lines[1:], 2):
            if not line:
                skipped["lines: blank"] += 1
                continue
            cells = self._split(line, number)
            if not (shortest or width) <= len(cells) <= width:
                raise MorposError(
                    f"{self.path}, line {number}: {len(cells)} columns, the header has {width}; "
                    "is the file cut, or is a separator missing or doubled?"
                )
            yield _Row(f"{self.path}, line {number}", dict(zip(self.header, cells, strict=False)))

    def _split(self, line: str, number: int) -> list[str]:
        if self.separator == "\t":
            return line.split("\t")
        try:  # line by line, so that a stray quote cannot swallow the lines after it
            return next(csv.reader([line], strict=True), [])
        except csv.Error as error:
            raise MorposError(
                f"{self.path}, line {number} is not comma CSV ({error}); mend it"
            ) from error

    def find(self, *names: str) -> str | None:
        """The one column that has one of these names, if there is one."""
        found = [column for column in self.header if column in names]
        if len(found) > 1:
            raise MorposError(
                f"{self.path}, line 1: {' and '.join(found)} mean the same; keep one of them"
            )
        return found[0] if found else None

    def column(self, *names: str) -> str:
        """The one column that has one of these names."""
        found = self.find(*names)
        if found is None:
            words = re.findall(r"[^\s;]+", self.lines[0])
            if self.separator == "\t" and len(self.header) == 1 < len(words):
                raise MorposError(
                    f"{self.path}, line 1: {quoted(self.lines[0])} is one cell: put tabs, not "
                    "blanks or ; between the cells, or set the judgment format that the file has"
                )
            raise MorposError(
                f"{self.path}, line 1: no column {' or '.join(names)} in "
                f"{some(self.header, 30)}; set the judgment format that the file has, or add a "
                "header line"
            )
        return found


def _segment(row: _Row, column: str, first: int, segments: int | None) -> int:
    text = row.get(column)
    if not _INDEX.fullmatch(text) or int(text) < first:
        raise MorposError(
            f"{row.where}: {column} {quoted(text)} is no number of a segment; they count from "
            f"{first}" + "; if this file counts from 0, add 1 to all" * (text == "0")
        )
    if segments is not None and int(text) - first >= segments:
        raise MorposError(
            f"{row.where}: {column} {text!r}, but the test set's segments are {first} to "
            f"{first + segments - 1}; are these the judgments of another test set, or is the "
            "reference cut?"
        )
    return int(text) - first + 1


def _read_rankings(
    path: Path,
    format: str,
    source: str | None,
    target: str | None,
    domain: str | None,
    segments: int | None,
) -> Reading:
    layout = _RANKING_FORMATS[format]
    table = _Table(path, layout.separator)
    find = table.find if layout.optional else table.column
    segment, judge = find(*layout.segment), find(*layout.judge)
    columns = [table.column(name) for name in layout.task]
    kind = table.column("TYPE") if "TASK" in columns else None
    outputs: list[tuple[str, str]] = []
    for number in range(layout.first_output, layout.first_output + max(2, len(table.header))):
        pair = [column.format(number) for column in layout.outputs]
        if len(outputs) < 2 or {*pair} & {*table.header}:
            outputs.append((table.column(pair[0]), table.column(pair[1])))

    skipped: Counter[str] = Counter()
    rows = []
    for row in table.rows(skipped, layout.shortest):
        if kind and row.get(kind) != "RANK":
            skipped["rows: of a type other than RANK"] += 1
        else:
            rows.append(row)
    if not rows:
        raise MorposError(f"{path} holds no rankings; is it complete, is the format right?")
    tasks = [_task(row, columns) for row in rows]
    wanted = _choose(path, set(tasks), source, target, domain) if columns else None
    shared = wanted._replace(source="all") if wanted and layout.shares_all_english else None

    used: Counter[str] = Counter()
    systems: set[str] = set()
    rankings = []
    for row, task in zip(rows, tasks, strict=True):
        if task not in (wanted, shared):
            skipped["rows: of another task"] += 1
            continue
        ending = wanted.source if wanted and task != wanted else None
        ranks = []
        for output, rank in _ranks(row, outputs):
            name = output
            if ending:
                name, _, of = output.rpartition("_")
                if language(of) != ending:
                    skipped["outputs: of another source, in All-English rows"] += 1
                    continue
            systems.add(name)
            if rank is None:
                skipped["outputs: not ranked"] += 1
            else:
                ranks.append((name, rank))
        index = _segment(row, segment, layout.first, segments) if segment else None
        if len(ranks) < 2:
            skipped["rows: fewer than two ranked outputs of this task"] += 1
            continue
        used["-".join(row.get(column) for column in columns) or format] += 1
        twice = sum(n * (n - 1) // 2 for n in Counter(name for name, _ in ranks).values())
        skipped["pairs: a system with itself"] += twice
        rankings.append(Ranking(index, row.get(judge), tuple(ranks)))
    return Reading(
        str(path),
        format,
        tuple(sorted(systems)),
        rankings=tuple(rankings),
        used=dict(used),
        skipped=dict(+skipped),
    )


def _ranks(row: _Row, outputs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, int | None]]:
    """The outputs of a row with their ranks, None if not ranked."""
    for name_column, rank_column in outputs:
        name = row.get(name_column)
        if not name and row.get(rank_column) in _NO_RANK:
            continue  # a row of fewer outputs than columns
        if not name:
            raise MorposError(
                f"{row.where}: {rank_column} {quoted(row.get(rank_column))} without a name in "
                f"{name_column}; fill in the system"
            )
        if rank_column not in row.cells:
            raise MorposError(
                f"{row.where}: ends before the rank of {quoted(name)}; is the file cut?"
            )
        if "\t" in name:
            raise MorposError(
                f"{row.where}: the name {quoted(name)} holds a tab, which no table can hold; mend "
                "the row, or rename the system in all files"
            )
        rank = row.get(rank_column)
        if rank not in _NO_RANK and not _RANK.fullmatch(rank):
            raise MorposError(
                f"{row.where}: {rank_column} {quoted(rank)} is no rank; ranks are 1, 2, ..., and "
                "blank or -1 where there is none"
            )
        yield name, None if rank in _NO_RANK else int(rank)


def _task(row: _Row, columns: list[str]) -> _Task | None:
    if not columns:
        return None
    if len(columns) == 2:
        return _Task(language(row.get(columns[0])), language(row.get(columns[1])), "")
    match = _WMT08_TASK.fullmatch(row.get(columns[0]))
    if match is None:
        raise MorposError(
            f"{row.where}: TASK {quoted(row.get(columns[0]))} is not like "
            "'WMT08 French-English News'; mend or remove the row"
        )
    return _Task(language(match[1]), language(match[2]), match[3])


def _choose(
    path: Path,
    tasks: Collection[_Task | None],
    source: str | None,
    target: str | None,
    domain: str | None,
) -> _Task:
    """The one task that fits; formats without domains (`""`) fit any domain."""
    found = [
        task
        for task in tasks
        if task is not None
        and source is not None
        and target is not None
        and (task.source, task.target) == (language(source), language(target))
        and (domain is None or task.domain.casefold() in ("", domain.casefold()))
    ]
    if len(found) == 1:
        return found[0]
    asked = f"{source}-{target} {domain or ''}".rstrip()
    problem = f"{'several tasks fit' if found else 'no task fits'} {asked!r}"
    if source is None or target is None:
        problem = "holds judgments by language pair, and source or target is not given"
    raise MorposError(
        f"{path}: {problem}; set source, target and domain (--source, --target, --domain) to one "
        f"of: {', '.join(sorted(map(str, found or tasks)))}"
    )


def _read_ratings(path: Path, format: str, sign: int, segments: int | None) -> Reading:
    table = _Table(path, "\t")
    system, score = table.column("system"), table.column("score")
    segment = table.column("seg_id", "segment") if format == "direct" else None
    judge = table.find("rater", "judge") if format == "direct" else None
    kind = table.find("itemType") if format == "direct" else None
    skipped: Counter[str] = Counter()
    lines: dict[str, str] = {}  # where each system was last seen
    ratings = []
    for row in table.rows(skipped):
        name, text = row.get(system), row.get(score)
        if row.get(kind) in _CONTROLS:
            skipped["rows: items that control the judges (itemType BAD or REF)"] += 1
            continue
        if row.get(kind) not in _OUTPUTS:
            raise MorposError(
                f"{row.where}: itemType {row.get(kind)!r}; known are TGT and CHK, which count, and "
                "BAD and REF, which do not; rename it or remove the column"
            )
        if not name:
            raise MorposError(f"{row.where}: no system; fill it in or remove the line")
        if segment is None and name in lines:
            raise MorposError(
                f"{row.where}: a second score {quoted(text)} for {quoted(name)}, after "
                f"{lines[name]}; keep one"
            )
        lines[name] = row.where
        index = _segment(row, segment, 1, segments) if segment else None
        if text.casefold() in _NO_SCORE:
            skipped["rows: no score"] += 1
            continue
        if not _SCORE.fullmatch(text):
            raise MorposError(
                f"{row.where}: score {quoted(text)} is no decimal number; mend it, or leave it "
                "blank"
            )
        ratings.append(Rating(index, row.get(judge), name, sign * Fraction(text)))
    if not lines:
        raise MorposError(f"{path} holds no scores below its header; is it complete?")
    return Reading(
        str(path),
        format,
        tuple(sorted(lines)),
        ratings=tuple(ratings),
        used={format: len(ratings)},
        skipped=dict(skipped),
    )


# --- scores from rankings ----------------------------------------------------------------------


def comparisons(rankings: Iterable[Ranking]) -> Iterator[Comparison]:
    """Every pair of two different systems in each ranking."""
    for segment, judge, ranks in rankings:
        for (first, rank1), (second, rank2) in combinations(ranks, 2):
            if first != second:
                outcome = (rank1 < rank2) - (rank1 > rank2)
                yield Comparison(segment, judge, first, second, outcome)


def tally(compared: Iterable[Comparison]) -> dict[str, dict[str, Tally]]:
    """Per system and opponent, how the comparisons went. Takes the segments in any selection."""
    result: defaultdict[str, dict[str, Tally]] = defaultdict(dict)
    counts = Counter((c.first, c.second, c.outcome) for c in compared)
    for (first, second, outcome), n in counts.items():
        for one, other, sign in ((first, second, outcome), (second, first, -outcome)):
            more = Tally(n * (sign > 0), n * (sign < 0), n * (sign == 0))
            result[one][other] = result[one].get(other, Tally()) + more
    return dict(result)


def total(opponents: Mapping[str, Tally]) -> Tally:
    """All comparisons of one system."""
    return sum(opponents.values(), Tally())


def better_or_equal(opponents: Mapping[str, Tally]) -> Fraction | None:
    """(wins + ties) / comparisons, 0..1: the score of WMT08-10 (Callison-Burch et al. 2008-2010).

    It rewards ties and easy opponents. None without comparisons.
    """
    t = total(opponents)
    return Fraction(t.wins + t.ties, t.comparisons) if t.comparisons else None


def wins(opponents: Mapping[str, Tally]) -> Fraction | None:
    """wins / (wins + losses), 0..1: ties are left out (later WMTs). None without a win or loss."""
    t = total(opponents)
    return Fraction(t.wins, t.decided) if t.decided else None


def expected_wins(opponents: Mapping[str, Tally]) -> Fraction | None:
    """Mean over opponents of wins / (wins + losses), 0..1 (Koehn 2012; Bojar et al. 2013).

    Opponents met in ties only are left out. None without a win or loss.
    """
    shares = [Fraction(t.wins, t.decided) for t in opponents.values() if t.decided]
    return sum(shares, Fraction()) / len(shares) if shares else None


RANKING_RULES: dict[str, Callable[[Mapping[str, Tally]], Fraction | None]] = {
    "better-or-equal": better_or_equal,
    "wins": wins,
    "expected-wins": expected_wins,
}


# --- scores from ratings -----------------------------------------------------------------------


def standardise(ratings: Iterable[Rating]) -> list[Rating]:
    """z scores: (score - mean) / sd over all raw scores of the same judge.

    sd is the sample standard deviation (n - 1). A judge with one score, or the same score
    throughout, has none and is left out.
    """
    by_judge: defaultdict[str, list[Rating]] = defaultdict(list)
    for rating in ratings:
        by_judge[rating.judge].append(rating)
    result = []
    for own in by_judge.values():
        mean = _mean(rating.score for rating in own)
        squares = sum(((rating.score - mean) ** 2 for rating in own), Fraction())
        if squares:
            sd = math.sqrt(squares / (len(own) - 1))
            result += [r._replace(score=Fraction(float(r.score - mean) / sd)) for r in own]
    return result


def mean_scores(ratings: Iterable[Rating]) -> dict[str, Fraction]:
    """Mean score per system in the unit of the ratings, over segments; repeats averaged first."""
    cells: defaultdict[str, defaultdict[int | None, list[Fraction]]]
    cells = defaultdict(lambda: defaultdict(list))
    for rating in ratings:
        cells[rating.system][rating.segment].append(rating.score)
    return {name: _mean(map(_mean, segments.values())) for name, segments in cells.items()}


def _mean(values: Iterable[Fraction]) -> Fraction:
    values = list(values)
    return sum(values, Fraction()) / len(values)


RATING_RULES = ("mean", "mean-z")


# --- scores ------------------------------------------------------------------------------------


def rules_for(format: str) -> tuple[str, ...]:
    """The rules that go with a format, the default first."""
    return RATING_RULES if format in _SCORE_FORMATS else tuple(RANKING_RULES)


def human_scores(
    reading: Reading, rule: str | None = None, references: Collection[str] = ("_ref",)
) -> list[HumanScore]:
    """The human score of every system, sorted by name.

    Args:
        rule: for rankings one of `RANKING_RULES` (default better-or-equal), for ratings one of
            `RATING_RULES` (default mean).
        references: names of judged references. They are flagged; comparisons with them count for
            the others, as at WMT10.

    Raises:
        MorposError: the rule does not go with the judgments.
    """
    rules = rules_for(reading.format)
    rule = rules[0] if rule is None else rule
    if rule not in rules:
        raise MorposError(
            f"{reading.path}: rule {rule!r} does not go with the format {reading.format}; use one "
            f"of {', '.join(rules)}"
        )
    score = _rated if reading.format in _SCORE_FORMATS else _ranked
    return score(reading, rule, references)


def _ranked(reading: Reading, rule: str, references: Collection[str]) -> list[HumanScore]:
    table = tally(comparisons(reading.rankings))
    result = []
    for name in reading.systems:
        opponents = table.get(name, {})
        score, t = RANKING_RULES[rule](opponents), total(opponents)
        note = ""
        if score is None:
            note = f"no win or loss: {t.ties} ties" if t.ties else "no comparisons"
        result.append(
            HumanScore(
                system=name,
                score=None if score is None else float(score),
                wins=t.wins,
                losses=t.losses,
                ties=t.ties,
                comparisons=t.comparisons,
                ratings=0,
                is_reference=name in references,
                note=note,
            )
        )
    return result


def _rated(reading: Reading, rule: str, references: Collection[str]) -> list[HumanScore]:
    ratings: Collection[Rating] = reading.ratings
    if rule == "mean-z":
        if not all(rating.judge for rating in ratings):
            raise MorposError(
                f"{reading.path}: mean-z needs a judge for every score; add the column rater, or "
                "use the rule mean"
            )
        ratings = standardise(ratings)
    before = Counter(rating.system for rating in reading.ratings)
    after = Counter(rating.system for rating in ratings)
    scores = mean_scores(ratings)
    result = []
    for name in reading.systems:
        lost = before[name] - after[name]
        note = f"{lost} scores of judges without spread left out" if lost else ""
        result.append(
            HumanScore(
                system=name,
                score=float(scores[name]) if name in scores else None,
                wins=0,
                losses=0,
                ties=0,
                comparisons=0,
                ratings=after[name],
                is_reference=name in references,
                note=note or ("" if name in scores else "no scores"),
            )
        )
    return result
