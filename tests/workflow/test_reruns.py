"""What runs again, asserted from Snakemake's own job list, and what never does."""

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from tests.conftest import METRIC_TABLE
from tests.workflow.harness import ROOT, Workspace

WORDS = ["the", "a", "mill", "river", "bread", "letter", "stands", "bought", "answered"]
SYSTEMS = 25


def sentence(rng: random.Random) -> str:
    return " ".join(rng.choices(WORDS, k=8))


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A run that is done: a test set with 25 systems and one with three."""
    space = Workspace(tmp_path_factory.mktemp("reruns"))
    rng = random.Random(1)
    for name, systems in (("large", SYSTEMS), ("small", 3)):
        space.write(f"{name}/ref.txt", "".join(sentence(rng) + "\n" for _ in range(4)))
        files = {}
        for i in range(systems + 1):
            files[f"s{i}"] = space.write(
                f"{name}/s{i}.txt", "".join(sentence(rng) + "\n" for _ in range(4))
            )
        del files[f"s{systems}"]  # on disk, but not yet in the sheet
        rows = [f"s{i}\ts{i + 1}\t{1 + i % 2}\t{2 - i % 2}" for i in range(systems - 1)]
        space.write(f"{name}/judgments.tsv", "system1\tsystem2\trank1\trank2\n" + "\n".join(rows))
        space.testset(
            name,
            f"{name}/ref.txt",
            files,
            judgments=f"{name}/judgments.tsv",
            judgments_format="pairwise",
        )
    space.snakemake("--quiet", "all")
    return space


Copy = Callable[[], Workspace]


@pytest.fixture
def copy(finished: Workspace, tmp_path: Path) -> Workspace:
    """The finished run once more, to be changed."""
    folder = tmp_path / "copy"
    shutil.copytree(finished.folder, folder)
    return Workspace(
        folder,
        config=dict(finished.config),
        testsets=[dict(row) for row in finished.testsets],
        systems=[dict(row) for row in finished.systems],
    )


AGGREGATES = {
    "findings": ["findings/large.tsv"],
    "scores": ["scores/large.tsv"],
    "correlations": ["correlations/large.tsv"],
    "summary": ["summary.tsv"],
    "disagreements": ["disagreements/large.tsv"],
    "report_testset": ["report/large.html"],
    "report": ["report.html"],
}
# What looks wrong in texts and judgments has nothing to do with scores.
SCORED = AGGREGATES.keys() - {"findings"}


def test_a_second_run_plans_nothing(copy: Workspace) -> None:
    assert copy.jobs() == {}


def test_touched_files_run_nothing(copy: Workspace) -> None:
    for path in copy.folder.glob("large/*"):
        path.touch()
    assert copy.jobs() == {}


def test_one_more_system(copy: Workspace) -> None:
    copy.systems.append({"testset": "large", "system": "s25", "file": "large/s25.txt"})
    jobs = copy.jobs()
    own = {rule: jobs.pop(rule) for rule in ("text", "words", "morphemes", "tags", "counts")}
    assert all(len(outputs) == 1 and "/s25-" in outputs[0] for outputs in own.values()), own
    assert jobs == AGGREGATES
    copy.snakemake("--quiet", "all")
    assert len(copy.table("scores/large.tsv")) == SYSTEMS + 1
    assert copy.jobs() == {}


def test_one_system_less(copy: Workspace) -> None:
    copy.systems = [
        row for row in copy.systems if (row["testset"], row["system"]) != ("large", "s7")
    ]
    assert copy.jobs() == AGGREGATES
    copy.snakemake("--quiet", "all")
    assert "s7" not in set(copy.table("scores/large.tsv")["system"])


def test_a_changed_output_is_that_systems_work(copy: Workspace) -> None:
    copy.write("large/s3.txt", "the mill\n" * 4)
    os.utime(copy.folder / "large/s3.txt", (0, 0))  # as from an archive: older than before
    jobs = copy.jobs()
    for rule in ("text", "words", "morphemes", "tags", "counts"):
        assert len(jobs[rule]) == 1
        assert "/s3-" in jobs[rule][0]


@pytest.mark.parametrize(
    ("change", "rules"),
    [
        ({"layers": {"word": 1, "pos": 3}}, {"scores"}),
        ({"order": 6, "layers": {"word": 1}}, {"counts", "scores"}),
    ],
)
def test_weights_and_orders_annotate_nothing(
    copy: Workspace, change: dict[str, object], rules: set[str]
) -> None:
    table = yaml.safe_load(METRIC_TABLE.read_text())
    table["WPF"] = {"family": "F", **change}
    copy.config["metrics"] = copy.write("metrics.yaml", yaml.safe_dump(table))
    jobs = copy.jobs()
    assert set(jobs) == rules | {"metrics"} | SCORED
    assert len(jobs["scores"]) == 2


def test_significance_in_the_report(copy: Workspace) -> None:
    copy.config["report"] = {"significance": True}
    assert copy.jobs() == {
        "system_tests": ["significance/large.intervals.tsv", "significance/small.intervals.tsv"],
        "metric_tests": [
            "significance/large.coefficients.tsv",
            "significance/small.coefficients.tsv",
        ],
        "report_testset": ["report/large.html", "report/small.html"],
        "report": ["report.html"],
    }


def test_another_tagger_model_tags_only(copy: Workspace) -> None:
    copy.config["tags"] = {"en": {"tagger": "rdr", "model": "UniPOS/UD_English"}}
    jobs = copy.jobs()
    assert set(jobs) == {"tags", "counts"} | SCORED
    assert len(jobs["tags"]) == SYSTEMS + 3 + 2


@pytest.mark.parametrize(
    ("module", "first"),
    [
        ("layers/tags/rdr.py", {"tags", "counts"}),
        ("layers/tags/hanta.py", None),
        ("human/judgments/wmt10.py", {"human", "findings"}),
        ("report/html/index.html", set()),
        ("cli.py", None),
    ],
)
def test_a_changed_module_runs_its_rule_and_what_follows(
    copy: Workspace, tmp_path: Path, module: str, first: set[str] | None
) -> None:
    checkout = tmp_path / "checkout"
    for part in ("Snakefile", "rules", "scripts", "config", "profiles", "envs"):
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, checkout / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            checkout.mkdir(exist_ok=True)
            shutil.copy(source, checkout / part)
    copy.checkout = checkout
    # A checkout somewhere else, with other file times, is no reason to run anything.
    assert copy.jobs() == {}
    path = checkout / "scripts" / "morpos" / module
    path.write_text(path.read_text() + "\n# changed\n")
    jobs = copy.jobs()
    if first is None:
        assert jobs == {}
    else:
        after = {"correlations", "summary", "disagreements"} if first else set()
        after |= {"scores"} if "counts" in first else set()
        assert set(jobs) == first | after | {"report_testset", "report"}
