"""The generator of large input: what it says, twice the same."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from morpos.io.files import read_segments
from morpos.project.reading import read_project

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = ROOT / "benchmarks" / "make_large.py"


def make(folder: Path) -> dict[str, bytes]:
    sizes = ("--systems", "3", "--testsets", "2", "--segments", "5")
    subprocess.run([sys.executable, SCRIPT, folder, *sizes], check=True)
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def test_targets_do_not_stand_right_after_configfile() -> None:
    """Snakemake takes what follows `--configfile` for more configurations."""
    pages = [ROOT / "README.md", ROOT / "Makefile", *ROOT.glob("docs/*.md")]
    pages += [*ROOT.glob("config/*.md"), *ROOT.glob("benchmarks/*.py")]
    given = [
        word.strip("`'\").,;:")
        for page in pages
        for line in re.findall(r"snakemake.*--configfile ((?:[^-\s`][^\s`]* ?)*)", page.read_text())
        for word in line.split()
    ]
    assert len(given) > 5
    assert not {word for word in given if not word.endswith(".yaml")}


def test_sizes_and_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert make(tmp_path / "one") == make(tmp_path / "two")
    monkeypatch.chdir(tmp_path / "one")
    project = read_project(yaml.safe_load(Path("config.yaml").read_text()))
    assert "synthetic judgments" in project.config["notice"]
    assert [len(testset.systems) for testset in project.testsets.values()] == [3, 3]
    for text in project.texts.values():
        segments = read_segments(text.path)
        assert len(segments) == 5
    for testset in project.testsets.values():
        outputs = {Path(text.path).read_bytes() for text in testset.systems}
        assert len(outputs) == 3
        header, *rows = read_segments(testset.judgments)
        assert header == "system1\tsystem2\trank1\trank2"
        assert len(rows) == 60
