"""For text that is tokenised already: tokens stand between blanks."""

from morpos.layers.words.base import Tokenizer


class NoTokenizer(Tokenizer):
    """Splits at blanks only."""

    def __init__(self, language: str) -> None:
        pass

    def signature(self) -> str:
        return "none"

    def tokenize(self, segment: str) -> list[str]:
        return segment.split(" ") if segment else []
