"""The report: HTML pages for people, from tables and layers and nothing else.

A page is one file that loads nothing. Everything that comes from data is escaped: in HTML by the
template engine, in JSON by `embedded`. Beyond that a content security policy names the digests of
the two scripts and of the style sheet, so that nothing else could run.
"""

import base64
import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from morpos.io.tables import Row
from morpos.io.text import CHANGES

#: Steps of colour either way.
_STEPS = 20


def page(template: str, library: str, data: Mapping[str, Any], **values: Any) -> str:
    """A whole page.

    Args:
        template: name of the template.
        library: JavaScript that draws charts.
        data: what the page's script reads.
        values: what the template shows.
    """
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
    )
    environment.filters["heat"] = heat
    style = environment.get_template("style.css").render()
    script = Path(__file__).with_name("page.js").read_text(encoding="utf-8")
    policy = (
        f"default-src 'none'; base-uri 'none'; form-action 'none'; style-src {_digest(style)}; "
        f"script-src {_digest(library)} {_digest(script)}"
    )
    return environment.get_template(template).render(
        policy=policy,
        style=Markup(style),
        script=Markup(script),
        library=Markup(library),
        data=embedded(data),
        changes=["empty_segments", *CHANGES],
        **values,
    )


def _digest(content: str) -> str:
    digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def embedded(value: Any) -> Markup:
    """JSON for a script element: nothing in it can end the element."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))


def heat(value: float, power: int = 3) -> str:
    """The class of colour of a value in -1..1: its sign, and the step of its power.

    The third power, because correlations of metrics crowd between .6 and 1.
    """
    if math.isnan(value):
        return ""
    step = round(_STEPS * min(1.0, abs(value)) ** power)
    return f"{'p' if value > 0 else 'n'}{step}" if step else ""


def defined(value: float | None) -> float | None:
    """None for NaN, which JSON does not have."""
    return None if value is None or math.isnan(value) else value


def changed(texts: Sequence[Row]) -> list[Row]:
    """The texts in which anything was changed, or that there is something to be said of."""
    kinds = ("empty_segments", *CHANGES)
    return [
        row
        for row in texts
        if row["status"] != "left out" and (row["note"] or any(row[kind] > 0 for kind in kinds))
    ]


def not_scored(texts: Sequence[Row]) -> list[Row]:
    """The systems whose texts were left out."""
    return [row for row in texts if row["status"] == "left out"]
