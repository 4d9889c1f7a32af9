"""Fetch files of a registry, each verified by its checksum, unless they are there already."""

import argparse
import sys
from pathlib import Path

from morpos.data.downloads import fetch_all, read_registry, select


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="+", metavar="path", help="file of the registry, or a folder of them"
    )
    parser.add_argument("--registry", required=True, help="table of paths, checksums, addresses")
    parser.add_argument("--output-dir", required=True, help="folder below which the paths lie")
    parser.add_argument(
        "--lock",
        default="download.lock.tsv",
        help="table of checksums recorded at first use (download.lock.tsv)",
    )
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--mirror", help="address below which the same paths lie")
    source.add_argument("--directory", help="local folder below which the same paths lie")


def run(args: argparse.Namespace) -> None:
    entries = select(read_registry(args.registry), args.paths)
    place = {"mirror": args.mirror, "directory": args.directory}
    fetched = fetch_all(entries, args.output_dir, Path(args.lock), **place)
    print(f"{fetched} files fetched, {len(entries) - fetched} were there already", file=sys.stderr)
