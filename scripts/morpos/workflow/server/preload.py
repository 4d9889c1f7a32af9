"""What steps read again and again, such as a tagger's model, and a server keeps for all of them."""

from collections.abc import Callable
from functools import cache, wraps
from typing import NamedTuple, TypeVar

T = TypeVar("T")


class Call(NamedTuple):
    """A call of a function by name: what another process needs to repeat it."""

    module: str
    function: str
    arguments: tuple[str, ...]


#: The calls whose results this process keeps, in their order.
CALLS: list[Call] = []


def kept(read: Callable[..., T]) -> Callable[..., T]:
    """Keep what a function of the top level of a module makes of some strings.

    The server repeats the calls of its steps, so that the steps that follow find the results.
    So no step may change a result, or write a file that it comes from.
    """

    @cache
    @wraps(read)
    def once(*arguments: str) -> T:
        result = read(*arguments)
        CALLS.append(Call(read.__module__, read.__name__, arguments))
        return result

    return once
