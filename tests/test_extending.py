"""What the docs say on adding a tagger and a layer, done to a copy of the code and run."""

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

_PROGRAM = """
import json, sys
from morpos.workflow.steps import main
from morpos.project.model import read_project

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


@pytest.mark.parametrize(("detail", "tags"), [("full", "ed me"), ("universal", "X X")])
def test_a_new_tagger(tmp_path: Path, detail: str, tags: str) -> None:
    copy = extended(tmp_path, "taggers.md", "scripts/morpos/layers/tags/ending.py")
    step = ["tags", "--tagger=ending", "--language=en", f"--detail={detail}"]
    assert run(copy, step, "{pos: 1}", tags={"en": {"tagger": "ending"}}) == ["pos"]
    assert (copy / "o.txt").read_text() == f"{tags}\n\n"
    signature = json.loads((copy / "o.json").read_text())["signature"]
    assert signature == f"pos:ending-1.two#{'0' * 12}|detail:{detail}"


def test_a_new_tagger_passes_what_all_have_to() -> None:
    module = ModuleType("example")
    exec(blocks("taggers.md", "python")[0], vars(module))
    check(module.EndingTagger(), [["walked", "home", "a"], [], HOSTILE[:11]])


def test_a_new_layer(tmp_path: Path) -> None:
    copy = extended(tmp_path, "layers.md", "scripts/morpos/layers/units/pairs.py")
    assert run(copy, ["layer", "--name=pair"], "{pair: 1}") == ["pair"]
    assert (copy / "o.txt").read_text() == "wa lk ed ho me\n\n"
    assert json.loads((copy / "o.json").read_text())["signature"] == "layer.pair:pairs"
