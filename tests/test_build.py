"""The package installs with a C compiler and without one."""

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.conftest import ROOT

COUNT = """
from morpos.scoring import ngrams
print(ngrams.KERNEL, *ngrams.count([["a", "b", "c"]], [[["b", "c"]]], 2).match_any[0])
"""


@pytest.mark.parametrize(("compiler", "kernel"), [("cc", "C"), ("no-such-compiler", "NumPy")])
def test_install(compiler: str, kernel: str, tmp_path: Path) -> None:
    if not find_spec("pip") or not find_spec("setuptools"):
        pytest.skip("pip or setuptools is not installed: make .venv/.dev")
    if compiler == "cc" and not shutil.which("cc"):
        pytest.skip("no C compiler; install one")
    source, target = tmp_path / "source", tmp_path / "target"
    source.mkdir()
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    built = shutil.ignore_patterns("*.so", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT / "scripts", source / "scripts", ignore=built)
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    install += ["--no-deps", "--no-build-isolation", "--target", str(target), str(source)]
    subprocess.run(install, env=os.environ | {"CC": compiler}, check=True, capture_output=True)
    environment = os.environ | {"PYTHONPATH": str(target)}
    run = [sys.executable, "-P", "-c", COUNT]
    output = subprocess.run(run, env=environment, check=True, capture_output=True, text=True)
    assert output.stdout == f"{kernel} 2 1\n"
    tags = [path.read_text() for path in target.glob("morpos-*.dist-info/WHEEL")]
    # One wheel of the extension serves all versions of Python from 3.11.
    assert kernel != "C" or "Tag: cp311-abi3-" in tags[0]
