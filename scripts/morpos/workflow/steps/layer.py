"""Make a layer from a canonical text: characters, subwords, given units and the like."""

import argparse

from morpos.io.files import read_segments
from morpos.layers.sidecar import write_layer
from morpos.layers.units import DECLARED, split, splitter


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", help="canonical text")
    parser.add_argument("--name", required=True, help="name of the layer: character, chrf_word ...")
    parser.add_argument("--sentencepiece", nargs="?", help="SentencePiece model")
    parser.add_argument("--files", help="pattern of files of given units, {text} for a text's id")
    parser.add_argument("--given", nargs="?", help="the file of given units")
    parser.add_argument("--output", required=True, help="the layer")


def run(args: argparse.Namespace) -> None:
    kind = next((kind for kind in DECLARED if getattr(args, kind)), "")
    chosen = splitter(args.name, kind, getattr(args, kind, ""), args.given or "")
    write_layer(args.output, split(args.name, read_segments(args.text), chosen), source=args.text)
