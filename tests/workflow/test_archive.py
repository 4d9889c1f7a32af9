"""Annotations archived and restored in another folder, with Snakemake's own job list as witness."""

import gzip
import hashlib
import itertools
import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bagit
import pytest
import yaml
from rocrate.rocrate import ROCrate

from morpos.workflow import archive as bag
from morpos.workflow.steps import main
from tests.conftest import METRIC_TABLE
from tests.workflow.harness import ROOT, Workspace

TABLES = ("*.tsv", "scores/*", "segment_scores/*", "correlations/*", "counts/**/*.npz")
FOLDERS = ("texts", "words", "morphemes", "models", "tags", "layers")
# Jobs of a run that annotates nothing.
SCORING = {
    *("findings", "counts", "human", "metrics", "scores", "correlations", "summary"),
    *("chart_library", "disagreements", "report_testset", "report"),
}
SENTENCES = "The mill stands there.\nShe bought bread, (he) did not.\n\nThe walking, the talking!\n"


def inputs(folder: Path) -> Workspace:
    """Texts, judgments and sheets, nothing of which has been run."""
    space = Workspace(folder)
    for name in ("one", "two"):
        space.write(f"{name}/ref.txt", SENTENCES)
        for system, text in (("A", SENTENCES.replace("mill", "mile")), ("B", SENTENCES.lower())):
            space.write(f"{name}/{system}.txt", text)
        space.write(f"{name}/C.txt", "does not fit\n")
        space.write(f"{name}/j.tsv", "system1\tsystem2\trank1\trank2\nA\tB\t1\t2\n")
        space.testset(
            name,
            f"{name}/ref.txt",
            {system: f"{name}/{system}.txt" for system in "ABC"},
            judgments=f"{name}/j.tsv",
            judgments_format="pairwise",
        )
    table = yaml.safe_load(METRIC_TABLE.read_text())
    table["CHRF"] = {"family": "F", "order": 6, "beta": 2, "layers": {"character": 1}}
    space.config["metrics"] = space.write("metrics.yaml", yaml.safe_dump(table))
    return space


@pytest.fixture(scope="module")
def archived(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A run that is done, and its bag in the folder `archive`."""
    space = inputs(tmp_path_factory.mktemp("archived"))
    space.snakemake("--quiet", "all", "--", "all", "archive")
    return space


def clone(checkout: Path) -> Path:
    """A copy of this checkout."""
    for part in ("rules", "scripts", "config", "profiles", "envs"):
        shutil.copytree(ROOT / part, checkout / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "Snakefile", checkout)
    return checkout


@pytest.fixture
def fresh(archived: Workspace, tmp_path: Path) -> Workspace:
    """The same inputs in another folder, a copy of the bag, and another clone of morpos."""
    space = inputs(tmp_path / "fresh")
    space.checkout = clone(tmp_path / "clone")
    shutil.copytree(archived.folder / "archive", space.folder / "archive")
    return space


def run_in(space: Workspace, *steps: str) -> None:
    """Run steps in the folder, without Snakemake."""
    config = json.dumps(space.sheets())
    assert [main([step, "--config", config]) for step in steps] == [0] * len(steps)


def annotating(space: Workspace) -> dict[str, list[str]]:
    """The jobs of the next run that annotate."""
    return {rule: outputs for rule, outputs in space.jobs().items() if rule not in SCORING}


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_the_bag_holds_all_that_was_annotated(archived: Workspace) -> None:
    folder = archived.folder / "archive"
    bagit.Bag(str(folder)).validate()
    payload = files(folder / "data")
    # By the names that are there, not by what the code thinks it made (texts/*.tsv are tables).
    results = archived.folder / "results"
    made = {f"{f}/{name}": data for f in FOLDERS for name, data in files(results / f).items()}
    made = {name: data for name, data in made.items() if not name.endswith(".tsv")}
    assert len(made) > 8 * 2 * 5
    assert payload.keys() - made.keys() == {"records.json", "ro-crate-metadata.json"}
    assert {name: payload[name] for name in made} == made
    crate = ROCrate(folder / "data")
    assert {entity.id for entity in crate.data_entities} == made.keys() | {"records.json"}
    records = json.loads(payload["records.json"])["records"]
    assert records.keys() == made.keys()
    assert str(archived.folder) not in payload["records.json"].decode()


def test_a_run_after_restore_annotates_nothing(archived: Workspace, fresh: Workspace) -> None:
    fresh.snakemake("--quiet", "all", "--", "restore")
    assert set(fresh.jobs()) == SCORING
    fresh.snakemake("--quiet", "all")
    assert fresh.jobs() == {}
    tables = archived.results(*TABLES)
    assert len(tables) > 12
    assert fresh.results(*TABLES) == tables
    # What was restored gives the same bag again, byte for byte; it replaces the copy.
    (fresh.folder / "archive" / "manifest-sha256.txt").unlink()
    fresh.snakemake("--quiet", "all", "--", "archive")
    assert files(fresh.folder / "archive") == files(archived.folder / "archive")
    # Snakemake's own report can be made of what was restored.
    fresh.snakemake("--report", str(fresh.folder / "report.zip"))


def test_another_folder_of_results(
    fresh: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(fresh.folder)
    fresh.config["results"] = str(tmp_path / "elsewhere" / "r")
    run_in(fresh, "restore")
    assert annotating(fresh) == {}


def test_chosen_testsets(archived: Workspace, fresh: Workspace) -> None:
    fresh.config["archive"] = {"testsets": ["two"]}
    fresh.snakemake("--quiet", "all", "--", "restore")
    jobs = fresh.jobs()
    # Its reference has another path than that of the other test set, so it shares nothing.
    assert len(jobs["words"]) == len(jobs["text"]) == 4
    assert not any(output.startswith("words/moses-keep/two/") for output in jobs["words"])


def change_payload(space: Workspace) -> None:
    words = (space.folder / "archive" / "data" / "words").rglob("*.txt")
    path = next(path for path in words if path.stat().st_size)
    path.write_bytes(b"#" + path.read_bytes()[1:])  # the same size


def lose_payload(space: Workspace) -> None:
    next((space.folder / "archive" / "data" / "tags").rglob("*.txt")).unlink()


def cut_tag_manifest(space: Workspace) -> None:
    manifest = space.folder / "archive" / "tagmanifest-sha256.txt"
    manifest.write_bytes(manifest.read_bytes()[:10])


def put_in_something_else(space: Workspace) -> None:
    (space.folder / "archive" / "data" / "more.txt").write_text("x")


def lead_out(space: Workspace) -> None:
    digest = hashlib.sha256(SENTENCES.encode()).hexdigest()
    with open(space.folder / "archive" / "manifest-sha256.txt", "a") as manifest:
        manifest.write(f"{digest}  data/../../one/ref.txt\n")


def no_archive(space: Workspace) -> None:
    shutil.rmtree(space.folder / "archive")


def change_result(space: Workspace) -> None:
    path = next((space.folder / "archive" / "data" / "words").rglob("*.txt"))
    name = path.relative_to(space.folder / "archive" / "data")
    space.write(f"results/{name}", "something else\n")


def make_older(space: Workspace) -> None:
    """A whole bag, but of another version."""
    records = space.folder / "archive" / "data" / "records.json"
    records.write_text(records.read_text().replace("morpos-bag/2", "morpos-bag/1"))
    bagit.Bag(str(space.folder / "archive")).save(manifests=True)


def score_another_testset(space: Workspace) -> None:
    space.testsets, space.systems = [], []
    space.write("three/ref.txt", SENTENCES)
    space.testset("three", "three/ref.txt", {"A": "one/A.txt"})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (change_payload, "archive is not a whole BagIt bag, so nothing is restored: .*words/"),
        (lose_payload, "archive is not a whole BagIt bag, so nothing is restored: .*83 files"),
        (
            cut_tag_manifest,
            "archive is not a whole BagIt bag.* lacks bag-info.txt, bagit.txt",
        ),
        (
            put_in_something_else,
            "archive is not a whole BagIt bag, so nothing is restored: .*85 files",
        ),
        (lead_out, r"archive is not a whole BagIt bag.*\.\./one/ref.txt.* is unsafe"),
        (no_archive, "archive is not a whole BagIt bag, so nothing is restored: .*does not exist"),
        (change_result, "is there already and differs; move results away first"),
        (make_older, "archive is a bag, but not one of these versions"),
        (score_another_testset, "archive holds no annotations of the chosen test sets"),
    ],
)
def test_what_does_not_fit_is_refused(
    fresh: Workspace,
    change: Callable[[Workspace], None],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    change(fresh)
    before = files(fresh.folder / "results")
    monkeypatch.chdir(fresh.folder)
    assert main(["restore", "--config", json.dumps(fresh.sheets())]) == 1
    assert re.search(message, capsys.readouterr().err)
    assert files(fresh.folder / "results") == before


def test_a_run_says_why_it_does_not_restore(fresh: Workspace) -> None:
    change_payload(fresh)
    run = fresh.snakemake("--", "restore", check=False)
    assert run.returncode != 0
    # At the end of the run, too.
    message = "morpos restore: archive is not a whole BagIt bag, so nothing is restored: "
    assert message in run.stdout
    assert not (fresh.folder / "results" / "texts").exists()


def change_text(space: Workspace) -> None:
    """As rsync does: the new text looks older than what is restored."""
    space.write("one/A.txt", SENTENCES.replace("bread", "beard"))
    os.utime(space.folder / "one" / "A.txt", (1, 1))


def change_encoding(space: Workspace) -> None:
    space.systems[0]["encoding"] = "latin-1"


def change_option(space: Workspace) -> None:
    space.config["words"] = {"case": "lower"}


def change_code(space: Workspace, module: str, old: str, new: str) -> None:
    path = space.checkout / "scripts" / "morpos" / "layers" / module
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))


def change_tagger(space: Workspace) -> None:
    change_code(space, "tags/rdr.py", "_KNOWN = 0.65", "_KNOWN = 0.66")


def change_morfessor(space: Workspace) -> None:
    change_code(space, "morphemes/morfessor.py", "_LENGTH_LIMIT = 5_000", "_LENGTH_LIMIT = 5_001")


def ask_for_another_layer(space: Workspace) -> None:
    table = "CHRF: {family: F, layers: {character: 1, chrf_word: 1, pos: 1}}\n"
    space.config["metrics"] = space.write("other.yaml", table)


LAYERS = {"words", "morphemes", "tags", "layer"}


@pytest.mark.parametrize(
    ("when", "change", "rules", "part"),
    [
        ("before", change_text, {"text", *LAYERS}, "/one/A-"),
        ("before", change_option, {"words", "morfessor", "morphemes", "tags"}, "/moses-lower/"),
        ("before", change_morfessor, {"morfessor", "morphemes"}, "/ones-"),
        ("before", ask_for_another_layer, {"layer"}, "/chrf_word/"),
        ("after", change_text, {"text", *LAYERS}, "/one/A-"),
        ("after", change_encoding, {"text", *LAYERS}, "/one/A-"),
        ("after", change_tagger, {"tags"}, "/rdr-"),
    ],
)
def test_what_differs_is_made_anew_and_nothing_else(
    fresh: Workspace,
    when: str,
    change: Callable[[Workspace], None],
    rules: set[str],
    part: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whether it differs when it is restored or only later."""
    monkeypatch.chdir(fresh.folder)
    if when == "before":
        change(fresh)
    run_in(fresh, "restore")
    if when == "after":
        change(fresh)
    jobs = annotating(fresh)
    assert set(jobs) == rules
    assert all(part in output for outputs in jobs.values() for output in outputs)


def test_another_list_of_words_trains_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what else is the user's Snakemake only sees the time, were it not compared."""
    space = inputs(tmp_path)
    space.config["morphemes"] = {"training": {"list": space.write("list.txt", "mill\t1\n")}}
    space.snakemake("--quiet", "all", "--", "archive")
    for folder in ("results", ".snakemake"):
        shutil.rmtree(tmp_path / folder)
    space.write("list.txt", "mile\t1\n")
    os.utime(tmp_path / "list.txt", (1, 1))
    monkeypatch.chdir(tmp_path)
    run_in(space, "restore")
    assert set(annotating(space)) == {"morfessor", "morphemes"}


def killed(step: str, space: Workspace, patch: Callable[[], None]) -> None:
    """Run a step in a process that `patch` has die on its way."""
    child = os.fork()
    if not child:
        patch()
        main([step, "--config", json.dumps(space.sheets())])
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


def die_at(owner: Any, name: str, call: int) -> Callable[[], None]:
    """Die instead of the n-th call of a function, without any clearing up, as kill -9 does."""
    real, calls = getattr(owner, name), itertools.count(1)

    def function(*arguments: Any, **options: Any) -> Any:
        return os._exit(9) if next(calls) == call else real(*arguments, **options)

    return lambda: setattr(owner, name, function)


@pytest.mark.parametrize(
    ("owner", "name", "call"),
    [(bagit, "make_bag", 1), (Path, "rename", 1), (Path, "rename", 2), (shutil, "rmtree", 3)],
    ids=["before the bag", "before it is in place", "old one aside", "old one not yet deleted"],
)
def test_archive_that_is_killed(
    archived: Workspace,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    owner: Any,
    name: str,
    call: int,
) -> None:
    space = Workspace(tmp_path / "a b", archived.checkout, dict(archived.config))
    shutil.copytree(archived.folder, space.folder)
    space.testsets, space.systems = archived.testsets, archived.systems
    monkeypatch.chdir(space.folder)
    killed("archive", space, die_at(owner, name, call))
    there = space.folder / "archive"
    assert not there.exists() or files(there) == files(archived.folder / "archive")
    run_in(space, "archive")
    assert files(there) == files(archived.folder / "archive")
    assert not list(space.folder.glob(".archive*"))


def test_restore_that_is_killed(
    archived: Workspace, fresh: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(fresh.folder)
    killed("restore", fresh, die_at(bag, "atomic", 40))
    restored = files(fresh.folder / "results")
    assert len(restored) > 30
    # Whatever is there is whole.
    annotated = files(archived.folder / "results")
    assert {name: annotated[name] for name in restored} == restored
    run_in(fresh, "restore")
    assert annotating(fresh) == {}


def test_a_link_to_another_disk_stays_one(
    archived: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(archived.folder)
    (tmp_path / "disk").mkdir()
    Path("linked").symlink_to(tmp_path / "disk")
    config = archived.sheets() | {"archive": {"path": "linked"}}
    assert main(["archive", "--config", json.dumps(config)]) == 0
    assert Path("linked").is_symlink()
    assert files(tmp_path / "disk") == files(archived.folder / "archive")


def test_compressed_layers(
    archived: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    space = inputs(tmp_path / "compressed")
    space.config["compress"] = True
    space.snakemake("--quiet", "all", "--", "all", "archive")
    assert space.results(*TABLES) == archived.results(*TABLES)
    layers = {
        name: data
        for folder in ("words", "morphemes", "tags", "layers")
        for name, data in space.results(f"{folder}/**/*.txt.gz").items()
    }
    plain = archived.results(
        "words/**/*.txt", "morphemes/**/*.txt", "tags/**/*.txt", "layers/**/*.txt"
    )
    assert {
        name.removesuffix(".gz"): gzip.decompress(data) for name, data in layers.items()
    } == plain
    assert not space.results("words/**/*.txt", "morphemes/**/*.txt", "tags/**/*.txt")
    other = inputs(tmp_path / "other")
    other.config["compress"] = True
    shutil.copytree(space.folder / "archive", other.folder / "archive")
    monkeypatch.chdir(other.folder)
    run_in(other, "restore")
    restored = files(other.folder / "results")
    assert {name: restored[name] for name in layers} == layers
    assert annotating(other) == {}
    # Without the option only the texts fit.
    other.config["compress"] = False
    assert set(annotating(other)) == {"words", "morfessor", "morphemes", "tags", "layer"}


def test_a_folder_of_something_else_is_kept(
    archived: Workspace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    notes = archived.folder / archived.write("mine/notes.txt", "do not delete\n")
    monkeypatch.chdir(archived.folder)
    config = archived.sheets() | {"archive": {"path": "mine"}}
    assert main(["archive", "--config", json.dumps(config)]) == 1
    assert "mine is there already and is not a bag" in capsys.readouterr().err
    assert notes.read_text() == "do not delete\n"
