"""Tag the word layer: the POS layer, one tag for each word."""

import argparse
import sys

from morpos.io.files import read_units
from morpos.layers.sidecar import write_layer
from morpos.layers.tags import TAGGERS, tag, tagger
from morpos.layers.tags.granularity import GRANULARITIES


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", help="word layer")
    parser.add_argument("--language", required=True, help="ISO 639-1 code")
    parser.add_argument("--tagger", choices=TAGGERS, metavar="NAME", default="rdr")
    parser.add_argument(
        "--model",
        help="a model other than the tagger's default for the language; with `given` the pattern "
        "of such files, which goes into the signature",
    )
    parser.add_argument(
        "--granularity",
        choices=GRANULARITIES,
        default="full",
        help="how much of the tags counts (full)",
    )
    parser.add_argument("--home", help="folder of TreeTagger (environment: TREETAGGER_HOME)")
    parser.add_argument("--model-file", nargs="?", help="the model, where it is a file (udpipe)")
    parser.add_argument("--given", nargs="?", help="the file of given tags")
    parser.add_argument("--output", required=True, help="POS layer")


def run(args: argparse.Namespace) -> None:
    words = read_units(args.words)
    chosen = tagger(
        args.tagger,
        args.language,
        args.model_file or args.model or None,
        granularity=args.granularity,
        home=args.home or None,
        given=args.given or "",
    )
    made = tag(args.words, words, chosen)
    for warning in made.warnings:
        print(f"warning: {args.words}: {warning} [language]", file=sys.stderr)
    for note in made.notes:
        print(f"{args.words}: {note}", file=sys.stderr)
    write_layer(args.output, made, source=args.words)
