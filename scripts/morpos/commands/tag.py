"""Tag a text: its POS tags, one for each token, a segment a line."""

import argparse

from morpos import api
from morpos.commands import _shared

EXAMPLES = """\
examples:
  morpos tag text.de --lang de
  echo "The old mill stood still." | morpos tag --lang en
  morpos tag text.tok --lang cs -tok none -o text.pos
  morpos tag text.fr --lang fr --tagger spacy --tagger-model fr_core_news_sm --granularity universal
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    _shared.text(parser)
    _shared.words(parser)
    _shared.tagger(parser)
    _shared.common(parser)


def run(args: argparse.Namespace) -> None:
    _shared.start(args)
    (text,) = _shared.read([args.text], args)
    _shared.write(api.tag(text.segments, args.lang, **_shared.options(args)), args)
