"""Lemmatise the word layer: the lemma layer, one lemma for each word."""

import argparse

from morpos.io.files import read_units
from morpos.layers.sidecar import named, require_one_each, write_layer
from morpos.layers.tags import LEMMATISERS, tagger
from morpos.signature import signature


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", help="word layer")
    parser.add_argument("--language", required=True, help="ISO 639-1 code")
    parser.add_argument("--tagger", choices=LEMMATISERS, required=True)
    parser.add_argument("--model", help="a model other than the tagger's default for the language")
    parser.add_argument("--home", help="folder of TreeTagger (environment: TREETAGGER_HOME)")
    parser.add_argument("--output", required=True, help="lemma layer")


def run(args: argparse.Namespace) -> None:
    words = read_units(args.words)
    chosen = tagger(args.tagger, args.language, args.model, home=args.home)
    lemmas = list(chosen.lemmatise(words))
    require_one_each(args.words, words, lemmas, f"lemmas of {args.tagger}")
    details = chosen.signature()
    write_layer(
        args.output,
        lemmas,
        source=args.words,
        signature=signature({"lemma": named(details, "tagger")}),
        details=details,
    )
