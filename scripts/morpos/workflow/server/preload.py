"""What the jobs of a run load again and again, and its server loads once.

The server is told at its start, and loads a tool when the first job that needs it arrives, before
it forks a process for that job: a run that tags nothing reads no model. What stays loaded is up to
the tools: imported modules, and what they cache themselves, such as the models of `rdr`.
"""

import argparse
import contextlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from morpos.layers.tags import tagger
from morpos.layers.words import tokenizer

if TYPE_CHECKING:
    from morpos.project.model import Project

#: A tool as the options of a step name it: `language`, and `tokenizer` or `tagger` with its own.
Tool = dict[str, str]

_USED = {"words": "tokenizer", "tags": "tagger", "lemmas": "tagger"}


def project_tools(project: "Project") -> list[Tool]:
    """The tokenisers and taggers of a project, each for the languages that it is used for."""
    languages = sorted({text.language for text in project.texts.values()})
    found: list[Tool] = []
    for setup in project.setups.values():
        for language in languages:
            tokenizing = {"tokenizer": setup.words["tokenizer"]}
            for options in (tokenizing, setup.tagging(language)):
                # Given tags are a file for each text.
                if options.get("tagger") != "given":
                    found.append({"language": language, **options})
    return [tool for number, tool in enumerate(found) if tool not in found[:number]]


class Preload:
    """Tools that are not loaded yet."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._waiting = list(tools)

    def load_for(self, step: str, arguments: Sequence[str]) -> None:
        """Load the tools that a job will use: those for its step and its language."""
        kind = _USED.get(step)
        if not kind or not self._waiting:
            return
        language = _language(arguments)
        for tool in [t for t in self._waiting if kind in t and t["language"] == language]:
            self._waiting.remove(tool)
            with contextlib.suppress(Exception):  # the step will say it better
                _load(**tool)


def _language(arguments: Sequence[str]) -> str:
    parser = argparse.ArgumentParser(add_help=False, exit_on_error=False)
    parser.add_argument("--language", nargs="?", default="")
    return str(parser.parse_known_args(arguments)[0].language)


def _load(language: str, **options: str) -> None:
    if "tokenizer" in options:
        tokenizer(options["tokenizer"], language)
        return
    tagger(options.pop("tagger"), language, options.pop("model", None), **options)
