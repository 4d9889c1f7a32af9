"""The command line: `morpos <verb> ...` for people, `python -m morpos <step> ...` for the rules.

Each verb is a module of `morpos.commands`, each step one of `morpos.workflow.steps`, imported only
when it is called.
"""

import argparse
import difflib
import importlib
import io
import os
import re
import resource
import sys
import traceback
from collections.abc import Sequence
from types import ModuleType

from morpos import __version__
from morpos.errors import MorposError
from morpos.workflow.server.client import open_streams

VERBS = {
    "score": "score translations against a reference",
    "compare": "is one output better than another? paired tests",
    "correlate": "how well metrics rank systems, against human scores",
    "tag": "POS tags of a text",
    "segment": "morphemes of a text",
    "check": "check a data set before it is run",
    "show": "print the table of metrics of a run",
    "doctor": "what is installed, which taggers work, what to install",
    "completion": "completion of commands and options for your shell",
}

STEPS = {
    "download": "fetch files of a registry, verified",
    "unpack": "unpack an archive, as a whole or not at all",
    "findings": "check the texts and judgments of one test set",
    "text": "read a text and write it in canonical form",
    "words": "tokenise: the word layer",
    "morfessor": "train a Morfessor model on references, other texts or a list of words",
    "morphemes": "segment words: the morpheme layer",
    "treetagger": "verify an installation of TreeTagger",
    "tags": "tag words: the POS layer",
    "lemmas": "lemmatise words: the lemma layer",
    "layer": "make another layer: characters, subwords, given units ...",
    "counts": "count n-gram matches of a system",
    "scores": "score the systems of a test set",
    "human": "human scores from judgments",
    "correlations": "correlate metrics with human scores",
    "summary": "mean correlation and ranks over test sets",
    "published": "our table beside a published one",
    "grid": "one table over all points of a grid",
    "system_tests": "intervals of scores, tests of all pairs of systems",
    "metric_tests": "coefficients with intervals, metric against metric",
    "accuracy": "pairwise accuracy over test sets",
    "segment_level": "segment-level coefficients",
    "agreement": "agreement of the judges, intervals of human scores",
    "claims": "claims about metrics, tested over test sets",
    "order_table": "precision, recall and F by layer and order",
    "baseline": "score a system by a metric of sacreBLEU",
    "baseline_table": "the baselines of a test set in one table",
    "export": "tables in other formats",
    "layouts": "a test set for mt-metrics-eval and the WMT metrics task",
    "split_levels": "split lines of words ++ morphemes ++ tags into layers",
    "resources": "time and memory by rule",
    "disagreements": "segments on which metrics, or a metric and humans, disagree most",
    "chart_library": "the JavaScript that draws the charts of the report",
    "report_testset": "the page of a test set",
    "report": "the index page of the report",
    "archive": "put annotations into a BagIt bag",
    "restore": "put the annotations of a bag back",
    "picture": "draw a table as an SVG picture",
}


EPILOG = """\
commands:
{verbs}

steps of the workflow (`python -m morpos <step>`; the rules call them):
{steps}

morpos <command> --help explains each. In 30 seconds:
  morpos score reference.txt output.txt --lang de
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 = done, 1 = a fault in the input or the set-up, 2 = wrong usage."""
    verbs, steps = (
        "\n".join(f"  {name:16}{text}" for name, text in commands.items())
        for commands in (VERBS, STEPS)
    )
    parser = argparse.ArgumentParser(
        prog="morpos",
        usage="morpos [-h] [-V] [--debug] command ...",
        description="n-gram metrics over words, morphemes and POS tags",
        epilog=EPILOG.format(verbs=verbs, steps=steps),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("-V", "--version", action="version", version=f"morpos {__version__}")
    parser.add_argument("--debug", action="store_true", help="show where an error came from")
    parser.add_argument("command", nargs="?", metavar="command", help="one of those below")
    parser.add_argument("rest", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    args = parser.parse_args(arguments)
    if args.command is None:
        parser.exit(2, parser.format_help())
    known = {**VERBS, **STEPS}
    if args.command not in known:
        near = difflib.get_close_matches(args.command, known, 1)
        meant = f"did you mean '{near[0]}'?" if near else "morpos --help lists them all"
        parser.error(f"there is no command '{args.command}'; {meant}")
    _set_up_streams()
    debug = args.debug
    # What is not UTF-8 in a name comes as halves of characters, which no table can hold.
    odd = [each for each in args.rest if re.search("[\ud800-\udfff]", each)]
    if odd and sys.getfilesystemencoding() == "utf-8":
        print(f"morpos {args.command}: {odd[0]!r} is not UTF-8; rename the file", file=sys.stderr)
        return 1
    own = argparse.ArgumentParser(prog=f"morpos {args.command}")
    encoding = sys.getfilesystemencoding()
    try:
        command = fill(own, args.command)
        chosen = own.parse_args(args.rest)
        debug |= chosen.debug
        if encoding != "utf-8" and not "".join(args.rest).isascii():
            raise UnicodeError  # names would be taken for others, silently
        command.run(chosen)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever reads (`| head`) has had enough.
        _drop_output()
        return 141
    except KeyboardInterrupt:
        print(f"morpos {args.command}: interrupted", file=sys.stderr)
        return 130
    except Exception as error:
        if debug:
            traceback.print_exc()
        if isinstance(error, MorposError):
            message = str(error)
        elif isinstance(error, UnicodeError) and encoding != "utf-8":
            message = (
                f"names of files cannot be told in this locale, whose encoding is {encoding}; "
                "export PYTHONUTF8=1, and run again"
            )
        elif isinstance(error, OSError):  # a full disk behind standard output ...
            message = f"the system refused: {error}; --debug shows where"
        else:
            message = (
                f"internal error: {type(error).__name__}: {error}\n"
                f"This is a fault of morpos. `morpos --debug {args.command} ...` shows where it "
                "comes from; please report it together with the input."
            )
        print(f"morpos {args.command}: {message}", file=sys.stderr)
        try:
            sys.stdout.flush()
        except OSError:
            _drop_output()
        return 1
    if args.command in STEPS:
        print(_usage(), file=sys.stderr)
    return 0


def fill(parser: argparse.ArgumentParser, command: str) -> ModuleType:
    """Give a parser the arguments and the help of a command, whose module is returned."""
    package = "commands" if command in VERBS else "workflow.steps"
    module = importlib.import_module(f"morpos.{package}.{command}")
    parser.description = module.__doc__
    parser.epilog = getattr(module, "EXAMPLES", None)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    module.arguments(parser)
    parser.add_argument("--debug", action="store_true", help="show where an error came from")
    return module


def _set_up_streams() -> None:
    open_streams()
    # Data is UTF-8 wherever it goes; a terminal that cannot show a letter is no reason to stop.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="replace")


def _drop_output() -> None:
    """Let the interpreter, which flushes it at its end, find nothing wrong with standard output."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _usage() -> str:
    """What this process used; it stands in each job's log, since Snakemake looks too rarely."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = used.ru_utime + used.ru_stime + children.ru_utime + children.ru_stime
    # macOS counts bytes, Linux KiB.
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return f"used {seconds:.2f} s of CPU, {max(used.ru_maxrss, children.ru_maxrss) / unit:.0f} MB"
