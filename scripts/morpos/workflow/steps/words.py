"""Tokenise a canonical text: the word layer."""

import argparse

from morpos.io.files import read_segments
from morpos.layers.sidecar import write_layer
from morpos.layers.words import CASES, TOKENIZERS, split, tokenizer


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", help="canonical text")
    parser.add_argument("--language", required=True, help="ISO 639-1 code")
    parser.add_argument("--tokenizer", choices=TOKENIZERS, metavar="NAME", default="moses")
    parser.add_argument("--case", choices=CASES, default="keep")
    parser.add_argument("--output", required=True, help="word layer")


def run(args: argparse.Namespace) -> None:
    chosen = tokenizer(args.tokenizer, args.language)
    made = split(read_segments(args.text), chosen, args.case)
    write_layer(args.output, made, source=args.text)
