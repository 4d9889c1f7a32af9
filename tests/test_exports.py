"""Names and cells that other formats cannot hold as they are."""

import re

import pytest

from morpos import typeset
from morpos.baselines import read_extra
from morpos.errors import MorposError
from morpos.exports import file_names


def test_names_for_files() -> None:
    names = ["online-A", "lab 1", "a/b", "Alpha", "alpha", ".hidden", "-rf", "Größe", "x.y+z"]
    found = file_names(names)
    assert [name for name in names if found[name] == name] == ["online-A", "x.y+z"]
    assert len({file.lower() for file in found.values()}) == len(names)
    assert all(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._+-]*", file) for file in found.values())


def test_cells_are_escaped() -> None:
    table = [["system", "ρ"], [r"a|b_c\d", "1.0"], ["50% {#} ~^$&", "–"]]
    assert typeset.markdown(table).split("\n")[2] == r"| a\|b\_c\\d | 1.0 |"
    text = typeset.latex(table, ["of 2"])
    assert r"a|b\_c\textbackslash{}d & 1.0 \\" in text
    assert r"50\% \{\#\} \textasciitilde{}\textasciicircum{}\$\& & -- \\" in text
    assert text.startswith("% of 2\n\\begin{tabular}{lr}\n")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("system\tscore\nA\t1\n", "no column metric"),
        ("system\tmetric\tscore\nA\tMPF\t1\n", "there is a metric 'MPF' already"),
        ("system\tmetric\tscore\nA\tX\t1\nA\tX\t2\n", "A by X is scored twice"),
        ("system\tmetric\tscore\nA\tX\tgood\n", "'good' is no number"),
    ],
)
def test_faults_in_given_scores(content: str, message: str, tmp_path: object) -> None:
    path = f"{tmp_path}/extra.tsv"
    with open(path, "w") as handle:
        handle.write(content)
    with pytest.raises(MorposError, match=message):
        read_extra(path, ["MPF"])
