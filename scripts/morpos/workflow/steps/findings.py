"""Check the texts and judgments of one test set: what is silently wrong."""

import argparse
import sys
from collections.abc import Sequence

from morpos import checks
from morpos.checks import finding
from morpos.corpora.loading import LoadedText
from morpos.errors import MorposError
from morpos.human.arguments import add_judgments, read_judgments
from morpos.io import tables
from morpos.io.files import read_json, read_segments
from morpos.layers.sidecar import sidecar_path


def arguments(parser: argparse.ArgumentParser) -> None:
    add_judgments(parser, needed=False)
    parser.add_argument("--testset", required=True, help="name of the test set")
    parser.add_argument("--references", nargs="+", required=True, help="canonical references")
    parser.add_argument("--texts", nargs="+", required=True, help="canonical texts of the systems")
    parser.add_argument("--output", required=True, help="output: one row a finding (TSV)")


def run(args: argparse.Namespace) -> None:
    reading, faults = None, list[finding.Finding]()
    if args.judgments:
        try:
            reading = read_judgments(args, None)
        except MorposError as error:  # the step `human` stops at it
            place = {"testset": args.testset, "file": args.judgments}
            faults.append(finding.from_error(error, "judgments", **place))
    found = faults + checks.check_testset(
        args.testset, _load(args.references), _load(args.texts), reading, args.judged_references
    )
    for each in finding.ordered(found):
        if each.severity in finding.SEVERE:
            print(each, file=sys.stderr)
    tables.write(args.output, finding.COLUMNS, finding.rows(found))


def _load(paths: Sequence[str]) -> list[LoadedText]:
    return [LoadedText(read_segments(path), read_json(sidecar_path(path))) for path in paths]
