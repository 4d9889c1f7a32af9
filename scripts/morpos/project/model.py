"""A project: what is to be scored and with which options."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from morpos.io.files import digest, sha256, slug
from morpos.layers.kinds import known
from morpos.layers.settings import Setup
from morpos.scoring import metrics


@dataclass(frozen=True)
class TextSource:
    """A file with the segments of a reference or of a system's output."""

    id: str  # folder/slug, unique, safe as a file name
    name: str  # the system's name as given; of a reference its path
    path: str
    language: str
    encoding: str = "utf-8"
    format: str = "plain"
    select: str = ""  # which text of a file that holds several
    missing: str = ""  # segments that are known to be missing, such as 2429-2436


@dataclass(frozen=True)
class TestSet:
    """A test set × language pair: one set of references, many systems."""

    name: str
    source: str
    target: str
    references: tuple[TextSource, ...]
    systems: tuple[TextSource, ...]
    judgments: str  # path, "" where there are none
    judgments_format: str
    domain: str
    lower_is_better: bool
    group: str
    extra_scores: str  # path of scores by more metrics, "" where there are none
    exclude_from_summary: bool  # scored and correlated, but not part of the table over test sets

    @property
    def reference_set(self) -> str:
        """Names the references together: what the morpheme model is trained on."""
        slugs = [Path(text.id).name for text in self.references]
        return slugs[0] if len(slugs) == 1 else f"{slugs[0]}+{digest(*slugs)}"


@dataclass(frozen=True)
class Missing:
    """Why a test set is missing, and whether it would be part of the table over test sets."""

    reason: str
    counts: bool


@dataclass(frozen=True)
class Project:
    """A validated configuration with its test sets."""

    config: Mapping[str, Any]
    testsets: Mapping[str, TestSet]
    missing: Mapping[str, "Missing"]  # optional test sets whose files are not there
    texts: Mapping[str, TextSource]  # by id
    setups: Mapping[str, Setup]
    metrics: tuple[metrics.Metric, ...]
    metric_table: str  # the same as JSON
    downloads: tuple[str, ...]  # files of the registry that the test sets need
    archives: tuple[str, ...]  # archives of the registry
    registry: Mapping[str, tuple[str, ...]]  # checksums by path, below the base

    def checksums(self, path: str) -> list[str]:
        """What the sha256 of an input file may be: the registry's, else what the file has now."""
        if known := self.registry.get(path):
            return list(known)
        return [_sha256(path)] if Path(path).is_file() else []

    @property
    def layers(self) -> tuple[str, ...]:
        """The layers that any metric uses: what is made and counted."""
        return tuple(filter(used_layers(self.metrics).__contains__, known(self.config["layers"])))

    @property
    def order(self) -> int:
        """The largest n that any metric uses: what is counted."""
        return max(c.order for metric in self.metrics for c in metric.components)


# Snakemake asks again whenever it looks at the ready jobs.
_sha256 = cache(sha256)


def used_layers(table: Iterable[metrics.Metric]) -> set[str]:
    """The layers of which a metric is made."""
    return {component.layer for metric in table for component in metric.components}


def stale_tables(project: Project) -> dict[str, str]:
    """Tables of test sets that are no longer in the sheet, with their names.

    They are from an earlier run: a run neither reads nor deletes them.
    """
    results = Path(project.config["results"])
    names = {
        str(path): path.name.removesuffix(".tsv").removesuffix(".left_out")
        for folder in ("scores", "correlations", "human", "findings")
        for path in sorted(results.glob(f"{folder}/*.tsv"))
    }
    return {path: name for path, name in names.items() if name not in project.testsets}


def training_texts(setup: Setup, language: str) -> list[TextSource]:
    """Texts of the user's that the morpheme model of a language is trained on."""
    kind, paths = setup.training(language)
    return [
        TextSource(
            f"references/{slug(f'{Path(path).name}-{digest(path, language)}')}",
            path,
            path,
            language,
        )
        for path in (paths if kind == "texts" else ())
    ]
