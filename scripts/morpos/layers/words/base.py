"""What a tokeniser is."""

from abc import ABC, abstractmethod


class Tokenizer(ABC):
    """Splits a canonical segment into tokens; the same for references and hypotheses."""

    @abstractmethod
    def signature(self) -> str:
        """Name and version of what decides the tokens."""

    @abstractmethod
    def tokenize(self, segment: str) -> list[str]:
        """The tokens of one segment; none of them is empty or holds a space."""
