"""Split the words of a text into morphemes with Morfessor, a segment a line.

The model is trained on the text itself or on --train, or was made by the workflow's step morfessor.
"""

import argparse

from morpos import api
from morpos.commands import _shared

EXAMPLES = """\
examples:
  morpos segment text.de --lang de
  morpos segment lab-1.txt --train reference.txt --lang de --boundary +
  morpos segment text.tok --lang cs -tok none --morfessor-model cs.json -o text.morphemes
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    _shared.text(parser)
    model = parser.add_mutually_exclusive_group()
    model.add_argument("--train", metavar="FILE", help="text to train on (the text itself)")
    _shared.morfessor(model)
    parser.add_argument(
        "--boundary", default="", help="marker behind every morpheme of a word but the last (none)"
    )
    _shared.words(parser)
    _shared.common(parser, "the text, then that of --train")


def run(args: argparse.Namespace) -> None:
    _shared.start(args)
    text, *basis = _shared.read([args.text, *[args.train] * bool(args.train)], args)
    layer = api.segment(
        text.segments,
        args.lang,
        train_on=basis[0].segments if basis else None,
        boundary=args.boundary,
        **_shared.options(args),
    )
    _shared.write(layer, args)
