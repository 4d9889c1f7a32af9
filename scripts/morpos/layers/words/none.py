"""For text that is tokenised already: tokens stand between spaces."""

from morpos.layers.words.base import Tokenizer


class NoTokenizer(Tokenizer):
    """Splits at spaces only."""

    def __init__(self, language: str) -> None:
        pass

    def signature(self) -> str:
        return "none"

    def tokenize(self, segment: str) -> list[str]:
        return segment.split(" ") if segment else []
