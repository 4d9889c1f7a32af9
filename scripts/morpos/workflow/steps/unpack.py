"""Unpack an archive (.tar.gz, .zip, one gzipped file) as a whole or not at all."""

import argparse
import sys

from morpos.data.archives import unpack


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("archive", help=".tar.gz, .tgz, .zip, or a single file as .gz")
    parser.add_argument("--output", required=True, help="new folder")


def run(args: argparse.Namespace) -> None:
    files = unpack(args.archive, args.output)
    print(f"{files} files unpacked into {args.output}", file=sys.stderr)
