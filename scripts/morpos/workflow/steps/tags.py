"""Tag the word layer: the POS layer, one tag for each word."""

import argparse
import sys

from morpos.io.files import read_units
from morpos.layers.sidecar import named, require_one_each, write_layer
from morpos.layers.tags import TAGGERS, tagger
from morpos.layers.tags.detail import DETAILS
from morpos.signature import signature


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", help="word layer")
    parser.add_argument("--language", required=True, help="ISO 639-1 code")
    parser.add_argument("--tagger", choices=TAGGERS, default="rdr")
    parser.add_argument(
        "--model",
        help="a model other than the tagger's default for the language; with `given` the path of "
        "the tags, {text} in place of a text's id",
    )
    parser.add_argument(
        "--detail", choices=DETAILS, default="full", help="how much of the tags counts (full)"
    )
    parser.add_argument("--home", help="folder of TreeTagger (environment: TREETAGGER_HOME)")
    parser.add_argument("--text", default="", help="id of the text, for given tags")
    parser.add_argument("--output", required=True, help="POS layer")


def run(args: argparse.Namespace) -> None:
    words = read_units(args.words)
    chosen = tagger(
        args.tagger,
        args.language,
        args.model,
        detail=args.detail,
        home=args.home,
        text=args.text,
    )
    tags = list(chosen.tag(words))
    require_one_each(args.words, words, tags, f"tags of {args.tagger}")
    if doubt := chosen.doubt(words):
        print(
            f"warning: {args.words}: {doubt}; is its language '{args.language}'? [language]",
            file=sys.stderr,
        )
    for tag, times in chosen.unmapped.most_common():
        print(f"{args.words}: no universal tag for {tag}, {times} times; X", file=sys.stderr)
    details = chosen.signature()
    write_layer(
        args.output,
        tags,
        source=args.words,
        signature=signature({"pos": named(details, "tagger"), "detail": details["detail"]}),
        details=details | {"unmapped": dict(chosen.unmapped)},
    )
