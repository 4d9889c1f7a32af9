"""Kills, full disks, two runs at once, read-only folders: nothing partial is taken for complete,
and after a second run all results are those of an undisturbed one.

MORPOS_FAULTS is the number of kills (`make faults`: 50); their moments come from a fixed seed.
"""

import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from morpos.io.files import sha256
from tests.workflow.harness import ROOT, Workspace, environment

KILLS = int(os.environ.get("MORPOS_FAULTS", "4"))
WORDS = ["the", "a", "mill", "river", "bread", "letter", "stands", "bought", "answered"]
AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount: run as root")
# Root without its privileges is a user like any other, but one who may enter root's folders.
UNPRIVILEGED = ("setpriv", "--bounding-set=-all", "--inh-caps=-all") if os.geteuid() == 0 else ()


def inputs(folder: Path, base: Path | None = None) -> Workspace:
    """A test set with two systems; its texts below `base`, else below the folder itself."""
    folder.mkdir(exist_ok=True)
    rng = random.Random(1)
    space = Workspace(folder)
    texts = Workspace(base or folder)
    for name in ("ref", "one", "two"):
        texts.write(f"{name}.txt", "".join(" ".join(rng.choices(WORDS, k=8)) + "\n" for _ in "abc"))
    texts.write("judgments.tsv", "system1\tsystem2\trank1\trank2\none\ttwo\t1\t2\n")
    below = f"{base}/" if base else ""
    space.testset(
        "d",
        f"{below}ref.txt",
        {name: f"{below}{name}.txt" for name in ("one", "two")},
        judgments=f"{below}judgments.tsv",
        judgments_format="pairwise",
    )
    return space


def names(space: Workspace) -> list[str]:
    """All results, but for what tells of time, and what has a temporary name."""
    base = space.folder / "results"
    paths = [path.relative_to(base) for path in base.rglob("*") if path.is_file()]
    return sorted(
        str(path)
        for path in paths
        if path.parts[0] not in ("logs", "benchmarks", "report.html")
        and not path.name.startswith(".")
        and path.suffix != ".part"
    )


def files(space: Workspace) -> dict[str, str]:
    """The same with their digests."""
    return {name: sha256(space.folder / "results" / name) for name in names(space)}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    space = inputs(tmp_path_factory.mktemp("undisturbed"))
    space.snakemake("--quiet", "all")
    assert len(files(space)) > 30
    return files(space)


def start(space: Workspace) -> subprocess.Popen[str]:
    space.sheets()
    return subprocess.Popen(
        [
            *("snakemake", "--cores", "2", "--directory", str(space.folder)),
            *("--configfile", str(space.folder / "config.yaml")),
        ],
        cwd=ROOT,
        env=environment(ROOT, space.folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def wait_for(number: int, space: Workspace, run: subprocess.Popen[str]) -> None:
    """Until there are so many results, or the run is over."""
    while run.poll() is None and len(names(space)) < number:
        time.sleep(0.02)


def kill_all(run: subprocess.Popen[str]) -> None:
    os.killpg(run.pid, signal.SIGKILL)


def kill_snakemake(run: subprocess.Popen[str]) -> None:
    """Its jobs go on, and may end while the next run makes the same files."""
    run.kill()


def kill_child(run: subprocess.Popen[str], word: str) -> None:
    """The first process below Snakemake with this word on its command line."""
    while run.poll() is None:
        for process in psutil.Process(run.pid).children(recursive=True):
            try:
                if word in process.cmdline():
                    process.kill()
                    return
            except psutil.NoSuchProcess:
                continue


def kill_job(run: subprocess.Popen[str]) -> None:
    kill_child(run, "morpos")


def kill_server(run: subprocess.Popen[str]) -> None:
    """What all jobs that are going on run in."""
    kill_child(run, "morpos.workflow.server.server")


def test_kills_at_random_moments(undisturbed: dict[str, str], tmp_path: Path) -> None:
    space, rng = inputs(tmp_path), random.Random(7)
    kills = [kill_all, kill_snakemake, kill_job, kill_server]
    for number in range(KILLS):
        run = start(space)
        # Anywhere in what is left to do, the start and the end of it included.
        wait_for(rng.randrange(len(names(space)), len(undisturbed)), space, run)
        time.sleep(rng.random() / 10)
        kills[number % len(kills)](run)
        out, _ = run.communicate()
        there = files(space)
        assert there == {name: undisturbed[name] for name in there}, out
        if number == 0:
            assert "--unlock" in space.snakemake(check=False).stderr
        if len(there) == len(undisturbed):
            shutil.rmtree(space.folder / "results")
        if run.returncode < 0:  # it was Snakemake that was killed
            space.snakemake("--unlock")
    space.snakemake("--quiet", "all")
    assert files(space) == undisturbed
    assert space.jobs() == {}


def test_two_runs_at_once(undisturbed: dict[str, str], tmp_path: Path) -> None:
    space = inputs(tmp_path)
    run = start(space)
    wait_for(1, space, run)
    run.send_signal(signal.SIGSTOP)  # so that it is not over too soon
    second = space.snakemake(check=False)
    run.send_signal(signal.SIGCONT)
    assert second.returncode != 0
    assert "LockException" in second.stderr
    assert "no other Snakemake process" in second.stderr
    out, _ = run.communicate()
    assert run.returncode == 0, out
    assert files(space) == undisturbed


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 100 kB: room for some results."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=100k", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("mount is not allowed here: run where root may mount a tmpfs")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


@AS_ROOT
def test_a_full_disk(undisturbed: dict[str, str], disk: Path, tmp_path: Path) -> None:
    space = inputs(tmp_path / "work")
    (space.folder / "results").symlink_to(disk)
    run = space.snakemake(check=False)
    assert run.returncode != 0
    assert "The disk of results may have become full: it has room for 0." in run.stdout
    there = files(space)
    assert there == {name: undisturbed[name] for name in there}
    subprocess.run(["mount", "-o", "remount,size=50m", disk], check=True)
    space.snakemake("--quiet", "all")
    assert files(space) == undisturbed


def test_only_the_output_folder_is_writable(undisturbed: dict[str, str], tmp_path: Path) -> None:
    base, home = tmp_path / "inputs", tmp_path / "home"
    space = inputs(tmp_path / "work", base)
    home.mkdir()
    before = sorted(base.rglob("*"))
    for path in (*before, base, home):
        path.chmod(0o444 if path.is_file() else 0o555)
    command = ("snakemake", "--cores", "2", "--directory", str(space.folder), "--quiet", "all")
    space.sheets()
    run = subprocess.run(
        [*UNPRIVILEGED, *command, "--configfile", str(space.folder / "config.yaml")],
        cwd=ROOT,
        env=environment(ROOT, space.folder) | {"HOME": str(home)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert sorted(base.rglob("*")) == before
    assert not list(home.iterdir())
    assert space.table("scores/d.tsv")["WMPF"].notna().all()


def test_results_that_cannot_be_written(tmp_path: Path) -> None:
    space = inputs(tmp_path)
    (tmp_path / "results").mkdir(mode=0o555)
    space.sheets()
    command = ("snakemake", "--cores", "2", "--directory", str(space.folder))
    run = subprocess.run(
        [*UNPRIVILEGED, *command, "--configfile", str(space.folder / "config.yaml")],
        cwd=ROOT,
        env=environment(ROOT, space.folder),
        capture_output=True,
        text=True,
    )
    assert run.returncode != 0
    assert "cannot write to results" in run.stdout + run.stderr
    assert "rule text" not in run.stdout + run.stderr
