"""Put the annotations of the configured test sets into a BagIt bag."""

import argparse
import json
import sys

from morpos.project.reading import read_project
from morpos.workflow.archive import archive


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", required=True, type=json.loads, help="configuration (JSON)")


def run(args: argparse.Namespace) -> None:
    project = read_project(args.config)
    print(f"{archive(project)} files put into {project.config['archive']['path']}", file=sys.stderr)
