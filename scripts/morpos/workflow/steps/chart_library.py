"""Write the JavaScript that draws the charts: Vega, Vega-Lite and Vega-Embed in one file."""

import argparse
import re
from importlib import metadata

import vl_convert

from morpos.io.files import atomic

_NOTICE = """\
/* Vega {vega}, Vega-Lite {lite} and Vega-Embed {embed}, bundled by vl-convert-python {own}.
Copyright (c) University of Washington Interactive Data Lab and contributors. BSD-3-Clause. */
"""
_SNIPPET = "window.vegaEmbed = vegaEmbed;"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--output", required=True, help="the library (JavaScript)")


def run(args: argparse.Namespace) -> None:
    notice = _NOTICE.format(
        vega=vl_convert.get_vega_version(),
        lite=vl_convert.get_vegalite_versions()[-1],
        embed=vl_convert.get_vega_embed_version(),
        own=metadata.version("vl-convert-python"),
    )
    bundle = vl_convert.javascript_bundle(_SNIPPET)
    with atomic(args.output) as handle:
        # Inside a page, these would end the script element, or begin a comment.
        handle.write(notice + re.sub(r"<(/script|!--)", r"<\\\1", bundle))
