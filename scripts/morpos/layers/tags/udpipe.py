"""UDPipe 1 with any model file of the user's.

Milan Straka and Jana Straková: Tokenizing, POS Tagging, Lemmatizing and Parsing UD 2.0 with
UDPipe. CoNLL 2017 Shared Task.
"""

from collections.abc import Iterable, Iterator, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from morpos.errors import MorposError
from morpos.io.files import sha256
from morpos.layers.tags.base import Tagger

_NO_MODEL = "the tagger 'udpipe' needs the path of a model file as its model"


class UdpipeTagger(Tagger):
    """A model of UDPipe: its XPOS with features; the universal tag where a word has no XPOS.

    Args:
        model: path of a model file
        universal: the universal tag with features in any case

    Raises:
        MorposError: the model is not there or not one.
    """

    def __init__(
        self, language: str, model: str | None = None, *, universal: bool = False, **_: object
    ) -> None:
        from ufal import udpipe

        if not model:
            raise MorposError(_NO_MODEL)
        self._path = Path(model)
        self._model: Any = udpipe.Model.load(model) if self._path.is_file() else None
        if self._model is None:
            fault = "no UDPipe model" if self._path.is_file() else "missing"
            raise MorposError(f"{model} is {fault}; docs/taggers.md says where models are")
        self._universal = universal

    @classmethod
    def fault(cls, language: str, model: str | None) -> str:
        if not model:
            return _NO_MODEL
        return "" if Path(model).is_file() else f"tags.{language}.model: there is no file {model}"

    @classmethod
    def files(cls, model: str | None, text: str) -> dict[str, str]:
        return {"model": model or ""}

    def signature(self) -> dict[str, str]:
        """Tagger, package version, name of the model file and its sha256."""
        return {
            "tagger": "udpipe",
            "version": metadata.version("ufal.udpipe"),
            "model": self._path.name,
            "sha256": sha256(self._path),
        }

    def tag(self, sentences: Iterable[Sequence[str]]) -> Iterator[list[str]]:
        """Tag each sentence.

        Raises:
            MorposError: the model has no tagger, or UDPipe reports a fault; names the sentence.
        """
        from ufal import udpipe

        for number, tokens in enumerate(sentences, start=1):
            sentence, error = udpipe.Sentence(), udpipe.ProcessingError()
            for token in tokens:
                sentence.addWord(token)
            if tokens and not self._model.tag(sentence, udpipe.Model.DEFAULT, error):
                raise MorposError(f"UDPipe cannot tag sentence {number}: {error.message}")
            yield [self._tag(word) for word in list(sentence.words)[1:]]  # the first is the root

    def _tag(self, word: Any) -> str:
        own = "" if self._universal else word.xpostag.strip("_")
        # Some treebanks have XPOS with spaces, and a tag may hold none.
        return "_".join("|".join(filter(None, (own or word.upostag, word.feats))).split()) or "X"
