"""Layers that are made from the canonical text itself, not from its words."""

from collections.abc import Iterable

from morpos.layers.annotation import Annotation
from morpos.layers.sidecar import tool_signature
from morpos.layers.units.base import Splitter
from morpos.registry import Registry

#: The splitters of layers that need no declaration, by the layer's name.
LAYERS: Registry[type[Splitter]] = Registry(
    "layer",
    "",
    {
        "character": "morpos.layers.units.chrf:Characters",
        "chrf_word": "morpos.layers.units.chrf:ChrfWords",
    },
)
#: Those of declared layers, by the key under which the declaration has their source.
DECLARED: Registry[type[Splitter]] = Registry(
    "splitter",
    "",
    {
        "sentencepiece": "morpos.layers.units.sentencepiece:Pieces",
        "files": "morpos.layers.units.given:GivenUnits",
    },
)


def splitter(name: str, kind: str = "", source: str = "", given: str = "") -> Splitter:
    """The splitter of the layer called `name`: a declared layer's, or a built-in one.

    Args:
        name: name of the layer
        kind: of a declared layer, one of `DECLARED`
        source: of a declared layer, its model, or the pattern of its files
        given: the file of the text, out of those of a pattern

    Raises:
        MorposError: there is no such layer; a package, a model or a file is missing; says what to
            do.
    """
    made: Splitter = DECLARED.make(kind, source, given) if kind else LAYERS.make(name)
    return made


def split(name: str, segments: Iterable[str], splitter: Splitter) -> Annotation:
    """The units of canonical segments in the layer called `name`."""
    details = splitter.signature()
    parts = {f"layer.{name}": tool_signature(details, "splitter")}
    return Annotation(list(splitter.split(segments)), parts, details)
