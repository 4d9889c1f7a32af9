"""Setups: the choices that decide the layers, one or a whole grid of them.

Setups that agree in what decides a layer name the same folder for it, so it is made once.
"""

import hashlib
import itertools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Setup:
    """One choice of tokeniser, case, Morfessor options and taggers."""

    name: str  # "" for the configuration itself, else its place in the grid
    words: Mapping[str, Any]
    morphemes: Mapping[str, Any]
    tags: Mapping[str, Mapping[str, str]]  # by language

    def tagging(self, language: str) -> dict[str, str]:
        """Tagger and its options for a language."""
        return dict(self.tags.get(language, {"tagger": "rdr"}))

    @property
    def words_key(self) -> str:
        """The folder of the word layers."""
        return f"{self.words['tokenizer']}-{self.words['case']}"

    @property
    def morphemes_key(self) -> str:
        """The folder of the morpheme layers, below that of the words."""
        return f"{self.morphemes['dampening']}-{_digest(self.morphemes)}"

    def tags_key(self, language: str) -> str:
        """The folder of a language's POS layers, below that of the words."""
        return f"{self.tagging(language)['tagger']}-{_digest(self.tagging(language))}"


def _digest(options: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(options, sort_keys=True).encode()).hexdigest()[:6]


def setups(config: Mapping[str, Any]) -> dict[str, Setup]:
    """The configuration's own setup, called "", and every combination of the grid's alternatives.

    The grid's keys are options with a list of values (`words.case: [keep, lower]`), or a part with
    named tables that change it (`tags: {full: {}, universal: {es: ...}}`). A point of the grid is
    called by what it chooses: `case=lower,tags=full`.
    """
    parts = ("words", "morphemes", "tags")
    found = {"": Setup("", **{part: config[part] for part in parts})}
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
        found[name] = Setup(name, **chosen)
    return found


def _changes(axis: str, values: Any) -> list[tuple[str, Mapping[str, Any]]]:
    if isinstance(values, Mapping):
        return list(values.items())
    option = axis.split(".")[1]
    return [(str(value), {option: value}) for value in values]
