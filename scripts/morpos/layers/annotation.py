"""A text as units of a layer, with what decides them."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from morpos.signature import signature


class Annotation(NamedTuple):
    """What a layer makes of a text: the same in the workflow, in commands and from Python."""

    segments: Sequence[Sequence[str]]
    #: What the signature holds.
    parts: Mapping[str, str]
    #: All that is known of how it was made: stands in the JSON beside the layer.
    details: Mapping[str, Any]
    #: What a person should know, without the text's name; each may be said once for each text.
    warnings: Sequence[str] = ()
    notes: Sequence[str] = ()

    @property
    def signature(self) -> str:
        """What decides the units."""
        return signature(self.parts)
