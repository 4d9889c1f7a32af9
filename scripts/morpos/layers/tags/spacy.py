"""Any installed spaCy pipeline, fed with the tokens as they are."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from morpos.errors import MorposError
from morpos.io.files import sha256
from morpos.layers.tags.base import Tagger

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

# No tag depends on them. (Universal tags of models with an own tag set may depend on the parser.)
_UNUSED = ("ner", "senter", "entity_linker", "textcat")
_LEMMATIZERS = ("lemmatizer", "trainable_lemmatizer")


class SpacyTagger(Tagger):
    """A pipeline of spaCy: its own tags if it has any, else universal ones with their features.

    Args:
        model: name of an installed pipeline, such as "fr_core_news_sm", or a path
        universal: universal tags with features, also from a pipeline that has tags of its own

    Raises:
        MorposError: no such pipeline, or it gives no tags; lists the installed ones.
    """

    lemmas = True

    def __init__(
        self, language: str, model: str | None = None, *, universal: bool = False, **_: object
    ) -> None:
        import spacy

        installed = ", ".join(sorted(spacy.util.get_installed_models())) or "none"
        if not model:
            raise MorposError(
                "the tagger 'spacy' needs the name of a pipeline as its model; installed: "
                f"{installed}"
            )
        try:
            self._nlp = spacy.load(
                model,
                exclude=_UNUSED if universal else (*_UNUSED, "parser"),
                disable=_LEMMATIZERS,
            )
        except (OSError, ValueError, ImportError) as error:
            raise MorposError(
                f"spaCy cannot load the pipeline {model!r} (installed: {installed}): {error}"
            ) from error
        if not {"tagger", "morphologizer"}.intersection(self._nlp.pipe_names):
            raise MorposError(f"the spaCy pipeline {model!r} has neither tagger nor morphologizer")
        self._universal = universal or "tagger" not in self._nlp.pipe_names
        self._sha256 = _sha256_of_folder(self._nlp.path)

    @classmethod
    def fault(cls, language: str, model: str | None) -> str:
        return "" if model else "the tagger 'spacy' needs the name of a pipeline as its model"

    def signature(self) -> dict[str, str]:
        """Tagger, version of spaCy, name and version of the pipeline, and the sha256 over a line
        `path NUL sha256` for each of its files."""
        meta = self._nlp.meta
        return {
            "tagger": "spacy",
            "version": metadata.version("spacy"),
            "model": f"{meta['lang']}_{meta['name']}-{meta['version']}",
            "sha256": self._sha256,
        }

    def tag(self, sentences: Iterable[Sequence[str]]) -> Iterator[list[str]]:
        """Tag each sentence; a tag that the pipeline leaves empty is "X"."""
        for document in self._documents(sentences):
            yield [self._tag(token) for token in document]

    def lemmatise(self, sentences: Iterable[Sequence[str]]) -> Iterator[list[str]]:
        """The lemmas; a token without one stands for itself.

        Raises:
            MorposError: the pipeline has no lemmatizer.
        """
        there = [name for name in _LEMMATIZERS if name in self._nlp.component_names]
        if not there:
            raise MorposError(f"the spaCy pipeline {self._nlp.meta['name']!r} has no lemmatizer")
        for name in there:
            self._nlp.enable_pipe(name)
        for document in self._documents(sentences):
            yield ["_".join(token.lemma_.split()) or token.text for token in document]

    def _documents(self, sentences: Iterable[Sequence[str]]) -> Iterator["Doc"]:
        from spacy.tokens import Doc

        yield from self._nlp.pipe(Doc(self._nlp.vocab, words=list(given)) for given in sentences)

    def _tag(self, token: "Token") -> str:
        if not self._universal:
            return token.tag_ or "X"
        return "|".join(filter(None, (token.pos_ or "X", str(token.morph))))


def _sha256_of_folder(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(f"{path.relative_to(folder).as_posix()}\0{sha256(path)}\n".encode())
    return digest.hexdigest()
