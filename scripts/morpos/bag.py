"""Annotations in a BagIt bag (RFC 8493) with an RO-Crate inside, to be put back elsewhere.

BagIt's checksums show whether a file was altered; the RO-Crate says in a standard form what made
it; and `morpos.json` holds all that decides the annotations: code, options and the sha256 of the
user's files. A bag is restored only where every one of these is the same, because Snakemake cannot
know how restored files were made. It protects against damage and mix-ups, not against forgery.
"""

import filecmp
import io
import json
import os
import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import bagit
from rocrate.model import ContextEntity
from rocrate.rocrate import ROCrate

from morpos import __version__
from morpos.annotations import STEPS, contents, differences, facts, record
from morpos.errors import MorposError
from morpos.files import atomic, read_json, write_json
from morpos.project import Project

_FORMAT = "morpos-bag/1"
#: What a tag manifest of ours lists; BagIt itself would do without.
_TAG_FILES = {"bagit.txt", "bag-info.txt", "manifest-sha256.txt"}
_MEDIA_TYPES = {".json": "application/json", ".txt": "text/plain", ".gz": "application/gzip"}
#: Fixed, so that the same annotations give the same bytes.
_DATE = "1980-01-01"


def archive(project: Project) -> int:
    """Write the annotations of the chosen test sets into `archive.path`; returns their number.

    A bag that is there already is replaced.

    Raises:
        MorposError: the folder holds something else, or a file is missing.
    """
    # Not a link's own name: the bag goes where a link leads.
    path, results = _path(project).resolve(), Path(project.config["results"])
    bag = (path / "bagit.txt").is_file()
    if path.exists() and not bag and not (path.is_dir() and not any(path.iterdir())):
        raise MorposError(
            f"{path} is there already and is no bag; move it away, or name another folder in "
            "archive.path"
        )
    files, decisive = contents(project), facts(project)
    for file in files:
        if not (results / file).is_file():
            raise MorposError(f"{results / file} is missing; let snakemake make it first")
    # Always the same names: what a killed run leaves is cleared away by the next.
    new, old = (path.with_name(f".{path.name}.{kind}") for kind in ("new", "old"))
    for folder in (new, old):
        shutil.rmtree(folder, ignore_errors=True)
    try:
        _crate(files, decisive, results).write(new)
        bagit.make_bag(
            str(new),
            {
                "Bagging-Date": _DATE,
                "External-Description": "Annotations made by morpos, with what decides them in "
                "data/morpos.json. The date is fixed: equal annotations give equal bytes.",
            },
            checksums=["sha256"],
        )
        # Two renames, so that there is never half a bag.
        if path.exists():
            path.rename(old)
        new.rename(path)
        shutil.rmtree(old, ignore_errors=True)
    finally:
        shutil.rmtree(new, ignore_errors=True)
    return len(files)


def _path(project: Project) -> Path:
    return Path(project.config["archive"]["path"])


def _crate(files: list[str], decisive: Mapping[str, Any], results: Path) -> Any:
    """An RO-Crate that says which step, in which state, made which files."""
    crate = ROCrate()
    crate.name = "Annotations made by morpos"
    crate.description = (
        "Canonical texts, annotation layers and models, one segment a line and units separated by "
        "a blank, each with a JSON that says what it was made from."
    )
    crate.datePublished = _DATE
    morpos = crate.add(
        ContextEntity(
            crate,
            "#morpos",
            {"@type": "SoftwareApplication", "name": "morpos", "softwareVersion": __version__},
        )
    )
    content = json.dumps({"format": _FORMAT, "facts": decisive}, ensure_ascii=False, indent=1)
    made: dict[str, list[Any]] = {}
    for file in files:
        kind = _MEDIA_TYPES[Path(file).suffix]
        entity = crate.add_file(results / file, file, properties={"encodingFormat": kind})
        made.setdefault(file.split("/")[0], []).append(entity)
    crate.add_file(
        io.StringIO(content + "\n"),
        "morpos.json",
        properties={"name": "What decides the annotations", "encodingFormat": "application/json"},
    )
    for folder, entities in made.items():
        action = crate.add(
            ContextEntity(
                crate,
                f"#{folder}",
                {
                    "@type": "CreateAction",
                    "name": f"morpos {STEPS[folder]}",
                    "description": "digests of code and versions: see morpos.json",
                },
            )
        )
        action["instrument"] = morpos
        action["result"] = entities
    return crate


def restore(project: Project) -> int:
    """Put the annotations of the chosen test sets in `archive.path` back; returns their number.

    Raises:
        MorposError: the bag is damaged, was made from other texts, with other code or options, or
            other files are in the way; says which.
    """
    path, results = _path(project), Path(project.config["results"])
    try:
        bag = bagit.Bag(str(path))
        bag.validate()
    except (bagit.BagError, OSError, ValueError) as error:
        raise MorposError(
            f"{path} is no whole BagIt bag, so nothing is restored: {error}"
        ) from error
    if lost := _TAG_FILES.difference(bag.tagfile_entries()):
        raise MorposError(
            f"{path} is no whole BagIt bag, so nothing is restored: its tag manifest does not list "
            f"{', '.join(sorted(lost))}"
        )
    content = read_json(path / "data" / "morpos.json")
    if not (
        isinstance(content, dict)
        and content.get("format") == _FORMAT
        and isinstance(content.get("facts"), dict)
    ):
        raise MorposError(f"{path} is a bag, but not one of this version of morpos ({_FORMAT})")
    present = facts(project)
    if different := differences(present, content["facts"], "here", "in the archive"):
        raise MorposError(
            f"{path} does not fit this run, so nothing is restored:\n{different}\n"
            "Restore it with the texts, options and version of morpos (and the packages) that it "
            "was made with, or let snakemake annotate anew."
        )
    files = contents(project)
    for file in files:
        if not (path / "data" / file).is_file():
            raise MorposError(
                f"{path} lacks {file}; it was made with other metrics, layers or `compress`"
            )
        there = results / file
        if there.is_file() and not filecmp.cmp(there, path / "data" / file, shallow=False):
            raise MorposError(f"{there} is there already and differs; move {results} away first")
    # First, in case that this is killed; beside what was restored before.
    before = read_json(record(project)) if record(project).is_file() else {}
    write_json(record(project), before | present)
    for file in files:
        with atomic(results / file, binary=True) as handle:
            handle.write((path / "data" / file).read_bytes())
    # Snakemake has nothing but the times to go by: none may be older than what it was made from.
    now = time.time_ns()
    for file in files:
        os.utime(results / file, ns=(now, now))
    return len(files)
