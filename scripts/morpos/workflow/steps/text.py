"""Read a reference or a system's output and write its canonical text."""

import argparse
import sys

from morpos.corpora import FORMATS
from morpos.corpora.loading import load
from morpos.io.arguments import add_switch
from morpos.io.files import read_json, write_json, write_segments
from morpos.layers.sidecar import sidecar_path


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", help="the text, plain or gzipped")
    parser.add_argument("--name", default="", help="the system's name; left out, the path")
    parser.add_argument("--format", choices=FORMATS, metavar="NAME", default="plain")
    parser.add_argument("--select", default="", help="which text of a file that holds several")
    parser.add_argument("--encoding", default="utf-8", help="encoding of the file (utf-8)")
    parser.add_argument(
        "--reference-facts", nargs="?", help="facts about the reference that it must fit (.json)"
    )
    parser.add_argument(
        "--missing", default="", help="segments known to be missing, such as 7,9-11: put in empty"
    )
    parser.add_argument(
        "--sha256",
        nargs="*",
        default=[],
        help="what the file's checksum may be; refused if it has another",
    )
    add_switch(parser, "--strict", "a text that does not fit is an error")
    parser.add_argument(
        "--output", required=True, help="canonical text; facts go beside it (.json)"
    )


def run(args: argparse.Namespace) -> None:
    text = load(
        args.source,
        name=args.name,
        format=args.format,
        select=args.select,
        encoding=args.encoding,
        missing=args.missing,
        expected=args.sha256,
        reference=read_json(args.reference_facts) if args.reference_facts else None,
        strict=args.strict,
    )
    if text.facts["left_out"]:
        print(f"left out: {text.facts['left_out']}", file=sys.stderr)
    write_segments(args.output, text.segments)
    write_json(sidecar_path(args.output), text.facts)
