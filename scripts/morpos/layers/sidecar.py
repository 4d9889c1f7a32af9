"""The small JSON beside each layer: what it was made from, with what, and how much it holds."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from morpos.files import read_json, sha256, write_json, write_segments


def beside(path: str | Path) -> Path:
    """Where the JSON of a layer (or text) lies."""
    return Path(str(path).removesuffix(".txt") + ".json")


def write_layer(
    path: str | Path,
    segments: Sequence[Sequence[str]],
    *,
    source: str | Path,
    signature: str,
    details: Mapping[str, Any],
) -> None:
    """Write a layer, one segment a line and units separated by one blank, and its JSON."""
    write_segments(path, map(" ".join, segments))
    write_json(
        beside(path),
        {
            "signature": signature,
            "details": dict(details),
            "source_sha256": sha256(source),
            "segments": len(segments),
            "units": sum(map(len, segments)),
            "distinct": len({unit for segment in segments for unit in segment}),
        },
    )


def signature_of(path: str | Path) -> str:
    """The signature of a layer that was written by `write_layer`."""
    return str(read_json(beside(path))["signature"])
