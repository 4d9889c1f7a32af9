"""The tokeniser of mteval-v13a, that of standard BLEU, through sacreBLEU."""

from collections.abc import Callable
from importlib.metadata import version

from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from morpos.layers.words.base import Tokenizer


class Mteval13a(Tokenizer):
    """13a: the same rules for every language."""

    def __init__(self, language: str) -> None:
        self._tokenizer: Callable[[str], str] = Tokenizer13a()  # type: ignore[no-untyped-call]

    def signature(self) -> str:
        return f"13a-{version('sacrebleu')}"

    def tokenize(self, segment: str) -> list[str]:
        return self._tokenizer(segment).split()
