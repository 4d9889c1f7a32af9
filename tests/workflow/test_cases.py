"""The problem cases of ../shared, through the whole workflow, against their right values."""

import json
import os
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from scipy import stats

from morpos.io import tables
from morpos.layers.morphemes import groups
from tests.workflow.harness import ROOT, Workspace, word_counts

#: Cases of texts: reference, systems.
TEXTS = [
    "ls-01-nel-ls-ps",
    "le-01-crlf-reference",
    "bom-01-first-line",
    "lc-01-short-system",
    "em-01-empty-hypotheses",
    "sp-01-nbsp",
    "enc-01-latin1",
    "uc-01-nfc-nfd",
    "co-03-ties-and-equal-outputs",
    "ng-01-no-higher-order-match",
    "len-01-ten-thousand-tokens",
    "nm-02-hostile-names",
    "wf-05-read-only-input",  # that only the results need be writable: test_faults.py
]
WITH_CLEAN_TWIN = ["ls-01-nel-ls-ps", "le-01-crlf-reference", "bom-01-first-line", "uc-01-nfc-nfd"]


@pytest.fixture(scope="module")
def cases(shared: Path) -> Path:
    return shared / "cases"


def expected(cases: Path, name: str) -> dict[str, Any]:
    content = json.loads((cases / name / "expected.json").read_text(encoding="utf-8"))
    assert isinstance(content, dict)
    return content


def systems_of(folder: Path) -> dict[str, str | Path]:
    manifest = folder / "manifest.tsv"
    if manifest.exists():
        rows = (line.split("\t") for line in manifest.read_text("utf-8").splitlines()[1:])
        return {name: folder / file for name, file in rows}
    return {path.stem: path for path in sorted((folder / "sys").iterdir())}


@pytest.fixture(scope="module")
def run(cases: Path, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """All cases of texts in one run, each a test set, and their clean twins."""
    space = Workspace(tmp_path_factory.mktemp("cases"))
    for name in TEXTS:
        folder = cases / name / "inputs"
        space.testset(name, folder / "ref.txt", systems_of(folder))
    for name in WITH_CLEAN_TWIN:
        folder = cases / name / "clean"
        space.testset(f"{name}.clean", folder / "ref.txt", systems_of(folder))
    for name, reference in (
        ("ent-01-sgml-entities", "ref.sgm"),
        ("sgm-01-case-and-order", "ref.sgm"),
        ("sgm-03-raw-markup-and-breaks", "ref.sgm"),
    ):
        folder = cases / name / "inputs"
        files = systems_of(folder) if (folder / "sys").is_dir() else {"S": folder / reference}
        space.testset(name, folder / reference, files, formats="sgml", format="sgml")
    folder = cases / "xml-01-testsuite-and-missing-hyp" / "inputs"
    for system in ("SysA", "SysB"):
        space.systems.append(
            {
                "testset": "xml-01",
                "system": system,
                "file": str(folder / "set.xml"),
                "format": "xml",
                "select": f"hyp:{system}",
            }
        )
    space.testset("xml-01", folder / "set.xml", format="xml", select="ref:A")
    folder = cases / "ar-01-gz-and-not-gz" / "inputs"
    files = {path.name.split(".")[0]: path for path in (folder / "sys").iterdir()}
    space.testset("ar-01", folder / "ref.txt.gz", files)
    folder = cases / "enc-01-latin1" / "inputs"
    space.testset(
        "enc-01.given", folder / "ref.txt", systems_of(folder), encodings={"latin1": "latin-1"}
    )
    space.snakemake("--quiet", "all")
    return space


def check_values(run: Workspace, testset: str, values: dict[str, Any]) -> None:
    counts, scores = run.counts(testset), run.table(f"scores/{testset}.tsv").set_index("system")
    for system, right in values.items():
        assert word_counts(counts[system]) == right["ngram_counts"], system
        assert 100 * scores.loc[system, "BLEU"] == pytest.approx(right["bleu"], abs=5e-7)
        assert 100 * scores.loc[system, "WORDF"] == pytest.approx(right["F_rgb"], abs=5e-7)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        (name, "values")
        for name in TEXTS
        if name not in ("sp-01-nbsp", "enc-01-latin1", "uc-01-nfc-nfd")
    ]
    + [("sp-01-nbsp", "values_if_normalised"), ("uc-01-nfc-nfd", "values_if_nfc")],
)
def test_counts_and_scores(run: Workspace, cases: Path, name: str, key: str) -> None:
    check_values(run, name, expected(cases, name)[key])


@pytest.mark.parametrize("name", WITH_CLEAN_TWIN)
def test_all_scores_equal_the_clean_twin(run: Workspace, name: str) -> None:
    columns = ["testset", "signature"]  # they hold the name and the model's checksum
    messy, clean = (
        run.table(f"scores/{n}.tsv").drop(columns=columns) for n in (name, f"{name}.clean")
    )
    assert messy.equals(clean)


@pytest.mark.parametrize("name", TEXTS)
def test_every_layer_keeps_segments_and_words(run: Workspace, name: str) -> None:
    paths = sorted((run.folder / "results" / "words").glob(f"*/{name}/*.txt"))
    assert paths
    for path in paths:
        facts = json.loads(
            (run.folder / "results" / "texts" / name / f"{path.stem}.json").read_text()
        )
        words, tags, morphemes = (
            run.layer(k, facts["name"]) for k in ("words", "tags", "morphemes")
        )
        assert len(words) == len(tags) == len(morphemes)
        for segment, given, parts in zip(words, tags, morphemes, strict=True):
            assert len(segment) == len(given) == len(groups(segment, parts))


def test_short_system_is_left_out_with_both_counts(run: Workspace) -> None:
    assert set(run.table("scores/lc-01-short-system.tsv")["system"]) == {"A"}
    texts = run.table("texts/lc-01-short-system.tsv").set_index("system")
    assert texts.loc["short", "status"] == "left out"
    assert "short.txt has 3 segments, but the reference has 4" in texts.loc["short", "note"]


def test_strict_stops_at_the_short_system(cases: Path, tmp_path: Path) -> None:
    space = Workspace(tmp_path, config={"strict": True})
    folder = cases / "lc-01-short-system" / "inputs"
    space.testset("lc", folder / "ref.txt", systems_of(folder))
    stopped = space.snakemake(check=False)
    assert stopped.returncode != 0
    assert "short.txt has 3 segments, but the reference has 4" in stopped.stdout + stopped.stderr
    assert not (tmp_path / "results" / "scores").exists()


def test_empty_segments_score_zero(run: Workspace) -> None:
    segments = run.table("segment_scores/em-01-empty-hypotheses.tsv.gz")
    metrics = [c for c in segments.columns if c.isupper() or c == "WMPF_w"]
    empty = segments[(segments["system"] == "E") & segments["segment"].isin([2, 4])]
    assert len(empty) == 2
    assert (empty[metrics] == 0).all(axis=None)


def test_wrong_encoding_is_named(run: Workspace, cases: Path) -> None:
    name = "enc-01-latin1"
    note = run.table(f"texts/{name}.tsv").set_index("system").loc["latin1", "note"]
    assert "sys/latin1.txt, line 1: byte 0xFC at byte offset 7" in note
    right = expected(cases, name)["values_if_decoded"]
    check_values(run, name, {"utf8": right["utf8"]})
    check_values(run, "enc-01.given", right)


def test_normalised_texts_score_full_in_every_metric(run: Workspace) -> None:
    for testset in ("sp-01-nbsp", "uc-01-nfc-nfd"):
        scores = run.table(f"scores/{testset}.tsv").drop(columns=["testset", "system", "signature"])
        assert (scores == 1).all(axis=None)


def test_hostile_names_are_kept(run: Workspace, cases: Path) -> None:
    right = expected(cases, "nm-02-hostile-names")["unigram_match"]
    for table in ("scores", "texts"):
        names = run.table(f"{table}/nm-02-hostile-names.tsv").iloc[-len(right) :]["system"]
        assert set(names) == set(right)
    counts = run.counts("nm-02-hostile-names")
    assert {s: word_counts(c)["1"]["match"] for s, c in counts.items()} == right
    files = [
        path.name.lower() for path in (run.folder / "results/counts/nm-02-hostile-names").iterdir()
    ]
    assert len(set(files)) == len(right)
    # Nothing but results, logs and sheets lies in the working folder, and nothing beside it.
    assert {path.name for path in run.folder.iterdir()} == {
        *(".cache", ".snakemake", "config.yaml", "testsets.tsv", "results", "systems.tsv"),
    } - ({".cache"} if not (run.folder / ".cache").exists() else set())


def test_equal_outputs_tie(run: Workspace) -> None:
    scores = run.table("scores/co-03-ties-and-equal-outputs.tsv").drop(columns="system")
    assert (scores.iloc[0] == scores.iloc[1]).all()


def test_ten_thousand_tokens(run: Workspace) -> None:
    assert [len(segment) for segment in run.layer("tags", "loop")][1] == 10_000


@pytest.fixture(scope="module")
def tokenised(cases: Path, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """The cases of texts that are tokenised already."""
    space = Workspace(tmp_path_factory.mktemp("tokenised"), config={"words": {"tokenizer": "none"}})
    tags, odd = cases / "tg-01-tag-like-tokens/inputs", cases / "tg-03-separator-characters/inputs"
    blank = cases / "mo-01-blank-lines/inputs/in.tok"
    space.testset("tg-01", tags / "ref.tok", systems_of(tags))
    space.testset("tg-03", odd / "ref.tok", {"P": odd / "sys" / "P.tok"})
    space.testset("tg-03.glue", odd / "glue_ref.tok", {"glue": odd / "sys" / "glue.tok"})
    space.testset("tg-03.tabs", odd / "tabs.tok", {"tabs": odd / "tabs.tok"})
    space.testset("tg-03.plus", odd / "plus.tok", {"plus": odd / "plus.tok"})
    space.testset("mo-01", blank, {"in": blank})
    space.snakemake("--quiet", "all")
    return space


def test_tag_like_tokens(tokenised: Workspace, cases: Path) -> None:
    right = expected(cases, "tg-01-tag-like-tokens")
    check_values(tokenised, "tg-01", right["values"])
    for name, lengths in (("same", "ref"), ("less", "less")):
        tags = tokenised.layer("tags", name)
        assert [len(segment) for segment in tags] == right["tokens_per_line"][lengths]
    scores = tokenised.table("scores/tg-01.tsv").set_index("system").loc["same"]
    assert (scores.drop(["testset", "signature"]) == 1).all()


def test_separator_characters(tokenised: Workspace, cases: Path) -> None:
    right = expected(cases, "tg-03-separator-characters")
    check_values(tokenised, "tg-03", {"P": right["values"]["P"]})
    check_values(tokenised, "tg-03.glue", {"glue": right["values_glue"]})
    match = tokenised.counts("tg-03")["P"].layers["word"].match
    assert match[0, :, 0].tolist() == right["unigram_match_per_line"]
    assert [len(s) for s in tokenised.layer("words", "P")] == [2, 2, 2, 4, 2]
    assert [len(s) for s in tokenised.layer("tags", "tabs")] == [3]
    assert [len(s) for s in tokenised.layer("tags", "plus")] == [6]


def test_blank_lines_stay(tokenised: Workspace, cases: Path) -> None:
    right = expected(cases, "mo-01-blank-lines")
    words = tokenised.layer("words", "in")
    morphemes, tags = tokenised.layer("morphemes", "in"), tokenised.layer("tags", "in")
    grouped = [groups(w, m) for w, m in zip(words, morphemes, strict=True)]
    assert [len(g) for g in grouped] == [len(t) for t in tags] == right["groups_per_line"]


def test_paths_with_blanks_and_quotes(cases: Path, tmp_path: Path) -> None:
    name = "wf-03-path-with-blanks"
    folder = tmp_path / "in put's (1) é"
    shutil.copytree(cases / name / "inputs" / folder.name, folder)
    space = Workspace(folder, config={"results": "out put's [2] ü"})
    space.testset(name, "ref.txt", {p.stem: p for p in (folder / "sys dir").iterdir()})
    space.snakemake("--quiet", "all")
    (folder / "results").symlink_to(folder / "out put's [2] ü")
    check_values(space, name, expected(cases, name)["values"])


def test_two_hundred_systems(cases: Path, tmp_path: Path) -> None:
    name = "wf-06-two-hundred-systems"
    right = expected(cases, name)
    shutil.copytree(cases / name / "inputs", tmp_path / "in")
    space = Workspace(tmp_path)
    table = "WORDF: {family: F, layers: {word: 1}}\nBLEU: {family: BLEU, layers: {word: 1}}\n"
    space.config["metrics"] = space.write("metrics.yaml", table)
    space.config["report"] = {"significance": False}
    space.testset(
        "d",
        "in/ref.txt",
        pattern="in/sys/{system}.txt",
        judgments="in/human.tsv",
        judgments_format="system",
    )
    space.snakemake("--quiet", "all")
    scores = space.table("scores/d.tsv").set_index("system")
    assert len(scores) == 200
    assert len(space.table("texts/d.tsv")) == 1 + 200
    assert 100 * scores.loc["sys001", "BLEU"] == pytest.approx(right["bleu_sys001"], abs=5e-7)
    assert 100 * scores.loc["sys200", "BLEU"] == pytest.approx(right["bleu_sys200"], abs=5e-7)
    counts = space.counts("d")
    for number in range(1, 201):
        matches = counts[f"sys{number:03}"].layers["word"].match_any[:, 0].sum()
        assert matches == number + 4
    rho = space.table("correlations/d.tsv").query("systems == 'all'")
    assert set(rho["n"]) == {right["n"]}
    assert set(rho["spearman"]) == {right["spearman"]}
    human = space.table("human/d.tsv").set_index("system")["score"]
    for metric in ("WORDF", "BLEU"):
        tau = stats.kendalltau(scores[metric], human[scores.index]).statistic
        assert tau == pytest.approx(right["kendall_tau_b"])
    text = (tmp_path / "in/sys/sys007.txt").read_text()
    space.write("in/sys/sys007.txt", text.replace(text.split()[0], "changed", 1))
    jobs = space.jobs()
    assert [len(jobs[rule]) for rule in ("text", "words", "counts")] == [1, 1, 1]


def correlations(scores: Path, tmp_path: Path) -> dict[str, Any]:
    """Correlate through the command line a table with the human scores in one of its columns."""
    lines = [line.split("\t") for line in scores.read_text().splitlines()]
    human = lines[0].index("human")
    for name, keep in (("scores", lambda i: i != human), ("human", lambda i: i in (0, human))):
        rows = [[cell for i, cell in enumerate(line) if keep(i)] for line in lines]
        if name == "human":
            rows[0][1] = "score"
        (tmp_path / f"{name}.tsv").write_text("\n".join("\t".join(row) for row in rows) + "\n")
    subprocess.run(
        [
            *(sys.executable, "-m", "morpos.workflow", "correlations", "--testset", "d"),
            *("--output", "out.tsv", "--left-out", "left.tsv", "scores.tsv", "human.tsv"),
        ],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT / "scripts")},
        check=True,
    )
    return {row["metric"]: row for row in tables.read(tmp_path / "out.tsv")}


def test_constant_metric_is_undefined(cases: Path, tmp_path: Path) -> None:
    name = "co-01-constant-metric"
    right = expected(cases, name)["m_good"]
    found = correlations(cases / name / "inputs" / "scores.tsv", tmp_path)
    assert found["m_const"]["spearman"] != found["m_const"]["spearman"]  # NaN, an empty cell
    assert found["m_const"]["note"] == "the metric gives all systems the same score"
    assert found["m_good"]["n"] == right["n"]
    assert found["m_good"]["spearman"] == pytest.approx(right["spearman"], abs=1e-12)


def test_ties_and_noise(cases: Path, tmp_path: Path) -> None:
    name = "co-03-ties-and-equal-outputs"
    right = expected(cases, name)["expected"]
    found = correlations(cases / name / "inputs" / "scores.tsv", tmp_path)
    for values in found.values():
        assert values["n"] == right["n"]
        assert values["spearman"] == pytest.approx(right["spearman"], abs=1e-12)


@pytest.mark.parametrize("name", ["ent-01-sgml-entities", "sgm-03-raw-markup-and-breaks"])
def test_sgml_gives_the_plain_texts(run: Workspace, cases: Path, name: str) -> None:
    (path,) = (run.folder / "results" / "texts" / name).glob("*.txt")
    assert path.read_bytes().decode().split("\n")[:-1] == expected(cases, name)["plain"]
    scores = run.table(f"scores/{name}.tsv").drop(columns=["testset", "system", "signature"])
    assert (scores == 1).all(axis=None)


def test_sgml_segments_are_paired_by_id(run: Workspace, cases: Path) -> None:
    name = "sgm-01-case-and-order"
    right = expected(cases, name)
    check_values(run, name, right["values"])
    scores = run.table(f"scores/{name}.tsv").drop(columns=["testset", "system", "signature"])
    assert (scores == 1).all(axis=None)


def test_xml_pairs_by_id_and_leaves_out_the_incomplete_system(run: Workspace, cases: Path) -> None:
    right = expected(cases, "xml-01-testsuite-and-missing-hyp")
    check_values(run, "xml-01", {"SysA": right["values"]["SysA"]})
    texts = run.table("texts/xml-01.tsv").set_index("system")
    assert texts.loc["SysB", "status"] == "left out"
    assert "2 of the reference's 4 segments" in texts.loc["SysB", "note"]
    assert "news.2" in texts.loc["SysB", "note"]
    assert set(run.table("scores/xml-01.tsv")["system"]) == {"SysA"}


def test_gzip_is_read_and_what_is_none_is_left_out(run: Workspace, cases: Path) -> None:
    right = expected(cases, "ar-01-gz-and-not-gz")["values"]
    check_values(run, "ar-01", {"A": right["A"], "hidden": right["hidden_if_read"]})
    note = run.table("texts/ar-01.tsv").set_index("system").loc["page", "note"]
    assert "is not gzip (first bytes 3C 21" in note


def human(judgments: Path, tmp_path: Path, *options: str) -> dict[str, tables.Row]:
    """Human scores through the command line."""
    subprocess.run(
        [
            *(sys.executable, "-m", "morpos.workflow", "human", *options),
            *("--output", str(tmp_path / "human.tsv"), str(judgments)),
        ],
        env=os.environ | {"PYTHONPATH": str(ROOT / "scripts")},
        check=True,
    )
    return {row["system"]: row for row in tables.read(tmp_path / "human.tsv")}


def test_minus_one_and_ties(cases: Path, tmp_path: Path) -> None:
    name = "rk-01-minus-one-and-ties"
    right = expected(cases, name)["pairwise"]["systems"]
    path = cases / name / "inputs" / "judgments.csv"
    header, first = (line.split(",") for line in path.read_text().splitlines()[:2])
    row = dict(zip(header, first, strict=True))
    languages = ("--source", row["srclang"], "--target", row["trglang"], "--format", "wmt10")
    for rule, key in (
        ("better-or-equal", "better_or_equal"),
        ("wins", "wins_over_wins_plus_losses"),
    ):
        found = human(path, tmp_path, *languages, "--rule", rule)
        assert set(found) == set(right)
        for system, values in right.items():
            own = found[system]
            assert [own[k] for k in ("wins", "losses", "ties")] == [
                values[k] for k in ("wins", "losses", "ties")
            ]
            assert own["score"] == float(Fraction(values[key]))


def test_byte_order_mark_before_judgments(cases: Path, tmp_path: Path) -> None:
    folder = cases / "bom-01-first-line"
    options = ("--format", "wmt10", "--source", "de", "--target", "en")
    messy, clean = (
        human(folder / twin / "judgments.csv", tmp_path, *options) for twin in ("inputs", "clean")
    )
    assert messy == clean
    assert {system: row["score"] for system, row in messy.items()} == dict(
        zip("ABCDE", (1, 0.75, 0.5, 0.25, 0), strict=True)
    )


def test_stray_quotes(cases: Path, tmp_path: Path) -> None:
    name = "tab-01-stray-quotes"
    right = expected(cases, name)
    path = cases / name / "inputs" / "judgments.tsv"
    found = human(path, tmp_path, "--format", "direct")
    assert {s: row["score"] for s, row in found.items()} == {
        s: float(Fraction(value)) for s, value in right["mean_score"].items()
    }
    assert {s: row["ratings"] for s, row in found.items()} == right["count"]


def test_judged_reference_is_not_correlated(cases: Path, tmp_path: Path) -> None:
    name = "rk-03-reference-judged"
    right = expected(cases, name)["expected"]
    folder = cases / name / "inputs"
    scores = folder / "metric.tsv"
    subprocess.run(
        [
            *(sys.executable, "-m", "morpos.workflow", "correlations", "--testset", "d"),
            *("--references", "_ref", "--output", str(tmp_path / "out.tsv")),
            *("--left-out", str(tmp_path / "left.tsv"), str(scores), str(folder / "human.tsv")),
        ],
        env=os.environ | {"PYTHONPATH": str(ROOT / "scripts")},
        check=True,
    )
    (row,) = tables.read(tmp_path / "out.tsv")
    assert row["n"] == right["n"]
    assert row["spearman"] == pytest.approx(right["spearman"], abs=1e-12)
    (left,) = tables.read(tmp_path / "left.tsv")
    assert left["system"] == "_ref"
