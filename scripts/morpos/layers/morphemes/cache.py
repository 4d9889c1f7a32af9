"""Models that were trained before, so that the same reference is not learnt twice.

Without the part in C, training takes most of the time of a quick score. A model is decided by its
words, its options and the code that trains; their digest is its file's name. Whoever cannot write
there just trains anew.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

from morpos.errors import MorposError
from morpos.layers.morphemes import morfessor
from morpos.layers.morphemes.morfessor import Model, MorfessorOptions


def folder() -> Path:
    """Where the models lie: `morpos` below XDG_CACHE_HOME, or else below ~/.cache."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "morpos"


def train(counts: Mapping[str, int], options: MorfessorOptions | None = None) -> Model:
    """As `morfessor.train`, which it calls if it has to."""
    options = options or MorfessorOptions()
    digest = hashlib.sha256(Path(morfessor.__file__).read_bytes())
    decides = [version("morfessor"), asdict(options), sorted(counts.items())]
    digest.update(json.dumps(decides).encode())
    path = folder() / f"{digest.hexdigest()}.json"
    with suppress(MorposError):
        return Model.load(path)
    model = morfessor.train(counts, options)
    with suppress(MorposError, OSError):
        model.save(path)
    return model
