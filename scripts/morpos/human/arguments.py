"""Options of commands and steps that read human judgments."""

import argparse

from morpos.human import judgments
from morpos.human.judgments import JudgmentSet
from morpos.human.scores import rules_for
from morpos.io.arguments import add_switch
from morpos.io.files import check_sha256


def add_judgments(
    parser: argparse.ArgumentParser, *, needed: bool = True, references: bool = True
) -> None:
    """Which judgments to read, and how they become scores."""
    number = None if needed else "?"
    parser.add_argument("judgments", nargs=number, help="file of judgments, plain or gzipped")
    # Blank where there are no judgments.
    formats = judgments.READERS if needed else (*judgments.READERS, "")
    parser.add_argument("--format", required=needed, choices=formats)
    add_selection(parser)
    parser.add_argument(
        "--sha256",
        nargs="*",
        default=[],
        help="what the file's checksum may be; refused if it has another",
    )
    if references:
        add_references(parser)


def add_selection(parser: argparse.ArgumentParser) -> None:
    """Which task of a file, and how its judgments become scores."""
    parser.add_argument("--source", help="ISO 639-1 code of the source language")
    parser.add_argument("--target", help="ISO 639-1 code of the target language")
    parser.add_argument("--domain", help="domain of the task (wmt08, wmt09)")
    parser.add_argument("--rule", help="how judgments become a score; left out, by the format")
    add_switch(parser, "--lower-is-better", "scores count errors (MQM)")


def add_references(parser: argparse.ArgumentParser) -> None:
    """Names that are not systems."""
    parser.add_argument(
        "--judged-references",
        nargs="*",
        default=[],
        metavar="NAME",
        help="judged names that are not systems, in WMT files _ref",
    )


def read_judgments(args: argparse.Namespace, segments: int | None) -> JudgmentSet:
    """The judgments that the options name; None if the number of segments is not known."""
    check_sha256(args.judgments, args.sha256)
    return judgments.read(
        args.judgments,
        args.format,
        args.source or None,
        args.target or None,
        args.domain or None,
        higher_is_better=not args.lower_is_better,
        segments=segments,
    )


def chosen_rule(args: argparse.Namespace) -> str:
    """The rule that the options name, or the default of the format."""
    return args.rule or rules_for(args.format)[0]
