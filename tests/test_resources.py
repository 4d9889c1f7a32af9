"""Time and memory by rule, from files as Snakemake 9.27 writes them."""

import math
from pathlib import Path

from morpos import cli, resources, tables

HEADER = "s\th:m:s\tmax_rss\tmax_vms\tmax_uss\tmax_pss\tio_in\tio_out\tmean_load\tcpu_time\n"


def write(path: Path, seconds: float, rss: str, cpu: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{HEADER}{seconds:.2f}\t0:00:00\t{rss}\t1\t1\t1\t0\t0\t50.0\t{cpu}\n")


def test_one_row_a_rule(tmp_path: Path) -> None:
    one, two = tmp_path / "benchmarks", tmp_path / "grid" / "case=lower" / "benchmarks"
    write(one / "counts" / "d" / "a.tsv", 4.0, "100.25", "3.0")
    write(one / "counts" / "d" / "b.tsv", 0.3, "10.00", "0.00")  # seen at its start alone
    write(two / "counts" / "d" / "a.tsv", 2.0, "120.50", "1.5")
    write(one / "summary.tsv", 1.0, "NA", "NA")
    write(one / "report.tsv", 8.0, "90.00", "2.0")
    assert cli.main(["resources", str(one), str(two), "--output", str(tmp_path / "r.tsv")]) == 0
    report, counts, summary = tables.read(tmp_path / "r.tsv")
    assert [report["rule"], counts["rule"], summary["rule"]] == ["report", "counts", "summary"]
    assert (counts["jobs"], counts["sampled"]) == (3, 2)
    assert (counts["seconds"], counts["longest"]) == (6.3, 4.0)
    assert (counts["cpu_seconds"], counts["cpu_percent"]) == (4.5, 75.0)  # of 6 seconds
    assert counts["max_rss_mb"] == 120.5
    assert (summary["jobs"], summary["sampled"], summary["seconds"]) == (1, 0, 1.0)
    assert math.isnan(summary["cpu_seconds"])
    assert math.isnan(summary["max_rss_mb"])
    assert counts["signature"].startswith("morpos:")


def test_what_a_kill_left_behind_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "empty.tsv").write_text("")
    (tmp_path / "words" / "half.tsv").write_text(HEADER + "1.2")
    (tmp_path / "words" / "header.tsv").write_text(HEADER)
    rows = resources.table([tmp_path, tmp_path / "no such folder"])
    assert [(row["rule"], row["jobs"], row["sampled"]) for row in rows] == [("words", 1, 0)]
