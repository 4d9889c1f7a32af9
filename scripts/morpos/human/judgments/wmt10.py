"""The files of WMT10 and later: two or more systems a line, as the header says."""

from morpos.human.judgments.base import Line
from morpos.human.judgments.languages import language_code
from morpos.human.judgments.rankings import RankingReader, Task


class Wmt10(RankingReader):
    """Comma-separated, a task is a pair of languages."""

    headers = (frozenset({"srclang", "trglang", "srcIndex"}),)
    separator = ","
    task = ("srclang", "trglang")
    segment = ("srcIndex",)
    judge = ("judgeId", "judgeID")
    outputs = ("system{}Id", "system{}rank")

    def find_task(self, line: Line) -> Task:
        return Task(language_code(line.get("srclang")), language_code(line.get("trglang")), "")
