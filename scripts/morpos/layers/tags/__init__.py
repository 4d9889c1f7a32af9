"""The POS layer: exactly one tag for each token of the word layer."""

from morpos.errors import MorposError
from morpos.layers.tags.base import Tagger
from morpos.layers.tags.detail import DETAILS, DetailTagger

TAGGERS = ("rdr", "treetagger", "spacy", "hanta", "udpipe", "given")
#: Those that give lemmas too.
LEMMATISERS = ("treetagger", "spacy", "hanta")


def tagger(
    name: str,
    language: str,
    model: str | None = None,
    *,
    detail: str = "full",
    home: str | None = None,
    given: str | None = None,
) -> DetailTagger:
    """The tagger of that name, one of `TAGGERS`, for an ISO 639-1 language.

    Args:
        name: one of `TAGGERS`
        language: ISO 639-1 code
        model: what this is depends on the tagger; docs/taggers.md
        detail: one of `DETAILS`
        home: folder of the TreeTagger installation
        given: the file of given tags

    Raises:
        MorposError: the tagger is not installed, or its model is missing; says what to do.
        ValueError: there is no such tagger or detail.
    """
    if detail not in DETAILS:
        raise ValueError(f"no detail is called {detail}")
    try:
        chosen = _tagger(name, language, model, detail == "universal", home, given)
    except ImportError as error:
        raise MorposError(
            f"the tagger {name!r} is not installed ({error}): "
            f"pip install -r requirements/{name}.txt, or pip install 'morpos[{name}]'"
        ) from error
    return DetailTagger(chosen, language, detail)


def _tagger(
    name: str,
    language: str,
    model: str | None,
    universal: bool,
    home: str | None,
    given: str | None,
) -> Tagger:
    """Only the chosen one is imported: the others may not be installed."""
    match name:
        case "rdr":
            from morpos.layers.tags.rdr import RdrTagger

            return RdrTagger(language, model)
        case "treetagger":
            from morpos.layers.tags.treetagger import TreeTagger

            return TreeTagger(language, model, home)
        case "spacy":
            from morpos.layers.tags.spacy import SpacyTagger

            return SpacyTagger(model, universal=universal)
        case "hanta":
            from morpos.layers.tags.hanta import HantaTagger

            return HantaTagger(language, model)
        case "udpipe":
            from morpos.layers.tags.udpipe import UdpipeTagger

            return UdpipeTagger(model, universal=universal)
        case "given":
            from morpos.layers.tags.given import GivenTags

            return GivenTags(model or "", given or "")
    raise ValueError(f"no tagger is called {name}")
