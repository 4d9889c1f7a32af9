"""Judge machine translation with n-gram metrics over words, morphemes and POS tags.

One direction: text → layers → counts → scores → correlations → report.

The functions of `morpos.api` are to be had from here, and are imported when they are asked for.
"""

import importlib

# Not `typing.TYPE_CHECKING`: `typing` takes a third of the time that a client needs.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from morpos.api import compare, correlate, read, score, segment, tag

__version__ = "0.1.0"
__all__ = ["compare", "correlate", "read", "score", "segment", "tag"]


if not TYPE_CHECKING:  # else mypy takes any name for one of the package

    def __getattr__(name: str) -> object:
        # By name, so that no step of the workflow seems to depend on the whole interface
        # (`morpos.signature` follows import statements).
        if name in __all__:
            return getattr(importlib.import_module("morpos.api"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
