"""Time and memory of the jobs of a run: one row a rule.

Wall time is what Snakemake's `benchmark:` measured; CPU time and memory are what the steps
themselves wrote into their logs, since Snakemake looks at a job every half second only, and sees
nothing of those that the server runs.
"""

import math
import re
from collections.abc import Iterable
from pathlib import Path

from morpos.io.tables import Row

#: Columns of the table: wall time of all jobs and of the longest; CPU time of all jobs; the most
#: memory of one. CPU time and memory are those of the jobs with a `measured` log.
COLUMNS = ("rule", "jobs", "measured", "seconds", "longest", "cpu_seconds", "max_mb")

_USED = re.compile(r"used ([0-9.]+) s of CPU, ([0-9]+) MB\n\Z")


def summarise(runs: Iterable[str | Path]) -> list[Row]:
    """Time and memory by rule, the longest first.

    Args:
        runs: folders of results. What is below `benchmarks/<rule>` (or is `benchmarks/<rule>.tsv`)
            belongs to a rule, and has a log of the same name below `logs`.

    Returns:
        `COLUMNS`, seconds and MB of 2^20 bytes; NaN where no log says it.
    """
    found: dict[str, list[tuple[float, float, float]]] = {}
    for run in map(Path, runs):
        folder = run / "benchmarks"
        for path in sorted(folder.rglob("*.tsv")):
            name = path.relative_to(folder)
            log = run / "logs" / name.with_name(name.name.removesuffix(".tsv") + ".log")
            job = (_seconds(path), *_used(log))
            found.setdefault(name.parts[0].removesuffix(".tsv"), []).append(job)
    rows = [_row(rule, jobs) for rule, jobs in found.items()]
    return sorted(rows, key=lambda row: (-row["seconds"], row["rule"]))


def _seconds(benchmark: Path) -> float:
    """The wall time of a job; 0 if a kill left no measurement: no reason to stop a report."""
    _, *lines = benchmark.read_text(encoding="utf-8").split("\n")
    try:
        return float(lines[0].split("\t")[0])
    except (IndexError, ValueError):
        return 0.0


def _used(log: Path) -> tuple[float, float]:
    """CPU seconds and MB."""
    try:
        used = _USED.search(log.read_text(encoding="utf-8", errors="replace"))
    except FileNotFoundError:
        used = None
    return (float(used[1]), float(used[2])) if used else (math.nan, math.nan)


def _row(rule: str, jobs: list[tuple[float, float, float]]) -> Row:
    measured = [job for job in jobs if not math.isnan(job[1])]
    return {
        "rule": rule,
        "jobs": len(jobs),
        "measured": len(measured),
        "seconds": round(math.fsum(job[0] for job in jobs), 4),
        "longest": max(job[0] for job in jobs),
        "cpu_seconds": round(math.fsum(job[1] for job in measured), 4) if measured else math.nan,
        "max_mb": max((job[2] for job in measured), default=math.nan),
    }
