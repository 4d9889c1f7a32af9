"""Segment the word layer: the morpheme layer."""

import argparse

from morpos.io.files import read_units, sha256
from morpos.layers.morphemes import split
from morpos.layers.morphemes.morfessor import Model
from morpos.layers.sidecar import write_layer


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", help="word layer")
    parser.add_argument("--model", required=True, help="Morfessor model (JSON)")
    parser.add_argument(
        "--training", default="reference", help="what the model was trained on, for the signature"
    )
    parser.add_argument(
        "--boundary", default="", help="marker behind every morpheme of a word but the last (none)"
    )
    parser.add_argument("--output", required=True, help="morpheme layer")


def run(args: argparse.Namespace) -> None:
    segmenter = Model.load(args.model)
    made = split(
        read_units(args.words),
        segmenter,
        training=args.training,
        sha256=sha256(args.model),
        boundary=args.boundary,
    )
    write_layer(args.output, made, source=args.words)
