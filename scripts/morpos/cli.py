"""The command line: `python -m morpos <step> ...`.

Each step is a module of `morpos.steps`, imported only when it is called.
"""

import argparse
import importlib
import io
import sys
import traceback
from collections.abc import Sequence

from morpos import __version__
from morpos.errors import MorposError

STEPS = {
    "download": "fetch files of a registry, verified",
    "unpack": "unpack an archive, as a whole or not at all",
    "text": "read a text and write it in canonical form",
    "words": "tokenise: the word layer",
    "morfessor": "train a Morfessor model on references, other texts or a list of words",
    "morphemes": "segment words: the morpheme layer",
    "treetagger": "verify an installation of TreeTagger",
    "tags": "tag words: the POS layer",
    "lemmas": "lemmatise words: the lemma layer",
    "layer": "make another layer: characters, subwords, given units ...",
    "counts": "count n-gram matches of a system",
    "scores": "score the systems of a document",
    "human": "human scores from judgments",
    "correlations": "correlate metrics with human scores",
    "summary": "mean correlation and ranks over documents",
    "published": "our table beside a published one",
    "grid": "one table over all points of a grid",
    "system_tests": "intervals of scores, tests of all pairs of systems",
    "metric_tests": "coefficients with intervals, metric against metric",
    "accuracy": "pairwise accuracy over documents",
    "segments": "segment-level coefficients",
    "agreement": "agreement of the judges, intervals of human scores",
    "claims": "claims about metrics, tested over documents",
    "orders": "precision, recall and F by layer and order",
    "baseline": "score a system by a metric of sacreBLEU",
    "baselines": "the baselines of a document in one table",
    "exports": "tables in other formats",
    "layouts": "a document for mt-metrics-eval and the WMT metrics task",
    "split_levels": "split lines of words ++ morphemes ++ tags into layers",
    "report": "the report, one HTML page",
    "archive": "put annotations into a BagIt bag",
    "restore": "put the annotations of a bag back",
    "show": "print a summary for people",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one step; 0 = done, 1 = a fault in the input or the set-up, 2 = wrong usage."""
    parser = argparse.ArgumentParser(
        prog="morpos",
        description="n-gram metrics over words, morphemes and POS tags",
        epilog="\n".join(f"  {name:14}{text}" for name, text in STEPS.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"morpos {__version__}")
    parser.add_argument("--debug", action="store_true", help="show where an error came from")
    parser.add_argument("step", choices=STEPS, metavar="step", help="one of those below")
    parser.add_argument("rest", nargs=argparse.REMAINDER, help="its arguments (step --help)")
    args = parser.parse_args(arguments)
    # A terminal that cannot show a letter is no reason to stop.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    step = importlib.import_module(f"morpos.steps.{args.step}")
    own = argparse.ArgumentParser(prog=f"morpos {args.step}", description=step.__doc__)
    step.arguments(own)
    encoding = sys.getfilesystemencoding()
    try:
        if encoding != "utf-8" and not "".join(args.rest).isascii():
            raise UnicodeError  # names would be taken for others, silently
        step.run(own.parse_args(args.rest))
    except Exception as error:
        if args.debug:
            traceback.print_exc()
        if isinstance(error, MorposError):
            message = str(error)
        elif isinstance(error, UnicodeError) and encoding != "utf-8":
            message = (
                f"names of files cannot be told in this locale, whose encoding is {encoding}; "
                "export PYTHONUTF8=1, and run again"
            )
        else:
            message = (
                f"internal error: {type(error).__name__}: {error}\n"
                f"This is a fault of morpos. `morpos --debug {args.step} ...` shows where it "
                "comes from; please report it together with the input."
            )
        print(f"morpos {args.step}: {message}", file=sys.stderr)
        return 1
    return 0
