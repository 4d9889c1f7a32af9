"""Twins of the problem cases with texts of our own: the whole workflow, values by hand."""

import gzip
import itertools
import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from morpos.io import tables
from tests.workflow.harness import Workspace, without_scripts, word_counts

REFERENCE = "a b c d e\nf g café i\n\nk l m\n"
HYPOTHESIS = "a b c x e\nf g café i\nz\nk l m\n"
NAMES = ["Alpha", "alpha", "a/b", "../up", "-rf", "%s{0}", "$HOME", "a'b\"c", "Größe +1", "# no"]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    space = Workspace(tmp_path_factory.mktemp("bad"))
    reference = space.write("ref.txt", REFERENCE)
    space.testset("plain", reference, {"A": space.write("a.txt", HYPOTHESIS)})

    # The same with byte order mark, CR LF, other blanks, separators, decomposed letters.
    messy_reference = "\ufeff" + unicodedata.normalize("NFD", REFERENCE).replace("\n", "\r\n")
    messy = HYPOTHESIS.replace("a b", "a\u00a0\u2028b").replace("x e", "x \u0085 e\u200b")
    space.testset(
        "messy",
        space.write("messy_ref.txt", messy_reference),
        {"A": space.write("messy.txt", messy)},
    )

    files = {
        name: space.write(f"names/{i}.txt", HYPOTHESIS.replace("z", "z " * (i + 1)))
        for i, name in enumerate(NAMES)
    }
    space.write(
        "judgments.tsv",
        "system1\tsystem2\trank1\trank2\n"
        + "".join(f"{a}\t{b}\t1\t2\n" for a, b in itertools.pairwise(NAMES)),
    )
    space.testset("names", reference, files, judgments="judgments.tsv", judgments_format="pairwise")

    bad = {
        "good": "a.txt",
        "short": space.write("short.txt", "a b c x e\nf g café i\nk l m\n"),
        "long": space.write("long.txt", HYPOTHESIS + "\n"),
        "old-mac": space.write("mac.txt", HYPOTHESIS.replace("\n", "\r")),
        "latin-1": space.write("latin.txt", HYPOTHESIS.encode("latin-1")),
        "utf-16": space.write("utf16.txt", HYPOTHESIS.encode("utf-16")),
        "empty": space.write("empty.txt", ""),
        "cut": space.write("cut.txt.gz", gzip.compress(HYPOTHESIS.encode())[:-6]),
        "page": space.write("page.txt.gz", "<!doctype html>"),
        "packed": space.write("packed.txt", gzip.compress(HYPOTHESIS.encode())),
    }
    space.testset("bad", reference, bad)

    same = dict.fromkeys(("A", "B", "C"), "a.txt")
    space.write("tied.tsv", "system\tscore\nA\t1\nB\t2\nC\t3\n_ref\t9\nlost\t1\n")
    judged: dict[str, Any] = {"judgments": "tied.tsv", "judgments_format": "system"}
    space.testset("tied", reference, same, **judged)
    # None of its systems fits: it has no correlation, and that is said.
    space.testset("lost", reference, {"X": "short.txt"}, **judged)
    space.snakemake("--quiet", "all")
    return space


def test_values_by_hand(run: Workspace) -> None:
    # Line 1: 4 2 1 0 of 5 4 3 2; line 2: all of 4 3 2 1; line 3: 1 against 0; line 4: 3 2 1.
    assert word_counts(run.counts("plain")["A"]) == {
        "1": {"match": 11, "hyp": 13, "ref": 12},
        "2": {"match": 7, "hyp": 9, "ref": 9},
        "3": {"match": 4, "hyp": 6, "ref": 6},
        "4": {"match": 1, "hyp": 3, "ref": 3},
    }
    score = run.table("scores/plain.tsv")["WORDF"][0]
    assert score == pytest.approx((22 / 25 + 7 / 9 + 4 / 6 + 1 / 3) / 4, abs=1e-15)


def test_messy_texts_score_as_clean_ones(run: Workspace) -> None:
    columns = ["testset", "signature"]
    plain, messy = (run.table(f"scores/{n}.tsv").drop(columns=columns) for n in ("plain", "messy"))
    assert plain.equals(messy)
    texts = run.table("texts/messy.tsv").set_index("system")
    assert texts.loc[
        "messy_ref.txt", ["line_ends", "invisible", "normalised_segments"]
    ].tolist() == [4, 1, 1]
    assert texts.loc["A", ["controls", "special_spaces", "invisible", "extra_spaces"]].tolist() == [
        2,
        1,
        1,
        3,
    ]


def test_names_are_kept_everywhere(run: Workspace) -> None:
    for table in ("scores/names.tsv", "human/names.tsv"):
        assert sorted(run.table(table)["system"]) == sorted(NAMES)
    assert set(run.table("correlations/names.tsv")["n"]) == {len(NAMES)}
    assert not (run.folder.parent / "up").exists()
    page = (run.folder / "results" / "report" / "names.html").read_text()
    assert "a&#39;b&#34;c" in without_scripts(page)


@pytest.mark.parametrize(
    ("system", "reason"),
    [
        ("short", "short.txt has 3 segments, but the reference has 4"),
        ("long", "long.txt has 5 segments, but the reference has 4"),
        ("old-mac", "mac.txt: no line ends in LF, but there are 3 CR"),
        ("latin-1", "latin.txt, line 2: byte 0xE9 at byte offset 17 is not UTF-8"),
        ("utf-16", "utf16.txt: starts with the byte order mark of UTF-16"),
        ("empty", "empty.txt has 0 segments, but the reference has 4"),
        ("cut", "cut.txt.gz is a damaged or incomplete gzip file"),
        ("page", "page.txt.gz is not gzip (first bytes 3C 21"),
    ],
)
def test_what_does_not_fit_is_left_out_with_its_reason(
    run: Workspace, system: str, reason: str
) -> None:
    texts = run.table("texts/bad.tsv").set_index("system")
    assert texts.loc[system, "status"] == "left out"
    assert reason in str(texts.loc[system, "note"])
    assert set(run.table("scores/bad.tsv")["system"]) == {"good", "packed"}
    page = (run.folder / "results" / "report.html").read_text()
    assert reason.split(",")[0] in page


def test_undefined_correlations_are_shown_and_left_out(run: Workspace) -> None:
    table = run.table("correlations/tied.tsv")
    assert table["spearman"].isna().all()
    assert set(table["note"]) == {"the metric gives all systems the same score"}
    assert set(table["n"]) == {3}
    summary = run.table("summary.tsv")
    assert set(zip(summary["testsets"], summary["of"], strict=True)) == {(1, 3)}
    left_out = run.table("summary.left_out.tsv").set_index("testset")["note"]
    assert set(left_out.index) == {"tied", "lost"}
    assert "only 0 systems with a score and a judgment" in left_out["lost"]
    notes = run.table("correlations/tied.left_out.tsv").set_index("system")["note"]
    assert notes["_ref"].startswith("a reference")
    assert notes["lost"].startswith("judged, but not scored")
    for name in ("report.html", "report/tied.html"):
        page = without_scripts((run.folder / "results" / name).read_text())
        assert "undefined" in page
        assert not re.search(r"\bnan\b", page.lower())


def test_strict_stops_with_file_and_numbers(tmp_path: Path) -> None:
    space = Workspace(tmp_path, config={"strict": True})
    reference = space.write("ref.txt", REFERENCE)
    space.testset("d", reference, {"short": space.write("short.txt", "a\n")})
    stopped = space.snakemake(check=False)
    assert stopped.returncode != 0
    assert "short.txt has 1 segments, but the reference has 4" in stopped.stderr + stopped.stdout


def test_a_fault_in_a_sheet_stops_before_any_work(tmp_path: Path) -> None:
    space = Workspace(tmp_path)
    space.testset("d", "missing.txt", {"A": space.write("a.txt", "a\n")}, target="english")
    stopped = space.snakemake(check=False)
    output = stopped.stderr + stopped.stdout
    assert stopped.returncode != 0
    assert "testsets.tsv, line 2, column 'target': 'english' does not fit" in output
    assert "Traceback" not in output


def test_what_stands_at_the_end_of_a_run(tmp_path: Path) -> None:
    space = Workspace(tmp_path)
    reference = space.write("ref.txt", REFERENCE)
    files = {"A": space.write("a.txt", HYPOTHESIS), "B": "a.txt"}
    space.testset("d", reference, files | {"short": space.write("short.txt", "a\n")})
    space.testset("gone", "no.txt", {"A": "a.txt"}, optional="yes")
    space.write("results/scores/old.tsv", "")
    run = space.snakemake("--quiet", "all")
    assert run.stdout.splitlines()[-6:] == [
        "left out: short.txt has 1 segments, but the reference has 4; segments are paired line by "
        "line, so none may be missing",
        "warning: d B: a.txt: is the same as 'A': is one of them the wrong file? As two systems "
        "they count twice [duplicate]",
        "left out: gone: column 'reference': there is no file no.txt",
        "Not of this run, but of test sets that are gone: results/scores/old.tsv",
        "Scores: results/scores (no judgments, so no correlations)",
        "Report, to be opened in a browser: results/report.html",
    ]
    assert "is the same as &#39;A&#39;" in (tmp_path / "results/report.html").read_text()
    findings = {
        (r["severity"], r["check"], r["system"])
        for r in tables.read(tmp_path / "results/findings/d.tsv")
    }
    assert findings == {
        ("error", "text", "short"),
        ("warning", "duplicate", "B"),
        ("note", "empty", "ref.txt"),
    }


def test_what_stands_at_the_end_of_a_run_that_fails(tmp_path: Path) -> None:
    space = Workspace(tmp_path)
    space.testset(
        "d",
        space.write("ref.txt", REFERENCE),
        {"A": space.write("a.txt", HYPOTHESIS)},
        judgments=space.write("j.tsv", "system\tscore\n"),
        judgments_format="direct",
    )
    stopped = space.snakemake("--quiet", "all", check=False)
    assert stopped.returncode != 0
    lines = stopped.stdout.splitlines()
    assert lines[-2:] == [
        "Logs of all steps: results/logs",
        f"All faults of the data at once: morpos check {tmp_path / 'config.yaml'}",
    ]
    assert (
        "morpos human: j.tsv, line 1: no column seg_id or segment in 'system', 'score'; set the "
        "judgment format that the file has, or add a header line"
    ) in lines
    assert "Traceback" not in stopped.stdout + stopped.stderr


def test_works_in_a_folder_with_blanks_and_quotes(tmp_path: Path) -> None:
    folder = tmp_path / "it's (1) [é] $HOME"
    folder.mkdir()
    space = Workspace(folder, config={"results": "out put's"})
    reference = space.write("in put/re f.txt", REFERENCE)
    space.testset("d", reference, {"A B": space.write("in put/sy's.txt", HYPOTHESIS)})
    space.snakemake("--quiet", "all")
    (folder / "results").symlink_to("out put's")
    assert word_counts(space.counts("d")["A B"])["1"]["match"] == 11


def failure(space: Workspace) -> str:
    """What a run says that must not succeed."""
    stopped = space.snakemake(check=False)
    assert stopped.returncode != 0
    output = stopped.stdout + stopped.stderr
    assert "Traceback" not in output
    return output


def test_references_must_have_the_same_segments(tmp_path: Path) -> None:
    space = Workspace(tmp_path)
    one, two = space.write("one.txt", "a b\nc d\n"), space.write("two.txt", "a b\n")
    space.testset("d", f"{one}|{two}", {"A": one})
    output = failure(space)
    assert "different numbers of segments" in output
    assert "two.txt" in output


def test_references_with_ids_in_another_order_are_refused(tmp_path: Path) -> None:
    def refset(*documents: str) -> str:
        docs = "".join(f'<doc docid="{d}"><seg id="1">words of {d}</seg></doc>' for d in documents)
        return f"<refset>{docs}</refset>"

    space = Workspace(tmp_path)
    one, two = space.write("1.sgm", refset("x", "y")), space.write("2.sgm", refset("y", "x"))
    space.testset("d", f"{one}|{two}", {"A": two}, formats="sgml", format="sgml")
    output = failure(space)
    assert "1.sgm and 2.sgm are references of d, but their segments have other ids" in output


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"combinations": "("}, "combinations: '(' is not a regular expression"),
        (
            {"tags": {"en": {"tagger": "udpipe", "model": "no/such.udpipe"}}},
            "tags.en.model: there is no file no/such.udpipe",
        ),
    ],
)
def test_faults_in_the_configuration_stop_at_once(
    tmp_path: Path, config: dict[str, Any], message: str
) -> None:
    space = Workspace(tmp_path, config=config)
    space.testset("d", space.write("ref.txt", "a\n"), {"A": "ref.txt"})
    assert message in failure(space)


def test_options_with_the_value_zero_reach_the_step(tmp_path: Path) -> None:
    space = Workspace(tmp_path, config={"morphemes": {"seed": 0, "addcount": 0}})
    space.testset("d", space.write("ref.txt", "a b\n"), {"A": "ref.txt"})
    run = space.snakemake("--dry-run", "--printshellcmds")
    assert "--seed=0 " in run.stdout + run.stderr
    assert "--addcount=0 " in run.stdout + run.stderr


@pytest.mark.parametrize(
    ("missing", "expected"),
    [("1,3", ["", "a", "", "b"]), ("3-4", ["a", "b", "", ""]), ("3,1", None), ("6", None)],
)
def test_declared_missing_segments(
    tmp_path: Path, missing: str, expected: list[str] | None
) -> None:
    space = Workspace(tmp_path)
    space.testset("d", space.write("ref.txt", "1\n2\n3\n4\n"), {"A": space.write("a", "a\nb\n")})
    space.systems[0]["missing"] = missing
    space.snakemake("--quiet", "all")
    texts = space.table("texts/d.tsv").set_index("system")
    if expected is None:
        assert texts.loc["A", "status"] == "left out"
        assert "missing" in texts.loc["A", "note"]
    else:
        assert texts.loc["A", "inserted_segments"] == 2
        (path,) = (tmp_path / "results" / "texts" / "d").glob("*.txt")
        assert path.read_text().split("\n")[:-1] == expected


def test_what_failed_is_told_of_testsets_of_any_name(tmp_path: Path) -> None:
    space = Workspace(tmp_path)
    reference = space.write("ref.txt", REFERENCE)
    space.testset("d.log", reference, {"A": space.write("a.txt", HYPOTHESIS)})
    space.testset("e", space.write("bad.txt", b"\xff\n"), {"A": "a.txt"})
    run = space.snakemake(check=False)
    assert run.returncode != 0
    assert (tmp_path / "results/logs/text/d.log").is_dir()
    assert "Logs of all steps: results/logs" in run.stdout
    assert run.stdout.count("morpos text: bad.txt, line 1") >= 1
