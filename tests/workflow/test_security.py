"""Names, paths and options that would do harm if a shell, or a pattern, ever saw them unquoted."""

import os
import stat
from pathlib import Path

import pytest

from tests.workflow.harness import Workspace

#: As the names of files, found by a pattern and given in sheets.
NAMES = [
    "a;touch pwned;",
    "$(touch pwned) `touch pwned` & touch pwned & | touch pwned > pwned",
    "'; touch pwned; ' \"$(touch pwned)\" \\ ~ $HOME !! #",
    "-rf --output=pwned %s %n * ? [a] =cmd|'x'!A1 \\textbf _x_",
]
SHEET = "; touch pwned {input:q} \\textbf{x}"  # a name in a sheet may hold braces too


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    folder = tmp_path_factory.mktemp("security") / "in;touch pwned;$(touch pwned)"
    folder.mkdir()
    space = Workspace(
        folder,
        config={
            "results": "out;touch pwned;`touch pwned`",
            "title": "$(touch pwned)",
            "notice": "'; touch pwned; '",
            "combinations": "touch|pwned;",
            "human": {"references": ["$(touch pwned)x", "'; touch pwned #"]},
        },
    )
    reference = space.write("r;touch pwned;.txt", "a b c d\ne f\n")
    for number, name in enumerate(NAMES):
        space.write(f"sys/{name}.txt", f"a b c x\ne {number}\n")
    judged = "".join(f"{name}\t{number}\n" for number, name in enumerate(NAMES))
    space.testset(
        "d",
        reference,
        pattern="sys/{system}.txt",
        judgments=space.write("j$(touch pwned).tsv", f"system\tscore\n{judged}"),
        judgments_format="system",
    )
    column = "<tstset><doc docid='d' sysid='$(touch pwned)'><seg id='1'>a b</seg></doc></tstset>"
    space.systems.append(
        {
            "testset": "sheet",
            "system": SHEET,
            "file": space.write("s'$(touch pwned).sgm", column),
            "format": "sgml",
            "select": "$(touch pwned)",
            "encoding": "latin-1",
        }
    )
    space.testset("sheet", space.write("one.txt", "a b\n"), {"e": "one.txt"})
    space.systems[-1]["encoding"] = "$(touch pwned)"
    (folder.parent / "tmp").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(folder.parent / "tmp"))
        space.snakemake("--quiet", "rules", "--", "all", "exports")
    (folder / "results").symlink_to(folder / space.config["results"])
    return space


def test_nothing_was_run(run: Workspace) -> None:
    assert not [path for path in run.folder.parent.rglob("*") if path.name == "pwned"]
    assert not Path("pwned").exists()
    assert not (run.checkout / "pwned").exists()


def test_every_system_is_scored_under_its_name(run: Workspace) -> None:
    assert sorted(run.table("scores/d.tsv")["system"]) == sorted(NAMES)
    correlations = run.table("correlations/d.tsv").set_index("systems")
    assert set(correlations.loc["all", "n"]) == {len(NAMES)}
    assert run.table("scores/sheet.tsv")["system"].tolist() == [SHEET]
    note = run.table("texts/sheet.tsv").set_index("system").loc["e", "note"]
    assert "no encoding '$(touch pwned)'" in note


def test_results_are_no_ones_elses_to_write_and_nothing_stays_in_the_temporary_folder(
    run: Workspace,
) -> None:
    shared = [p for p in (run.folder / "results").rglob("*") if p.stat().st_mode & stat.S_IWOTH]
    assert os.umask(os.umask(0o022)) & stat.S_IWOTH
    assert shared == []
    assert list((run.folder.parent / "tmp").iterdir()) == []


def test_exports_escape_names(run: Workspace) -> None:
    exports = run.folder / "results" / "exports"
    latex = (exports / "scores.tex").read_text()
    assert r"\%s \%n * ? [a] =cmd\textbar{}'x'!A1 \textbackslash{}textbf \_x\_" in latex
    assert r"; touch pwned \{input:q\} \textbackslash{}textbf\{x\}" in latex
    assert r"\$(touch pwned) " in latex
    table = (exports / "scores.md").read_text()
    assert r"\& \| touch pwned" in table
    assert r"\_x\_" in table
