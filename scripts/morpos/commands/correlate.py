"""How well metrics rank systems: scores of systems against human scores or judgments.

SCORES is a table with a column `system` and a column a metric, such as the output of
`morpos score --tsv` or a table of the workflow. HUMAN holds judgments in any format of the
workflow, or a human score a system. Systems must be spelt alike in both.
"""

import argparse
import json
import math
from dataclasses import asdict

from morpos import api
from morpos.commands import _shared
from morpos.errors import MorposError
from morpos.human import judgments
from morpos.human.arguments import add_references, add_selection, chosen_rule, read_judgments
from morpos.human.scores import scores_by_system
from morpos.io import tables
from morpos.report import typeset

EXAMPLES = """\
examples:
  morpos score reference.txt outputs/*.txt --lang de --tsv > scores.tsv
  morpos correlate scores.tsv judgments.tsv
  morpos correlate scores.tsv wmt10.csv --source en --target de
  morpos correlate scores.tsv human.tsv --json
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scores", metavar="SCORES", help="table of scores (TSV)")
    parser.add_argument(
        "judgments", metavar="HUMAN", help="human scores or judgments, plain or gzipped"
    )
    parser.add_argument("--format", choices=judgments.READERS, help="(by the header of HUMAN)")
    add_selection(parser)
    add_references(parser)
    parser.set_defaults(sha256=[])
    parser.add_argument("--json", action="store_true", help="everything as JSON")
    parser.add_argument("-q", "--quiet", action="store_true", help="no notes on standard error")


def run(args: argparse.Namespace) -> None:
    columns = tables.columns(args.scores)
    if "system" not in columns:
        raise MorposError(
            f"{args.scores} has no column 'system'; give a table such as `morpos score --tsv` makes"
        )
    metrics = [column for column in columns if column not in tables.NOT_METRICS]
    rows = tables.read(args.scores, tables.NOT_METRICS)
    scores = {row["system"]: {metric: row[metric] for metric in metrics} for row in rows}
    if len(scores) < len(rows):
        raise MorposError(
            f"{args.scores} holds a system twice: scores of segments, or of several test sets? "
            "Give the scores of one test set, a row a system"
        )
    args.format = args.format or judgments.detect_format(args.judgments)
    reading = read_judgments(args, None)
    rule = chosen_rule(args)
    references = args.judged_references or ["_ref"]
    human = {
        name: score
        for name, score in scores_by_system(reading, rule).items()
        if name not in references
    }
    for name in sorted(human.keys() ^ scores.keys()):
        _shared.note(args, f"left out: {name}: {'scored' if name in scores else 'judged'} only")
    found = api.correlate(scores, human)
    if args.json:
        print(
            json.dumps(
                {"human": rule, "metrics": list(map(asdict, found))}, ensure_ascii=False, indent=1
            )
        )
        return
    header = ["metric", "n", "ρ", "95 % interval", "r", "τ", "accuracy"]
    table = [
        [
            row.metric,
            str(row.n),
            _shown(row.spearman),
            f"{_shown(row.low)} to {_shown(row.high)}" if row.low is not None else "–",
            *map(_shown, (row.pearson, row.kendall, row.accuracy)),
        ]
        for row in found
    ]
    print(typeset.plain([header, *table]))
    for row in found:
        if row.note:
            _shared.note(args, f"undefined: {row.metric}: {row.note}")
    _shared.note(
        args,
        f"human score: {rule} ({args.format}). ρ: Spearman, its interval over systems, from 10 on; "
        "r: Pearson;\nτ: Kendall's τ-b; accuracy: share of pairs of systems ordered as by humans.",
    )


def _shown(value: float | None) -> str:
    return "–" if value is None or math.isnan(value) else f"{value:.3f}"
