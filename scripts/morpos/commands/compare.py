"""Is output A better than output B? Both against the same reference, with paired tests.

For each metric: both scores, their difference with a 95 % interval, and two-sided p values of the
paired bootstrap and of approximate randomisation; then the segments in which the first metric sees
the largest differences. p is of one metric alone: choose the metric before you look.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict

from morpos import api
from morpos.commands import _shared
from morpos.evaluation.arguments import add_resampling, resampling_signature
from morpos.report import typeset

EXAMPLES = """\
examples:
  morpos compare new.txt old.txt --ref reference.txt --lang de
  morpos compare new.txt old.txt --ref reference.txt --lang de -m MPF --examples 10
  morpos compare new.txt old.txt -r ref1.txt -r ref2.txt --lang de --json
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "first",
        metavar="A",
        help="output of a system (plain text; else --format)",
    )
    parser.add_argument("second", metavar="B", help="output of another system")
    parser.add_argument(
        "-r",
        "--ref",
        action="append",
        required=True,
        metavar="FILE",
        help="reference; may be repeated",
    )
    _shared.scored(parser)
    add_resampling(parser)
    parser.add_argument(
        "--examples",
        type=_shared.natural,
        default=3,
        metavar="N",
        help="segments that are shown (3)",
    )
    parser.add_argument("--json", action="store_true", help="everything as JSON")
    _shared.width(parser)


def run(args: argparse.Namespace) -> None:
    _shared.start(args)
    outputs = [args.first, args.second]
    names = _shared.system_names(outputs, args)
    texts, given, options = _shared.layers(args.ref, outputs, args)
    *references, first, second = texts
    found = api.compare(
        references,
        first,
        second,
        args.lang,
        metrics=args.metrics,
        metric_table=args.metric_table,
        samples=args.samples,
        seed=args.seed,
        **given,
        **options,
    )
    signature = f"{found.scores.signature}|{resampling_signature(args)}"
    if args.json:
        rows = [asdict(row) for row in found.differences]
        result = {"first": names[0], "second": names[1], "signature": signature, "metrics": rows}
        print(json.dumps(result, ensure_ascii=False, indent=1))
        return
    table = [["", *names, "difference", "95 % interval", "p bootstrap", "p randomisation"]]
    for row in found.differences:
        numbers = (100 * number for number in (row.first, row.second))
        low, high = (f"{100 * number:+.{args.width}f}" for number in (row.low, row.high))
        table.append(
            [
                row.metric,
                *(f"{number:.{args.width}f}" for number in numbers),
                f"{100 * row.difference:+.{args.width}f}",
                f"{low} to {high}",
                f"{row.p_bootstrap:.4f}",
                f"{row.p_randomisation:.4f}",
            ]
        )
    print(typeset.plain(table))
    _examples(found, args, names, [references[0], first, second])
    print(f"\nsignature: {signature}")


def _examples(
    found: api.Comparison,
    args: argparse.Namespace,
    names: Sequence[str],
    texts: Sequence[Sequence[str]],
) -> None:
    metric = found.differences[0].metric
    divergent = found.most_divergent(metric, args.examples)
    if divergent:
        print(f"\nLargest differences of {metric} in a segment:")
    labels = ["reference", *names]
    for number, *scores in divergent:
        print(f"\nsegment {number}")
        shown = ["", *(f"{100 * score:.{args.width}f}" for score in scores)]
        for label, score, text in zip(labels, shown, texts, strict=True):
            print(f"  {label:{max(map(len, labels))}}  {score:>6}  {text[number - 1]}")
