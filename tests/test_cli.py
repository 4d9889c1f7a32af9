"""The command line in an environment that is not as usual."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT


@pytest.mark.parametrize("ascii_only", [False, True], ids=["argument", "JSON"])
def test_names_in_a_locale_without_utf8(tmp_path: Path, ascii_only: bool) -> None:
    sheet = "document\tsource\ttarget\treference\tsystems\nd\tde\ten\tréf.txt\t{system}.txt\n"
    for name, content in {"d.tsv": sheet, "réf.txt": "x\n", "é.txt": "x\n"}.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    config = json.dumps({"documents": "d.tsv", "archive": {"path": "ä"}}, ensure_ascii=ascii_only)
    locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    run = subprocess.run(
        [sys.executable, "-m", "morpos", "archive", "--config", config],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT / "scripts")} | locale,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 1
    assert "in this locale, whose encoding is ascii; export PYTHONUTF8=1" in run.stderr
