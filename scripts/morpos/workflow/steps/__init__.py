"""The steps of the workflow, one module each: files in, files out.

A step bears the name of its rule and has `arguments(parser)` and `run(args)`; its logic lies in
the library. The rules call `python -m morpos.workflow <step>`.
"""

import resource
import sys
from collections.abc import Sequence

from morpos import cli

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


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one step; 0 = done, 1 = a fault in the input or the set-up, 2 = wrong usage."""
    program = cli.Program(
        name="python -m morpos.workflow",
        package=__name__,
        kind="step",
        commands=STEPS,
        description="the steps of the workflow; its rules call them",
    )
    code = cli.main(program, arguments)
    if code == 0:
        print(_usage(), file=sys.stderr)
    return code


def _usage() -> str:
    """What this process used; it stands in each job's log, since Snakemake looks too rarely."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = used.ru_utime + used.ru_stime + children.ru_utime + children.ru_stime
    # macOS counts bytes, Linux KiB.
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return f"used {seconds:.2f} s of CPU, {max(used.ru_maxrss, children.ru_maxrss) / unit:.0f} MB"
