"""A configuration and its sheets, read and validated."""

import json
from collections.abc import Mapping
from typing import Any

from morpos.errors import MorposError
from morpos.io.schema import defaults, validate
from morpos.io.sheets import collected, raise_all, read_sheet
from morpos.layers.settings import setups
from morpos.project.faults import (
    config_faults,
    layer_faults,
    path_faults,
    unknown_layers,
)
from morpos.project.model import Project, training_texts
from morpos.project.sheets import Sheets
from morpos.scoring import metrics

_ARCHIVES = (".tar.gz", ".tgz", ".zip")


def read_project(config: Mapping[str, Any], source: str = "the configuration") -> Project:
    """Validate a configuration and read the sheets that it names.

    Raises:
        MorposError: every fault, with file, line and column.
    """
    project, faults = examine(config, source)
    raise_all(faults)
    assert project
    return project


def examine(config: Mapping[str, Any], source: str) -> tuple[Project | None, list[MorposError]]:
    """The project, as far as it can be read, and all faults of configuration and sheets.

    There is none where the configuration or a sheet is not valid in itself.
    """
    faults: list[MorposError] = []
    with collected(faults):
        validate(dict(config), "config", source)
    if faults:
        for sheet in ("testsets", "systems"):
            if isinstance(path := config.get(sheet), str):
                with collected(faults):
                    read_sheet(path, sheet)
        return None, faults
    full = merge(defaults("config"), config)
    faults += config_faults(full, source)
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
    sheets = Sheets(full)
    testsets, missing = sheets.testsets()
    faults += sheets.faults
    if not testsets or not table:
        return None, faults
    languages = sorted({testset.target for testset in testsets.values()})
    faults += [
        *unknown_layers(full["layers"], table, metrics_path),
        *layer_faults(found.values(), table, languages),
        *(
            MorposError(f"archive.testsets: '{name}' is not in {full['testsets']}", path=source)
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
    faults += path_faults(texts.values(), testsets.values(), full["results"])
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


def merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """A configuration with the keys of another one over it, part by part."""
    merged = dict(base)
    for key, value in over.items():
        old = merged.get(key)
        merged[key] = merge(old, value) if isinstance(old, dict) and old else value
    return merged
