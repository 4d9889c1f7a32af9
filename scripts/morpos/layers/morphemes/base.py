"""What a segmenter is."""

from abc import ABC, abstractmethod


class Segmenter(ABC):
    """Splits a word into morphemes, always the same way."""

    @abstractmethod
    def signature(self) -> dict[str, str]:
        """What decides the morphemes: segmenter, version and all options."""

    @abstractmethod
    def segment(self, word: str) -> list[str]:
        """The morphemes of a word, which join up to it; the empty word has none."""
