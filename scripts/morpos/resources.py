"""Time and memory of the jobs, from the files that Snakemake's `benchmark:` writes: one row a rule.

Snakemake looks at a job when it starts, then every half second, after a quarter of a minute every
half minute. So the wall time is exact; CPU time is what was seen last and memory the most that was
seen, both a little too low; and of a job of less than half a second only the wall time is known:
when it starts, its shell is all that there is to see.
"""

import math
from collections.abc import Iterable, Iterator
from pathlib import Path

from morpos.tables import Row

#: Seconds until Snakemake's first look at a job that tells something.
FIRST_LOOK = 0.5
#: Columns of the table of time and memory. `seconds`, `longest`: wall time of all jobs and of the
#: longest; `cpu_seconds`, `cpu_percent`, `max_rss_mb`: of those that were `sampled` alone.
COLUMNS = (
    *("rule", "jobs", "sampled", "seconds", "longest"),
    *("cpu_seconds", "cpu_percent", "max_rss_mb"),
)


def table(folders: Iterable[str | Path]) -> list[Row]:
    """Time and memory by rule, the longest first.

    Args:
        folders: the `benchmarks` of a run; below them the files of a rule are
            `<rule>.tsv` or `<rule>/**/*.tsv`. One that does not exist is empty.

    Returns:
        `COLUMNS`; MB are 2^20 bytes, as Snakemake's are; NaN where no job was sampled.
    """
    found: dict[str, list[tuple[float, float, float]]] = {}
    for folder in map(Path, folders):
        for path in sorted(folder.rglob("*.tsv")):
            rule = path.relative_to(folder).parts[0].removesuffix(".tsv")
            found.setdefault(rule, []).extend(_jobs(path))
    rows = [_row(rule, jobs) for rule, jobs in found.items() if jobs]
    return sorted(rows, key=lambda row: (-row["seconds"], row["rule"]))


def _jobs(path: Path) -> Iterator[tuple[float, float, float]]:
    """Seconds, CPU seconds and MB of each line. A damaged one is no reason to stop a report."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for line in lines[1:]:
        job = dict(zip(lines[0].split("\t"), line.split("\t"), strict=False))
        seconds, cpu, rss = (_number(job.get(key, "")) for key in ("s", "cpu_time", "max_rss"))
        if not math.isnan(seconds):
            yield seconds, cpu, rss


def _number(cell: str) -> float:
    try:
        return float(cell)
    except ValueError:  # NA, or - in older versions: not sampled
        return math.nan


def _row(rule: str, jobs: list[tuple[float, float, float]]) -> Row:
    sampled = [job for job in jobs if job[0] >= FIRST_LOOK and not math.isnan(job[2])]
    cpu = math.fsum(job[1] for job in sampled)
    wall = math.fsum(job[0] for job in sampled)
    return {
        "rule": rule,
        "jobs": len(jobs),
        "sampled": len(sampled),
        "seconds": round(math.fsum(job[0] for job in jobs), 4),
        "longest": max(job[0] for job in jobs),
        "cpu_seconds": round(cpu, 4) if sampled else math.nan,
        "cpu_percent": round(100 * cpu / wall, 1) if wall else math.nan,
        "max_rss_mb": max((job[2] for job in sampled), default=math.nan),
    }
