"""Write the index page of the report."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from morpos.io import tables
from morpos.io.files import atomic
from morpos.report.html import index
from morpos.workflow import resources


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--title", default="morpos", help="title of the page")
    parser.add_argument("--notice", help="a sentence to show above all results")
    parser.add_argument("--library", required=True, help="the library of charts (JavaScript)")
    parser.add_argument("--texts", nargs="+", required=True, help="what texts are like (TSV)")
    parser.add_argument("--findings", nargs="*", default=[], help="of each test set (TSV)")
    parser.add_argument("--correlations", nargs="*", default=[], help="of each test set (TSV)")
    parser.add_argument("--left-out-systems", nargs="*", default=[], help="of each test set (TSV)")
    parser.add_argument("--summary", help="summary over test sets (TSV)")
    parser.add_argument("--left-out-testsets", help="test sets left out (TSV)")
    parser.add_argument("--breakdown", help="tables of groups (TSV)")
    parser.add_argument("--published", help="comparison with published results (TSV)")
    parser.add_argument("--tags", help="numbers of distinct tags (TSV)")
    parser.add_argument("--note", default="", help="what differs from the published results")
    parser.add_argument("--results", required=True, help="folder with benchmarks/ and logs/")
    parser.add_argument("--output", required=True, help="the page (HTML)")


def run(args: argparse.Namespace) -> None:
    # A test set's page is named as its tables are.
    testsets = [Path(path).stem for path in args.texts]
    with atomic(args.output) as handle:
        handle.write(
            index.render(
                title=args.title,
                notice=args.notice,
                note=args.note,
                library=Path(args.library).read_text(encoding="utf-8"),
                testsets=testsets,
                texts=_read(*args.texts),
                findings=_read(*args.findings),
                correlations=_read(*args.correlations),
                left_out_systems=_read(*args.left_out_systems),
                summary=_read(args.summary),
                left_out_testsets=_read(args.left_out_testsets),
                breakdown=_read(args.breakdown),
                published=_read(args.published),
                tags=_read(args.tags),
                times=resources.summarise([args.results]),
            )
        )


def _read(*paths: str | None) -> Sequence[tables.Row]:
    return [row for path in paths if path for row in tables.read(path)]
