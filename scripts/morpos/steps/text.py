"""Read a reference or a system's output and write its canonical text."""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from morpos.corpora import FORMATS, pair, read
from morpos.errors import MorposError
from morpos.files import check_sha256, read_json, sha256, write_json, write_segments
from morpos.layers.sidecar import beside
from morpos.text import CHANGES, canonical


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", help="the text, plain or gzipped")
    parser.add_argument("--name", help="the system's name; left out, the path")
    parser.add_argument("--format", choices=FORMATS, default="plain")
    parser.add_argument("--select", default="", help="which text of a file that holds several")
    parser.add_argument("--encoding", default="utf-8", help="encoding of the file (utf-8)")
    parser.add_argument("--reference", help="canonical reference that the segments must fit")
    parser.add_argument(
        "--missing", default="", help="segments known to be missing, such as 7,9-11: put in empty"
    )
    parser.add_argument(
        "--sha256",
        action="append",
        default=[],
        help="the file's checksum, refused if it has another; may be repeated for alternatives",
    )
    parser.add_argument(
        "--strict", action="store_true", help="a text that does not fit is an error"
    )
    parser.add_argument(
        "--output", required=True, help="canonical text; facts go beside it (.json)"
    )


def run(args: argparse.Namespace) -> None:
    changes: Counter[str] = Counter()
    notes: list[str] = []
    ids, segments, left_out = None, [], None
    check_sha256(args.source, args.sha256)
    try:
        text = read(
            args.source,
            args.format,
            encoding=args.encoding,
            select=args.select,
            changes=changes,
        )
        notes += text.notes
        if args.reference:
            facts = read_json(beside(args.reference))
            if args.missing:
                if text.ids:
                    raise MorposError(
                        f"{args.source}: segments are paired by id, so none can be declared missing"
                    )
                filled = _fill(text.segments, args.missing, args.source, changes)
                text = replace(text, segments=filled)
            raw = pair(facts["ids"], text, facts["segments"], args.source, notes=notes)
        else:
            raw, ids = text.segments, text.ids
            if not raw:
                raise MorposError(f"{args.source} is empty: a reference needs one segment at least")
        segments = [canonical(segment, changes) for segment in raw]
    except MorposError as error:
        if args.strict or not args.reference:
            raise
        left_out = str(error)
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
            "ids": ids,
            "changes": {kind: changes[kind] for kind in CHANGES},
            "notes": notes,
            "left_out": left_out,
        },
    )


_MANY = 1_000_000  # more segments than any text has


def _fill(
    segments: Sequence[str], missing: str, path: str, changes: Counter[str]
) -> tuple[str, ...]:
    """Put an empty segment wherever one is declared to be missing."""
    numbers: list[int] = []
    for first, last in re.findall(r"(\d{1,9})(?:-(\d{1,9}))?", missing):
        numbers += range(int(first), min(int(last or first), _MANY) + 1)
    if not numbers or numbers != sorted(set(numbers)) or numbers[0] < 1:
        raise MorposError(
            f"{path}: the missing segments '{missing}' are not numbers from 1 in ascending order"
        )
    filled = list(segments)
    for number in numbers:
        if number > len(filled) + 1:
            raise MorposError(
                f"{path}: segment {number} is declared to be missing, but there are only "
                f"{len(filled)} segments before it"
            )
        filled.insert(number - 1, "")
    changes["inserted_segments"] += len(numbers)
    return tuple(filled)
