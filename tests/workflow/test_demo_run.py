"""The demo as a user runs it: twice the same bytes, equal to sacreBLEU, offline report."""

import gzip
import json
import re
import subprocess
from collections.abc import Mapping
from glob import glob
from pathlib import Path

import pytest
from sacrebleu.metrics.bleu import BLEU

from morpos.commands import main
from morpos.io.tables import read
from morpos.scoring.metrics import DEFAULT_TABLE, read_table
from morpos.workflow import steps
from tests.scoring.test_metrics import f_score
from tests.workflow.harness import ROOT, Workspace, environment, without_scripts

PAIRS = ("de-en", "en-de", "en-fr", "en-es", "en-cs")
TABLES = ("**/*.tsv", "**/*.tsv.gz", "**/*.npz", "models/**/*.json", "**/*.html")


def run_demo(folder: Path) -> Workspace:
    (folder / "demo").symlink_to(ROOT / "demo")
    (folder / "config").symlink_to(ROOT / "config")
    subprocess.run(
        [
            *("snakemake", "--cores", "2", "--directory", str(folder), "--quiet", "all"),
            *("--config", "results=results"),
        ],
        cwd=ROOT,
        env=environment(ROOT, folder),
        check=True,
    )
    return Workspace(folder)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return run_demo(tmp_path_factory.mktemp("demo"))


def without_benchmarks(results: Mapping[str, bytes]) -> dict[str, bytes]:
    """The index shows what the jobs took, too."""
    times = re.compile(rb'<section aria-labelledby="time".*?</section>', re.DOTALL)
    return {
        path: times.sub(b"", data)
        for path, data in results.items()
        if not path.startswith("benchmarks/")
    }


def test_two_clean_runs_give_the_same_bytes(demo: Workspace, tmp_path: Path) -> None:
    one, two = (without_benchmarks(w.results(*TABLES)) for w in (demo, run_demo(tmp_path)))
    assert len(one) > 5 * 10
    assert one == two


def test_scores_equal_sacrebleu_and_an_independent_f(demo: Workspace) -> None:
    metric = BLEU(tokenize="none", smooth_method="none", force=True)
    for pair in PAIRS:
        scores = demo.table(f"scores/demo.{pair}.tsv").set_index("system")
        texts = demo.folder / "results" / "texts" / f"demo.{pair}"
        for layer, bleu, f in (
            ("words", "BLEU", "WORDF"),
            ("morphemes", "MORPHBLEU", "MORPHF"),
            ("tags", "POSBLEU", "POSF"),
        ):
            right = demo.layer(layer, f"demo/references/{pair[-2:]}.txt")
            lines = [" ".join(segment) for segment in right]
            for facts in texts.glob("*.json"):
                system = re.sub(r"-[0-9a-f]{8}$", "", facts.stem)
                (path,) = (demo.folder / "results" / layer).glob(f"**/demo.{pair}/{facts.stem}.txt")
                given = [line.split() for line in path.read_text().split("\n")[:-1]]
                expected = metric.corpus_score([" ".join(units) for units in given], [lines])
                assert 100 * scores.loc[system, bleu] == pytest.approx(expected.score, abs=1e-9)
                assert scores.loc[system, f] == pytest.approx(f_score(given, right), abs=1e-12)


def lines(table: bytes) -> list[list[str]]:
    return [line.split("\t") for line in table.decode().removesuffix("\n").split("\n")]


@pytest.mark.parametrize("pair", PAIRS)
def test_the_quick_command_gives_the_same_bytes(
    demo: Workspace, pair: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    texts = [f"demo/references/{pair[-2:]}.txt", *sorted(glob(f"demo/systems/{pair}/*.txt"))]
    for option, table in (
        ((), demo.results(f"scores/demo.{pair}.tsv")),
        (("-sl",), demo.results(f"segment_scores/demo.{pair}.tsv.gz")),
    ):
        assert main(["score", *texts, "--lang", pair[-2:], "--tsv", *option]) == 0
        (expected,) = table.values()
        rows = lines(gzip.decompress(expected) if option else expected)
        assert lines(capsys.readouterr().out.encode()) == [row[1:] for row in rows]


def test_the_quick_command_tests_as_the_workflow(
    demo: Workspace, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    texts = ["demo/references/en.txt", *sorted(glob("demo/systems/de-en/*.txt"))]
    drawn = ["--samples", "500", "--seed", "7"]
    assert main(["score", *texts, "--lang", "en", "--significance", "--json", *drawn]) == 0
    found = json.loads(capsys.readouterr().out)
    counts = sorted(map(str, demo.folder.glob("results/counts/demo.de-en/*.npz")))
    options = ["--testset", "d", "--metrics", str(DEFAULT_TABLE), *drawn]
    tables = [str(tmp_path / name) for name in ("intervals.tsv", "pairs.tsv")]
    outputs = ["--intervals", tables[0], "--pairs", tables[1]]
    assert steps.main(["system_tests", *options, *outputs, "--", *counts]) == 0
    intervals, pairs = (read(path) for path in tables)
    by_name = {entry["system"]: entry for entry in found["systems"]}
    assert len(intervals) == 7 * len(read_table(DEFAULT_TABLE))
    for row in intervals:
        ours = by_name[row["system"]][row["metric"]]
        assert ours["score"] == row["score"]
        assert (ours["low"], ours["high"]) == (row["low"], row["high"])
        assert ours["cluster_bootstrap"] == row["cluster_bootstrap"]
        assert ours["cluster_randomisation"] == row["cluster_randomisation"]
    assert [{**row, "note": row["note"] or ""} for row in found["pairs"]] == [
        {key: value for key, value in row.items() if key not in ("testset", "signature")}
        for row in pairs
    ]


def test_every_table_is_signed(demo: Workspace) -> None:
    for path in (demo.folder / "results").glob("**/*.tsv"):
        relative = path.relative_to(demo.folder / "results")
        if relative.parts[0] != "benchmarks":
            assert path.read_text().split("\n")[0].endswith("\tsignature"), relative


def test_the_report_says_that_the_demo_is_no_evidence(demo: Workspace) -> None:
    page = without_scripts((demo.folder / "results" / "report.html").read_text())
    assert "synthetic" in page
    assert "no evidence" in page
    for pair in ("de-en", "en-cs"):
        assert f'href="report/demo.{pair}.html"' in page
        document = (demo.folder / "results" / "report" / f"demo.{pair}.html").read_text()
        assert "no evidence" in document
        assert "95 % interval over segments" in document


def test_planted_qualities_show(demo: Workspace) -> None:
    for pair in PAIRS:
        scores = demo.table(f"scores/demo.{pair}.tsv").set_index("system")
        assert scores["WMPF"].idxmax() == "near-copy"
        assert scores["WMPF"].idxmin() == "word-salad"


def edges(mermaid: str, names: Mapping[str, str]) -> set[tuple[str, str]]:
    found = re.findall(r"^\s*(\w+) --> (\w+)$", mermaid, re.MULTILINE)
    return {(names.get(a, a), names.get(b, b)) for a, b in found}


def test_the_readme_shows_the_rules_as_they_are(tmp_path: Path) -> None:
    graph = subprocess.run(
        ["snakemake", "--rulegraph", "mermaid-js"],
        cwd=ROOT,
        env=environment(ROOT, tmp_path),
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    names = dict(re.findall(r"(id\d+)\[(\w+)\]", graph))
    real = {(a, b) for a, b in edges(graph, names) if b != "all" and a != b}
    (shown,) = re.findall(r"```mermaid\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert edges(shown, {}) == real
