"""The one exception that is shown to people without a traceback, and names in its messages."""

from collections.abc import Collection
from itertools import islice


class MorposError(Exception):
    """A fault in the input or the set-up; the message names the place and what to do next."""


def quoted(name: str) -> str:
    """A name out of a file, safe for a message: in quotes, escaped, not endless."""
    return repr(name if len(name) <= 80 else name[:77] + "...")


def some(names: Collection[str], most: int = 5) -> str:
    """The first few names, for a message: 'a', 'b' and 7 more."""
    listed = ", ".join(map(quoted, islice(names, most)))
    return listed + (f" and {len(names) - most} more" if len(names) > most else "")
