"""Tag the word layer: the POS layer, one tag for each word."""

import argparse
import re
import sys

from morpos.errors import MorposError
from morpos.files import read_units
from morpos.layers.sidecar import write_layer
from morpos.layers.tags import TAGGERS, tagger
from morpos.layers.tags.detail import DETAILS
from morpos.provenance import model, signature


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
    for number, (sentence, given) in enumerate(zip(words, tags, strict=True), 1):
        if len(sentence) != len(given):
            raise MorposError(
                f"{args.words}, segment {number}: {len(sentence)} words, but {args.tagger} gave "
                f"{len(given)} tags"
            )
    for tag, times in chosen.unmapped.most_common():
        print(f"{args.words}: no universal tag for {tag}, {times} times; X", file=sys.stderr)
    write_layer(
        args.output,
        tags,
        source=args.words,
        signature=_signature(chosen.signature()),
        details=chosen.signature() | {"unmapped": dict(chosen.unmapped)},
    )


def _signature(details: dict[str, str]) -> str:
    """`pos:tagger-version.model#sha256|detail:full`; of given tags only the pattern is known."""
    tagger = "-".join(details[key] for key in ("tagger", "version") if key in details)
    name = re.sub(r"[|:\s]", "_", f"{tagger}.{details['model']}")  # marks with a meaning here
    pos = model(name, details["sha256"]) if "sha256" in details else name
    return signature({"pos": pos, "detail": details["detail"]})
