"""Score translations against a reference: n-grams of words, morphemes and POS tags.

The metrics are those of the workflow, and so are the numbers. People are shown 0 to 100; --tsv and
--json hold 0 to 1 at full precision. A model of morphemes is trained on the reference once and kept
in the cache.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from morpos import api
from morpos.commands import _shared
from morpos.errors import MorposError
from morpos.evaluation.arguments import add_resampling, resampling_signature
from morpos.io import tables
from morpos.report import typeset

EXAMPLES = """\
examples:
  morpos score reference.txt lab-1.txt --lang de
  morpos score reference.txt outputs/*.txt --lang de -m POSF,MPF,BLEU --significance
  morpos score ref1.txt lab-1.txt -r ref2.txt --lang de --json
  zcat lab-1.gz | morpos score reference.txt - --lang de -m WORDF -b
  morpos score set.xml set.xml --format xml --select ref:A --select hyp:lab-1 --lang de
  morpos score reference.tok lab-1.tok --lang cs -tok none --tags reference.pos lab-1.pos
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("reference", metavar="REF", help="reference (plain text; else --format)")
    parser.add_argument(
        "systems", metavar="HYP", nargs="+", help="outputs of systems; - for standard input"
    )
    parser.add_argument(
        "-r",
        "--ref",
        action="append",
        default=[],
        metavar="FILE",
        help="one more reference; may be repeated",
    )
    _shared.scored(parser)
    parser.add_argument(
        "-sl", "--segment-level", action="store_true", help="the scores of each segment"
    )
    parser.add_argument(
        "--significance",
        action="store_true",
        help="95 %% intervals, and tests of all pairs of systems",
    )
    add_resampling(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="everything as JSON")
    form.add_argument("--tsv", action="store_true", help="a table, as the workflow writes it")
    form.add_argument(
        "-b", "--score-only", action="store_true", help="numbers alone: a line a system"
    )
    _shared.width(parser)


def run(args: argparse.Namespace) -> None:
    if args.significance and (args.tsv or args.score_only or args.segment_level):
        raise MorposError("--significance goes with text and --json, for scores of whole texts")
    _shared.start(args)
    references = [args.reference, *args.ref]
    names = _shared.system_names(args.systems, args)
    texts, given, options = _shared.layers(references, args.systems, args)
    first = len(references)
    found = api.score(
        texts[:first],
        dict(zip(names, texts[first:], strict=True)),
        args.lang,
        metrics=args.metrics,
        metric_table=args.metric_table,
        **given,
        **options,
    )
    tested = found.significance(args.samples, args.seed) if args.significance else None
    if args.json:
        print(json.dumps(_json(found, tested, args), ensure_ascii=False, indent=1))
    elif args.tsv:
        sys.stdout.writelines(_tsv(found, args.segment_level))
    elif args.score_only:
        for scores in _rows(found, args.segment_level):
            print(*_shown(scores, args.width), sep="\t")
    else:
        print(_text(found, tested, args))


def _rows(found: api.Scores, segment_level: bool) -> Iterator[Sequence[float]]:
    """The scores of each system, or of each segment of each system."""
    if not segment_level:
        yield from (list(scores.values()) for scores in found.systems.values())
        return
    for scores in found.segments().values():
        yield from zip(*scores.values(), strict=True)


def _shown(scores: Sequence[float], width: int) -> list[str]:
    return [f"{100 * score:.{width}f}" for score in scores]


def _text(found: api.Scores, tested: api.Significance | None, args: argparse.Namespace) -> str:
    names, metrics = list(found.systems), [metric.name for metric in found.metrics]
    shown = [_shown(scores, args.width) for scores in _rows(found, args.segment_level)]
    if args.segment_level:
        numbers = range(1, len(shown) // len(names) + 1)
        labels = [[name, str(number)] for name in names for number in numbers]
        table = [["system", "segment", *metrics]]
        table += [label + row for label, row in zip(labels, shown, strict=True)]
        signature = f"{found.signature}|segment-bleu:exp"
    else:
        table = [["", *metrics], *([name, *row] for name, row in zip(names, shown, strict=True))]
        if len(metrics) > len(names):
            table = [list(column) for column in zip(*table, strict=True)]
        signature = found.signature
    parts = [typeset.plain(table)]
    if tested:
        parts += [_significance(tested, args.width)]
        signature += f"|{resampling_signature(args)}"
    return "\n\n".join([*parts, f"signature: {signature}"])


def _significance(tested: api.Significance, width: int) -> str:
    """Intervals with rank clusters, then all pairs of systems."""
    drawn, tests = tested.intervals, (tested.bootstrap, tested.randomisation)
    clusters = [test.clusters() for test in tests if test]
    table = [["metric", "system", "score", "95 % interval", *["rank"] * bool(clusters)]]
    for m, metric in enumerate(drawn.metrics):
        for i in (-drawn.value[m]).argsort(kind="stable"):
            value, low, high = _shown(
                [side[m, i] for side in (drawn.value, drawn.low, drawn.high)], width
            )
            ranks = dict.fromkeys(str(cluster[m, i]) for cluster in clusters)
            row = [
                metric,
                drawn.systems[i],
                value,
                f"{low} to {high}",
                *["/".join(ranks)] * bool(ranks),
            ]
            table.append(row)
    parts = [typeset.plain(table)]
    if tested.bootstrap and tested.randomisation:
        table = [["metric", "systems", "difference", "p bootstrap", "p randomisation"]]
        pairs = zip(tested.bootstrap.rows(), tested.randomisation.rows(), strict=True)
        for one, other in pairs:
            table.append(
                [
                    one["metric"],
                    f"{one['system']} − {one['other']}",
                    f"{100 * one['difference']:+.{width}f}",
                    *(f"{test['p_holm']:.4f}" for test in (one, other)),
                ]
            )
        parts.append(typeset.plain(table))
        parts.append(
            "p: two-sided, adjusted over the pairs of systems (Holm). rank: a new one begins below "
            "all\nthat are significantly better; bootstrap/randomisation where they differ."
        )
    return "\n\n".join(parts)


def _tsv(found: api.Scores, segment_level: bool) -> Iterator[str]:
    metrics = [metric.name for metric in found.metrics]
    if not segment_level:
        rows = [
            {"system": n, **scores, "signature": found.signature}
            for n, scores in found.systems.items()
        ]
        return tables.lines(["system", *metrics, "signature"], rows)
    signature = f"{found.signature}|segment-bleu:exp"
    rows = [
        {"system": name, "segment": number, "signature": signature}
        | dict(zip(metrics, scores, strict=True))
        for name, columns in found.segments().items()
        for number, scores in enumerate(zip(*columns.values(), strict=True), 1)
    ]
    return tables.lines(["system", "segment", *metrics, "signature"], rows)


def _json(
    found: api.Scores, tested: api.Significance | None, args: argparse.Namespace
) -> dict[str, Any]:
    """As sacreBLEU: for each system its name, and for each metric an object with the score."""
    entries: list[dict[str, Any]] = [
        {"system": name, **{metric: {"score": value} for metric, value in scores.items()}}
        for name, scores in found.systems.items()
    ]
    result: dict[str, Any] = {"signature": found.signature, "nrefs": 1 + len(args.ref)}
    if args.segment_level:
        result["segment_signature"] = f"{found.signature}|segment-bleu:exp"
        for entry, columns in zip(entries, found.segments().values(), strict=True):
            for metric, values in columns.items():
                entry[metric]["segments"] = values
    result["systems"] = entries
    if tested:
        drawn, tests = tested.intervals, [t for t in (tested.bootstrap, tested.randomisation) if t]
        clusters = {test.test: test.clusters() for test in tests}
        for i, entry in enumerate(entries):
            for m, metric in enumerate(drawn.metrics):
                entry[metric] |= {
                    "low": float(drawn.low[m, i]),
                    "high": float(drawn.high[m, i]),
                    **{f"cluster_{name}": int(cluster[m, i]) for name, cluster in clusters.items()},
                }
        result |= {"samples": args.samples, "seed": args.seed, "level": drawn.level}
        result["pairs"] = [row for test in tests for row in test.rows()]
    return result
