"""Draw a table as an SVG figure: a Vega-Lite specification without data, and the rows."""

import argparse
import math

import vl_convert

from morpos.io import tables
from morpos.io.files import read_json, write_text


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("specification", help="Vega-Lite specification (JSON)")
    parser.add_argument("table", help="the rows that it shows (TSV)")
    parser.add_argument("--output", required=True, help="figure (SVG)")


def run(args: argparse.Namespace) -> None:
    rows = [
        {column: None if _undefined(value) else value for column, value in row.items()}
        for row in tables.read(args.table, tables.TEXT)
    ]
    specification = read_json(args.specification) | {"data": {"values": rows}}
    # No addresses: a figure shows the table and nothing from elsewhere.
    svg = vl_convert.vegalite_to_svg(specification, allowed_base_urls=[])
    write_text(args.output, svg.removesuffix("\n") + "\n")


def _undefined(value: object) -> bool:
    return isinstance(value, float) and math.isnan(value)
