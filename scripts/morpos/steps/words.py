"""Tokenise a canonical text: the word layer."""

import argparse

from morpos.files import read_segments
from morpos.layers.sidecar import write_layer
from morpos.layers.words import tokenizer
from morpos.provenance import signature


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", help="canonical text")
    parser.add_argument("--language", required=True, help="ISO 639-1 code")
    parser.add_argument("--tokenizer", choices=["moses", "13a", "none"], default="moses")
    parser.add_argument("--case", choices=["keep", "lower"], default="keep")
    parser.add_argument("--output", required=True, help="word layer")


def run(args: argparse.Namespace) -> None:
    chosen = tokenizer(args.tokenizer, args.language)
    segments = [chosen.tokenize(segment) for segment in read_segments(args.text)]
    if args.case == "lower":
        segments = [[token.lower() for token in segment] for segment in segments]
    details = {"tok": chosen.signature(), "case": args.case}
    write_layer(
        args.output, segments, source=args.text, signature=signature(details), details=details
    )
