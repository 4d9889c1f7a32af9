"""What the formats of rankings share: a line holds several outputs of a segment and their ranks."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import ClassVar, NamedTuple

from morpos.errors import MorposError, quoted
from morpos.human.judgments.base import (
    JudgmentReader,
    JudgmentSet,
    JudgmentTable,
    Line,
    Ranking,
)
from morpos.human.judgments.languages import language_code

_RANK = re.compile(r"[1-9][0-9]{0,8}")
_NO_RANK = ("", "-1")


class Task(NamedTuple):
    """One of the tasks of a file."""

    source: str
    target: str
    domain: str  # "" where the format has none

    def __str__(self) -> str:
        return f"{self.source}-{self.target} {self.domain}".rstrip()


class RankingReader(JudgmentReader):
    """Reads a table of rankings.

    Attributes:
        segment, judge: names that their columns may have.
        segment_needed: false where these columns may be missing.
        outputs: columns of the n-th system and its rank.
        first_output: number of the first system.
        task: all columns that name a line's task; none if a file is one task.
        needed: other columns that there must be.
        shortest: columns that a line has at least, if not all.
    """

    holds = "rankings"
    segment: ClassVar[tuple[str, ...]]
    judge: ClassVar[tuple[str, ...]]
    segment_needed: ClassVar[bool] = True
    outputs: ClassVar[tuple[str, str]]
    first_output: ClassVar[int] = 1
    task: ClassVar[tuple[str, ...]] = ()
    needed: ClassVar[tuple[str, ...]] = ()
    shortest: ClassVar[int | None] = None

    def find_task(self, line: Line) -> Task | None:
        """The task of a line; None where a file is one task."""
        return None

    def accepts(self, task: Task | None, wanted: Task | None) -> bool:
        """Whether lines of a task count for the one that is wanted."""
        return task == wanted

    def find_system(self, output: str, task: Task | None, wanted: Task | None) -> str | None:
        """The system behind the name of an output; None if it is not one of the task wanted."""
        return output

    def read(self) -> JudgmentSet:
        table = JudgmentTable(self.path, self.separator)
        find = table.column if self.segment_needed else table.find
        segment, judge = find(*self.segment), find(*self.judge)
        for name in (*self.task, *self.needed):
            table.column(name)
        outputs = self._find_outputs(table)
        skipped: Counter[str] = Counter()
        lines = self._counting_lines(table, skipped)
        tasks = [self.find_task(line) for line in lines]
        wanted = self._choose(set(tasks)) if self.task else None

        used: Counter[str] = Counter()
        systems: set[str] = set()
        rankings = []
        for line, task in zip(lines, tasks, strict=True):
            if not self.accepts(task, wanted):
                skipped["lines: of another task"] += 1
                continue
            ranks = []
            for output, rank in _read_ranks(line, outputs):
                system = self.find_system(output, task, wanted)
                if system is None:
                    skipped["outputs: of another source, in All-English lines"] += 1
                    continue
                systems.add(system)
                if rank is None:
                    skipped["outputs: not ranked"] += 1
                else:
                    ranks.append((system, rank))
            index = self.read_segment(line, segment) if segment else None
            if len(ranks) < 2:
                skipped["lines: fewer than two ranked outputs of this task"] += 1
                continue
            used["-".join(map(line.get, self.task)) or self.format] += 1
            twice = sum(n * (n - 1) // 2 for n in Counter(name for name, _ in ranks).values())
            skipped["pairs: a system with itself"] += twice
            rankings.append(Ranking(index, line.get(judge), tuple(ranks)))
        return JudgmentSet(
            str(self.path),
            self.format,
            tuple(sorted(systems)),
            rankings=tuple(rankings),
            used=dict(used),
            skipped=dict(+skipped),
        )

    def _find_outputs(self, table: JudgmentTable) -> list[tuple[str, str]]:
        """The columns of systems and ranks: two pairs at least, and as many as there are."""
        found: list[tuple[str, str]] = []
        for number in range(self.first_output, self.first_output + max(2, len(table.header))):
            pair = [column.format(number) for column in self.outputs]
            if len(found) < 2 or {*pair} & {*table.header}:
                found.append((table.column(pair[0]), table.column(pair[1])))
        return found

    def _counting_lines(self, table: JudgmentTable, skipped: Counter[str]) -> list[Line]:
        lines = []
        for line in table.lines(skipped, self.shortest):
            if reason := self.skip_reason(line):
                skipped[reason] += 1
            else:
                lines.append(line)
        if not lines:
            raise MorposError(
                f"{self.path} holds no rankings; is it complete, is the format right?"
            )
        return lines

    def _choose(self, tasks: Collection[Task | None]) -> Task:
        """The one task that fits; formats without domains (`""`) fit any domain."""
        source, target, domain, *_ = self.selection
        found = [
            task
            for task in tasks
            if task is not None
            and source is not None
            and target is not None
            and (task.source, task.target) == (language_code(source), language_code(target))
            and (domain is None or task.domain.casefold() in ("", domain.casefold()))
        ]
        if len(found) == 1:
            return found[0]
        asked = f"{source}-{target} {domain or ''}".rstrip()
        problem = f"{'several tasks fit' if found else 'no task fits'} {asked!r}"
        if source is None or target is None:
            problem = "holds judgments by language pair, and source or target is not given"
        raise MorposError(
            f"{self.path}: {problem}; set source, target and domain (--source, --target, "
            f"--domain) to one of: {', '.join(sorted(map(str, found or tasks)))}"
        )


def _read_ranks(line: Line, outputs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, int | None]]:
    """The outputs of a line with their ranks, None if not ranked."""
    for name_column, rank_column in outputs:
        name, rank = line.get(name_column), line.get(rank_column)
        if not name and rank in _NO_RANK:
            continue  # a line of fewer outputs than columns
        if not name:
            raise line.fault(
                f"{rank_column} {quoted(rank)} without a name in {name_column}",
                "fill in the system",
            )
        if rank_column not in line.cells:
            raise line.fault(f"ends before the rank of {quoted(name)}", "is the file cut?")
        if "\t" in name:
            raise line.fault(
                f"the name {quoted(name)} holds a tab, which no table can hold",
                "fix the line, or rename the system in all files",
            )
        if rank not in _NO_RANK and not _RANK.fullmatch(rank):
            raise line.fault(
                f"{rank_column} {quoted(rank)} is not a rank",
                "ranks are 1, 2, ..., and empty or -1 where there is none",
            )
        yield name, None if rank in _NO_RANK else int(rank)
