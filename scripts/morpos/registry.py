"""What is chosen by name, such as taggers: ours, and those of other packages."""

import importlib
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from importlib import metadata
from typing import Any, Generic, TypeVar, cast

from morpos.errors import MorposError

T = TypeVar("T")


class Registry(Collection[str], Generic[T]):
    """Things by name, each imported when it is first asked for.

    Another package adds to them by entry points, which are looked up only if a name is not ours or
    if all names are asked for: that takes longer than a small job's other imports.

    Args:
        kind: what each of them is, for messages
        group: of the entry points of other packages; none if empty
        ours: `module:name` of each by its name; where its import may lack a package, the extra of
            that package has the same name
    """

    def __init__(self, kind: str, group: str, ours: Mapping[str, str]) -> None:
        self.kind = kind
        self.ours = ours
        self._group = group

    @cached_property
    def _others(self) -> dict[str, metadata.EntryPoint]:
        found = metadata.entry_points(group=self._group) if self._group else ()
        return {point.name: point for point in found if point.name not in self.ours}

    def __iter__(self) -> Iterator[str]:
        yield from self.ours
        yield from sorted(self._others)

    def __len__(self) -> int:
        return len(self.ours) + len(self._others)

    def __contains__(self, name: object) -> bool:
        return name in self.ours or name in self._others

    def load(self, name: str) -> T:
        """What has the name.

        Raises:
            MorposError: nothing has, or a package that it needs is not installed.
        """
        if name not in self:
            raise MorposError(f"no {self.kind} is called {name!r}; known are {', '.join(self)}")
        try:
            if name not in self.ours:
                return cast(T, self._others[name].load())
            module, _, member = self.ours[name].partition(":")
            return cast(T, getattr(importlib.import_module(module), member))
        except ImportError as error:
            raise self.not_installed(name, error) from error

    def make(self, name: str, *arguments: Any, **options: Any) -> Any:
        """An object of the class that has the name.

        Raises:
            MorposError: as `load`, or of the class itself.
        """
        made: Any = self.load(name)
        try:
            return made(*arguments, **options)
        except ImportError as error:
            raise self.not_installed(name, error) from error

    def not_installed(self, name: str, error: ImportError) -> MorposError:
        """What to say where a package is missing."""
        advice = (
            f"pip install -r requirements/{name}.txt, or pip install 'morpos[{name}]'"
            if name in self.ours
            else f"install {self._distribution(name)} again, with all that it needs"
        )
        return MorposError(f"the {self.kind} {name!r} is not installed ({error}): {advice}")

    def modules_without(self, name: str) -> tuple[str, ...]:
        """The modules of all of ours that the one of this name does not need."""
        modules = {each: place.partition(":")[0] for each, place in self.ours.items()}
        return tuple(sorted({*modules.values()} - {modules.get(name)}))

    def version(self, name: str) -> str:
        """The package that brings one that is not ours, and its version; "" for all others."""
        return self._distribution(name) if name and name not in self.ours else ""

    def _distribution(self, name: str) -> str:
        found = self._others[name].dist
        return f"{found.name} {found.version}" if found else self._others[name].value


def names_at(place: str) -> list[str]:
    """The names in what stands at `module:name`: a registry, or a tuple."""
    module, _, member = place.partition(":")
    return list(getattr(importlib.import_module(module), member))
