"""The word layer: one tokenisation, which feeds all other layers."""

from collections.abc import Iterable

from morpos.layers.annotation import Annotation
from morpos.layers.words.base import Tokenizer
from morpos.registry import Registry

CASES = ("keep", "lower")
#: Classes, made with an ISO 639-1 code.
TOKENIZERS: Registry[type[Tokenizer]] = Registry(
    "tokeniser",
    "morpos.tokenizers",
    {
        "moses": "morpos.layers.words.moses:Moses",
        "13a": "morpos.layers.words.mteval13a:Mteval13a",
        "none": "morpos.layers.words.none:NoTokenizer",
    },
)


def tokenizer(name: str, language: str) -> Tokenizer:
    """The tokeniser of that name, one of `TOKENIZERS`, for an ISO 639-1 language.

    Raises:
        MorposError: there is none.
    """
    made: Tokenizer = TOKENIZERS.make(name, language)
    return made


def split(segments: Iterable[str], tokenizer: Tokenizer, case: str) -> Annotation:
    """The tokens of canonical segments.

    Args:
        case: one of `CASES`.
    """
    words = [tokenizer.tokenize(segment) for segment in segments]
    if case == "lower":
        words = [[token.lower() for token in segment] for segment in words]
    details = {"tok": tokenizer.signature(), "case": case}
    return Annotation(words, details, details)
