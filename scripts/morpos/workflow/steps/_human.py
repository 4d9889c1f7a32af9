"""Options of the steps that read human judgments."""

import argparse

from morpos.human import judgments
from morpos.human.judgments import Reading
from morpos.io.files import check_sha256


def arguments(
    parser: argparse.ArgumentParser, *, needed: bool = True, references: bool = True
) -> None:
    """Which judgments to read, and how they become scores."""
    number = None if needed else "?"
    parser.add_argument("judgments", nargs=number, help="file of judgments, plain or gzipped")
    parser.add_argument("--format", required=needed, choices=judgments.FORMATS)
    selection(parser)
    parser.add_argument(
        "--sha256",
        action="append",
        default=[],
        help="the file's checksum, refused if it has another; may be repeated for alternatives",
    )
    if references:
        judged_references(parser)


def selection(parser: argparse.ArgumentParser) -> None:
    """Which task of a file, and how its judgments become scores."""
    parser.add_argument("--source", help="ISO 639-1 code of the source language")
    parser.add_argument("--target", help="ISO 639-1 code of the target language")
    parser.add_argument("--domain", help="domain of the task (wmt08, wmt09)")
    parser.add_argument("--rule", help="how judgments become a score; left out, by the format")
    parser.add_argument("--lower-is-better", action="store_true", help="scores count errors (MQM)")


def judged_references(parser: argparse.ArgumentParser) -> None:
    """Names that are no systems."""
    parser.add_argument(
        "--references",
        action="append",
        default=[],
        help="a judged name that is no system, in WMT files _ref; may be repeated",
    )


def read(args: argparse.Namespace, segments: int | None) -> Reading:
    """The judgments that the options name; None if the number of segments is not known."""
    check_sha256(args.judgments, args.sha256)
    return judgments.read(
        args.judgments,
        args.format,
        args.source,
        args.target,
        args.domain,
        higher_is_better=not args.lower_is_better,
        segments=segments,
    )


def rule(args: argparse.Namespace) -> str:
    """The rule that the options name, or the default of the format."""
    return args.rule or judgments.rules_for(args.format)[0]
