"""The Moses tokeniser, the field's standard, through sacremoses."""

import sys
from importlib.metadata import version
from types import ModuleType
from typing import Any

from morpos.layers.words.base import Tokenizer


def _without_joblib() -> Any:
    """Import sacremoses without joblib, for which it has no use here.

    joblib (and numpy with it) takes 0.35 s of the 0.6 s that the import takes, in every job.
    """
    real = sys.modules.get("joblib")
    stub = ModuleType("joblib")
    stub.Parallel = stub.delayed = None  # type: ignore[attr-defined]
    sys.modules["joblib"] = real or stub
    try:
        import sacremoses
    finally:
        if real is None:
            del sys.modules["joblib"]
    return sacremoses


_SACREMOSES = _without_joblib()


class Moses(Tokenizer):
    """Moses rules for one language: no escaping, no aggressive dash splits, no normaliser."""

    def __init__(self, language: str) -> None:
        self._moses = _SACREMOSES.MosesTokenizer(lang=language)

    def signature(self) -> str:
        return f"moses-{version('sacremoses')}"

    def tokenize(self, segment: str) -> list[str]:
        tokens: list[str] = self._moses.tokenize(segment, escape=False)
        return tokens
