"""Make a layer from a canonical text: characters, subwords, given units and the like."""

import argparse

from morpos.io.files import read_segments
from morpos.layers.sidecar import named, write_layer
from morpos.layers.units import splitter
from morpos.signature import signature


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", help="canonical text")
    parser.add_argument("--name", required=True, help="name of the layer: character, chrf_word ...")
    parser.add_argument("--sentencepiece", nargs="?", help="SentencePiece model")
    parser.add_argument("--files", help="pattern of files of given units, {text} for a text's id")
    parser.add_argument("--given", nargs="?", help="the file of given units")
    parser.add_argument("--output", required=True, help="the layer")


def run(args: argparse.Namespace) -> None:
    chosen = splitter(
        args.name, sentencepiece=args.sentencepiece, files=args.files, given=args.given or ""
    )
    segments = list(chosen.split(read_segments(args.text)))
    write_layer(
        args.output,
        segments,
        source=args.text,
        signature=signature({f"layer.{args.name}": named(chosen.signature(), "splitter")}),
        details=chosen.signature(),
    )
