"""A folder with sheets and texts, and real Snakemake runs in it."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from morpos.io import tables
from morpos.io.files import read_json, read_units
from morpos.scoring import ngrams

ROOT = Path(__file__).resolve().parents[2]
_JOB = re.compile(r"^(?:local)?rule (\w+):\n(?:    .*\n)*?    output: (.+)$", re.MULTILINE)


def environment(checkout: Path, folder: Path) -> dict[str, str]:
    """What a shell with this interpreter's environment activated has; caches below a folder."""
    return os.environ | {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(checkout / "scripts"),
        "XDG_CACHE_HOME": str(folder / ".cache"),
    }


@dataclass
class Workspace:
    """A working folder of one user."""

    folder: Path
    checkout: Path = ROOT
    config: dict[str, Any] = field(default_factory=dict)
    testsets: list[dict[str, str]] = field(default_factory=list)
    systems: list[dict[str, str]] = field(default_factory=list)

    def testset(
        self,
        name: str,
        reference: str | Path,
        systems: Mapping[str, str | Path] | None = None,
        *,
        encodings: Mapping[str, str] | None = None,
        pattern: str = "",
        formats: str = "",
        **columns: str,
    ) -> None:
        """Add a test set with listed systems or a pattern; languages are de-en unless given."""
        row = {"testset": name, "source": "de", "target": "en", "reference": str(reference)}
        if pattern:
            row["systems"] = pattern
        self.testsets.append(row | columns)
        for system, file in (systems or {}).items():
            self.systems.append(
                {
                    "testset": name,
                    "system": system,
                    "file": str(file),
                    "encoding": (encodings or {}).get(system, ""),
                    "format": formats,
                }
            )

    def write(self, path: str, content: str | bytes) -> str:
        """Write a file below the folder."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def sheets(self) -> dict[str, Any]:
        """Write the sheets and the configuration, and give the latter."""
        # Tests of significance take longer than all the rest; a test that wants them says so.
        config = {"report": {"significance": False}} | self.config
        for name, rows in (("testsets", self.testsets), ("systems", self.systems)):
            columns = list(dict.fromkeys(column for row in rows for column in row))
            lines = ["\t".join(columns)]
            lines += ["\t".join(row.get(column, "") for column in columns) for row in rows]
            if rows:
                config[name] = self.write(f"{name}.tsv", "\n".join(lines) + "\n")
        self.write("config.yaml", yaml.safe_dump(config, allow_unicode=True, sort_keys=False))
        return config

    def snakemake(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Write the sheets and run Snakemake in the folder, as a user would."""
        self.sheets()
        run = subprocess.run(
            [
                *("snakemake", "--cores", "2", "--directory", str(self.folder)),
                *("--configfile", str(self.folder / "config.yaml")),
                *arguments,
            ],
            cwd=self.checkout,
            env=environment(self.checkout, self.folder),
            capture_output=True,
            text=True,
        )
        assert not check or run.returncode == 0, run.stdout + run.stderr
        return run

    def jobs(self, *arguments: str) -> dict[str, list[str]]:
        """What a run would do, from Snakemake's own list: rule to its jobs' first outputs."""
        run = self.snakemake("--dry-run", *arguments)
        jobs: dict[str, list[str]] = {}
        for rule, outputs in _JOB.findall(run.stdout + run.stderr):
            first = outputs.split(", ")[0].removeprefix("results/")
            jobs.setdefault(rule, []).append(first)
        return {rule: sorted(outputs) for rule, outputs in jobs.items()}

    def table(self, path: str) -> Any:  # the types of pandas' cells are too wide to be of use
        """A table among the results, as a DataFrame."""
        file = self.folder / "results" / path
        # Scores have a column for each metric.
        known = {*tables.columns(file)} <= tables.TEXT | tables.NUMBERS
        return pd.DataFrame(tables.read(file, None if known else tables.TEXT))

    def results(self, *patterns: str) -> dict[str, bytes]:
        """The bytes of all results that match."""
        base = self.folder / "results"
        return {
            str(path.relative_to(base)): path.read_bytes()
            for pattern in patterns
            for path in sorted(base.glob(pattern))
        }

    def counts(self, testset: str) -> dict[str, ngrams.Counts]:
        """The counts of a test set by the system's name."""
        files = (self.folder / "results" / "counts" / testset).glob("*.npz")
        loaded = [ngrams.load(path) for path in files]
        return {counts.meta["text"]["name"]: counts for counts in loaded}

    def layer(self, layer: str, name: str, testset: str = "*") -> list[list[str]]:
        """A layer of the text with that name (a system's, or a reference's path).

        Test sets may have systems of the same name: then one must be given.
        """
        base = self.folder / "results"
        for facts in (base / "texts").glob(f"{testset}/*.json"):
            if read_json(facts)["name"] == name:
                text = f"{facts.parent.name}/{facts.stem}.txt"
                (path,) = (base / layer).glob(f"**/{text}")
                return read_units(path)
        raise KeyError(name)


def without_scripts(page: str) -> str:
    """An HTML page without what its scripts and data hold."""
    return re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)


def word_counts(counts: ngrams.Counts) -> dict[str, dict[str, int]]:
    """Matches, hypothesis and reference n-grams of the word layer, as in the cases' values."""
    layer = counts.layers["word"]
    match = layer.match[0].sum(axis=0)
    hypothesis = ngrams.totals(layer.hypothesis_length, layer.order).sum(axis=0)
    reference = ngrams.totals(layer.reference_length[0], layer.order).sum(axis=0)
    return {
        str(n + 1): {"match": int(m), "hyp": int(h), "ref": int(r)}
        for n, (m, h, r) in enumerate(zip(match, hypothesis, reference, strict=True))
    }
