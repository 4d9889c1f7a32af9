"""Progress of long work, for whoever wants to show it: nobody, unless `show` was called.

The library only says what it goes through; the command line puts a bar on it (`morpos.commands`).
"""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

T = TypeVar("T")

_bar: Callable[..., Iterable[Any]] | None = None


def show(bar: Callable[..., Iterable[Any]] | None) -> None:
    """Pass everything that is tracked from now on through `bar(items, desc=, total=)`."""
    global _bar
    _bar = bar


def track(items: Iterable[T], what: str, total: int | None = None) -> Iterable[T]:
    """The items, shown as they go by; `total` where they have no length."""
    return items if _bar is None else _bar(items, desc=what, total=total)
