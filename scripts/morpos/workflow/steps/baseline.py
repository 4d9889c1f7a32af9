"""Score one system by a metric of sacreBLEU, on canonical untokenised text."""

import argparse

from morpos.io.files import read_json, read_segments, write_json
from morpos.layers.sidecar import sidecar_path
from morpos.scoring.external import BASELINES, score


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", help="canonical text of the system")
    parser.add_argument("references", nargs="+", help="canonical texts of the references")
    parser.add_argument("--baseline", required=True, choices=BASELINES)
    parser.add_argument("--output", required=True, help="output: corpus and segment scores (JSON)")


def run(args: argparse.Namespace) -> None:
    facts = read_json(sidecar_path(args.text))
    result = {"system": facts["name"], "left_out": facts["left_out"]}
    if not facts["left_out"]:
        outputs = read_segments(args.text)
        result |= score(args.baseline, outputs, [read_segments(p) for p in args.references])
    write_json(args.output, result)
