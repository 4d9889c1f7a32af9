"""How a command is run: streams, help, messages, exit codes, --debug.

This knows no command: what people type is listed in `morpos.commands`, the steps of the workflow in
`morpos.workflow.steps`. Each command is a module with `arguments(parser)` and `run(args)`, imported
only when it is called.
"""

import argparse
import difflib
import importlib
import re
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import NamedTuple, NoReturn

from morpos import __version__
from morpos.errors import MorposError
from morpos.io.streams import drop_output, open_streams, write_utf8


class Program(NamedTuple):
    """Commands that belong together."""

    name: str  # what is typed before a command
    package: str  # whose modules are the commands
    kind: str  # what a command is called in messages
    commands: Mapping[str, str]  # what each does
    description: str
    epilog: str = ""
    elsewhere: Callable[[str], str] = lambda name: ""  # what to type for what is not a command here


def main(program: Program, arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 = done, 1 = a fault in the input or the set-up, 2 = wrong usage."""
    open_streams()
    write_utf8()
    args = _parse(program, arguments)
    try:
        _run(program, args)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever reads (`| head`) has had enough.
        drop_output()
        return 141
    except KeyboardInterrupt:
        print(f"morpos {args.command}: interrupted", file=sys.stderr)
        return 130
    except Exception as error:
        if args.debug:
            traceback.print_exc()
        message = _message(error, f"{program.name} --debug {args.command}")
        print(f"morpos {args.command}: {message}", file=sys.stderr)
        try:
            sys.stdout.flush()
        except OSError:
            drop_output()
        return 1
    return 0


def _parse(program: Program, arguments: Sequence[str] | None) -> argparse.Namespace:
    """The command, what follows it, and whether errors are shown with where they came from."""
    listed = "\n".join(f"  {name:16}{text}" for name, text in program.commands.items())
    parser = argparse.ArgumentParser(
        prog=program.name,
        usage=f"{program.name} [-h] [-V] [--debug] {program.kind} ...",
        description=program.description,
        epilog=f"{program.kind}s:\n{listed}\n\n"
        f"{program.name} <{program.kind}> --help explains each.{program.epilog}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("-V", "--version", action="version", version=f"morpos {__version__}")
    _debug(parser)
    parser.add_argument("command", nargs="?", metavar=program.kind, help="one of those below")
    parser.add_argument("rest", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    args = parser.parse_args(arguments)
    if args.command is None:
        parser.exit(2, parser.format_help())
    if args.command not in program.commands:
        _refuse(parser, program, args.command)
    return args


def _refuse(parser: argparse.ArgumentParser, program: Program, name: str) -> NoReturn:
    near = difflib.get_close_matches(name, program.commands, 1)
    advice = [f"did you mean '{near[0]}'?"] if near else []
    advice += filter(None, [program.elsewhere(name)])
    meant = " ".join(advice) or f"{program.name} --help lists them all"
    parser.error(f"there is no {program.kind} '{name}'; {meant}")


def _run(program: Program, args: argparse.Namespace) -> None:
    utf8 = sys.getfilesystemencoding() == "utf-8"
    # What is not UTF-8 in a name comes as halves of characters, which no table can hold.
    odd = [each for each in args.rest if re.search("[\ud800-\udfff]", each)]
    if odd and utf8:
        raise MorposError(f"{odd[0]!r} is not UTF-8; rename the file")
    parser = argparse.ArgumentParser(prog=f"{program.name} {args.command}")
    command = importlib.import_module(f"{program.package}.{args.command}")
    fill(parser, command)
    chosen = parser.parse_args(args.rest)
    args.debug |= chosen.debug
    if not utf8 and not "".join(args.rest).isascii():
        raise UnicodeError  # names would be taken for others, silently
    command.run(chosen)


def fill(parser: argparse.ArgumentParser, command: ModuleType) -> None:
    """Give a parser the arguments and the help of a command."""
    parser.description = command.__doc__
    parser.epilog = getattr(command, "EXAMPLES", None)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    command.arguments(parser)
    _debug(parser)


def _debug(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--debug", action="store_true", help="show where an error came from")


def _message(error: Exception, again: str) -> str:
    """What is said of an error; `again` is the call that shows where it came from."""
    if isinstance(error, MorposError):
        return str(error)
    encoding = sys.getfilesystemencoding()
    if isinstance(error, UnicodeError) and encoding != "utf-8":
        return (
            f"names of files cannot be told in this locale, whose encoding is {encoding}; "
            "export PYTHONUTF8=1, and run again"
        )
    if isinstance(error, OSError):  # a full disk behind standard output ...
        return f"the system refused: {error}; --debug shows where"
    return (
        f"internal error: {type(error).__name__}: {error}\n"
        f"This is a fault of morpos. `{again} ...` shows where it comes from; please report it "
        "together with the input."
    )
