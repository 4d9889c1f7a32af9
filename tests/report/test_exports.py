"""Names and cells that other formats cannot hold as they are."""

import math
import re
from pathlib import Path

import pandas as pd
import pytest

from morpos.errors import MorposError
from morpos.report import typeset
from morpos.report.exports import pivot
from morpos.report.mt_metrics_eval import file_names
from morpos.scoring.external import read_scores


def test_names_for_files() -> None:
    names = ["online-A", "lab 1", "a/b", "Alpha", "alpha", ".hidden", "-rf", "Größe", "x.y+z"]
    found = file_names(names)
    assert [name for name in names if found[name] == name] == ["online-A", "x.y+z"]
    assert len({file.lower() for file in found.values()}) == len(names)
    assert all(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._+-]*", file) for file in found.values())


def test_cells_are_escaped() -> None:
    table = [["system", "ρ"], [r"a|b_c\d", "1.0"], ["50% {#} ~^$&", "–"]]
    assert typeset.markdown(table).split("\n")[2] == r"| a\|b\_c\\d | 1.0 |"
    assert typeset.markdown(table).split("\n")[3] == r"| 50% {#} \~^\$\& | – |"
    text = typeset.latex(table, ["of 2"])
    assert r"a\textbar{}b\_c\textbackslash{}d & 1.0 \\" in text
    assert r"50\% \{\#\} \textasciitilde{}\textasciicircum{}\$\& & -- \\" in text
    assert text.startswith("% of 2\n\\begin{tabular}{lr}\n")


def test_console_tables_fit_with_wide_characters_and_leave_numbers_as_they_are() -> None:
    table = [["metric", "n"], ["日本語", "1.50"], ["e\u0301", "007"]]
    assert typeset.plain(table) == "metric     n\n日本語  1.50\ne\u0301        007"


def given(folder: Path, *rows: str, header: str = "system\tmetric\tsegment\tscore") -> str:
    path = folder / "extra.tsv"
    path.write_text("".join(f"{row}\n" for row in (header, *rows)))
    return str(path)


def test_given_scores(tmp_path: Path) -> None:
    rows = ["A\tX\t\t1.5", "A\tX\t2\t-3", "A\tX\t1\t", "B\tX\t\tnan", "C\tX\t\t7", "B\tY\t\t0"]
    (x, y), unknown = read_scores(given(tmp_path, *rows), ["MPF"], ["A", "B"], 2)
    assert (x.name, x.system, y.name, y.system) == ("X", {"A": 1.5}, "Y", {"B": 0})
    assert x.segment.keys() == {"A"}
    assert math.isnan(x.segment["A"][0])
    assert x.segment["A"][1] == -3
    assert unknown == ["C"]
    assert re.fullmatch(r"file:.*extra\.tsv#[0-9a-f]{12}", x.signature)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["A\tMPF\t\t1"], "line 2: there is a metric or column 'MPF' already"),
        (["A\t\t\t1"], "line 2: no metric"),
        (["A\tX\t\t1", "A\tX\t\t2"], "line 3: A by X is scored twice"),
        (["A\tX\t1\t1", "A\tX\t01\t2"], "line 3: A, segment 1, by X is scored twice"),
        (["A\tX\t\tgood"], "line 2, column 'score': 'good' is not a number"),
        (["A\tX\t\tinf"], "'inf' is not a finite number"),
        (["A\tX\t3\t1"], "line 2: segment '3'; the test set has 1 to 2"),
        (["A\tX\t0\t1"], "segment '0'; the test set has 1 to 2"),
        (["A\tX\t1.0\t1"], r"segment '1\.0'"),
        (
            ["A\tX\t2\t1"],
            "X has scores of 1 of the 2 segments of A; 1 is the first that is missing",
        ),
        (["a\tX\t\t1"], r"no score of a system here \(A, B\)"),
        ([], "no score of a system here"),
    ],
)
def test_faults_in_given_scores(rows: list[str], message: str, tmp_path: Path) -> None:
    with pytest.raises(MorposError, match=message):
        read_scores(given(tmp_path, *rows), ["MPF"], ["A", "B"], 2)


def test_given_scores_without_a_column(tmp_path: Path) -> None:
    with pytest.raises(MorposError, match="no column metric"):
        read_scores(given(tmp_path, "A\t1", header="system\tscore"), [], ["A"], 2)


def test_pivot_keeps_the_order_of_the_rows() -> None:
    rows = pd.DataFrame(
        {
            "system": ["b", "b", "a", "a"],
            "metric": ["Z", "Y", "Z", "Y"],
            "score": [0.12345, math.nan, 0.5, 1],
        }
    )
    table = pivot(rows, "system", "score", 2, 100)
    assert table == [["system", "Z", "Y"], ["b", "12.35", "–"], ["a", "50.00", "100.00"]]
