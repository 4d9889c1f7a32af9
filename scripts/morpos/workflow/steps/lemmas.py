"""Lemmatise the word layer: the lemma layer, one lemma for each word."""

import argparse

from morpos.io.files import read_units
from morpos.layers.sidecar import write_layer
from morpos.layers.tags import TAGGERS, lemmatise, tagger


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", help="word layer")
    parser.add_argument("--language", required=True, help="ISO 639-1 code")
    parser.add_argument("--tagger", choices=TAGGERS, metavar="NAME", required=True)
    parser.add_argument("--model", help="a model other than the tagger's default for the language")
    parser.add_argument("--home", help="folder of TreeTagger (environment: TREETAGGER_HOME)")
    parser.add_argument("--output", required=True, help="lemma layer")


def run(args: argparse.Namespace) -> None:
    words = read_units(args.words)
    chosen = tagger(args.tagger, args.language, args.model or None, home=args.home or None)
    write_layer(args.output, lemmatise(args.words, words, chosen), source=args.words)
