"""What a tagger is."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence

from morpos.errors import MorposError


class Tagger(ABC):
    """Gives one tag to each given token, always the same one for the same sentence."""

    @abstractmethod
    def signature(self) -> dict[str, str]:
        """What decides the tags: tagger, version, model and the model's sha256."""

    @abstractmethod
    def tag(self, sentences: Iterable[Sequence[str]]) -> Iterator[list[str]]:
        """Tag sentences of tokens (no token is empty or holds white space).

        Yields as many tags as the sentence has tokens; a tag holds no white space.
        """

    def doubt(self, sentences: Iterable[Sequence[str]]) -> str:
        """Why the sentences do not look like what it was made for; "" if they do, or who knows."""
        return ""

    def lemmatise(self, sentences: Iterable[Sequence[str]]) -> Iterator[list[str]]:
        """The same with lemmas instead of tags, where the tagger gives them.

        Raises:
            MorposError: it gives none.
        """
        raise MorposError(f"the tagger '{self.signature()['tagger']}' gives no lemmas")
