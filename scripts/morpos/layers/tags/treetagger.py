"""TreeTagger, the tagger of the paper, through the PyPI package `treetaggerwrapper`.

    Helmut Schmid: Probabilistic Part-of-Speech Tagging Using Decision Trees. International
    Conference on New Methods in Language Processing, Manchester 1994.

The program is free for research but may not be passed on, so the user installs it. One process
tags a whole text. It has seen the text as it should only if it gives back every token, so that is
checked for each sentence.
"""

import configparser
import hashlib
import io
import os
import re
import select
import shlex
import subprocess
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, cast

from morpos.errors import MorposError
from morpos.layers.tags.base import Tagger

INSTALL = (
    "To install TreeTagger: from https://www.cis.uni-muenchen.de/~schmid/tools/TreeTagger/ "
    "download into one folder the tagger package for your system, the tagging scripts, "
    "install-tagger.sh and the parameter file of each language; run `sh install-tagger.sh` there; "
    "name the folder in TREETAGGER_HOME or by the option `home`. Step by step: docs/taggers.md"
)

#: Parameter files are called `english.par`; in older installations `english-utf8.par`.
LANGUAGES: dict[str, str] = {
    "bg": "bulgarian",
    "cs": "czech",
    "de": "german",
    "en": "english",
    "es": "spanish",
    "et": "estonian",
    "fi": "finnish",
    "fr": "french",
    "gl": "galician",
    "it": "italian",
    "nl": "dutch",
    "pl": "polish",
    "pt": "portuguese",
    "ru": "russian",
    "sk": "slovak",
}

#: Seconds of silence after which a running tagger counts as hanging: long, because it is silent
#: while it reads its parameter file and some versions are until they have read the text.
SILENCE = 60.0

_END = "</s>"  # after each sentence; to the tagger it is the end of one, so none sees the next
_LONGEST = 200  # characters; the tagger reads lines of 1,000 bytes
_UNSAFE = re.compile(r"[\s\x00-\x1f\x7f-\x9f\ud800-\udfff]")


class _NoConfiguration(configparser.ConfigParser):
    """In place of SafeConfigParser, which Python 3.12 removed; takes nothing from files in HOME."""

    def readfp(self, *_: object) -> None:
        """Does nothing; ConfigParser has lost this method too."""


@cache
def import_wrapper() -> Any:
    """The package, with what it imports for the moment of its import: gone from Python 3.12."""
    name, members = "SafeConfigParser", vars(configparser)
    real = members.get(name)
    members[name] = _NoConfiguration
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # on its regular expressions
            import treetaggerwrapper
    finally:
        if real is None:
            del members[name]
        else:
            members[name] = real
    return treetaggerwrapper


class TreeTagger(Tagger):
    """An installed TreeTagger with one of its parameter files.

    Args:
        language: ISO 639-1 code; it chooses one of `LANGUAGES`
        model: another parameter file: its name in the folder `lib`, or a path
        home: folder of the installation; left out, the environment variable TREETAGGER_HOME

    Raises:
        MorposError: the program or the parameter file is missing; says how to install it.
    """

    lemmas = True

    def __init__(
        self,
        language: str,
        model: str | None = None,
        *,
        home: str | Path | None = None,
        **_: object,
    ) -> None:
        import_wrapper()
        home = home or os.environ.get("TREETAGGER_HOME")
        if not home:
            raise MorposError(f"no TreeTagger: TREETAGGER_HOME is not set. {INSTALL}")
        self.home = Path(home).resolve()
        self.binary = self.home / "bin" / "tree-tagger"
        if not self.binary.is_file():
            raise MorposError(f"no TreeTagger: {self.binary} is missing. {INSTALL}")
        self.parameters = self._find_parameters(language, model)
        digest = hashlib.sha256()
        for path in (self.binary, self.parameters):
            try:
                digest.update(path.read_bytes())
            except OSError as error:
                raise MorposError(f"cannot read {path}: {error.strerror}") from error
        self._sha256 = digest.hexdigest()

    def _find_parameters(self, language: str, model: str | None) -> Path:
        folder = self.home / "lib"
        if model:
            candidates = [folder / model, Path(model)]
        elif name := LANGUAGES.get(language):
            # Where both are there, the one without utf8 in its name is old and Latin-1.
            candidates = [folder / f"{name}-utf8.par", folder / f"{name}.par"]
        else:
            raise MorposError(
                f"TreeTagger has no default parameter file for language {language!r}, only for "
                f"{', '.join(LANGUAGES)}; name one by the option `model`"
            )
        for path in candidates:
            if path.is_file():
                return path.resolve()
        wanted = " or ".join(map(str, candidates))
        raise MorposError(f"no TreeTagger parameter file {wanted}. {INSTALL}")

    def signature(self) -> dict[str, str]:
        """Tagger, version of treetaggerwrapper, name of the parameter file, and the sha256 over the
        bytes of the program followed by those of the parameter file."""
        return {
            "tagger": "treetagger",
            "version": metadata.version("treetaggerwrapper"),
            "model": self.parameters.name,
            "sha256": self._sha256,
        }

    def tag(self, sentences: Iterable[Sequence[str]]) -> Iterator[list[str]]:
        """Tag all sentences with one process; tokens may be any strings but the empty one.

        Raises:
            MorposError: the program cannot be run, dies or hangs, or what it gives back is not
                what it was given; names the sentence.
        """
        for lines in self._lines(sentences):
            yield [line[1] for line in lines]

    def lemmatise(self, sentences: Iterable[Sequence[str]]) -> Iterator[list[str]]:
        """The lemmas; a token without one, or shown in another form, stands for itself.

        Raises:
            MorposError: as with `tag`.
        """
        given = [list(sentence) for sentence in sentences]
        for sentence, lines in zip(given, self._lines(given), strict=True):
            yield [
                "_".join("".join(line[2:3]).split()) or token if line[0] == token else token
                for token, line in zip(sentence, lines, strict=True)
            ]

    def _lines(self, sentences: Iterable[Sequence[str]]) -> Iterator[list[list[str]]]:
        """The fields of each line of the answer, by sentence."""
        given = [[_show(token) for token in sentence] for sentence in sentences]
        if not given:
            return
        answer = iter(self._run([line for shown in given for line in (*shown, _END)]))
        for number, shown in enumerate(given, start=1):
            yield _fields(number, shown, list(iter(lambda: next(answer, _END), _END)))
        if rest := list(answer):
            raise MorposError(f"TreeTagger did not stop after sentence {number}: {rest[0]!r}")

    def _run(self, lines: list[str]) -> list[str]:
        # Whatever is not given here, the wrapper takes from the environment.
        wrapper = import_wrapper().TreeTagger(
            TAGDIR=str(self.home),
            TAGLANG="__base__",  # decides on its tokeniser, of which nothing is used
            TAGPARFILE=str(self.parameters),
            TAGOPT=f"-token -lemma -sgml -quiet -no-unknown -eos-tag {_END}",
            TAGABBREV=os.devnull,
            TAGINENC="utf-8",
            TAGOUTENC="utf-8",
            TAGINENCERR="strict",
            TAGOUTENCERR="replace",
            CHUNKERPROC=None,
        )
        try:
            wrapper._start_process()
        except OSError as error:
            raise MorposError(f"cannot run {self.binary}: {error.strerror}. {INSTALL}") from error
        wrapper.taginput = wrapper.tagoutput = _Pipes(wrapper.tagpopen)
        with wrapper.tagpopen as process:
            try:
                answer: list[str] = wrapper.tag_text(lines, tagonly=True)
                return answer
            finally:
                process.kill()  # all that it may still have to say is the end of the wrapper's text


class _Pipes:
    """Input and output of the tagger, as the wrapper uses them.

    The input ends with the text: some versions of the tagger answer only then. And the wrapper
    waits half a minute for a dead tagger and for ever for one that hangs: not so here.
    """

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin
        self._process = process
        self._input = io.BufferedWriter(cast(io.RawIOBase, process.stdin))
        self.write = self._input.write
        self.readline = self._lines().__next__

    def flush(self) -> None:
        """What the wrapper calls after all of the text."""
        self._input.close()

    def close(self) -> None:
        """What the wrapper calls when it is deleted; the process has ended by then."""

    def _lines(self) -> Iterator[bytes]:
        output = self._process.stdout
        assert output
        done, rest = 0, b""
        while True:
            if not select.select([output], [], [], SILENCE)[0]:
                raise MorposError(
                    f"TreeTagger hangs: nothing for {SILENCE:.0f} s, in or after sentence "
                    f"{done + 1}. Try it by hand: {self._command()}. {INSTALL}"
                )
            chunk = output.read(1 << 16)
            if not chunk:
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(1)
                raise MorposError(
                    f"TreeTagger died (exit status {self._process.poll()}) in or after sentence "
                    f"{done + 1}. Try it by hand: {self._command()}. Is the parameter file whole "
                    f"and made for this version? {INSTALL}"
                )
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                done += line == _END.encode()
                yield line + b"\n"

    def _command(self) -> str:
        return f"echo test | {shlex.join(cast(list[str], self._process.args))}"


def _show(token: str) -> str:
    """What the tagger gets to see of a token that it would swallow, split or cut."""
    shown = _UNSAFE.sub("_", token[-_LONGEST:])
    if shown.startswith("<") and shown.endswith(">"):
        return f"‹{shown[1:-1]}›"
    return shown


def _fields(number: int, shown: Sequence[str], answer: Sequence[str]) -> list[list[str]]:
    """The lines of one sentence, split, if the answer holds each of its tokens with a tag."""
    fields = [line.split("\t") for line in answer]
    if [line[0] for line in fields] == list(shown) and all(
        len(line) > 1 and line[1].split() == [line[1]] for line in fields
    ):
        return fields
    pairs = zip([*shown, None], [*answer, None], strict=False)
    wrong = next(
        (token, line)
        for token, line in pairs
        if line is None or not re.match(rf"{re.escape(token or '')}\t\S", line)
    )
    raise MorposError(
        f"TreeTagger did not keep sentence {number}: {len(shown)} tokens in, {len(answer)} out; "
        f"after {wrong[0]!r} came {wrong[1]!r} instead of the token, a tab and its tag"
    )


def verify(
    language: str, model: str | None = None, home: str | Path | None = None
) -> dict[str, str]:
    """Run the installation on a few tokens.

    Returns the signature with the paths of the program and the parameter file.

    Raises:
        MorposError: something is missing or does not work; says how to install it.
    """
    tagger = TreeTagger(language, model, home=home)
    list(tagger.tag([["a", "<b>", "."], ["1"]]))
    paths = {"program": str(tagger.binary), "parameters": str(tagger.parameters)}
    return tagger.signature() | paths
