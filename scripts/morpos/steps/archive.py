"""Put the annotations of the configured documents into a BagIt bag."""

import argparse
import json
import sys

from morpos.bag import archive
from morpos.project import read_project


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", required=True, type=json.loads, help="configuration (JSON)")
    parser.add_argument("--output", required=True, help="folder of the bag")


def run(args: argparse.Namespace) -> None:
    files = archive(read_project(args.config), args.output)
    print(f"{files} files put into {args.output}", file=sys.stderr)
