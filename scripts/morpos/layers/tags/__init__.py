"""The POS layer: exactly one tag for each token of the word layer."""

from morpos.layers.tags.base import Tagger


def tagger(name: str, language: str, model: str | None = None) -> Tagger:
    """The tagger of that name for an ISO 639-1 language.

    Only the chosen one is imported: the others may not be installed.
    """
    match name:
        case "rdr":
            from morpos.layers.tags.rdr import RdrTagger

            return RdrTagger(language, model)
    raise ValueError(f"no tagger is called {name}")
