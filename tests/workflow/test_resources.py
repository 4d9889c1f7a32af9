"""Time and memory by rule, from files as Snakemake 9.27 and the steps write them."""

import math
from pathlib import Path

from morpos.io import tables
from morpos.workflow import resources, steps

HEADER = "s\th:m:s\tmax_rss\tmax_vms\tmax_uss\tmax_pss\tio_in\tio_out\tmean_load\tcpu_time\n"


def write(run: Path, job: str, seconds: str, log: str) -> None:
    for path, content in (
        (run / "benchmarks" / f"{job}.tsv", f"{HEADER}{seconds}\t0:00:00\tNA\tNA\n"),
        (run / "logs" / f"{job}.log", log),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


def test_one_row_a_rule(tmp_path: Path) -> None:
    one, two = tmp_path / "results", tmp_path / "results" / "grid" / "case=lower"
    write(one, "counts/d.en-de/a.b", "4.0", "a warning\nused 3.25 s of CPU, 100 MB\n")
    write(one, "counts/d.en-de/a.c", "0.3", "used 0.05 s of CPU, 31 MB\nand a line more\n")
    write(two, "counts/d.en-de/a.b", "2.0", "used 1.50 s of CPU, 120 MB\n")
    write(one, "summary", "1.0", "")
    write(one, "report", "8.0", "used 2.00 s of CPU, 90 MB\n")
    assert steps.main(["resources", str(one), str(two), "--output", str(tmp_path / "r.tsv")]) == 0
    report, counts, summary = tables.read(tmp_path / "r.tsv")
    assert [report["rule"], counts["rule"], summary["rule"]] == ["report", "counts", "summary"]
    assert (counts["jobs"], counts["measured"]) == (3, 2)
    assert (counts["seconds"], counts["longest"]) == (6.3, 4.0)
    assert (counts["cpu_seconds"], counts["max_mb"]) == (4.75, 120)
    assert (summary["jobs"], summary["measured"], summary["seconds"]) == (1, 0, 1.0)
    assert math.isnan(summary["cpu_seconds"])
    assert math.isnan(summary["max_mb"])
    assert counts["signature"].startswith("morpos:")


def test_what_a_kill_left_behind_stops_nothing(tmp_path: Path) -> None:
    write(tmp_path, "words/a", "1.0", "used 0.10 s of CPU, 30 MB\n")
    for name, content in (("empty", ""), ("header", HEADER), ("half", HEADER.rstrip("\n"))):
        (tmp_path / "benchmarks" / "words" / f"{name}.tsv").write_text(content)
    (row,) = resources.summarise([tmp_path, tmp_path / "no such folder"])
    assert (row["jobs"], row["measured"], row["seconds"]) == (4, 1, 1.0)
