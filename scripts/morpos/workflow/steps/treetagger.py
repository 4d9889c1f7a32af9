"""Verify an installation of TreeTagger for one language, and record what it is."""

import argparse

from morpos.errors import MorposError
from morpos.io.files import write_json
from morpos.layers.tags.treetagger import verify


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--language", required=True, help="ISO 639-1 code")
    parser.add_argument("--model", help="another parameter file: its name in `lib`, or a path")
    parser.add_argument("--home", help="folder of TreeTagger (environment: TREETAGGER_HOME)")
    parser.add_argument("--output", required=True, help="program, parameter file, sha256 (JSON)")


def run(args: argparse.Namespace) -> None:
    try:
        found = verify(args.language, args.model or None, args.home or None)
    except ImportError as error:
        raise MorposError(
            f"the tagger 'treetagger' is not installed ({error}): "
            "pip install -r requirements/treetagger.txt"
        ) from error
    write_json(args.output, found)
