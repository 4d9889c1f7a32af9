"""Faults of a project that no schema can say."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from morpos.errors import MorposError
from morpos.io import tables
from morpos.io.sheets import collected
from morpos.layers.kinds import BUILT_IN, known
from morpos.layers.settings import Setup
from morpos.project.model import TestSet, TextSource, used_layers
from morpos.scoring import metrics

_NOT_IN_TABLES = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def config_faults(config: Mapping[str, Any], source: str) -> list[MorposError]:
    """What a schema cannot say."""
    faults: list[MorposError] = []
    if config["combinations"]:
        try:
            re.compile(config["combinations"])
        except re.error as error:
            text = f"combinations: {config['combinations']!r} is not a regular expression ({error})"
            faults.append(MorposError(text, path=source))
    if config["download"]["mirror"] and config["download"]["directory"]:
        text = "download: mirror and directory are both given; keep the one to be used"
        faults.append(MorposError(text, path=source))
    for key in ("published", "published_tags", "claims"):
        if (path := config[key]) and not Path(path).is_file():
            faults.append(MorposError(f"{key}: there is no file {path}", path=source))
        elif path:
            with collected(faults):
                tables.require(path, tables.GIVEN[key])
    return faults


def unknown_layers(
    declared: Mapping[str, Any], table: Sequence[metrics.Metric], path: str
) -> list[MorposError]:
    """Layers of metrics that there are not."""
    return [
        MorposError(
            f"the metric {metric.name} uses the layer '{component.layer}', which is neither built "
            f"in ({', '.join(BUILT_IN)}) nor declared under `layers` of the configuration",
            path=path,
        )
        for metric in table
        for component in metric.components
        if component.layer not in known(declared)
    ]


def layer_faults(
    setups: Iterable[Setup], table: Sequence[metrics.Metric], languages: Sequence[str]
) -> list[MorposError]:
    """Layers that cannot be made, before anything runs.

    Snakemake says nothing of a missing model where results of another one are there.
    """
    used = used_layers(table)
    faults = [
        fault
        for setup in setups
        for name, layer in known(setup.layers).items()
        if layer.checked or name in used
        for language in languages
        for fault in layer.faults(setup, language)
    ]
    return list(map(MorposError, dict.fromkeys(faults)))


def path_faults(
    texts: Collection[TextSource], testsets: Collection[TestSet], results: str
) -> list[MorposError]:
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
    return list(map(MorposError, faults))
