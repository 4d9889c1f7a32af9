"""Gather the baselines of a document, and scores given as a file, in one table."""

import argparse
import sys
from collections.abc import Iterator

from morpos import tables
from morpos.baselines import read_extra
from morpos.files import read_json, sha256
from morpos.metrics import read_table
from morpos.provenance import model

_COLUMNS = ("document", "system", "metric", "score", "signature")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scores", nargs="*", help="scores of systems by baselines (JSON)")
    parser.add_argument("--document", required=True, help="name of the document")
    parser.add_argument("--metrics", required=True, help="metric table, whose names are taken")
    parser.add_argument("--systems", required=True, help="scores of the document (TSV)")
    parser.add_argument("--extra", help="more scores: columns system, metric, score (TSV)")
    parser.add_argument("--output", required=True, help="output: a row a system and metric (TSV)")
    parser.add_argument("--segments", required=True, help="output: a row a segment too (TSV, .gz)")


def run(args: argparse.Namespace) -> None:
    found = [read_json(path) for path in args.scores]
    found = [one | {"document": args.document} for one in found if not one["left_out"]]
    rows: list[tables.Row] = list(found)
    if args.extra:
        taken = {metric.name for metric in read_table(args.metrics)}
        known = {row["system"] for row in tables.read(args.systems, tables.TEXT - taken)}
        signature = f"file:{model(args.extra, sha256(args.extra))}"
        for row in read_extra(args.extra, [*taken, *(one["metric"] for one in found)]):
            if row["system"] in known:
                rows.append(row | {"document": args.document, "signature": signature})
            else:
                print(f"left out: {row['system']!r} is no system here", file=sys.stderr)
    rows.sort(key=lambda row: (row["system"], row["metric"]))
    tables.write(args.output, _COLUMNS, rows)

    def segments() -> Iterator[tables.Row]:
        for one in found:
            for number, score in enumerate(one["segments"], 1):
                yield one | {"segment": number, "score": score}

    columns = ["document", "system", "segment", "metric", "score", "signature"]
    tables.write(args.segments, columns, segments())
