"""Configuration and sheets: what is accepted, and messages that name row and column."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from morpos.errors import MorposError
from morpos.io.files import slug
from morpos.io.schema import defaults, problems, schema
from morpos.project.model import Project
from morpos.project.reading import read_project
from tests.conftest import ROOT

Make = Callable[..., Project]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    monkeypatch.chdir(tmp_path)
    for name in ("ref.txt", "a.txt", "b.txt", "judgments.csv"):
        (tmp_path / name).write_text("x\n")

    def project(testsets: str, systems: str | None = None, **config: Any) -> Project:
        Path("testsets.tsv").write_text(testsets)
        if systems is not None:
            Path("systems.tsv").write_text(systems)
            config["systems"] = "systems.tsv"
        return read_project({"testsets": "testsets.tsv", **config})

    return project


TESTSETS = "testset\tsource\ttarget\treference\nd\tde\ten\tref.txt\n"
SYSTEMS = "testset\tsystem\tfile\nd\tA\ta.txt\nd\tB\tb.txt\n"


def test_a_plain_project(make: Make) -> None:
    project = make(TESTSETS, SYSTEMS)
    testset = project.testsets["d"]
    assert [text.name for text in testset.systems] == ["A", "B"]
    assert testset.references[0].path == "ref.txt"
    assert project.order == 4
    assert project.setups[""].tagging("de") == {"tagger": "rdr"}
    assert project.config["words"] == {"tokenizer": "moses", "case": "keep"}


def test_a_pattern_instead_of_a_sheet(make: Make) -> None:
    project = make(
        "testset\tsource\ttarget\treference\tsystems\nd\tde\ten\tref.txt\t{system}.txt\n"
    )
    assert {text.name for text in project.testsets["d"].systems} == {
        "a",
        "b",
    }  # not ref, the reference


def test_windows_line_ends_and_byte_order_mark(make: Make) -> None:
    project = make("\ufeff" + TESTSETS.replace("\n", "\r\n"), SYSTEMS.replace("\n", "\r\n"))
    assert len(project.testsets["d"].systems) == 2


def test_testsets_share_a_reference(make: Make) -> None:
    project = make(TESTSETS + "e\tfr\ten\tref.txt\n", SYSTEMS + "e\tA\ta.txt\n")
    one, two = project.testsets.values()
    assert one.references == two.references
    assert one.reference_set == two.reference_set
    assert len(project.texts) == 4


def test_several_references(make: Make) -> None:
    project = make(TESTSETS.replace("ref.txt", "ref.txt|a.txt"), SYSTEMS)
    testset = project.testsets["d"]
    assert [text.path for text in testset.references] == ["ref.txt", "a.txt"]
    assert "+" in testset.reference_set


@pytest.mark.parametrize(
    ("testsets", "systems", "message"),
    [
        ("", SYSTEMS, "testsets.tsv: is empty"),
        ("testset\tsource\ttarget\treference\n", SYSTEMS, "a header but no row"),
        (TESTSETS.replace("\tde\t", "\tdeutsch\t"), SYSTEMS, "line 2, column 'source': 'deutsch'"),
        (
            TESTSETS.replace("source", "src"),
            SYSTEMS,
            "line 1: column 'src' is not known; did you",
        ),
        (TESTSETS.replace("source", "src"), SYSTEMS, "line 1: the column 'source' is needed"),
        (TESTSETS.replace("testset", "document"), SYSTEMS, "'document' is now called 'testset'"),
        (TESTSETS.replace("reference", "apart"), SYSTEMS, "called 'exclude_from_summary'"),
        (TESTSETS.replace("ref.txt", "no.txt"), SYSTEMS, "'reference': there is no file no.txt"),
        (TESTSETS + "D\tde\ten\tref.txt\n", SYSTEMS, "line 3, column 'testset': 'D' stands twice"),
        (TESTSETS + "e\tde\ten\tref.txt\n", SYSTEMS, "line 3: test set 'e' has no systems"),
        (TESTSETS.replace("\nd\t", "\na/b\t"), SYSTEMS, "line 2, column 'testset': 'a/b' does"),
        (TESTSETS, SYSTEMS + "d\tA\tb.txt\n", "line 4: system 'A' of 'd' is given twice"),
        (TESTSETS, SYSTEMS + "x\tA\tb.txt\n", "line 4, column 'testset': 'x' is not in"),
        (TESTSETS, SYSTEMS + "d\tC\tno.txt\n", "line 4, column 'file': there is no file no.txt"),
        (TESTSETS, SYSTEMS + "d\tC\n", "line 4: 2 cells, but the header has 3"),
        (TESTSETS, SYSTEMS + "d\tC\ta.txt\tx\n", "line 4: 4 cells, but the header has 3"),
        (
            "testset\tsource\ttarget\treference\tjudgments\nd\tde\ten\tref.txt\tjudgments.csv\n",
            SYSTEMS,
            "'judgments' and 'judgments_format' need each other",
        ),
    ],
)
def test_faults_name_line_and_column(make: Make, testsets: str, systems: str, message: str) -> None:
    with pytest.raises(MorposError, match=message) as caught:
        make(testsets, systems)
    # In fields, of which findings are made, and not only in words.
    for fault in caught.value.faults:
        assert fault.path
        assert fault.line or message.endswith(("is empty", "header but no row"))


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"testset": "x"}, "'testset' is not known; did you mean 'testsets'"),
        ({"documents": "x"}, "'documents' is now called 'testsets'"),
        ({"intended": 3}, "'intended' is now called 'expected_testsets'"),
        ({"archive": {"documents": []}}, "archive: 'documents' is now called 'testsets'"),
        ({"words": {"tokenizer": "mosses"}}, "words.tokenizer: 'mosses' is not one of"),
        ({"tags": {"german": {"tagger": "rdr"}}}, "tags: 'german' does not match"),
        ({"results": "a{b}"}, "results: 'a{b}' does not fit"),
        ({"metrics": "no.yaml"}, "cannot read no.yaml"),
    ],
)
def test_faults_in_the_configuration(make: Make, config: dict[str, Any], message: str) -> None:
    with pytest.raises(MorposError, match=message):
        make(TESTSETS, SYSTEMS, **config)


NAMES = [
    "Alpha",
    "alpha",
    "a/b",
    "..",
    "../up",
    "-rf",
    "%s{0}",
    "$HOME",
    "a'b\"c",
    "Größe",
    "漢字",
    " ",
]


def test_slugs_are_safe_and_different_without_case() -> None:
    slugs = [slug(name) for name in NAMES]
    assert len({s.lower() for s in slugs}) == len(NAMES)
    for s in slugs:
        assert all(c.isascii() and (c.isalnum() or c in "._-") for c in s)
        assert s[0] not in ".-"


def test_the_demo_configuration_fits_the_schema() -> None:
    config = yaml.safe_load((ROOT / "config" / "config.yaml").read_text())
    assert problems(config, "config") == []


def test_every_key_and_column_is_documented() -> None:
    page = (ROOT / "config" / "README.md").read_text()
    for name in ("testsets", "systems"):
        for column in schema(name)["properties"]:
            assert f"`{column}`" in page, column
    for key, value in defaults("config").items():
        for inner in [key, *(value if isinstance(value, dict) else [])]:
            assert f"`{inner}`" in page, inner


def test_testsets_in_the_systems_sheet_are_spelt_exactly(make: Make) -> None:
    with pytest.raises(MorposError, match=r"line 4, column 'testset': 'D' is not in .*mean 'd'"):
        make(TESTSETS, SYSTEMS + "D\tC\ta.txt\n")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("a\tb", r"'a\\tb.out': the name 'a\\tb' holds a character that a table cannot hold"),
        (os.fsdecode(b"caf\xe9"), r"the file 'caf\\udce9.out' is not UTF-8"),
        ("{x}", "'{x}.out': Snakemake takes braces in a path for wildcards"),
    ],
)
def test_names_that_no_table_or_rule_can_hold(make: Make, name: str, message: str) -> None:
    Path(f"{name}.out").write_text("x\n")
    testsets = "testset\tsource\ttarget\treference\tsystems\nd\tde\ten\tref.txt\t{system}.out\n"
    with pytest.raises(MorposError, match=message):
        make(testsets)


def test_inputs_do_not_lie_among_the_results(make: Make) -> None:
    Path("results").mkdir()
    Path("results/ref.txt").write_text("x\n")
    with pytest.raises(MorposError, match=r"results/ref.txt lies below the results folder results"):
        make(TESTSETS.replace("ref.txt", "results/ref.txt"), SYSTEMS)


def test_results_below_a_file(make: Make) -> None:
    with pytest.raises(MorposError, match=r"results: a.txt/x is a file, or lies below one"):
        make(TESTSETS, SYSTEMS, results="a.txt/x")


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"morphemes": {"corpus_weight": float("nan")}}, "morphemes.corpus_weight is not a finite"),
        ({"morphemes": {"seed": 1.0}}, "morphemes.seed: 1.0 is not of type 'integer'"),
    ],
)
def test_numbers_that_are_none(make: Make, config: dict[str, Any], message: str) -> None:
    with pytest.raises(MorposError, match=message):
        make(TESTSETS, SYSTEMS, **config)


@pytest.mark.parametrize("path", ["x" * 300, "x\0y"])
def test_paths_that_no_file_can_have(make: Make, path: str) -> None:
    with pytest.raises(MorposError, match="line 4, column 'file': there is no file"):
        make(TESTSETS, SYSTEMS + f"d\tC\t{path}\n")
