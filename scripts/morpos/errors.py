"""The one exception that is shown to people without a traceback, and names in its messages."""

from collections.abc import Collection, Sequence
from itertools import islice
from pathlib import Path

#: So many of several faults are shown at once.
_MOST = 20


class MorposError(Exception):
    """A fault in the input or the set-up; its text names the place and what to do next.

    Attributes:
        message: what is wrong.
        path, line, column: where, as far as that is known and not part of the message; lines count
            from 1, a column has its name.
        advice: what to do, where it is not part of the message.
        faults: itself, or the faults that it stands for together.
    """

    def __init__(
        self,
        message: str = "",
        *,
        path: str | Path = "",
        line: int | None = None,
        column: str = "",
        advice: str = "",
        faults: "Sequence[MorposError]" = (),
    ) -> None:
        self.message, self.advice = message, advice
        self.path, self.line, self.column = str(path), line, column
        self.faults: tuple[MorposError, ...] = tuple(faults) or (self,)
        super().__init__(message)

    def __str__(self) -> str:
        if self.faults != (self,):
            more = [f"... and {len(self.faults) - _MOST} more"] * (len(self.faults) > _MOST)
            return "\n".join([*map(str, self.faults[:_MOST]), *more])
        place = self.path + (f", line {self.line}" if self.line else "")
        place += f", column '{self.column}'" if self.column else ""
        text = f"{place}: {self.message}" if place else self.message
        return f"{text}; {self.advice}" if self.advice else text


def quoted(name: str) -> str:
    """A name out of a file, safe for a message: in quotes, escaped, not endless."""
    return repr(name if len(name) <= 80 else name[:77] + "...")


def first_names(names: Collection[str], most: int = 5) -> str:
    """The first few names, for a message: 'a', 'b' and 7 more."""
    listed = ", ".join(map(quoted, islice(names, most)))
    return listed + (f" and {len(names) - most} more" if len(names) > most else "")
