"""A run on a real Slurm of one node, one of whose jobs is killed, against a run without Slurm.

Needs root, Debian's packages (installed by .ci/slurm where they are missing) and the extra `slurm`;
`.ci/run` has all of them.
"""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workflow.harness import ROOT, Workspace, environment

pytest.importorskip(
    "snakemake_executor_plugin_slurm", reason="the plugin is not installed: make slurm"
)
SLURM = ROOT / ".ci" / "slurm"
OPTIONS = (
    *("--profile", str(ROOT / "profiles" / "slurm"), "--cores", "1", "--latency-wait", "5"),
    # This Slurm has no accounting, and is close by.
    *("--slurm-status-command", "squeue", "--slurm-init-seconds-before-status-checks", "2"),
)


@pytest.fixture(scope="module")
def slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    if os.geteuid() != 0:
        pytest.skip("only root can start a Slurm: make slurm as root")
    if not shutil.which("slurmctld") and not shutil.which("apt-get"):
        pytest.skip("there is neither a Slurm nor apt-get: install Slurm")
    folder = tmp_path_factory.mktemp("slurm")
    up = subprocess.run([SLURM, "up", folder], capture_output=True, text=True)
    if up.returncode:
        pytest.fail(f"Slurm does not start:\n{up.stdout}{up.stderr}")
    yield
    subprocess.run([SLURM, "down", folder], check=True)


def two_testsets(folder: Path) -> Workspace:
    """Two small test sets of the demo that share a reference; two systems each."""
    folder.mkdir()
    (folder / "demo").symlink_to(ROOT / "demo")
    space = Workspace(folder)
    for number, systems in enumerate((("lexical", "omissions"), ("near-copy", "word-salad"))):
        space.testset(
            f"testset-{number}",
            "demo/references/en.txt",
            {name: f"demo/systems/de-en/{name}.txt" for name in systems},
            judgments="demo/judgments.csv",
            judgments_format="wmt10",
        )
    return space


def jobs() -> list[tuple[str, str, str, str]]:
    """Id, what it runs, state and memory of all jobs that this Slurm ever had."""
    out = subprocess.run(
        ["squeue", "--noheader", "--states=all", "--sort=i", "--format=%i|%k|%T|%m"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return [(i, k, t, m) for i, k, t, m in (line.split("|") for line in out.splitlines())]


def kill_one(rule: str, run: subprocess.Popen[str]) -> None:
    """Kill -9 all processes of the first job of a rule, once it runs."""
    while run.poll() is None:
        for job, what, state, _ in jobs():
            if rule in what and state == "RUNNING":
                time.sleep(2)  # so that it is at work
                subprocess.run(["scancel", "--full", "--signal=KILL", job], check=True)
                return
        time.sleep(0.3)


def test_a_run_on_slurm_survives_a_killed_job(slurm: None, tmp_path: Path) -> None:
    space, local = two_testsets(tmp_path / "slurm"), two_testsets(tmp_path / "local")
    local.snakemake("--quiet", "all")
    space.sheets()
    run = subprocess.Popen(
        [
            *("snakemake", "--directory", str(space.folder), *OPTIONS),
            *("--configfile", str(space.folder / "config.yaml")),
        ],
        cwd=ROOT,
        env=environment(ROOT, space.folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    kill_one("counts", run)
    out, _ = run.communicate()
    assert run.returncode == 0, out
    counts = [(state, memory) for _, what, state, memory in jobs() if "counts" in what]
    assert counts[0][0] in ("FAILED", "CANCELLED")
    assert [state for state, _ in counts[1:]] == ["COMPLETED"]
    assert int(counts[1][1].rstrip("M")) >= 2 * int(counts[0][1].rstrip("M")) - 1
    assert 5 < len(jobs()) < 12  # jobs are grouped
    same = ("*.tsv", "*/*.tsv*", "[!bl]*/**/*.txt", "counts/**/*.npz", "models/**/*.json")
    one, two = (
        {name: data for name, data in s.results(*same).items() if not name.startswith("bench")}
        for s in (local, space)
    )
    assert len(one) > 30
    assert one == two
