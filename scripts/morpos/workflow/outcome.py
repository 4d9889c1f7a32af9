"""What a person must know at the end of a run, from the tables that the run made."""

import os
import shlex
import time
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol

from morpos.checks import finding
from morpos.errors import MorposError
from morpos.io import tables
from morpos.io.files import read_json
from morpos.project.model import Project, stale_tables
from morpos.workflow.inputs import Inputs

#: Warnings that are printed; the others stand in the tables.
MOST = 10
#: Less room on a disk than this is perhaps why a run failed.
_LOW_MB, _LOW_FILES = 100, 1000


class _RunJob(Protocol):
    """What is asked of Snakemake's jobs."""

    output: Iterable[Any]
    log: Iterable[Any]


class Outcome:
    """The last words of a run of a project, which begins now."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.inputs = Inputs(project)
        self.results: str = project.config["results"]
        self.started = time.time()

    def lines(self, jobs: Iterable[_RunJob]) -> Iterator[str]:
        """What was left out, what is doubtful, and where to look; only of what these jobs made.

        Args:
            jobs: all jobs of the run's targets, those that were done before too.
        """
        made = {str(path) for job in jobs for path in job.output}
        yield from dict.fromkeys(self._left_out(made))
        warnings = list(dict.fromkeys(self._warnings(made)))
        yield from warnings[:MOST]
        if len(warnings) > MOST:
            yield f"... and {len(warnings) - MOST} more warnings: {self.results}/findings"
        for name, testset in self.project.missing.items():
            yield f"left out: {name}: {testset.reason}"
        if stale := stale_tables(self.project):
            yield f"Not of this run, but of test sets that are gone: {', '.join(stale)}"
        yield from self._places(made)

    def _left_out(self, made: Collection[str]) -> Iterator[str]:
        for name in self.project.testsets:
            if (texts := f"{self.results}/texts/{name}.tsv") in made:
                for row in tables.read(texts):
                    if row["status"] == "left out":
                        yield f"left out: {row['note']}"
            exported = f"{self.results}/exports/mt-metrics-eval/{name}"  # a folder is one product
            for table, product in (
                (baselines := f"{self.results}/baselines/{name}.left_out.tsv", baselines),
                (segments := f"{self.results}/segments/{name}.left_out.tsv", segments),
                (f"{exported}/left_out.tsv", exported),
            ):
                if product in made:
                    yield from (f"left out: {row['note']}" for row in tables.read(table))

    def _warnings(self, made: Collection[str]) -> Iterator[str]:
        for name in self.project.testsets:
            if (path := f"{self.results}/findings/{name}.tsv") in made:
                found = map(finding.from_row, tables.read(path))
                yield from (str(each) for each in found if each.severity == "warning")
        # Outputs are compared with their reference, and nothing else with its language.
        if "pos" in self.project.layers:
            for path, language in self.inputs.reference_tags().items():
                facts = f"{path.removesuffix(self.inputs.suffix)}.json"
                if facts in made and (doubt := read_json(facts)["details"].get("doubt")):
                    yield f"warning: {path}: {doubt}; is its language '{language}'? [language]"

    def _places(self, made: Collection[str]) -> Iterator[str]:
        """Where the most important of the results lie."""
        summary, report = f"{self.results}/summary.tsv", f"{self.results}/report.html"
        if summary in made:
            yield f"Tables: {summary} and beside it"
        elif any(f"{self.results}/scores/{name}.tsv" in made for name in self.project.testsets):
            judged = "" if self.inputs.judged else " (no judgments, so no correlations)"
            yield f"Scores: {self.results}/scores{judged}"
        if report in made:
            yield f"Report, to be opened in a browser: {report}"
        elif any(f"{self.results}/findings/{name}.tsv" in made for name in self.project.testsets):
            yield f"All findings: {self.results}/findings"

    def failures(self, configfiles: Iterable[object]) -> Iterator[str]:
        """What the steps that failed say, and where more is to be found.

        Only their logs have it: a step that fails makes no table.
        """
        logs = (log for run in self.inputs.runs for log in Path(run, "logs").glob("**/*.log"))
        # A test set may be called so, too, and has folders. A step that is no longer part of the
        # run may have left a log.
        recent = (
            log
            for log in sorted(set(logs))
            if log.is_file() and log.stat().st_mtime >= self.started
        )
        yield from filter(None, dict.fromkeys(map(_last_message, recent)))
        # On a full disk the logs are empty, too.
        disk = os.statvfs(_existing_folder(self.results))
        free, files = disk.f_bavail * disk.f_frsize / 1e6, disk.f_favail
        if free < _LOW_MB or (files < _LOW_FILES and disk.f_files):
            rest = f"{free:.1f} MB" + (f" and {files} files" if disk.f_files else "")
            yield f"The disk of {self.results} may have become full: it has room for {rest} more"
        yield f"Logs of all steps: {self.results}/logs"
        configuration = shlex.join(map(str, configfiles))
        yield f"All faults of the data at once: morpos check {configuration}"


def _last_message(log: Path) -> str:
    """What a step that failed says last, all its lines; "" of one that went well."""
    said = f"\n{log.read_text(errors='replace')}"
    for beginning in ("\nmorpos ", "\npython -m morpos.workflow "):  # the other one: wrong options
        _, name, message = said.partition(beginning)
        if name:
            return (name + message).strip()
    return ""


def _existing_folder(results: str) -> Path:
    """That of the results or, before the first, the one that theirs will be made in."""
    path = Path(results).absolute()
    return next(folder for folder in (path, *path.parents) if folder.exists())


def require_writable(results: str) -> None:
    """One message before work starts, instead of one a job.

    Raises:
        MorposError: nothing can be written there.
    """
    folder = _existing_folder(results)
    if not os.access(folder, os.W_OK):
        raise MorposError(
            f"cannot write to {results} ({folder} is read-only for this user); "
            "name another folder as `results:`, or change its permissions"
        )
