"""Tables of text cells, with a header, as plain text, Markdown and LaTeX."""

import math
import re
from collections.abc import Sequence

from tabulate import tabulate

from morpos.io.tables import Row

_MARKDOWN = re.compile(r"([\\|*_`<&~$\[\]])")
_LATEX: dict[str, str | int | None] = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "|": r"\textbar{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    "ρ": r"$\rho$",
    "<": "$<$",
    ">": "$>$",
    "≥": r"$\geq$",
    "Δ": r"$\Delta$",
}


def summary_rows(summary: Sequence[Row]) -> list[list[str]]:
    """The table of metrics over test sets, rounded for people, with a header."""
    return [
        ["metric", "mean ρ", "rank> %", "rank≥ %"],
        *(
            [row["metric"], _decimal(row["mean"], 3)]
            + [_decimal(100 * row[rank], 1) for rank in ("rank_gt", "rank_ge")]
            for row in summary
        ),
    ]


def _decimal(value: float, digits: int) -> str:
    return "undefined" if math.isnan(value) else f"{value:.{digits}f}"


def plain(table: Sequence[Sequence[str]]) -> str:
    """A table in columns, without a line end: the first to the left, others to the right."""
    text: str = tabulate(
        table,
        tablefmt="plain",
        disable_numparse=True,  # numbers come as they are to be shown
        colalign=["left", *["right"] * (len(table[0]) - 1)],
    )
    return text


def markdown(table: Sequence[Sequence[str]]) -> str:
    """A Markdown table, without a line end; punctuation that has a meaning there is escaped."""
    lines = [
        "| " + " | ".join(_MARKDOWN.sub(r"\\\1", cell) for cell in row) + " |" for row in table
    ]
    return "\n".join([lines[0], "|---" * len(table[0]) + "|", *lines[1:]])


def latex(table: Sequence[Sequence[str]], comments: Sequence[str] = ()) -> str:
    """A LaTeX table for the package booktabs: the first column to the left, others to the right."""
    escape = str.maketrans(_LATEX)
    head, *body = (" & ".join(cell.translate(escape) for cell in row) + r" \\" for row in table)
    return "\n".join(
        [
            *(f"% {comment}" for comment in comments),
            rf"\begin{{tabular}}{{l{'r' * (len(table[0]) - 1)}}}",
            r"\toprule",
            head,
            r"\midrule",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
            "",
        ]
    )
