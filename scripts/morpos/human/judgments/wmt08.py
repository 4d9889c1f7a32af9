"""The files of WMT08 and WMT09, whose tasks are lines such as `WMT08 French-English News`.

In the "All-English" tasks, which mix the source languages, a name ends in its source (`rbmt3_fr`;
WMT09 `google_CZ`; `_xx` is a combination over several sources). The names without that suffix are
those of the single tasks, so WMT08's All-English News counts for each xx-en News task too, outputs
of that source against each other only, as the organisers counted. WMT09's is a task of its own.
"""

import re

from morpos.errors import quoted
from morpos.human.judgments.base import Line
from morpos.human.judgments.languages import language_code
from morpos.human.judgments.rankings import RankingReader, Task

_TASK = re.compile(r"WMT[0-9]+ ([^- ]+)-([^- ]+) (.+)")


class _TaskReader(RankingReader):
    headers = (frozenset({"TASK", "ITEM_ID"}),)
    task = ("TASK",)
    needed = ("TYPE",)
    segment = ("ITEM_ID",)
    first_segment = 0
    judge = ("ANNOTATOR_ID",)
    outputs = ("SYSTEM_{}", "SCORE_{}_A")
    first_output = 0

    def skip_reason(self, line: Line) -> str:
        return "lines: of a type other than RANK" if line.get("TYPE") != "RANK" else ""

    def find_task(self, line: Line) -> Task:
        match = _TASK.fullmatch(line.get("TASK"))
        if match is None:
            raise line.fault(
                f"TASK {quoted(line.get('TASK'))} is not like 'WMT08 French-English News'",
                "fix or remove the line",
            )
        return Task(language_code(match[1]), language_code(match[2]), match[3])


class Wmt08(_TaskReader):
    """Comma-separated; All-English lines count for the tasks that they mix."""

    separator = ","
    shortest = 8

    def accepts(self, task: Task | None, wanted: Task | None) -> bool:
        return task == wanted or (wanted is not None and task == wanted._replace(source="all"))

    def find_system(self, output: str, task: Task | None, wanted: Task | None) -> str | None:
        if wanted is None or task == wanted:
            return output
        name, _, source = output.rpartition("_")
        return name if language_code(source) == wanted.source else None


class Wmt09(_TaskReader):
    """The same columns and one more, separated by tabs in spite of the name `.csv`."""

    shortest = 22
