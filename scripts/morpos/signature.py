"""The signature of a result: all that decides it, in a short form."""

import hashlib
from collections.abc import Iterable, Mapping


def signature(parts: Mapping[str, object]) -> str:
    """The short form that stands in every table: `key:value` parts joined by `|`."""
    return "|".join(f"{key}:{value}" for key, value in parts.items())


def model(name: str, sha256: str) -> str:
    """A model's name with enough of its sha256 to tell it from any other."""
    return f"{name}#{sha256[:12]}"


def foreign(name: str, signature: str) -> str:
    """Another tool's signature as one part of ours: its own parts are not parts of ours."""
    one, other = (text.replace("|", ",").replace(":", "=") for text in (name, signature))
    return f"{one}:{other}"


def combine(signatures: Iterable[str]) -> str:
    """One signature for results over several test sets; what differs is counted and hashed."""
    values: dict[str, dict[str, None]] = {}
    for text in signatures:
        for part in text.split("|"):
            key, _, value = part.partition(":")
            values.setdefault(key, {})[value] = None
    parts = {}
    for key, found in values.items():
        joined = hashlib.sha256("\0".join(sorted(found)).encode()).hexdigest()
        parts[key] = next(iter(found)) if len(found) == 1 else model(f"{len(found)} values", joined)
    return signature(parts)
