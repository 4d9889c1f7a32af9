"""What a tagger is."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, TypedDict, Unpack

from morpos.errors import MorposError


class TaggerOptions(TypedDict, total=False):
    """What a tagger is told beside its language and model; most need none of it."""

    #: whether universal tags are wanted; who can give some itself, does
    universal: bool
    #: folder of an installed program
    home: str | None
    #: file of the tags that are given for the text
    given: str


class Tagger(ABC):
    """Gives one tag to each given token, always the same one for the same sentence.

    Its module is imported even if a package that it needs is not installed: so it imports that
    where it is used, in `__init__` at the latest.
    """

    #: Whether it gives lemmas too.
    lemmas: ClassVar[bool] = False

    def __init__(  # noqa: B027
        self, language: str, model: str | None = None, **options: Unpack[TaggerOptions]
    ) -> None:
        """Load what it needs for an ISO 639-1 language.

        Raises:
            ImportError: a package is not installed.
            MorposError: the model is missing, or whatever else; says what to do.
        """

    @classmethod
    def fault(cls, language: str, model: str | None) -> str:
        """Why it cannot work, as far as that is seen before anything runs; "" if nothing is."""
        return ""

    @classmethod
    def files(cls, model: str | None, text: str) -> dict[str, str]:
        """The user's own files that it reads for a text of this id, by what they are."""
        return {}

    @abstractmethod
    def signature(self) -> dict[str, str]:
        """What decides the tags: tagger, version, model and the model's sha256."""

    @abstractmethod
    def tag(self, sentences: Iterable[Sequence[str]]) -> Iterator[list[str]]:
        """Tag sentences of tokens (no token is empty or holds white space).

        Yields as many tags as the sentence has tokens; a tag holds no white space.
        """

    def language_check(self, sentences: Iterable[Sequence[str]]) -> str:
        """Why the sentences do not look like its language; "" if they do, or it cannot say."""
        return ""

    def lemmatise(self, sentences: Iterable[Sequence[str]]) -> Iterator[list[str]]:
        """The same with lemmas instead of tags, where the tagger gives them.

        Raises:
            MorposError: it gives none.
        """
        raise MorposError(f"the tagger '{self.signature()['tagger']}' gives no lemmas")
