"""The counts of a test set's systems, as the steps read them."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from morpos import __version__
from morpos.errors import MorposError
from morpos.scoring import ngrams
from morpos.scoring.ngrams import Counts


def load(paths: Iterable[str | Path]) -> list[Counts]:
    """All systems, those that were left out too, by name."""
    return sorted(map(ngrams.load, paths), key=lambda counts: str(counts.meta["text"]["name"]))


def scored(systems: Iterable[Counts]) -> dict[str, Counts]:
    """The systems that were not left out, by name."""
    return {
        str(counts.meta["text"]["name"]): counts
        for counts in systems
        if not counts.meta["text"]["left_out"]
    }


def segments(systems: Mapping[str, Counts]) -> int | None:
    """How many segments they all have; None without a system."""
    layers = (layer for counts in systems.values() for layer in counts.layers.values())
    return next((len(layer.hypothesis_length) for layer in layers), None)


def signature(systems: Mapping[str, Counts], testset: str) -> str:
    """What decides the scores of these systems.

    Raises:
        MorposError: they are not annotated alike.
    """
    found = {str(counts.meta["signature"]) for counts in systems.values()}
    if len(found) > 1:
        raise MorposError(
            f"the systems of {testset} are not annotated alike: {' and '.join(sorted(found))}; "
            "delete their layers and run again"
        )
    references = {
        layer.match.shape[0] for counts in systems.values() for layer in counts.layers.values()
    }
    return "|".join([f"morpos:{__version__}", *found, *(f"refs:{n}" for n in references)])
