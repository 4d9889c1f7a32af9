"""The POS layer: exactly one tag for each token of the word layer; and lemmas likewise."""

from collections.abc import Sequence

from morpos.io.progress import track
from morpos.layers.annotation import Annotation
from morpos.layers.sidecar import require_one_each, tool_signature
from morpos.layers.tags.base import Tagger
from morpos.layers.tags.granularity import GRANULARITIES, GranularTagger
from morpos.registry import Registry

TAGGERS: Registry[type[Tagger]] = Registry(
    "tagger",
    "morpos.taggers",
    {
        "rdr": "morpos.layers.tags.rdr:RdrTagger",
        "treetagger": "morpos.layers.tags.treetagger:TreeTagger",
        "spacy": "morpos.layers.tags.spacy:SpacyTagger",
        "hanta": "morpos.layers.tags.hanta:HantaTagger",
        "udpipe": "morpos.layers.tags.udpipe:UdpipeTagger",
        "given": "morpos.layers.tags.given:GivenTags",
    },
)


def tagger(
    name: str,
    language: str,
    model: str | None = None,
    *,
    granularity: str = "full",
    home: str | None = None,
    given: str = "",
) -> GranularTagger:
    """The tagger of that name, one of `TAGGERS`, for an ISO 639-1 language.

    Args:
        name: one of `TAGGERS`
        language: ISO 639-1 code
        model: what this is depends on the tagger; docs/taggers.md
        granularity: one of `GRANULARITIES`
        home: folder of an installed program, such as TreeTagger
        given: the file of given tags

    Raises:
        MorposError: there is no such tagger, it is not installed, or its model is missing; says
            what to do.
        ValueError: there is no such granularity.
    """
    if granularity not in GRANULARITIES:
        raise ValueError(f"no granularity is called {granularity}")
    universal = granularity == "universal"
    chosen = TAGGERS.make(name, language, model, universal=universal, home=home, given=given)
    return GranularTagger(chosen, language, granularity)


def tag(name: str, words: Sequence[Sequence[str]], tagger: GranularTagger) -> Annotation:
    """The tags of a text.

    Args:
        name: of the text, for messages.

    Raises:
        MorposError: of the tagger; or it does not give one tag for each word.
    """
    tags = list(tagger.tag(track(words, f"Tagging {name}")))
    details = tagger.signature() | {"unmapped": dict(tagger.unmapped)}
    require_one_each(name, words, tags, f"tags of {details['tagger']}")
    notes = [
        f"no universal tag for {unmapped}, {times} times; X"
        for unmapped, times in tagger.unmapped.most_common()
    ]
    tagger.unmapped.clear()
    parts = {
        "pos": tool_signature(tagger.signature(), "tagger"),
        "granularity": str(details["granularity"]),
    }
    unlike = tagger.language_check(words)
    warnings = [f"{unlike}; is its language '{tagger.language}'?"] if unlike else []
    return Annotation(tags, parts, details, warnings, notes)


def lemmatise(name: str, words: Sequence[Sequence[str]], tagger: GranularTagger) -> Annotation:
    """The lemmas of a text; otherwise as `tag`.

    Raises:
        MorposError: also where the tagger gives none.
    """
    lemmas = list(tagger.lemmatise(track(words, f"Lemmatising {name}")))
    details = tagger.signature()
    require_one_each(name, words, lemmas, f"lemmas of {details['tagger']}")
    return Annotation(lemmas, {"lemma": tool_signature(details, "tagger")}, details)
