"""What a splitter is."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator


class Splitter(ABC):
    """Splits canonical segments into units, always the same way."""

    def __init__(self, source: str = "", text: str = "") -> None:  # noqa: B027
        """A declared layer's gets its model or files, and the id of the text."""

    @abstractmethod
    def signature(self) -> dict[str, str]:
        """What decides the units: the splitter, its version, its model and the model's sha256."""

    @abstractmethod
    def split(self, segments: Iterable[str]) -> Iterator[list[str]]:
        """The units of each segment; none of them is empty or holds a space."""
