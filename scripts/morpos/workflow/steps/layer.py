"""Make a layer from a canonical text: characters, subwords, given units and the like."""

import argparse

from morpos.io.files import read_segments
from morpos.layers.sidecar import named, write_layer
from morpos.layers.units import splitter
from morpos.signature import signature


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", help="canonical text")
    parser.add_argument("--name", required=True, help="name of the layer: character, chrf_word ...")
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--sentencepiece", help="SentencePiece model")
    source.add_argument("--files", help="path of given units, {text} in place of a text's id")
    parser.add_argument("--id", default="", help="id of the text, for given units")
    parser.add_argument("--output", required=True, help="the layer")


def run(args: argparse.Namespace) -> None:
    chosen = splitter(args.name, sentencepiece=args.sentencepiece, files=args.files, text=args.id)
    segments = list(chosen.split(read_segments(args.text)))
    write_layer(
        args.output,
        segments,
        source=args.text,
        signature=signature({f"layer.{args.name}": named(chosen.signature(), "splitter")}),
        details=chosen.signature(),
    )
