"""Subwords of a SentencePiece model of the user's.

T. Kudo & J. Richardson, "SentencePiece: A simple and language independent subword tokenizer and
detokenizer for Neural Text Processing", EMNLP 2018.
"""

from collections.abc import Iterable, Iterator
from importlib import metadata
from pathlib import Path

from sentencepiece import SentencePieceProcessor

from morpos.errors import MorposError
from morpos.io.files import sha256
from morpos.layers.units.base import Splitter


class Pieces(Splitter):
    """The pieces of a model; "▁" in them stands for a space.

    Raises:
        MorposError: the file is missing or no such model.
    """

    def __init__(self, source: str = "", given: str = "") -> None:
        self._path = Path(source)
        try:
            self._processor = SentencePieceProcessor(model_file=source)
        except (OSError, RuntimeError) as error:
            fault = "no SentencePiece model" if self._path.is_file() else "missing"
            raise MorposError(
                f"{source} is {fault}; docs/layers.md says what it has to be"
            ) from error

    def signature(self) -> dict[str, str]:
        return {
            "splitter": "sentencepiece",
            "version": metadata.version("sentencepiece"),
            "model": self._path.name,
            "sha256": sha256(self._path),
        }

    def split(self, segments: Iterable[str]) -> Iterator[list[str]]:
        for segment in segments:
            yield self._processor.encode(segment, out_type=str)
