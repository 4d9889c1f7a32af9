"""Train a Morfessor model on the words of one or more references."""

import argparse
from collections import Counter
from dataclasses import fields

from morpos.files import read_units
from morpos.layers.morphemes.morfessor import Options, train


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", nargs="+", help="word layers to train on")
    for field in fields(Options):
        parser.add_argument(
            f"--{field.name.replace('_', '-')}",
            type=type(field.default),
            default=field.default,
            help=f"Morfessor option ({field.default})",
        )
    parser.add_argument("--output", required=True, help="model (JSON)")


def run(args: argparse.Namespace) -> None:
    options = Options(**{field.name: getattr(args, field.name) for field in fields(Options)})
    counts = Counter(word for path in args.words for s in read_units(path) for word in s)
    train(counts, options).save(args.output)
