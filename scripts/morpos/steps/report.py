"""Write the report: one HTML page that needs no network."""

import argparse
from collections.abc import Sequence

from morpos import tables
from morpos.files import atomic
from morpos.report import render


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--title", default="morpos", help="title of the page")
    parser.add_argument("--notice", help="a sentence to show above all results")
    parser.add_argument("--summary", required=True, help="summary over documents (TSV)")
    parser.add_argument("--left-out-documents", required=True, help="documents left out (TSV)")
    for name in ("correlations", "left-out-systems", "scores", "texts", "findings"):
        parser.add_argument(f"--{name}", nargs="+", required=True, help="one table a document")
    parser.add_argument("--breakdown", required=True, help="tables of groups (TSV)")
    parser.add_argument("--published", help="comparison with published results (TSV)")
    parser.add_argument("--tags", help="numbers of distinct tags (TSV)")
    parser.add_argument("--note", default="", help="what differs from the published results")
    parser.add_argument("--output", required=True, help="the page (HTML)")


def run(args: argparse.Namespace) -> None:
    page = render(
        title=args.title,
        notice=args.notice,
        summary=tables.read(args.summary),
        left_out_documents=tables.read(args.left_out_documents),
        correlations=_read(args.correlations),
        left_out_systems=_read(args.left_out_systems),
        scores=_read(args.scores),
        texts=_read(args.texts),
        findings=_read(args.findings),
        breakdown=tables.read(args.breakdown),
        published=tables.read(args.published) if args.published else [],
        tags=tables.read(args.tags) if args.tags else [],
        note=args.note,
    )
    with atomic(args.output) as handle:
        handle.write(page)


def _read(paths: Sequence[str]) -> list[tables.Row]:
    return [row for path in paths for row in tables.read(path)]
