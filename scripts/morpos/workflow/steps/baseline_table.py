"""Gather the baselines of a test set, and scores given as a file, in one table."""

import argparse
from collections.abc import Iterator

from morpos.io import tables
from morpos.io.files import read_json
from morpos.scoring.metrics import read_table
from morpos.workflow.steps._external import add_external, read_external

_COLUMNS = ("testset", "system", "metric", "score", "signature")
_SEGMENTS = ("testset", "system", "segment", "metric", "score", "signature")


def arguments(parser: argparse.ArgumentParser) -> None:
    add_external(parser)
    parser.add_argument("--testset", required=True, help="name of the test set")
    parser.add_argument("--metrics", required=True, help="metric table, whose names are taken")
    parser.add_argument("--systems", required=True, help="scores of the test set (TSV)")
    parser.add_argument("--reference-facts", required=True, help="facts about a reference (.json)")
    parser.add_argument("--output", required=True, help="output: a row a system and metric (TSV)")
    parser.add_argument("--segments", required=True, help="output: a row a segment too (TSV, .gz)")


def run(args: argparse.Namespace) -> None:
    metrics = read_table(args.metrics)
    scores = tables.read(args.systems, tables.NOT_METRICS)
    systems = sorted(row["system"] for row in scores)
    segments = read_json(args.reference_facts)["segments"]
    found = read_external(args, metrics, systems, segments)

    def rows(*, of_segments: bool) -> Iterator[tables.Row]:
        for system in systems:
            for metric in found:
                row = {
                    "testset": args.testset,
                    "system": system,
                    "metric": metric.name,
                    "signature": metric.signature,
                }
                if not of_segments and system in metric.system:
                    yield row | {"score": metric.system[system]}
                if of_segments and system in metric.segment:
                    for number, score in enumerate(metric.segment[system].tolist(), 1):
                        yield row | {"segment": number, "score": score}

    tables.write(args.output, _COLUMNS, rows(of_segments=False))
    tables.write(args.segments, _SEGMENTS, rows(of_segments=True))
