"""What the docs say on adding a tagger and a layer, done and run: in a copy, in a package."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.conftest import ROOT
from tests.layers.test_taggers import HOSTILE, check
from tests.workflow.harness import Workspace, environment

_PROGRAM = """
import json, sys
from morpos.workflow.steps import main
from morpos.project.reading import read_project

project = read_project(json.loads(sys.argv[1]))
assert main(sys.argv[2:]) == 0
print(json.dumps(project.layers))
"""


def blocks(page: str, kind: str) -> list[str]:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def extended(folder: Path, page: str, module: str) -> Path:
    """A copy of the code with the page's module and changes; at most 60 lines are new."""
    for part in ("scripts", "config"):
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / part, folder / part, ignore=ignore)
    (code,) = (block for block in blocks(page, "python") if block.startswith("from collections"))
    (folder / module).write_text(code, encoding="utf-8")
    added = code.count("\n")
    for block in blocks(page, "diff"):
        head, *lines = block.splitlines(keepends=True)
        path = folder / head.removeprefix("# ").strip()
        old = "".join(line[1:] for line in lines if not line.startswith("+"))
        new = "".join(line[1:] for line in lines if not line.startswith("-"))
        content = path.read_text(encoding="utf-8")
        assert content.count(old) == 1, f"{head} has not once:\n{old}"
        path.write_text(content.replace(old, new), encoding="utf-8")
        added += sum(line.startswith("+") for line in lines)
    assert added <= 60
    return folder


def run(folder: Path, step: list[str], layers: str, **config: object) -> list[str]:
    """Read a configuration and run a step, both with the copy; gives the layers in use."""
    text = folder / "text.txt"
    text.write_text("walked home\n\n", encoding="utf-8")
    (folder / "m.yaml").write_text(f"M: {{family: F, layers: {layers}}}\n")
    (folder / "d.tsv").write_text(
        "testset\tsource\ttarget\treference\tsystems\nd\tde\ten\ttext.txt\t{system}.txt\n"
    )
    (folder / "A.txt").write_text("\n\n")
    options = {"testsets": "d.tsv", "metrics": "m.yaml"} | config
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, json.dumps(options), *step, "--output=o.txt", "text.txt"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder / "scripts")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    layers_used: list[str] = json.loads(done.stdout)
    return layers_used


@pytest.mark.parametrize(("granularity", "tags"), [("full", "ed me"), ("universal", "X X")])
def test_a_new_tagger(tmp_path: Path, granularity: str, tags: str) -> None:
    copy = extended(tmp_path, "taggers.md", "scripts/morpos/layers/tags/suffix.py")
    step = ["tags", "--tagger=suffix", "--language=en", f"--granularity={granularity}"]
    assert run(copy, step, "{pos: 1}", tags={"en": {"tagger": "suffix"}}) == ["pos"]
    assert (copy / "o.txt").read_text() == f"{tags}\n\n"
    signature = json.loads((copy / "o.json").read_text())["signature"]
    assert signature == f"pos:suffix-1.two#{'0' * 12}|granularity:{granularity}"


def test_a_new_tagger_passes_what_all_have_to() -> None:
    module = ModuleType("example")
    exec(blocks("taggers.md", "python")[0], vars(module))
    check(module.SuffixTagger("en"), [["walked", "home", "a"], [], HOSTILE[:11]])


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a package with the page's tagger is installed, by pip and its entry point alone."""
    source = tmp_path_factory.mktemp("package")
    (code,) = blocks("taggers.md", "python")
    (project,) = blocks("taggers.md", "toml")
    (source / "morpos_suffix.py").write_text(code, encoding="utf-8")
    (source / "pyproject.toml").write_text(
        f'[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n\n'
        f'{project}\n[tool.setuptools]\npy-modules = ["morpos_suffix"]\n'
    )
    target = tmp_path_factory.mktemp("installed")
    offline = ["--no-index", "--no-build-isolation", "--no-deps", "--disable-pip-version-check"]
    pip = [sys.executable, "-m", "pip", "install", "--quiet", *offline]
    subprocess.run([*pip, "--target", str(target), str(source)], check=True)
    return target


def with_package(package: Path, folder: Path) -> dict[str, str]:
    paths = f"{ROOT / 'scripts'}{os.pathsep}{package}"
    return environment(ROOT, folder) | {"PYTHONPATH": paths}


def test_a_tagger_of_another_package_in_commands(package: Path, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("walked home\n")
    (tmp_path / "b.txt").write_text("talked here\n")

    def morpos(*arguments: str, installed: bool = True) -> subprocess.CompletedProcess[str]:
        own = with_package(package, tmp_path)
        return subprocess.run(
            [sys.executable, "-m", "morpos", *arguments, "--lang", "en", "--tagger", "suffix"],
            cwd=tmp_path,
            env=own if installed else environment(ROOT, tmp_path),
            capture_output=True,
            text=True,
        )

    tags = morpos("tag", "a.txt")
    assert tags.stdout == "ed me\n", tags.stderr
    scores = morpos("score", "a.txt", "b.txt", "-m", "POSF", "--json")
    assert json.loads(scores.stdout)["signature"].split("|")[3:5] == [
        f"pos:suffix-1.two#{'0' * 12}",
        "granularity:full",
    ]
    without = morpos("tag", "a.txt", installed=False)
    assert without.returncode == 2
    assert "invalid choice: 'suffix'" in without.stderr


def test_a_tagger_of_another_package_in_the_workflow(package: Path, tmp_path: Path) -> None:
    space = Workspace(tmp_path)
    space.testset("d", space.write("ref.txt", "walked home\n"), {"A": space.write("a.txt", "x\n")})
    space.config["metrics"] = space.write("m.yaml", "POSF: {family: F, layers: {pos: 1}}\n")
    space.config["tags"] = {"en": {"tagger": "suffix"}}
    space.sheets()

    def snakemake(*more: str) -> str:
        command = ["snakemake", "--cores=2", f"--directory={tmp_path}"]
        configured = ["--configfile", str(tmp_path / "config.yaml"), *more]
        done = subprocess.run(
            [*command, *configured, "--", "scores_all"],
            cwd=ROOT,
            env=with_package(package, tmp_path),
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    snakemake("--quiet", "rules")
    (layer,) = (tmp_path / "results" / "tags").glob("moses-keep/suffix-*/references/*.txt")
    assert layer.read_text() == "ed me\n"
    assert f"|pos:suffix-1.two#{'0' * 12}|" in space.table("scores/d.tsv")["signature"][0]
    # Another version of the package makes its layers again, and nothing else.
    (metadata,) = package.glob("*.dist-info/METADATA")
    old = metadata.read_text()
    metadata.write_text(old.replace("Version: 1.0", "Version: 1.1"))
    again = snakemake("--dry-run")
    metadata.write_text(old)
    assert "rule tags:" in again
    assert "rule words:" not in again


def test_a_new_layer(tmp_path: Path) -> None:
    copy = extended(tmp_path, "layers.md", "scripts/morpos/layers/units/pairs.py")
    assert run(copy, ["layer", "--name=pair"], "{pair: 1}") == ["pair"]
    assert (copy / "o.txt").read_text() == "wa lk ed ho me\n\n"
    assert json.loads((copy / "o.json").read_text())["signature"] == "layer.pair:pairs"
