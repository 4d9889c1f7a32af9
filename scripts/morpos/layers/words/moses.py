"""The Moses tokeniser, the field's standard, through sacremoses."""

from importlib.metadata import version

from sacremoses import MosesTokenizer

from morpos.layers.words.base import Tokenizer


class Moses(Tokenizer):
    """Moses rules for one language: no escaping, no aggressive dash splits, no normaliser."""

    def __init__(self, language: str) -> None:
        self._moses = MosesTokenizer(lang=language)

    def signature(self) -> str:
        return f"moses-{version('sacremoses')}"

    def tokenize(self, segment: str) -> list[str]:
        tokens: list[str] = self._moses.tokenize(segment, escape=False)
        return tokens
