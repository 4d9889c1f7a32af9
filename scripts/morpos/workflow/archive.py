"""Annotations in a BagIt bag (RFC 8493) with an RO-Crate inside, to be put back elsewhere.

BagIt's checksums show whether a file was altered; the RO-Crate says in a standard form what made
it; and `records.json` holds Snakemake's own records of how: rule, parameters (code and options) and
the sha256 of inputs. They are put back with the files, so that Snakemake makes anew what differs
here and nothing else. It protects against damage and mix-ups, not against forgery.
"""

import filecmp
import io
import json
import os
import re
import shutil
import time
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import bagit
from rocrate.model import ContextEntity
from rocrate.rocrate import ROCrate
from snakemake.persistence import RECORD_FORMAT_VERSION, MetadataRecord
from snakemake.persistence.file import FilePersistence

from morpos import __version__
from morpos.errors import MorposError
from morpos.io.files import atomic, json_text, read_json, sha256
from morpos.layers.sidecar import sidecar_path
from morpos.project.model import Project
from morpos.workflow.annotations import annotation_files

#: Snakemake says nothing of records that are older than its own.
_FORMAT = f"morpos-bag/2, Snakemake's records/{RECORD_FORMAT_VERSION}"
#: What a tag manifest of ours lists; BagIt itself would do without.
_TAG_FILES = {"bagit.txt", "bag-info.txt", "manifest-sha256.txt"}
_MEDIA_TYPES = {".json": "application/json", ".txt": "text/plain", ".gz": "application/gzip"}
#: Fixed, so that the same annotations give the same bytes.
_DATE = "1980-01-01"
#: What Snakemake compares, and what tells a person most; no times, and nothing of a machine.
_KEPT = (
    *("rule", "code", "shellcmd", "params", "input", "input_checksums"),
    *("software_stack_hash", "record_format_version"),
)
#: Stands for the folder of the results, which may be called otherwise elsewhere.
_RESULTS = "{results}/"


def archive(project: Project) -> int:
    """Write the annotations of the chosen test sets into `archive.path`; returns their number.

    A bag that is there already is replaced.

    Raises:
        MorposError: the folder holds something else, or a file or its record is missing.
    """
    # Not a link's own name: the bag goes where a link leads.
    path, results = _path(project).resolve(), Path(project.config["results"])
    bag = (path / "bagit.txt").is_file()
    if path.exists() and not bag and not (path.is_dir() and not any(path.iterdir())):
        raise MorposError(
            f"{path} is there already and is not a bag; move it away, or name another folder in "
            "archive.path"
        )
    wanted = annotation_files(project)
    found = _made_from(wanted, _Records(project).read)
    if lost := sorted(set(wanted) - found.keys()):
        raise MorposError(
            f"{results / lost[0]} is missing, or Snakemake has no record of how it was made; "
            "delete it, if it is there, and let snakemake make it"
        )
    # Always the same names: what a killed run leaves is cleared away by the next.
    new, old = (path.with_name(f".{path.name}.{kind}") for kind in ("new", "old"))
    for folder in (new, old):
        shutil.rmtree(folder, ignore_errors=True)
    try:
        _crate(dict(sorted(found.items())), results).write(new)
        bagit.make_bag(
            str(new),
            {
                "Bagging-Date": _DATE,
                "External-Description": "Annotations made by morpos, with Snakemake's records of "
                "them in data/records.json. The date is fixed: equal annotations give equal bytes.",
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
    return len(found)


def _path(project: Project) -> Path:
    return Path(project.config["archive"]["path"])


class _Records:
    """Snakemake's records of the files below the results, by their names there."""

    def __init__(self, project: Project) -> None:
        self.results = project.config["results"]
        self._folder = json.dumps(f"{self.results}/", ensure_ascii=False)[1:-1]
        self._persistence = FilePersistence(path=Path(".snakemake"))
        self._sum = cache(_sum)

    def read(self, file: str) -> dict[str, Any] | None:
        """How a file that is there was made, without what is of this machine only."""
        record = self._persistence._read_record(f"{self.results}/{file}")
        made = record and Path(self.results, file).is_file()
        if not made or record.record_format_version != RECORD_FORMAT_VERSION:
            return None
        kept = {key: record[key] for key in _KEPT}
        return _renamed(kept, rf"(?<![\w./-]){re.escape(self._folder)}", _RESULTS)

    def write(self, file: str, record: Mapping[str, Any]) -> None:
        """Have Snakemake take a file for made so. Its report wants times, so they are today's.

        A file of the user's that is another one here is left out: Snakemake sees that, whatever
        the times of the files.
        """
        sums = record["input_checksums"]
        same = [n for n in record["input"] if n.startswith(_RESULTS) or sums.get(n) == self._sum(n)]
        here = _renamed({**record, "input": same}, re.escape(_RESULTS), self._folder)
        times = {"starttime": time.time(), "endtime": time.time()}
        made = MetadataRecord(**here, **times, incomplete=False)
        self._persistence._write_record(f"{self.results}/{file}", made)


def _sum(file: str) -> str:
    """As Snakemake writes it."""
    return f"sha256:{sha256(file)}" if Path(file).is_file() else ""


def _renamed(record: Mapping[str, Any], old: str, new: str) -> dict[str, Any]:
    """A record with another folder of results."""
    text = re.sub(old, lambda _: new, json.dumps(record, ensure_ascii=False))
    renamed: dict[str, Any] = json.loads(text)
    return renamed | {"input": sorted(renamed["input"])}  # as Snakemake compares them


def _made_from(
    files: Iterable[str], read: Callable[[str], dict[str, Any] | None]
) -> dict[str, dict[str, Any]]:
    """These files and those below the results that they were made from, with their records."""
    found: dict[str, dict[str, Any]] = {}
    queue = [*files]
    while queue:
        file = queue.pop()
        if file not in found and (record := read(file)):
            found[file] = record
            # Snakemake looks at records only where all outputs of a job have one.
            queue += [str(sidecar_path(file))]
            inputs = [name for name in record["input"] if name.startswith(_RESULTS)]
            queue += [name.removeprefix(_RESULTS) for name in inputs]
    return found


def _crate(records: Mapping[str, Mapping[str, Any]], results: Path) -> Any:
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
    made: dict[str, list[Any]] = {}
    for file, record in records.items():
        kind = _MEDIA_TYPES[Path(file).suffix]
        entity = crate.add_file(results / file, file, properties={"encodingFormat": kind})
        made.setdefault(record["rule"], []).append(entity)
    crate.add_file(
        io.StringIO(json_text({"format": _FORMAT, "records": records})),
        "records.json",
        properties={"name": "Snakemake's records", "encodingFormat": "application/json"},
    )
    for step, entities in made.items():
        action = crate.add(
            ContextEntity(
                crate,
                f"#{step}",
                {
                    "@type": "CreateAction",
                    "name": f"morpos {step}",
                    "description": "code, options and inputs: see records.json",
                },
            )
        )
        action["instrument"] = morpos
        action["result"] = entities
    return crate


def restore(project: Project) -> int:
    """Put the annotations of the chosen test sets in `archive.path` back, and their records.

    Returns the number of files; what the bag lacks is no fault.

    Raises:
        MorposError: the bag is damaged, holds nothing that is wanted, or other files are in the
            way; says which.
    """
    path, results = _path(project), Path(project.config["results"])
    found = _made_from(annotation_files(project), _validated(path).get)
    if not found:
        raise MorposError(f"{path} holds no annotations of the chosen test sets, with these layers")
    for file in found:
        there = results / file
        if there.is_file() and not filecmp.cmp(there, path / "data" / file, shallow=False):
            raise MorposError(f"{there} is there already and differs; move {results} away first")
    records = _Records(project)
    # What was made here, or restored before, stays.
    new = {file: record for file, record in found.items() if not records.read(file)}
    # First, in case that this is killed: no file without a record.
    for file, record in new.items():
        records.write(file, record)
    for file in new:
        with atomic(results / file, binary=True) as handle:
            handle.write((path / "data" / file).read_bytes())
    # Of files that are too large for its checksums Snakemake has nothing but the times to go by.
    now = time.time_ns()
    for file in new:
        os.utime(results / file, ns=(now, now))
    return len(found)


def _validated(path: Path) -> dict[str, dict[str, Any]]:
    """The records of a bag's files.

    Raises:
        MorposError: it is damaged, or not one of ours.
    """
    try:
        bag = bagit.Bag(str(path))
        bag.validate()
    except (bagit.BagError, OSError, ValueError) as error:
        raise MorposError(
            f"{path} is not a whole BagIt bag, so nothing is restored: {error}"
        ) from error
    if lost := _TAG_FILES.difference(bag.tagfile_entries()):
        raise MorposError(
            f"{path} is not a whole BagIt bag, so nothing is restored: its tag manifest lacks "
            f"{', '.join(sorted(lost))}"
        )
    content = read_json(file) if (file := path / "data" / "records.json").is_file() else None
    if not isinstance(content, dict) or content.get("format") != _FORMAT:
        raise MorposError(f"{path} is a bag, but not one of these versions ({_FORMAT})")
    payload = bag.payload_entries()
    return {
        name: record for name, record in content["records"].items() if f"data/{name}" in payload
    }
