"""Print a script with which the shell completes morpos's commands and options.

Put it where your shell looks: for bash, a file in ~/.local/share/bash-completion/completions called
morpos; for zsh, a file called _morpos in a folder of $fpath.
"""

import argparse
from importlib import import_module

import shtab

from morpos import cli
from morpos.commands import COMMANDS

#: Placeholders of arguments that are files.
_FILES = ("FILE", "REF", "HYP", "A", "B", "SCORES", "HUMAN", "TEXT", "CONFIG", "SUMMARY")

EXAMPLES = """\
examples:
  morpos completion bash > ~/.local/share/bash-completion/completions/morpos
  morpos completion zsh > ~/.zfunc/_morpos
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=shtab.SUPPORTED_SHELLS)


def run(args: argparse.Namespace) -> None:
    whole = argparse.ArgumentParser(prog="morpos")
    commands = whole.add_subparsers()
    for name, text in COMMANDS.items():
        parser = commands.add_parser(name, help=text)
        cli.fill(parser, import_module(f"morpos.commands.{name}"))
    for parser in commands.choices.values():
        for action in parser._actions:
            if action.metavar in _FILES:
                action.complete = shtab.FILE  # type: ignore[attr-defined]
    print(shtab.complete(whole, args.shell))
