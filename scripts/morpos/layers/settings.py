"""Setups: the choices that decide the layers, one or a whole grid of them, and where they lie.

Setups that agree in what decides a layer name the same folder for it, so it is made once.
"""

import hashlib
import itertools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from morpos.layers.kinds import kind


@dataclass(frozen=True)
class Setup:
    """One choice of tokeniser, case, Morfessor options and taggers."""

    name: str  # "" for the configuration itself, else its place in the grid
    words: Mapping[str, Any]
    morphemes: Mapping[str, Any]
    tags: Mapping[str, Mapping[str, str]]  # by language
    layers: Mapping[str, Mapping[str, str]]  # declared ones, by name; the same in all setups
    suffix: str  # of the files of layers

    def tagging(self, language: str) -> dict[str, str]:
        """Tagger and its options for a language."""
        return dict(self.tags.get(language, {"tagger": "rdr"}))

    @cached_property
    def words_key(self) -> str:
        """The folder of the word layers."""
        return f"{self.words['tokenizer']}-{self.words['case']}"

    @cached_property
    def morphemes_key(self) -> str:
        """The folder of the morpheme layers, below that of the words."""
        return f"{self.morphemes['dampening']}-{_digest(self.morphemes)}"

    @cached_property
    def models_key(self) -> str:
        """The folder of the morpheme models: the boundary markers are put on later."""
        options = self.morfessor_options | {"training": self.morphemes["training"]}
        return f"{self.morphemes['dampening']}-{_digest(options)}"

    @property
    def morfessor_options(self) -> dict[str, Any]:
        """What decides a morpheme model beside its training text."""
        others = ("training", "boundary")
        return {key: value for key, value in self.morphemes.items() if key not in others}

    def training(self, language: str) -> tuple[str, tuple[str, ...]]:
        """What the morpheme model of a language comes from, and the user's files for it.

        That is "reference" (no files), "texts", "list" or, trained already, "model".
        """
        training = self.morphemes["training"]
        if isinstance(training, str):
            return training, ()
        ((kind, given),) = training.items()
        paths = [given] if isinstance(given, str) else given
        return kind, tuple(path.replace("{language}", language) for path in paths)

    def trained_on(self, language: str, references: str) -> str:
        """The name of a morpheme model: of the references, or of the language that shares it."""
        return references if self.morphemes["training"] == "reference" else language

    def tags_key(self, language: str) -> str:
        """The folder of a language's POS layers, below that of the words."""
        # In the digest the granularity has the name that it had, so that folders stay.
        options = self.tagger_options(language)
        if granularity := self.tagging(language).get("granularity"):
            options["detail"] = granularity
        return f"{options['tagger']}-{_digest(options)}"

    def tagger_options(self, language: str) -> dict[str, str]:
        """Tagger and options of a language but for the granularity, which is nothing to lemmas."""
        tagging = self.tagging(language)
        return {key: value for key, value in tagging.items() if key != "granularity"}

    def tagger_key(self, language: str) -> str:
        """The folder of a language's lemma layers, below that of the words."""
        return f"{self.tagging(language)['tagger']}-{_digest(self.tagger_options(language))}"

    def verified(self, language: str) -> str:
        """Where the facts about an installed TreeTagger lie, below the results."""
        return f"taggers/{self.tagger_key(language)}-{language}.json"

    def layer_key(self, layer: str) -> str:
        """The folder of a layer that is made from the text itself."""
        declared = self.layers.get(layer)
        return f"{layer}-{_digest(declared)}" if declared else layer

    def model(self, language: str, references: str) -> str:
        """Where the morpheme model of a set of references lies, below the results."""
        name = self.trained_on(language, references)
        return f"models/{self.words_key}/{self.models_key}/{name}.json"

    def path(self, layer: str, text: str, language: str, references: str) -> str:
        """Where a layer of a text lies, below the results.

        Args:
            layer: name of a built-in layer, or of a declared one.
            text: id of the text.
            language: of the text, ISO 639-1.
            references: the test set's set of references, which the morphemes depend on.
        """
        folder = kind(layer).folder(self, language, references)
        return f"{folder}/{text}{self.suffix}"


def _digest(options: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(options, sort_keys=True).encode()).hexdigest()[:6]


def setups(config: Mapping[str, Any]) -> dict[str, Setup]:
    """The configuration's own setup, called "", and every combination of the grid's alternatives.

    The grid's keys are options with a list of values (`words.case: [keep, lower]`), or a part with
    named tables that change it (`tags: {full: {}, universal: {es: ...}}`). A point of the grid is
    called by what it chooses: `case=lower,tags=full`.
    """
    parts = ("words", "morphemes", "tags")
    layers, suffix = config["layers"], ".txt.gz" if config["compress"] else ".txt"
    own = {part: config[part] for part in parts}
    found = {"": Setup("", **own, layers=layers, suffix=suffix)}
    axes = {
        axis: [
            (f"{axis.split('.')[-1]}={label}", change) for label, change in _changes(axis, values)
        ]
        for axis, values in config["grid"].items()
    }
    for point in itertools.product(*axes.values()) if axes else ():
        chosen = {part: dict(config[part]) for part in parts}
        for axis, (_, change) in zip(axes, point, strict=True):
            chosen[axis.split(".")[0]] |= change
        name = ",".join(label for label, _ in point)
        found[name] = Setup(name, **chosen, layers=layers, suffix=suffix)
    return found


def _changes(axis: str, values: Any) -> list[tuple[str, Mapping[str, Any]]]:
    if isinstance(values, Mapping):
        return list(values.items())
    option = axis.split(".")[1]
    return [(str(value), {option: value}) for value in values]
