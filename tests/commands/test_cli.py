"""The commands as people type them: what they print where, exit codes, bad input."""

import contextlib
import gzip
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from morpos.commands import COMMANDS, main
from morpos.workflow.steps import STEPS

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = "a b c d e\nf g h\n"
OUTPUT = "a b c x e\nf g i\n"
WORDS = ["--lang", "en", "-tok", "none", "-m", "WORDF"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "with blanks"
    place.mkdir()
    monkeypatch.chdir(place)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    Path("ref.txt").write_text(REFERENCE)
    Path("a.txt").write_text(OUTPUT)
    Path("b.txt").write_text(REFERENCE)
    return place


def run(
    *arguments: str, cwd: Path, given: bytes = b"", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "morpos", *arguments],
        cwd=cwd,
        input=given,
        env=os.environ | {"PYTHONPATH": str(ROOT / "scripts")} | environment,
        capture_output=True,
    )


# By hand: matches 6, 3, 1, 0 of 8, 6, 4, 2 n-grams on either side.
WORDF = (6 / 8 + 3 / 6 + 1 / 4 + 0) / 4


def test_text_shows_percent_and_the_signature(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", "ref.txt", "a.txt", "b.txt", *WORDS]) == 0
    shown = capsys.readouterr()
    assert shown.out.split("\n")[:3] == ["    WORDF", f"a   {100 * WORDF:.2f}", "b  100.00"]
    assert shown.out.endswith(f"|refs:1|metrics:#{shown.out[-13:]}")
    assert "signature: morpos:" in shown.out
    assert shown.err == ""


def test_json_has_full_precision(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "ref.txt", "a.txt", *WORDS, "--json", "--segment-level"]) == 0
    found = json.loads(capsys.readouterr().out)
    (entry,) = found["systems"]
    assert entry["system"] == "a"
    assert entry["WORDF"]["score"] == pytest.approx(WORDF, abs=1e-15)
    assert entry["WORDF"]["segments"] == pytest.approx(
        [(4 / 5 + 2 / 4 + 1 / 3 + 0) / 4, (2 / 3 + 1 / 2 + 0 + 0) / 4], abs=1e-15
    )


def test_standard_input_pipes_and_names(folder: Path) -> None:
    found = run("score", "ref.txt", "-", *WORDS, "-b", "-w", "4", cwd=folder, given=OUTPUT.encode())
    assert (found.returncode, found.stdout) == (0, f"{100 * WORDF:.4f}\n".encode())
    (folder / "c.txt.gz").write_bytes(gzip.compress(OUTPUT.encode()))
    found = run("score", "ref.txt", "c.txt.gz", "./a.txt", *WORDS, "--tsv", cwd=folder)
    assert [line.split(b"\t")[0] for line in found.stdout.split(b"\n")] == [
        *(b"system", b"c", b"a", b"")
    ]


def test_several_references_and_same_names(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("x").mkdir()
    Path("x/a.txt").write_text(REFERENCE)
    arguments = ["score", "ref.txt", "a.txt", "x/a.txt", "-r", "a.txt", *WORDS, "--json"]
    assert main(arguments) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["nrefs"] == 2
    assert [entry["system"] for entry in found["systems"]] == ["a.txt", "x/a.txt"]
    assert [entry["WORDF"]["score"] for entry in found["systems"]] == [1, 1]


def test_annotated_files_and_given_layers(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("ref.lv").write_text("ab c ++ a b c ++ X Y\n")
    Path("a.lv").write_text("ab d ++ a b d ++ X Y\n")
    metrics = ["-m", "WORDF,MORPHF,POSF", "--lang", "en", "--json"]
    assert main(["score", "ref.lv", "a.lv", "--annotated", *metrics]) == 0
    found = json.loads(capsys.readouterr().out)
    for layer, column in (("words", 0), ("morphemes", 1), ("tags", 2)):
        for name in ("ref", "a"):
            line = Path(f"{name}.lv").read_text().split(" ++ ")[column]
            Path(f"{name}.{layer}").write_text(line.removesuffix("\n") + "\n")
    given = ["--tags", "ref.tags", "a.tags", "--morphemes", "ref.morphemes", "a.morphemes"]
    assert main(["score", "ref.words", "a.words", "-tok", "none", *metrics, *given]) == 0
    again = json.loads(capsys.readouterr().out)
    scores = [
        [entry[metric]["score"] for metric in ("WORDF", "MORPHF", "POSF")]
        for entry in (found["systems"][0], again["systems"][0])
    ]
    # 1 of 2 words; 2 of 3, 1 of 2 morphemes; all tags. Orders without n-grams count as 0.
    assert scores[0] == pytest.approx([0.5 / 4, (2 / 3 + 1 / 2) / 4, 2 / 4], abs=1e-15)
    assert scores[0] == scores[1]


def test_what_reading_changed_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("w.txt").write_bytes(b"\xef\xbb\xbfa b c\xc2\xa0x e\r\nf  g i\r\n")
    assert main(["score", "ref.txt", "w.txt", *WORDS, "-b"]) == 0
    shown = capsys.readouterr()
    assert shown.out == f"{100 * WORDF:.2f}\n"
    assert shown.err == (
        "w.txt: changed on reading: 2 Windows line ends, 1 no-break or other special spaces, "
        "1 invisible characters, 1 extra spaces\n"
    )
    assert main(["score", "ref.txt", "w.txt", *WORDS, "-b", "--quiet"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("content", "arguments", "message"),
    [
        (None, [], "cannot read x.txt: No such file"),
        (b"", [], "x.txt has 0 segments, but ref.txt has 2"),
        (b"a\n", [], "x.txt has 1 segments, but ref.txt has 2"),
        (b"\xff\xd8\xff\xe0\x00", [], "x.txt, line 1: byte 0xFF at byte offset 0 is not UTF-8"),
        ("Grüße\n".encode("latin-1") * 2, [], "--encoding latin-1"),
        (b"a\nb\n", ["-m", "WORDX"], "did you mean 'WORDF'"),
        (b"a\nb\n", ["--lang", "xx", "-m", "POSF"], "no default model for language 'xx'"),
        (b"a\nb\n", ["--lang", "English"], "ISO 639-1"),
        (b"a\nb\n", ["--metric-table", "none.yaml"], "cannot read none.yaml"),
        (b"a\nb\n", ["--significance", "--tsv"], "--significance goes with"),
    ],
)
def test_bad_input_is_named(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    content: bytes | None,
    arguments: list[str],
    message: str,
) -> None:
    if content is not None:
        Path("x.txt").write_bytes(content)
    assert main(["score", "ref.txt", "x.txt", *WORDS, *arguments]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("morpos score: ")
    assert message in shown.err
    assert "internal error" not in shown.err


def test_another_language_is_noticed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    german = ROOT / "demo" / "references" / "de.txt"
    assert main(["score", str(german), str(german), "--lang", "en", "-m", "POSF", "-b"]) == 0
    told = capsys.readouterr().err
    assert "of its words are in the dictionary of POS/English; is its language 'en'?" in told
    assert main(["score", str(german), str(german), "--lang", "de", "-m", "POSF", "-b"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["score", "ref.txt", "a.txt", "--lang", "zh", "-m", "WORDF", "-b"]) == 0
    assert "tokenisers do not split" in capsys.readouterr().err


SET = """<dataset><doc id="d"><ref translator="A"><seg id="1">a b c d e</seg><seg id="2">f g h</seg>
</ref><hyp system="X"><seg id="2">f g i</seg><seg id="1">a b c x e</seg></hyp><hyp system="Y">
<seg id="1">a b c d e</seg><seg id="2">f g h</seg></hyp></doc></dataset>"""


def test_texts_in_other_formats(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("set.xml").write_text(SET)
    Path("x.jsonl.gz").write_bytes(
        gzip.compress(
            b'{"doc": "d", "id": 2, "A": "f g i"}\n{"doc": "d", "id": 1, "A": "a b c x e"}\n'
        )
    )
    files = ["set.xml", "set.xml", "set.xml", "--format", "xml"]
    selects = ["--select=ref:A", "--select=hyp:X", "--select=hyp:Y"]
    assert main(["score", *files, *selects, *WORDS, "--tsv"]) == 0
    rows = [line.split("\t")[:2] for line in capsys.readouterr().out.splitlines()]
    assert rows == [["system", "WORDF"], ["X", str(WORDF)], ["Y", "1.0"]]
    assert (
        main(["compare", "set.xml", "set.xml", "-r", "set.xml", *files[3:], *selects, *WORDS]) == 0
    )
    assert f"WORDF  {100 * WORDF:.2f}  100.00" in capsys.readouterr().out
    mixed = ["--format=xml", "--format=jsonl", "--select=ref", "--select=A"]
    assert main(["score", "set.xml", "x.jsonl.gz", *mixed, *WORDS, "-b"]) == 0
    assert capsys.readouterr().out == f"{100 * WORDF:.2f}\n"
    assert main(["tag", "x.jsonl.gz", "--format=jsonl", "--lang=en", "-tok=none"]) == 0
    assert capsys.readouterr().out.count("\n") == 2


def test_segments_that_are_declared_missing(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("short.txt").write_text("f g h\n")
    assert main(["score", "ref.txt", "short.txt", *WORDS, "-b", "-sl", "--missing=1"]) == 0
    shown = capsys.readouterr()
    assert shown.out == "0.00\n75.00\n"
    assert shown.err == "short.txt: changed on reading: 1 missing segments, put in empty\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--format=tmx"], "invalid choice: 'tmx' (choose from "),
        (["--select=a", "--select=b", "--select=c"], "--select is given 3 times for 2 texts; give"),
        (["--select=a"], "ref.txt is to be read as plain text, which holds one text only"),
        (["--missing=1", "--missing=2"], "--missing is given 2 times for 1 outputs; give it once"),
    ],
)
def test_wrong_formats(
    folder: Path, capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    with contextlib.suppress(SystemExit):
        main(["score", "ref.txt", "a.txt", *WORDS, *options])
    assert message in capsys.readouterr().err


def test_an_output_that_is_given_twice(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "ref.txt", "a.txt", "a.txt", *WORDS]) == 1
    assert "given twice" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["scor"], "did you mean 'score'?"),
        (["words"], "the step of the workflow is `python -m morpos.workflow words`"),
        (["tags"], "did you mean 'tag'? the step of the workflow is `python -m morpos.workflow t"),
        (["_external"], "there is no command '_external'; morpos --help lists them all"),
        (["score", "ref.txt"], "HYP"),
        (["score", "ref.txt", "a.txt"], "--lang"),
        (["score", "ref.txt", "a.txt", "--lang", "en", "--samples", "0"], "at least one"),
        (["score", "ref.txt", "a.txt", "--lang", "en", "--width", "x"], "a whole number"),
        (["compare", "a.txt", "b.txt", "-r", "ref.txt", "-l", "en", "--examples", "-1"], "0 or"),
        ([], "command"),
    ],
)
def test_wrong_usage(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err


def test_tags_and_morphemes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("t.txt").write_text("The old mill stood still .\n\nIt is old .\n")
    assert main(["tag", "t.txt", "--lang", "en", "-tok", "none"]) == 0
    shown = capsys.readouterr()
    assert shown.out == "DT JJ NN VBD RB .\n\nPRP VBZ JJ .\n"
    assert "signature: tok:none|case:keep|pos:rdr-" in shown.err
    assert main(["segment", "t.txt", "--lang", "en", "-o", "out/m.txt", "-q"]) == 0
    joined = Path("out/m.txt").read_text().replace(" ", "")
    assert joined == Path("t.txt").read_text().replace(" ", "")


def test_correlation_and_comparison(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("scores.tsv").write_text("system\tM\na\t0.1\nb\t0.2\nc\t0.3\n")
    Path("pairs.tsv").write_text(
        "system1\tsystem2\trank1\trank2\na\tb\t2\t1\nb\tc\t2\t1\na\tc\t1\t1\n"
    )
    assert main(["correlate", "scores.tsv", "pairs.tsv", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["metrics"]
    assert row["spearman"] == pytest.approx(0.866, abs=1e-3)  # 1/2, 1/2, 1 against 1, 2, 3
    assert main(["compare", "a.txt", "b.txt", "-r", "ref.txt", *WORDS, "--samples", "50"]) == 0
    shown = capsys.readouterr().out
    assert f"WORDF  {100 * WORDF:.2f}  100.00" in shown
    assert "segment 1" in shown
    Path("pairs.tsv").write_text("one\ttwo\na\tb\n")
    assert main(["correlate", "scores.tsv", "pairs.tsv"]) == 1
    assert "name the format" in capsys.readouterr().err


def test_letters_in_any_locale_and_a_closed_pipe(folder: Path) -> None:
    (folder / "ü.txt").write_text(OUTPUT)
    found = run("score", "ref.txt", "ü.txt", *WORDS, "--tsv", cwd=folder, LC_ALL="C")
    assert found.stdout.decode().split("\n")[1].startswith("ü\t")
    (folder / "big.txt").write_text("the mill\n" * 20_000)
    found = subprocess.run(
        f"{shlex.quote(sys.executable)} -m morpos tag big.txt --lang en -tok none | head -1",
        shell=True,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT / "scripts")},
        capture_output=True,
    )
    assert (found.stdout, found.stderr) == (b"DT NN\n", b"")


def test_streams_that_are_closed_or_full(folder: Path) -> None:
    command = f"{shlex.quote(sys.executable)} -m morpos score ref.txt a.txt --lang en -m WORDF -b"
    for redirection, code, told in (
        (">&-", 0, b""),
        ("2>&-", 0, b""),
        ("> /dev/full", 1, b"morpos score: the system refused: [Errno 28] No space left"),
    ):
        found = subprocess.run(
            f"{command} {redirection}",
            shell=True,
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(ROOT / "scripts")},
            capture_output=True,
        )
        assert found.returncode == code
        assert found.stderr[: len(told)] == told
        assert told or not found.stderr


def test_names_cannot_break_a_table_or_a_terminal(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "a\nb\tc\x1b[31m.txt"
    Path(name).write_text(OUTPUT)
    assert main(["score", "ref.txt", name, "a.txt", *WORDS, "-q"]) == 0
    assert "\na b c [31m " in capsys.readouterr().out


def test_ctrl_c_while_a_command_is_imported(folder: Path) -> None:
    (folder / "shtab.py").write_text("raise KeyboardInterrupt")
    path = f"{folder}{os.pathsep}{ROOT / 'scripts'}"
    found = run("completion", "bash", cwd=folder, PYTHONPATH=path)
    assert (found.returncode, found.stderr) == (130, b"morpos completion: interrupted\n")


def test_a_home_that_cannot_be_written(folder: Path) -> None:
    arguments = ["score", "ref.txt", "a.txt", "--lang", "en", "-m", "MORPHF", "-b"]
    nowhere = "/proc/nowhere"
    found = run(*arguments, cwd=folder, XDG_CACHE_HOME=nowhere, HOME=nowhere)
    assert (found.returncode, found.stderr) == (0, b"")


def test_doctor_says_what_is_missing(folder: Path) -> None:
    (folder / "morfessor").mkdir()
    (folder / "morfessor" / "__init__.py").write_text("raise ImportError('broken')")
    path = f"{folder}{os.pathsep}{ROOT / 'scripts'}"
    found = run("doctor", cwd=folder, PYTHONPATH=path, XDG_CACHE_HOME="/proc/nowhere")
    assert found.returncode == 1
    assert b"does not work: a score of two sentences" in found.stderr
    assert b"rdr: bg cs de en es fr it nl pt sv" in found.stdout
    assert b"set XDG_CACHE_HOME" in found.stdout


def test_every_command_has_help_and_is_completed(capsys: pytest.CaptureFixture[str]) -> None:
    for name in COMMANDS:
        with pytest.raises(SystemExit) as stopped:
            main([name, "--help"])
        assert stopped.value.code == 0
        assert "examples:" in capsys.readouterr().out
    assert main(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    assert f"_subparsers=({' '.join(COMMANDS)})\n" in script
    assert not any(f"_{name}_option_strings" in script for name in STEPS)
    subprocess.run(["bash", "-n"], input=script, text=True, check=True)


def test_tracebacks_on_demand(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "ref.txt", "none.txt", *WORDS, "--debug"]) == 1
    assert "Traceback" in capsys.readouterr().err
    assert main(["score", "ref.txt", "none.txt", *WORDS]) == 1
    assert "Traceback" not in capsys.readouterr().err


def test_a_bar_on_a_terminal_only(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = (
        "import sys; from morpos.io import progress; from morpos.commands import main; "
        "sys.stderr.isatty = lambda: True; "
        "import tqdm; real = tqdm.tqdm; "
        "tqdm.tqdm = lambda items, **more: real(items, **{**more, 'delay': 0}); "
        "sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", script, "score", "ref.txt", "a.txt", *WORDS]
    found = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT / "scripts")},
        capture_output=True,
    )
    assert b"Tokenising" in found.stderr
    assert b"<" in found.stderr  # the time left
    assert b"Tokenising" not in found.stdout


@pytest.mark.parametrize("ascii_only", [False, True], ids=["argument", "JSON"])
def test_names_in_a_locale_without_utf8(tmp_path: Path, ascii_only: bool) -> None:
    sheet = "testset\tsource\ttarget\treference\tsystems\nd\tde\ten\tréf.txt\t{system}.txt\n"
    for name, content in {"d.tsv": sheet, "réf.txt": "x\n", "é.txt": "x\n"}.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    config = json.dumps({"testsets": "d.tsv", "archive": {"path": "ä"}}, ensure_ascii=ascii_only)
    locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    run = subprocess.run(
        [sys.executable, "-m", "morpos.workflow", "archive", "--config", config],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT / "scripts")} | locale,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 1
    assert "in this locale, whose encoding is ascii; export PYTHONUTF8=1" in run.stderr
