"""Check a data set before it is run: configuration, sheets, all texts and judgments.

Prints what was found, the most severe first; 1 is returned where something cannot be used.
"""

import argparse
from collections.abc import Mapping
from typing import Any

from morpos.checks import finding
from morpos.checks.project import check
from morpos.errors import MorposError
from morpos.io import tables
from morpos.io.schema import read_yaml
from morpos.project.reading import merge

EXAMPLES = """\
examples:
  morpos check mine/config.yaml
  morpos check mine/testsets.tsv --systems mine/systems.tsv
  morpos check mine/config.yaml --quiet --output findings.tsv
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "config",
        metavar="CONFIG",
        nargs="+",
        help="configuration (YAML; of several the later one wins) or sheet of test sets (TSV)",
    )
    parser.add_argument(
        "--systems", metavar="FILE", help="sheet of systems, to a sheet of test sets"
    )
    parser.add_argument("--base", help="folder that relative paths in the sheets start from")
    parser.add_argument(
        "--quiet", action="store_true", help="print no notes and nothing that was repaired"
    )
    parser.add_argument("--output", metavar="FILE", help="output: all findings (TSV)")


def run(args: argparse.Namespace) -> None:
    config, source = _configuration(args)
    findings = finding.ordered(check(config, source))
    if args.output:
        tables.write(args.output, finding.COLUMNS, finding.rows(findings))
    shown = findings
    if args.quiet:
        shown = [each for each in findings if each.severity in finding.SEVERE]
    for each in shown:
        print(each)
    print(f"{source}: {finding.counted(findings)}")
    if any(each.severity == "error" for each in findings):
        raise MorposError("fix every error above, and check again")


def _configuration(args: argparse.Namespace) -> tuple[Mapping[str, Any], str]:
    """The configuration that was named, and what to call it in messages."""
    options = {"systems": args.systems, "base": args.base}
    given = {key: value for key, value in options.items() if value is not None}
    if len(args.config) == 1 and args.config[0].endswith((".tsv", ".txt")):
        return {"testsets": args.config[0], **given}, args.config[0]
    config: dict[str, Any] = {}
    for path in args.config:
        part = read_yaml(path)
        if not isinstance(part, dict):
            raise MorposError(
                f"{path} is not a configuration; give one (YAML, see config/README.md), or a sheet "
                "of test sets whose name ends in .tsv"
            )
        config = merge(config, part)
    return config | given, " ".join(args.config)
