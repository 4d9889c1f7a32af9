"""HanTa, the Hanover Tagger, for German, English and Dutch.

Christian Wartena: A Probabilistic Morphology Model for German Lemmatization. KONVENS 2019.
"""

from collections.abc import Iterable, Iterator, Sequence
from importlib import metadata
from pathlib import Path

from morpos.errors import MorposError
from morpos.io.files import sha256
from morpos.layers.tags.base import Tagger

MODELS: dict[str, str] = {
    "de": "morphmodel_ger.pgz",
    "en": "morphmodel_en.pgz",
    "nl": "morphmodel_dutch.pgz",
}

_LONGEST = 60  # characters; the time for a word grows with the cube of its length


class HantaTagger(Tagger):
    """Tags with the model for a language that comes with the package.

    Raises:
        MorposError: there is no such model, or another one is asked for.
    """

    lemmas = True

    def __init__(self, language: str, model: str | None = None, **_: object) -> None:
        from HanTa import HanoverTagger

        if fault := self.fault(language, model):
            raise MorposError(fault)
        # By its full path, because a file of that name in the working folder would go first; and
        # the models are pickles, as safe as the package that they came with but no safer.
        self._path = Path(HanoverTagger.__file__).with_name(MODELS[language])
        self._tagger = HanoverTagger.HanoverTagger(str(self._path))

    @classmethod
    def fault(cls, language: str, model: str | None) -> str:
        if model:
            return f"the tagger 'hanta' knows its models; leave out the model {model!r}"
        if language in MODELS:
            return ""
        return (
            f"the tagger 'hanta' has no model for language {language!r}, only for "
            f"{', '.join(MODELS)}"
        )

    def signature(self) -> dict[str, str]:
        """Tagger, package version, name of the model file and its sha256."""
        return {
            "tagger": "hanta",
            "version": metadata.version("HanTa"),
            "model": self._path.name,
            "sha256": sha256(self._path),
        }

    def tag(self, sentences: Iterable[Sequence[str]]) -> Iterator[list[str]]:
        """Tag each sentence; of very long tokens only the end counts."""
        for sentence in sentences:
            yield self._tagger.tag_sent([token[-_LONGEST:] for token in sentence], taglevel=0)

    def lemmatise(self, sentences: Iterable[Sequence[str]]) -> Iterator[list[str]]:
        """The lemmas; a very long token stands for itself."""
        for sentence in sentences:
            analysed = self._tagger.tag_sent([token[-_LONGEST:] for token in sentence], taglevel=1)
            yield [
                "_".join(lemma.split()) or token if len(token) <= _LONGEST else token
                for token, (_, lemma, _) in zip(sentence, analysed, strict=True)
            ]
