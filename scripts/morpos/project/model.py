"""Configuration and sheets, validated: what is to be scored and with which options."""

import json
import re
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from morpos.errors import MorposError
from morpos.io import tables
from morpos.io.files import digest, sha256, slug
from morpos.io.schema import defaults, validate
from morpos.io.sheets import collected, raise_all, read_sheet
from morpos.layers.kinds import BUILT_IN, known
from morpos.layers.settings import Setup, setups
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
        return tuple(filter(_used(self.metrics).__contains__, known(self.config["layers"])))

    @property
    def order(self) -> int:
        """The largest n that any metric uses: what is counted."""
        return max(c.order for metric in self.metrics for c in metric.components)


# Snakemake asks again whenever it looks at the ready jobs.
_sha256 = cache(sha256)
_NOT_IN_TABLES = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_ARCHIVES = (".tar.gz", ".tgz", ".zip")


def read_project(config: Mapping[str, Any], source: str = "the configuration") -> Project:
    """Validate a configuration and read the sheets that it names.

    Raises:
        MorposError: lists every fault with file, row and column.
    """
    project, faults = examine(config, source)
    raise_all(faults)
    assert project
    return project


def examine(config: Mapping[str, Any], source: str) -> tuple[Project | None, list[str]]:
    """The project, as far as it can be read, and all faults of configuration and sheets.

    There is none where the configuration or a sheet is not valid in itself.
    """
    faults: list[str] = []
    with collected(faults):
        validate(dict(config), "config", source)
    if faults:
        for sheet in ("testsets", "systems"):
            if isinstance(path := config.get(sheet), str):
                with collected(faults):
                    read_sheet(path, sheet)
        return None, faults
    full = merge(defaults("config"), config)
    faults += _config_faults(full, source)
    found = setups(full)
    for setup in found.values():
        parts = {"words": setup.words, "morphemes": setup.morphemes, "tags": setup.tags}
        where = f"{source}, grid point {setup.name}"
        with collected(faults):
            validate({"testsets": full["testsets"], **parts}, "config", where)
    metrics_path = full["metrics"] or str(metrics.DEFAULT_TABLE)
    table: tuple[metrics.Metric, ...] = ()
    with collected(faults):
        table = tuple(metrics.read_table(metrics_path))
    sheets = _Sheets(full)
    testsets, missing = sheets.testsets()
    faults += sheets.faults
    if not testsets or not table:
        return None, faults
    languages = sorted({testset.target for testset in testsets.values()})
    faults += [
        *_unknown_layers(full["layers"], table, metrics_path),
        *_layer_faults(found.values(), table, languages),
        *(
            f"{source}: archive.testsets: '{name}' is not in {full['testsets']}"
            for name in full["archive"]["testsets"]
            if name not in testsets
        ),
    ]
    texts = {
        text.id: text
        for testset in testsets.values()
        for text in (*testset.references, *testset.systems)
    }
    texts |= {
        text.id: text
        for setup in found.values()
        for language in languages
        for text in training_texts(setup, language)
    }
    faults += _path_faults(texts.values(), testsets.values(), full["results"])
    judgments = {testset.judgments for testset in testsets.values()} - {""}
    extra = {testset.extra_scores for testset in testsets.values()} - {""}
    needed = {text.path for text in texts.values()} | judgments | extra
    project = Project(
        config=full,
        testsets=testsets,
        missing=missing,
        texts=texts,
        setups=found,
        metrics=table,
        metric_table=json.dumps(metrics.load(metrics_path), sort_keys=False),
        downloads=tuple(path for path in sheets.registry if str(sheets.base / path) in needed),
        archives=tuple(path for path in sheets.registry if path.endswith(_ARCHIVES)),
        registry={str(sheets.base / path): sums for path, sums in sheets.registry.items() if sums},
    )
    return project, faults


def _config_faults(config: Mapping[str, Any], source: str) -> list[str]:
    """What a schema cannot say."""
    faults = []
    if config["combinations"]:
        try:
            re.compile(config["combinations"])
        except re.error as error:
            faults.append(
                f"{source}: combinations: {config['combinations']!r} is no regular expression "
                f"({error})"
            )
    if config["download"]["mirror"] and config["download"]["directory"]:
        faults.append(
            f"{source}: download: mirror and directory are both given; keep the one to be used"
        )
    for key in ("published", "published_tags", "claims"):
        if (path := config[key]) and not Path(path).is_file():
            faults.append(f"{source}: {key}: there is no file {path}")
        elif path:
            with collected(faults):
                tables.require(path, tables.GIVEN[key])
    return faults


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


def _unknown_layers(
    declared: Mapping[str, Any], table: Sequence[metrics.Metric], path: str
) -> list[str]:
    return [
        f"{path}: the metric {metric.name} uses the layer '{component.layer}', which is neither "
        f"built in ({', '.join(BUILT_IN)}) nor declared under `layers` of the configuration"
        for metric in table
        for component in metric.components
        if component.layer not in known(declared)
    ]


def _layer_faults(
    setups: Iterable[Setup], table: Sequence[metrics.Metric], languages: Sequence[str]
) -> list[str]:
    """Layers that cannot be made, before anything runs.

    Snakemake says nothing of a missing model where results of another one are there.
    """
    used = _used(table)
    faults = [
        fault
        for setup in setups
        for name, layer in known(setup.layers).items()
        if layer.checked or name in used
        for language in languages
        for fault in layer.faults(setup, language)
    ]
    return list(dict.fromkeys(faults))


def _used(table: Iterable[metrics.Metric]) -> set[str]:
    """The layers of which a metric is made."""
    return {component.layer for metric in table for component in metric.components}


def _path_faults(
    texts: Collection[TextSource], testsets: Collection[TestSet], results: str
) -> list[str]:
    """Names that no table can hold, paths that no rule can, and inputs in the place of results."""
    faults = [
        f"{text.path!r}: the name {text.name!r} holds a character that a table cannot hold (tab, "
        "line break or the like); rename the file, or list it in systems.tsv with another name"
        for text in texts
        if _NOT_IN_TABLES.search(text.name)
    ]
    below = Path(results).absolute()
    paths = [path for d in testsets for path in (d.judgments, d.extra_scores) if path]
    paths += [text.path for text in texts]
    faults += [
        f"{path!r}: Snakemake takes braces in a path for wildcards; rename the file or folder"
        for path in dict.fromkeys(paths)
        if "{" in path or "}" in path
    ]
    faults += [
        f"{path} lies below the results folder {results}, where runs write; move it elsewhere"
        for path in paths
        if below != Path().absolute() and below in Path(path).absolute().parents
    ]
    if any(parent.is_file() for parent in (below, *below.parents)):
        faults.append(f"results: {results} is a file, or lies below one; name another folder")
    return faults


def merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in over.items():
        old = merged.get(key)
        merged[key] = merge(old, value) if isinstance(old, dict) and old else value
    return merged


class _Sheets:
    """Reads the two sheets of a configuration and collects their faults."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        self.config = config
        self.base = Path(config["base"])
        self.sheet = config["testsets"]
        self.faults: list[str] = []
        self.absent: list[str] = []  # faults of one test set that are files not there
        self.registry: dict[str, tuple[str, ...]] = {}
        if path := config["download"]["registry"]:
            # Imported only where it is used: it takes longer than all the rest.
            from morpos.data.downloads import read_registry

            with collected(self.faults):
                self.registry = {
                    name: tuple(filter(None, (entry.sha256, entry.mirror_sha256)))
                    for name, entry in read_registry(path).items()
                }
        self._listed: dict[str, list[dict[str, str]]] = {}
        if config["systems"]:
            with collected(self.faults):
                for row in read_sheet(config["systems"], "systems"):
                    self._listed.setdefault(row["testset"], []).append(row)

    def testsets(self) -> tuple[dict[str, TestSet], dict[str, Missing]]:
        """The test sets by name, and those that may be missing and are."""
        testsets: dict[str, TestSet] = {}
        missing: dict[str, Missing] = {}
        seen: dict[str, str] = {}
        rows: list[dict[str, str]] = []
        with collected(self.faults):
            rows = read_sheet(self.sheet, "testsets")
        for row in rows:
            name, place = row["testset"], f"{self.sheet}, row {row['row']}"
            if name.lower() in seen:
                self.faults.append(f"{place}, column 'testset': '{name}' stands twice (case aside)")
                continue
            seen[name.lower()] = name
            self.absent = []
            testsets[name] = testset = self._testset(row, place)
            if row.get("optional") and self.absent:
                reason = self.absent[0].removeprefix(place).lstrip(":, ")
                missing[name] = Missing(
                    reason, bool(testset.judgments) and not testset.exclude_from_summary
                )
                del testsets[name]
            else:
                self.faults += self.absent
        for name, listed in self._listed.items() if rows else ():
            place = f"{self.config['systems']}, row {listed[0]['row']}"
            if name not in seen.values():
                near = f"; did you mean '{seen[name.lower()]}'?" if name.lower() in seen else ""
                self.faults.append(
                    f"{place}, column 'testset': '{name}' is not in {self.sheet}{near}"
                )
        if missing and not testsets:
            name, reason = next((name, m.reason) for name, m in missing.items())
            self.faults.append(
                f"{self.sheet}: none of the {len(missing)} optional test sets has its files; "
                f"'{name}': {reason}"
            )
        return testsets, missing

    def _exists(self, path: str) -> bool:
        try:
            return path in self.registry or (self.base / path).is_file()
        except (OSError, ValueError):  # a path that no file can have
            return False

    def _testset(self, row: Mapping[str, str], place: str) -> TestSet:
        def get(column: str) -> str:
            return row.get(column, "")

        judgments = get("judgments")
        paths = row["reference"].split("|")
        selects = get("select").split("|") if get("select") else [""] * len(paths)
        if len(selects) != len(paths):
            self.faults.append(
                f"{place}, column 'select': {len(selects)} for {len(paths)} references; give as "
                "many, split by |"
            )
            selects = [""] * len(paths)
        for path in paths:
            if not self._exists(path):
                self.absent.append(
                    f"{place}, column 'reference': there is no file {self._at(path)}"
                )
        extra = get("extra_scores")
        for column, path in (("judgments", judgments), ("extra_scores", extra)):
            if path and not self._exists(path):
                self.absent.append(f"{place}, column '{column}': there is no file {self._at(path)}")
        if bool(judgments) != bool(get("judgments_format")):
            self.faults.append(f"{place}: 'judgments' and 'judgments_format' need each other")
        return TestSet(
            name=row["testset"],
            source=row["source"],
            target=row["target"],
            references=tuple(
                self._reference(path, select, row)
                for path, select in zip(paths, selects, strict=True)
            ),
            systems=tuple(sorted(self._systems(row, place), key=lambda text: text.id)),
            judgments=self._at(judgments) if judgments else "",
            judgments_format=get("judgments_format"),
            domain=get("domain"),
            lower_is_better=bool(get("lower_is_better")),
            group=get("group"),
            extra_scores=self._at(extra) if extra else "",
            exclude_from_summary=bool(get("exclude_from_summary")),
        )

    def _at(self, path: str) -> str:
        return str(self.base / path)

    def _reference(self, path: str, select: str, row: Mapping[str, str]) -> TextSource:
        options = {
            "path": self._at(path),
            "language": row["target"],
            "encoding": row.get("encoding") or "utf-8",
            "format": row.get("format") or "plain",
            "select": select,
        }
        # Test sets that name the same text share its annotations.
        stem = f"{Path(path).name}-{digest(*options.values())}"
        name = f"{options['path']} {select}".rstrip()
        return TextSource(f"references/{slug(stem)}", name, **options)

    def _systems(self, row: Mapping[str, str], place: str) -> list[TextSource]:
        """The systems of a test set: those of the sheet, then those that only the pattern finds."""
        testset, language = row["testset"], row["target"]
        texts: dict[str, TextSource] = {}
        for listed in self._listed.get(testset, []):
            name = listed["system"]
            where = f"{self.config['systems']}, row {listed['row']}"
            if name in texts:
                self.faults.append(f"{where}: system '{name}' of '{testset}' is given twice")
                continue
            if not self._exists(listed["file"]):
                path = self._at(listed["file"])
                self.absent.append(f"{where}, column 'file': there is no file {path}")
            texts[name] = TextSource(
                f"{testset}/{slug(name)}",
                name,
                self._at(listed["file"]),
                language,
                listed.get("encoding") or "utf-8",
                listed.get("format") or "plain",
                listed.get("select", ""),
                listed.get("missing", ""),
            )
        pattern = row.get("systems", "")
        references = row["reference"].split("|")
        for one in filter(None, pattern.split("|")):
            for name, path in self._matching(one).items():
                text = TextSource(f"{testset}/{slug(name)}", name, self._at(path), language)
                if row.get("format"):
                    text = replace(text, format=row["format"])
                # A row of the sheet may say more of a file that the pattern finds too.
                if texts.setdefault(name, text).path != text.path:
                    self.faults.append(
                        f"{place}: system '{name}' of '{testset}' is given twice, as "
                        f"{texts[name].path} and {text.path}"
                    )
                if path in references:
                    del texts[name]
        if not texts:
            reason = f"no file matches '{self._at(pattern)}'" if pattern else "none is listed"
            self.absent.append(f"{place}: test set '{testset}' has no systems ({reason})")
        return list(texts.values())

    def _matching(self, pattern: str) -> dict[str, str]:
        """Files that a pattern finds, in the registry and below the base, by system."""
        before, after = pattern.split("{system}")
        folder = before.rpartition("/")[0]
        below = self.base / folder
        try:
            files = [path.name for path in below.iterdir()] if below.is_dir() else []
        except OSError as error:
            raise MorposError(f"cannot read the folder {below}: {error.strerror}") from error
        paths = [*self.registry, *(f"{folder}/{name}" if folder else name for name in files)]
        found = {}
        for path in sorted(set(paths)):
            name = path[len(before) : len(path) - len(after)]
            fits = path.startswith(before) and path.endswith(after)
            hidden = path.rpartition("/")[2].startswith(".")
            if not fits or not name or "/" in name or hidden or (self.base / path).is_dir():
                continue
            if self._exists(path):
                if re.search("[\ud800-\udfff]", name) and sys.getfilesystemencoding() == "utf-8":
                    raise MorposError(f"the name of the file {path!r} is not UTF-8; rename it")
                found[name] = path
            else:
                self.faults.append(
                    f"{self.sheet}: {self._at(path)} fits the pattern of outputs '{pattern}', but "
                    "is a broken link or no regular file; mend it or take it away"
                )
        return found
