"""Put the annotations of a BagIt bag back, with Snakemake's records of how they were made."""

import argparse
import json
import sys

from morpos.project.reading import read_project
from morpos.workflow.archive import restore


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", required=True, type=json.loads, help="configuration (JSON)")


def run(args: argparse.Namespace) -> None:
    project = read_project(args.config)
    files = restore(project)
    print(f"{files} files restored from {project.config['archive']['path']}", file=sys.stderr)
