"""What layers there are: one object each, which knows all that is to be known of it.

The configuration, its checks, the workflow and the Python interface take what they need from here;
whatever lists layers loops over `known`.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from morpos.errors import MorposError
from morpos.layers import units
from morpos.layers.annotation import Annotation
from morpos.layers.tags import TAGGERS
from morpos.layers.words import TOKENIZERS
from morpos.registry import Registry

if TYPE_CHECKING:
    from morpos.layers.settings import Setup

Basis = Iterable[Sequence[str]]
#: Annotates a text of this name: of `Kind.made_from` the canonical segments, or the words.
Annotate = Callable[[str, Any], Annotation]


@dataclass(frozen=True)
class Kind(ABC):
    """A layer.

    Attributes:
        name: as the metric table has it.
        made_from: "text", the canonical text, or "word", the layer.
        step: of the workflow, which makes it.
        tools: those one of which makes it, where only the code of that one counts.
        checked: whether wrong settings are a fault even if no metric uses the layer.
    """

    name: str
    made_from: ClassVar[str] = "word"
    step: ClassVar[str]
    tools: ClassVar[Registry[Any] | None] = None
    checked: ClassVar[bool] = True

    @abstractmethod
    def folder(self, setup: "Setup", language: str, references: str) -> str:
        """Where its files lie, below the results."""

    @abstractmethod
    def annotator(self, setup: "Setup", language: str, basis: Basis = ()) -> Annotate:
        """What makes it, loaded once for all texts of a language.

        Args:
            basis: the words on which morphemes are trained.
        """

    @abstractmethod
    def settings(self, setup: "Setup", language: str) -> Mapping[str, Any]:
        """What is chosen for it; the signature of a layer tells what came of that."""

    def files(self, setup: "Setup", language: str, text: str) -> dict[str, str]:
        """The user's own files that it reads for a text of this id, by what they are."""
        return {}

    def faults(self, setup: "Setup", language: str) -> list[str]:
        """Why it cannot be made, as far as that is seen before anything runs."""
        return []

    def tool(self, setup: "Setup", language: str) -> str:
        """Which of the tools makes it; "" if none of them does."""
        return ""


class WordKind(Kind):
    """The tokens, which feed all layers that are made from words."""

    made_from = "text"
    step = "words"
    tools = TOKENIZERS

    def folder(self, setup: "Setup", language: str, references: str) -> str:
        return f"words/{setup.words_key}"

    def settings(self, setup: "Setup", language: str) -> Mapping[str, Any]:
        return setup.words

    def tool(self, setup: "Setup", language: str) -> str:
        return str(setup.words["tokenizer"])

    def annotator(self, setup: "Setup", language: str, basis: Basis = ()) -> Annotate:
        from morpos.io.progress import track
        from morpos.layers.words import split, tokenizer

        chosen = tokenizer(setup.words["tokenizer"], language)
        return lambda name, segments: split(
            track(segments, f"Tokenising {name}"), chosen, setup.words["case"]
        )


class MorphemeKind(Kind):
    """The morphemes of the words."""

    step = "morphemes"

    def folder(self, setup: "Setup", language: str, references: str) -> str:
        model = setup.trained_on(language, references)
        return f"morphemes/{setup.words_key}/{setup.morphemes_key}/{model}"

    def settings(self, setup: "Setup", language: str) -> Mapping[str, Any]:
        return setup.morphemes

    def files(self, setup: "Setup", language: str, text: str) -> dict[str, str]:
        kind, paths = setup.training(language)
        return {"model": paths[0]} if kind == "model" else {}

    def faults(self, setup: "Setup", language: str) -> list[str]:
        return [
            f"morphemes.training: there is no file {path}"
            for path in setup.training(language)[1]
            if not Path(path).is_file()
        ]

    def annotator(self, setup: "Setup", language: str, basis: Basis = ()) -> Annotate:
        import hashlib

        from morpos.io.files import sha256
        from morpos.layers.morphemes import split
        from morpos.layers.morphemes.cache import train
        from morpos.layers.morphemes.morfessor import Model, MorfessorOptions

        training, paths = setup.training(language)
        if training == "model":
            model, digest = Model.load(paths[0]), sha256(paths[0])
        else:
            counts = Counter(word for words in basis for word in words)
            model = train(counts, MorfessorOptions(**setup.morfessor_options))
            digest = hashlib.sha256(model.text().encode()).hexdigest()
        boundary = setup.morphemes["boundary"]
        return lambda _, words: split(
            words, model, training=training, sha256=digest, boundary=boundary
        )


class TagKind(Kind):
    """The tags of the words."""

    step = "tags"
    tools = TAGGERS
    checked = False  # the default tagger does not know every language

    def folder(self, setup: "Setup", language: str, references: str) -> str:
        return f"tags/{setup.words_key}/{setup.tags_key(language)}"

    def settings(self, setup: "Setup", language: str) -> Mapping[str, Any]:
        return setup.tagging(language)

    def tool(self, setup: "Setup", language: str) -> str:
        return setup.tagging(language)["tagger"]

    def files(self, setup: "Setup", language: str, text: str) -> dict[str, str]:
        tagging = setup.tagging(language)
        return TAGGERS.load(tagging["tagger"]).files(tagging.get("model"), text)

    def faults(self, setup: "Setup", language: str) -> list[str]:
        tagging = setup.tagging(language)
        try:
            fault = TAGGERS.load(tagging["tagger"]).fault(language, tagging.get("model"))
        except MorposError as error:
            fault = str(error)
        return [fault] if fault else []

    def annotator(self, setup: "Setup", language: str, basis: Basis = ()) -> Annotate:
        from morpos.layers.tags import tag, tagger

        options = dict(self.settings(setup, language))
        chosen = tagger(options.pop("tagger"), language, **options)
        return lambda name, words: tag(name, words, chosen)


class LemmaKind(TagKind):
    """The lemmas of the words, of the tagger that gives the tags."""

    step = "lemmas"

    def folder(self, setup: "Setup", language: str, references: str) -> str:
        return f"lemmas/{setup.words_key}/{setup.tagger_key(language)}"

    def settings(self, setup: "Setup", language: str) -> Mapping[str, Any]:
        return setup.tagger_options(language)

    def faults(self, setup: "Setup", language: str) -> list[str]:
        faults = super().faults(setup, language)
        name = setup.tagging(language)["tagger"]
        if faults or TAGGERS.load(name).lemmas:
            return faults
        lemmatisers = [each for each in TAGGERS.ours if TAGGERS.load(each).lemmas]
        return [
            f"a metric uses lemmas, but the tagger of '{language}', {name}, gives none; choose one "
            f"of {', '.join(lemmatisers)} under `tags`"
        ]

    def annotator(self, setup: "Setup", language: str, basis: Basis = ()) -> Annotate:
        from morpos.layers.tags import lemmatise, tagger

        options = dict(self.settings(setup, language))
        chosen = tagger(options.pop("tagger"), language, **options)
        return lambda name, words: lemmatise(name, words, chosen)


class TextKind(Kind):
    """Units of the canonical text itself: built in, or declared in the configuration."""

    made_from = "text"
    step = "layer"
    tools = units.DECLARED

    def folder(self, setup: "Setup", language: str, references: str) -> str:
        return f"layers/{setup.layer_key(self.name)}"

    def settings(self, setup: "Setup", language: str) -> Mapping[str, Any]:
        return setup.layers.get(self.name, {})

    def tool(self, setup: "Setup", language: str) -> str:
        return next(iter(self.settings(setup, language)), "")

    def files(self, setup: "Setup", language: str, text: str) -> dict[str, str]:
        settings = self.settings(setup, language)
        return {kind: source.replace("{text}", text) for kind, source in settings.items()}

    def faults(self, setup: "Setup", language: str) -> list[str]:
        return [
            f"layers.{self.name}.{kind}: there is no file {source}"
            for kind, source in self.settings(setup, language).items()
            if "{text}" not in source and not Path(source).is_file()
        ]

    def annotator(self, setup: "Setup", language: str, basis: Basis = ()) -> Annotate:
        source = next(iter(self.settings(setup, language).items()), ("", ""))
        chosen = units.splitter(self.name, *source)
        return lambda _, segments: units.split(self.name, segments, chosen)


_BUILT_IN: tuple[Kind, ...] = (
    WordKind("word"),
    MorphemeKind("morpheme"),
    TagKind("pos"),
    LemmaKind("lemma"),
    *map(TextKind, units.LAYERS),
)
#: The names of the layers that need no declaration.
BUILT_IN = tuple(kind.name for kind in _BUILT_IN)
_KINDS = dict(zip(BUILT_IN, _BUILT_IN, strict=True))


def known(declared: Mapping[str, Any]) -> dict[str, Kind]:
    """All layers by name: those that are built in, then those that a configuration declares."""
    return _KINDS | {name: TextKind(name) for name in declared}


def kind(name: str) -> Kind:
    """A layer by its name: a built-in one, or else one that is declared."""
    return _KINDS.get(name) or TextKind(name)
