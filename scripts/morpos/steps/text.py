"""Read a reference or a system's output and write its canonical text."""

import argparse
import sys
from collections import Counter

from morpos.errors import MorposError
from morpos.files import read_segments, sha256, write_json, write_segments
from morpos.layers.sidecar import beside
from morpos.text import CHANGES, canonical, decode, read_bytes, split_lines


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", help="file with one segment a line, plain or gzipped")
    parser.add_argument("--name", help="the system's name; left out, the path")
    parser.add_argument("--encoding", default="utf-8", help="encoding of the file (utf-8)")
    parser.add_argument("--reference", help="canonical reference that the segments must fit")
    parser.add_argument(
        "--strict", action="store_true", help="a text that does not fit is an error"
    )
    parser.add_argument(
        "--output", required=True, help="canonical text; facts go beside it (.json)"
    )


def run(args: argparse.Namespace) -> None:
    changes: Counter[str] = Counter()
    left_out = None
    segments: list[str] = []
    try:
        lines = split_lines(decode(read_bytes(args.source), args.source, args.encoding), changes)
        segments = [canonical(line, changes) for line in lines]
        if args.reference:
            expected = len(read_segments(args.reference))
            if len(segments) != expected:
                raise MorposError(
                    f"{args.source} has {len(segments)} segments, but the reference has "
                    f"{expected}; segments are paired line by line, so none may be missing"
                )
        elif not segments:
            raise MorposError(f"{args.source} is empty: a reference needs one segment at least")
    except MorposError as error:
        if args.strict or not args.reference:
            raise
        segments, left_out = [], str(error)
        print(f"left out: {error}", file=sys.stderr)
    write_segments(args.output, segments)
    write_json(
        beside(args.output),
        {
            "name": args.name or args.source,
            "source": args.source,
            "sha256": None if left_out else sha256(args.source),
            "segments": len(segments),
            "empty_segments": segments.count(""),
            "changes": {kind: changes[kind] for kind in CHANGES},
            "left_out": left_out,
        },
    )
