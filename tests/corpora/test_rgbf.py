"""The one-line format `words ++ morphemes ++ tags`, where `++` and `#` may be units too."""

from pathlib import Path

import pytest

from morpos.corpora.rgbf import split_levels
from morpos.errors import MorposError
from morpos.io import tables
from morpos.workflow.steps import main
from tests.conftest import METRIC_TABLE

# All of its units could be marks of some format.
ODD = ["c", "++", "and", "++", "#", "*#"]


def test_plain() -> None:
    found = split_levels("the mills ++ the mill s ++ DT NNS", "x")
    assert found == (["the", "mills"], ["the", "mill", "s"], ["DT", "NNS"])
    assert split_levels("++ ++", "x") == ([], [], [])
    assert split_levels("\tà\u00a0b ++ à\u00a0 b  ++ X\x85Y", "x") == (
        ["à\u00a0b"],
        ["à\u00a0", "b"],
        ["X\x85Y"],
    )


def test_the_separator_as_a_unit() -> None:
    line = " ".join([*ODD, "++", *ODD, "++", "NN", "SYM", "CC", "SYM", "SYM", "SYM"])
    words, morphemes, tags = split_levels(line, "x")
    assert words == morphemes == ODD
    assert len(tags) == 6


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a ++ a", "x: there is no way to read this"),
        ("a ++ b ++ c ++ d", "x: there is no way to read this"),
        ("++ ++ ++ ++ ++ ++", "x: there are|x: there is"),
    ],
)
def test_no_single_way(line: str, message: str) -> None:
    with pytest.raises(MorposError, match=message):
        split_levels(line, "x")


def test_scores_of_given_levels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd = " ".join(ODD)
    for name, last in (
        ("reference", "letter ++ a bc d letter ++ T T"),
        ("lab-1", "letters ++ a bc d letter s ++ T T"),
    ):
        first = f"{odd} ++ {odd} ++ A B A B C D"
        (tmp_path / f"{name}.txt").write_text(f"{first}\nabcd {last}\n")
        folder = str(tmp_path / name)
        assert (
            main(
                [
                    "rgbf",
                    "--name",
                    name,
                    "--output-dir",
                    folder,
                    str(tmp_path / f"{name}.txt"),
                ]
            )
            == 0
        )
    names = ("word", "morpheme", "pos")
    files = [str(tmp_path / n / f"{layer}.txt") for layer in names for n in ("lab-1", "reference")]
    layers = ["--layers", *names, "--files", *files]
    counts, scores = str(tmp_path / "lab-1.npz"), str(tmp_path / "scores.tsv")
    text = str(tmp_path / "lab-1" / "text.json")
    assert main(["counts", *layers, "--output", counts, "--", text]) == 0
    arguments = ["--testset", "d", "--metrics", str(METRIC_TABLE)]
    arguments += ["--references", str(tmp_path / "reference" / "text.json"), "--scores", scores]
    arguments += ["--segments", str(tmp_path / "s.tsv"), "--texts", str(tmp_path / "t.tsv")]
    assert main(["scores", *arguments, "--", counts]) == 0
    (row,) = tables.read(scores, tables.NOT_METRICS)
    assert row["POSF"] == 1
    # 6 words match in full and one of two; of morphemes 4 of 5 against 4.
    assert row["WORDF"] == pytest.approx((7 / 8 + 5 / 6 + 1 + 1) / 4)
    f = [2 * 10 / 21, 2 * 8 / 17, 2 * 6 / 13, 2 * 4 / 9]
    assert row["MORPHF"] == pytest.approx(sum(f) / 4)
    assert "tok:given" in row["signature"]


def test_the_problem_case(shared: Path) -> None:
    text = (shared / "cases" / "tg-03-separator-characters" / "inputs" / "plus.tok").read_text()
    words = text.split()
    assert len(words) == 6
    found = split_levels(" ".join([*words, "++", *words, "++", *"ABCDEF"]), "x")
    assert found == (words, words, list("ABCDEF"))
