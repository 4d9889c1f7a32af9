"""The word layer: one tokenisation, which feeds all other layers."""

from collections.abc import Iterable

from morpos.layers.words.base import Tokenizer

CASES = ("keep", "lower")
TOKENIZERS = ("moses", "13a", "none")


def tokenizer(name: str, language: str) -> Tokenizer:
    """The tokeniser of that name ("moses", "13a", "none") for an ISO 639-1 language.

    Only the chosen one is imported: the others cost start-up time.
    """
    match name:
        case "moses":
            from morpos.layers.words.moses import Moses

            return Moses(language)
        case "13a":
            from morpos.layers.words.mteval13a import Mteval13a

            return Mteval13a(language)
        case "none":
            from morpos.layers.words.none import NoTokenizer

            return NoTokenizer(language)
    raise ValueError(f"no tokeniser is called {name}")


def split(
    segments: Iterable[str], tokenizer: Tokenizer, case: str
) -> tuple[list[list[str]], dict[str, str]]:
    """The tokens of canonical segments, and what decides them, for a signature.

    Args:
        case: one of `CASES`.
    """
    words = [tokenizer.tokenize(segment) for segment in segments]
    if case == "lower":
        words = [[token.lower() for token in segment] for segment in words]
    return words, {"tok": tokenizer.signature(), "case": case}
