"""Tag the word layer: the POS layer, one tag for each word."""

import argparse

from morpos.errors import MorposError
from morpos.files import read_units
from morpos.layers.sidecar import write_layer
from morpos.layers.tags import tagger
from morpos.provenance import model, signature


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", help="word layer")
    parser.add_argument("--language", required=True, help="ISO 639-1 code")
    parser.add_argument("--tagger", choices=["rdr"], default="rdr")
    parser.add_argument("--model", help="a model other than the tagger's default for the language")
    parser.add_argument("--output", required=True, help="POS layer")


def run(args: argparse.Namespace) -> None:
    words = read_units(args.words)
    chosen = tagger(args.tagger, args.language, args.model)
    tags = list(chosen.tag(words))
    for number, (sentence, given) in enumerate(zip(words, tags, strict=True), 1):
        if len(sentence) != len(given):
            raise MorposError(
                f"{args.words}, segment {number}: {len(sentence)} words, but {args.tagger} gave "
                f"{len(given)} tags"
            )
    details = chosen.signature()
    name = f"{details['tagger']}-{details['version']}.{details['model']}"
    write_layer(
        args.output,
        tags,
        source=args.words,
        signature=signature({"pos": model(name, details["sha256"])}),
        details=details,
    )
