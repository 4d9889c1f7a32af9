"""Train a Morfessor model on the words of texts, or on a list of words with their counts."""

import argparse
import re
import sys
from collections import Counter
from dataclasses import fields

from morpos.errors import MorposError
from morpos.io.files import read_units
from morpos.io.text import canonical, read_text, split_lines
from morpos.layers.morphemes.morfessor import MorfessorOptions, train, trained_by

_COUNT = re.compile("[1-9][0-9]{0,14}")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", nargs="*", help="word layers to train on")
    parser.add_argument(
        "--list", nargs="?", help="table to train on: a word, a tab and its count a line"
    )
    for field in fields(MorfessorOptions):
        parser.add_argument(
            f"--{field.name.replace('_', '-')}",
            type=type(field.default),
            default=field.default,
            help=f"Morfessor option ({field.default})",
        )
    parser.add_argument("--output", required=True, help="model (JSON)")


def run(args: argparse.Namespace) -> None:
    options = MorfessorOptions(
        **{field.name: getattr(args, field.name) for field in fields(MorfessorOptions)}
    )
    counts = Counter(word for path in args.words for s in read_units(path) for word in s)
    if args.list:
        counts += _read_list(args.list)
    print(f"trained by {trained_by()}", file=sys.stderr)
    train(counts, options).save(args.output)


def _read_list(path: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    for number, line in enumerate(split_lines(read_text(path), path, Counter()), 1):
        word, _, count = line.partition("\t")
        # As in all texts; a word that stands twice has both counts.
        word = canonical(word, Counter())
        if not word or " " in word or not _COUNT.fullmatch(count):
            raise MorposError(
                f"{line!r} is not a word, a tab and its count from 1, such as house<tab>42; there "
                "is no header",
                path=path,
                line=number,
            )
        counts[word] += int(count)
    if not counts:
        raise MorposError(f"{path} is empty; a list needs one word at least")
    return counts
