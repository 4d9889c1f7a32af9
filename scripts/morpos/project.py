"""Configuration and sheets, validated: what is to be scored and with which options."""

import hashlib
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from morpos import metrics
from morpos.setups import Setup, setups
from morpos.sheets import raise_all, read_sheet
from morpos.validation import CONFIG, defaults, validate


@dataclass(frozen=True)
class Text:
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
class Document:
    """A test set × language pair: one set of references, many systems."""

    name: str
    source: str
    target: str
    references: tuple[Text, ...]
    systems: tuple[Text, ...]
    judgments: str  # path, "" where there are none
    judgments_format: str
    domain: str
    lower_is_better: bool
    group: str
    extra_scores: str  # path of scores by more metrics, "" where there are none
    apart: bool  # scored and correlated, but not part of the table over documents

    @property
    def reference_set(self) -> str:
        """Names the references together: what the morpheme model is trained on."""
        slugs = [Path(text.id).name for text in self.references]
        return slugs[0] if len(slugs) == 1 else f"{slugs[0]}+{_digest(*slugs)}"


@dataclass(frozen=True)
class Project:
    """A validated configuration with its documents."""

    config: Mapping[str, Any]
    documents: Mapping[str, Document]
    missing: Mapping[str, str]  # documents whose files are not there, with the reason
    texts: Mapping[str, Text]  # by id
    setups: Mapping[str, Setup]
    metrics_path: str
    metrics: tuple[metrics.Metric, ...]
    downloads: tuple[str, ...]  # files of the registry that the documents need
    archives: tuple[str, ...]  # archives of the registry

    @property
    def order(self) -> int:
        """The largest n that any metric uses: what is counted."""
        return max(c.order for metric in self.metrics for c in metric.components)


_ARCHIVES = (".tar.gz", ".tgz", ".zip")


def slug(name: str) -> str:
    """A short ASCII file name for any text; different texts stay different without case too."""
    ascii_name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    readable = re.sub(r"[^A-Za-z0-9._-]+", "-", ascii_name).strip("-.")[:40]
    return f"{readable}-{_digest(name)}".lstrip("-")


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:8]


def read_project(config: Mapping[str, Any], source: str = "the configuration") -> Project:
    """Validate a configuration and read the sheets that it names.

    Raises:
        MorposError: lists every fault with file, row and column.
    """
    validate(dict(config), "config", source)
    full = _merge(defaults("config"), config)
    found = setups(full)
    for setup in found.values():
        parts = {"words": setup.words, "morphemes": setup.morphemes, "tags": setup.tags}
        where = f"{source}, grid point {setup.name}"
        validate({"documents": full["documents"], **parts}, "config", where)
    metrics_path = full["metrics"] or str(CONFIG / "metrics.yaml")
    sheets = _Sheets(full)
    documents, missing = sheets.documents()
    texts = {
        text.id: text
        for document in documents.values()
        for text in (*document.references, *document.systems)
    }
    judgments = {document.judgments for document in documents.values()} - {""}
    extra = {document.extra_scores for document in documents.values()} - {""}
    needed = {text.path for text in texts.values()} | judgments | extra
    return Project(
        config=full,
        documents=documents,
        missing=missing,
        texts=texts,
        setups=found,
        metrics_path=metrics_path,
        metrics=tuple(metrics.read_table(metrics_path)),
        downloads=tuple(path for path in sheets.registry if str(sheets.base / path) in needed),
        archives=tuple(path for path in sheets.registry if path.endswith(_ARCHIVES)),
    )


def _merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in over.items():
        old = merged.get(key)
        merged[key] = _merge(old, value) if isinstance(old, dict) and old else value
    return merged


class _Sheets:
    """Reads the two sheets of a configuration and collects their faults."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        self.config = config
        self.base = Path(config["base"])
        self.sheet = config["documents"]
        self.faults: list[str] = []
        self.registry: tuple[str, ...] = ()
        if path := config["download"]["registry"]:
            # Imported only where it is used: it takes longer than all the rest.
            from morpos.downloads import read_registry

            self.registry = tuple(read_registry(path))
        self._listed: dict[str, list[dict[str, str]]] = {}
        if config["systems"]:
            for row in read_sheet(config["systems"], "systems"):
                self._listed.setdefault(row["document"], []).append(row)

    def documents(self) -> tuple[dict[str, Document], dict[str, str]]:
        """The documents by name, and those that may be missing and are."""
        documents: dict[str, Document] = {}
        missing: dict[str, str] = {}
        seen: set[str] = set()
        for row in read_sheet(self.sheet, "documents"):
            name, place = row["document"], f"{self.sheet}, row {row['row']}"
            if name.lower() in seen:
                self.faults.append(
                    f"{place}, column 'document': '{name}' stands twice (case aside)"
                )
                continue
            seen.add(name.lower())
            before = len(self.faults)
            document = self._document(row, place)
            if row.get("optional") and len(self.faults) > before:
                reasons = [fault.removeprefix(f"{place}") for fault in self.faults[before:]]
                missing[name] = "; ".join(reason.lstrip(":, ") for reason in reasons)
                del self.faults[before:]
            else:
                documents[name] = document
        for name, rows in self._listed.items():
            place = f"{self.config['systems']}, row {rows[0]['row']}"
            if name.lower() not in seen:
                self.faults.append(f"{place}, column 'document': '{name}' is not in {self.sheet}")
        if missing and not documents:
            name, reason = next(iter(missing.items()))
            self.faults.append(
                f"{self.sheet}: none of the {len(missing)} optional documents has its files; "
                f"'{name}': {reason}"
            )
        raise_all(self.faults)
        return documents, missing

    def _exists(self, path: str) -> bool:
        return path in self.registry or (self.base / path).is_file()

    def _document(self, row: Mapping[str, str], place: str) -> Document:
        def get(column: str) -> str:
            return row.get(column, "")

        judgments = get("judgments")
        paths = row["reference"].split("|")
        selects = get("select").split("|") if get("select") else [""] * len(paths)
        if len(selects) != len(paths):
            self.faults.append(f"{place}, column 'select': as many as references, split by |")
            selects = [""] * len(paths)
        for path in paths:
            if not self._exists(path):
                self.faults.append(
                    f"{place}, column 'reference': there is no file {self._at(path)}"
                )
        extra = get("extra_scores")
        for column, path in (("judgments", judgments), ("extra_scores", extra)):
            if path and not self._exists(path):
                self.faults.append(f"{place}, column '{column}': there is no file {self._at(path)}")
        if bool(judgments) != bool(get("judgments_format")):
            self.faults.append(f"{place}: 'judgments' and 'judgments_format' need each other")
        return Document(
            name=row["document"],
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
            apart=bool(get("apart")),
        )

    def _at(self, path: str) -> str:
        return str(self.base / path)

    def _reference(self, path: str, select: str, row: Mapping[str, str]) -> Text:
        options = {
            "path": self._at(path),
            "language": row["target"],
            "encoding": row.get("encoding") or "utf-8",
            "format": row.get("format") or "plain",
            "select": select,
        }
        # Documents that name the same text share its annotations.
        stem = f"{Path(path).name}-{_digest(*options.values())}"
        name = f"{options['path']} {select}".rstrip()
        return Text(f"references/{slug(stem)}", name, **options)

    def _systems(self, row: Mapping[str, str], place: str) -> list[Text]:
        """The systems of a document: those of the sheet, then those that only the pattern finds."""
        document, language = row["document"], row["target"]
        texts: dict[str, Text] = {}
        for listed in self._listed.get(document, []):
            name = listed["system"]
            where = f"{self.config['systems']}, row {listed['row']}"
            if name in texts:
                self.faults.append(f"{where}: system '{name}' of '{document}' is given twice")
                continue
            if not self._exists(listed["file"]):
                path = self._at(listed["file"])
                self.faults.append(f"{where}, column 'file': there is no file {path}")
            texts[name] = Text(
                f"{document}/{slug(name)}",
                name,
                self._at(listed["file"]),
                language,
                listed.get("encoding") or "utf-8",
                listed.get("format") or "plain",
                listed.get("select", ""),
                listed.get("missing", ""),
            )
        pattern = row.get("systems", "")
        found: dict[str, str] = {}
        for one in filter(None, pattern.split("|")):
            found = self._matching(one) | found  # the first pattern wins
        for name, path in found.items():
            text = Text(f"{document}/{slug(name)}", name, self._at(path), language)
            if row.get("format"):
                text = replace(text, format=row["format"])
            texts.setdefault(name, text)
        if not texts:
            reason = f"no file matches '{self._at(pattern)}'" if pattern else "none is listed"
            self.faults.append(f"{place}: document '{document}' has no systems ({reason})")
        return list(texts.values())

    def _matching(self, pattern: str) -> dict[str, str]:
        """Files that a pattern finds, in the registry and below the base, by system."""
        before, after = pattern.split("{system}")
        folder = before.rpartition("/")[0]
        below = self.base / folder
        files = [path.name for path in below.iterdir()] if below.is_dir() else []
        paths = [*self.registry, *(f"{folder}/{name}" if folder else name for name in files)]
        found = {}
        for path in sorted(set(paths)):
            name = path[len(before) : len(path) - len(after)]
            fits = path.startswith(before) and path.endswith(after)
            if fits and name and "/" not in name and self._exists(path):
                found[name] = path
        return found
