"""Layers that are made from the canonical text itself, not from its words."""

from morpos.errors import MorposError
from morpos.layers.units.base import Splitter


def splitter(
    name: str, *, sentencepiece: str | None = None, files: str | None = None, given: str = ""
) -> Splitter:
    """The splitter of the layer called `name`: a declared layer's, or a built-in one.

    Args:
        name: name of the layer
        sentencepiece: of a declared layer, its SentencePiece model
        files: of a declared layer, the pattern of its files, `{text}` for a text's id
        given: the file of this text

    Raises:
        MorposError: a package, a model or a file is missing; says what to do.
        ValueError: no built-in layer is called so.
    """
    if files:
        from morpos.layers.units.given import GivenUnits

        return GivenUnits(files, given)
    if sentencepiece:
        try:
            from morpos.layers.units.sentencepiece import Pieces
        except ImportError as error:
            raise MorposError(
                f"the layer {name!r} needs a package ({error}): "
                "pip install -r requirements/sentencepiece.txt"
            ) from error
        return Pieces(sentencepiece)
    from morpos.layers.units.chrf import Characters, ChrfWords

    match name:
        case "character":
            return Characters()
        case "chrf_word":
            return ChrfWords()
    raise ValueError(f"no layer is called {name}")
