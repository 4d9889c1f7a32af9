"""The commonest errors, word for word: what was found, where, and what to do next.

The messages come from the entry points that people use, and none ends in a traceback.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from morpos import commands
from tests.conftest import ROOT

TESTSETS = "testset\tsource\ttarget\treference\tsystems\nd\tde\ten\tref.txt\tout/{system}.txt\n"
JUDGED = (
    "testset\tsource\ttarget\treference\tsystems\tjudgments\tjudgments_format\n"
    "d\tde\ten\tref.txt\tout/{system}.txt\tj.tsv\tpairwise\n"
)
CONFIG = "testsets: testsets.tsv\n"
PAIRS = "system1\tsystem2\trank1\trank2\nA\tB\t1\t2\n"

GOOD = {
    "config.yaml": CONFIG,
    "testsets.tsv": TESTSETS,
    "ref.txt": "the mill\nthe river\n",
    "out/A.txt": "a mill\nthe river\n",
    "out/B.txt": "the mill\na river\n",
    "j.tsv": PAIRS,
}

#: What is wrong: files that differ from the good ones (None: not there), and the message.
ERRORS: dict[str, tuple[dict[str, str | bytes | None], str]] = {
    "no such file": (
        {"ref.txt": None},
        "error: testsets.tsv, line 2: column 'reference': there is no file ref.txt [configuration]",
    ),
    "another number of lines": (
        {"out/A.txt": "a mill\n"},
        "error: d A: out/A.txt has 1 segments, but the reference has 2; segments are "
        "paired line by line, so none may be missing [text]",
    ),
    "not UTF-8": (
        {"out/A.txt": "a mill\nthe rivière\n".encode("latin-1")},
        "error: d A: out/A.txt, line 2: byte 0xE8 at byte offset 15 is not UTF-8; "
        "convert the file to UTF-8 or, for a text, give its encoding: --encoding latin-1 (or "
        "cp1250 ...), or the sheet's column 'encoding' [text]",
    ),
    "UTF-16 sheet": (
        {"testsets.tsv": TESTSETS.encode("utf-16")},
        "error: testsets.tsv: starts with the byte order mark of UTF-16, not UTF-8; convert it to "
        "UTF-8 [configuration]",
    ),
    "old Mac sheet": (
        {"testsets.tsv": TESTSETS.replace("\n", "\r")},
        "error: testsets.tsv: ends lines in CR alone, as old Macs did: save it with LF or CR LF "
        "line ends [configuration]",
    ),
    "unknown column": (
        {"testsets.tsv": TESTSETS.replace("systems", "system")},
        "error: testsets.tsv, line 1: column 'system' is not known; did you mean 'systems'? "
        "[configuration]",
    ),
    "missing column": (
        {"testsets.tsv": TESTSETS.replace("\tsource", "").replace("\tde", "")},
        "error: testsets.tsv, line 1: the column 'source' is needed [configuration]",
    ),
    "blanks for tabs": (
        {"testsets.tsv": TESTSETS.replace("\t", "  ")},
        "error: testsets.tsv, line 1: 'testset  source  target  reference  systems' is one cell: "
        "put tabs, not spaces or ; between the cells [configuration]",
    ),
    "no tagger for the language": (
        {"testsets.tsv": TESTSETS.replace("\ten\t", "\tfi\t")},
        "error: the tagger rdr has no default model for the language 'fi', only for bg, cs, de, "
        "en, es, fr, it, nl, pt, sv; name one in the configuration, such as tags: {fi: {tagger: "
        "rdr, model: UniPOS/UD_...}}, or another tagger (docs/taggers.md) [configuration]",
    ),
    "three letters for two": (
        {"testsets.tsv": TESTSETS.replace("\ten\t", "\teng\t")},
        "error: the tagger rdr has no default model for the language 'eng' (ISO 639-1: en, not "
        "eng), only for bg, cs, de, en, es, fr, it, nl, pt, sv; name one in the configuration, "
        "such as tags: {eng: {tagger: rdr, model: UniPOS/UD_...}}, or another tagger "
        "(docs/taggers.md) [configuration]",
    ),
    "unknown system in the judgments": (
        {"testsets.tsv": JUDGED, "j.tsv": PAIRS + "A\tb \t1\t2\n", "out/C.txt": "x\ny\n"},
        "note: d b : j.tsv: was judged, but has no output: its judgments count for its opponents "
        "only [judged-names]",
    ),
    "misspelt system in the judgments": (
        {"testsets.tsv": JUDGED, "j.tsv": PAIRS.replace("B", "b")},
        "warning: d B: j.tsv: 'b' was judged, but has no output; 'B' has one, but was not judged: "
        "if they are one, spell them alike (systems.tsv gives a file any name) [judged-names]",
    ),
    "judgments of another format": (
        {"testsets.tsv": JUDGED, "j.tsv": "system\tscore\nA\t1\n"},
        "error: d: j.tsv, line 1: no column system1 in 'system', 'score'; set the "
        "judgment format that the file has, or add a header line [judgments]",
    ),
    "test set given twice": (
        {"testsets.tsv": TESTSETS + TESTSETS.split("\n")[1] + "\n"},
        "error: testsets.tsv, line 3: column 'testset': 'd' stands twice (case aside) "
        "[configuration]",
    ),
    "key misspelt": (
        {"config.yaml": CONFIG + "word: {case: lower}\n"},
        "error: config.yaml: 'word' is not known; did you mean 'words'?; every key: "
        "config/README.md [configuration]",
    ),
    "mirror and directory": (
        {"config.yaml": CONFIG + "download: {mirror: 'http://a/b', directory: c}\n"},
        "error: config.yaml: download: mirror and directory are both given; keep the one to be "
        "used [configuration]",
    ),
    "published table of another kind": (
        {"config.yaml": CONFIG + "published: j.tsv\n"},
        "error: j.tsv, line 1: no column metric and mean and rank_gt and rank_ge; it needs metric, "
        "mean, rank_gt, rank_ge with tabs between them, and has system1, system2, rank1, rank2 "
        "[configuration]",
    ),
    "empty reference": (
        {"ref.txt": ""},
        "error: d: ref.txt is empty: a reference needs one segment at least [text]",
    ),
}


def write(folder: Path, files: dict[str, str | bytes | None]) -> None:
    for path, content in (GOOD | files).items():
        (folder / path).parent.mkdir(exist_ok=True)
        if content is not None:
            data = content.encode() if isinstance(content, str) else content
            (folder / path).write_bytes(data)


@pytest.mark.parametrize("error", ERRORS)
def test_what_check_says(
    error: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files, message = ERRORS[error]
    write(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    status = commands.main(["check", "config.yaml"])
    output = capsys.readouterr()
    assert message in output.out.splitlines()
    assert status == message.startswith("error")
    assert "Traceback" not in output.out + output.err


def test_several_errors_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = TESTSETS + "e\tdeu?\ten\tref.txt\tx\nf\tde\ten\tref.txt\n"
    write(tmp_path, {"testsets.tsv": rows, "config.yaml": CONFIG + "systems: s.tsv\nwhat: 1\n"})
    monkeypatch.chdir(tmp_path)
    assert commands.main(["check", "config.yaml"]) == 1
    errors = [line for line in capsys.readouterr().out.splitlines() if line.startswith("error")]
    assert [line.split(": ")[1].split(":")[0] for line in errors] == [
        "config.yaml",
        "testsets.tsv, line 3",
        "testsets.tsv, line 3",
        "testsets.tsv, line 4",
        "cannot read s.tsv",
    ]


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (
            CONFIG + "title: a\ntitle: b\n",
            "morpos check: config.yaml, line 3, column 1: is not valid YAML: the key 'title' "
            "stands twice\n",
        ),
        (
            CONFIG + "words:\n\tcase: lower\n",
            "morpos check: config.yaml, line 3, column 1: is not valid YAML: found character '\\t' "
            "that cannot start any token; indent with blanks, never with tabs\n",
        ),
        (
            "",
            "morpos check: config.yaml is not a configuration; give one (YAML, see "
            "config/README.md), or a sheet of test sets whose name ends in .tsv\n",
        ),
    ],
)
def test_no_configuration(
    config: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(tmp_path, {"config.yaml": config})
    monkeypatch.chdir(tmp_path)
    assert commands.main(["check", "config.yaml"]) == 1
    assert capsys.readouterr().err == message


def test_debug_shows_where_an_error_came_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert commands.main(["check", "no.yaml"]) == 1
    assert (
        capsys.readouterr().err == "morpos check: cannot read no.yaml: No such file or directory\n"
    )
    assert commands.main(["--debug", "check", "no.yaml"]) == 1
    assert "Traceback" in capsys.readouterr().err


def test_what_cannot_be_read_among_outputs_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, {})
    (tmp_path / "out" / "C.txt").symlink_to("nowhere")
    monkeypatch.chdir(tmp_path)
    assert commands.main(["check", "config.yaml"]) == 1
    assert (
        "error: testsets.tsv: out/C.txt fits the pattern of outputs 'out/{system}.txt', but is a "
        "broken link or not a regular file; fix it or take it away [configuration]"
    ) in capsys.readouterr().out.splitlines()


def test_without_the_environment(tmp_path: Path) -> None:
    """Snakemake is there, the package is not: what common.smk says."""
    (tmp_path / "morpos.py").write_text("raise ImportError(\"No module named 'morpos'\")\n")
    run = subprocess.run(
        [sys.executable, "-m", "snakemake", "--dry-run"],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(tmp_path), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 1
    output = run.stdout + run.stderr
    assert "No module named 'morpos': run `make setup`, then `. .venv/bin/activate`" in output
    assert "Traceback" not in output
