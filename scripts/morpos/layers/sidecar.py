"""The small JSON beside each layer: what it was made from, with what, and how much it holds."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from morpos.errors import MorposError
from morpos.io.files import read_json, sha256, write_json, write_segments
from morpos.layers.annotation import Annotation
from morpos.signature import model


def sidecar_path(path: str | Path) -> Path:
    """Where the JSON of a layer (or text) lies."""
    return Path(str(path).removesuffix(".gz").removesuffix(".txt") + ".json")


def write_layer(path: str | Path, made: Annotation, *, source: str | Path) -> None:
    """Write a layer, one segment a line and units separated by one space, and its JSON."""
    segments = made.segments
    write_segments(path, map(" ".join, segments))
    write_json(
        sidecar_path(path),
        {
            "signature": made.signature,
            "details": dict(made.details),
            "source_sha256": sha256(source),
            "segments": len(segments),
            "units": sum(map(len, segments)),
            "distinct": len({unit for segment in segments for unit in segment}),
        },
    )


def signature_of(path: str | Path) -> str:
    """The signature of a layer that was written by `write_layer`."""
    return str(read_json(sidecar_path(path))["signature"])


def tool_signature(details: Mapping[str, str], tool: str) -> str:
    """`tool-version.model#sha256` for a signature; of given files only the pattern is known."""
    name = "-".join(details[key] for key in (tool, "version") if key in details)
    if "model" in details:
        name += f".{details['model']}"
    name = re.sub(r"[|:\s]", "_", name)  # characters with a meaning in signatures
    return model(name, details["sha256"]) if "sha256" in details else name


def require_one_each(
    path: str | Path, words: Sequence[Sequence[str]], units: Sequence[Sequence[str]], kind: str
) -> None:
    """Check that a layer has one unit for each word.

    Raises:
        MorposError: a segment has not; names it.
    """
    for number, (sentence, given) in enumerate(zip(words, units, strict=True), 1):
        if len(sentence) != len(given):
            raise MorposError(
                f"{path}, segment {number}: {len(sentence)} words, but {len(given)} {kind}"
            )
