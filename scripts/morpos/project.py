"""Configuration and sheets, validated: what is to be scored and with which options."""

import hashlib
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from morpos import metrics
from morpos.errors import MorposError
from morpos.validation import CONFIG, defaults, problems, validate


@dataclass(frozen=True)
class Text:
    """A file with the segments of a reference or of a system's output."""

    id: str  # folder/slug, unique, safe as a file name
    name: str  # the system's name as given; of a reference its path
    path: str
    language: str
    encoding: str


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
    texts: Mapping[str, Text]  # by id
    metrics_path: str
    metrics: tuple[metrics.Metric, ...]

    @property
    def order(self) -> int:
        """The largest n that any metric uses: what is counted."""
        return max(c.order for metric in self.metrics for c in metric.components)

    def tagging(self, language: str) -> dict[str, str]:
        """Tagger and, where one is chosen, model for a language."""
        return dict(self.config["tags"].get(language, {"tagger": "rdr"}))


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
    metrics_path = full["metrics"] or str(CONFIG / "metrics.yaml")
    table = tuple(metrics.read_table(metrics_path))
    documents = _documents(full)
    texts: dict[str, Text] = {}
    for document in documents.values():
        for text in (*document.references, *document.systems):
            texts[text.id] = text
    return Project(full, documents, texts, metrics_path, table)


def _merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in over.items():
        old = merged.get(key)
        merged[key] = _merge(old, value) if isinstance(old, dict) and old else value
    return merged


def read_sheet(path: str, schema: str) -> list[dict[str, str]]:
    """Read a tab-separated sheet with a header; cells are text and never quoted.

    Each row has a key "row": its line number in the file, from 1.

    Raises:
        MorposError: lists every fault with row and column.
    """
    try:
        content = Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise MorposError(f"cannot read the sheet {path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise MorposError(f"{path} is not UTF-8 at byte {error.start}; save it as UTF-8") from error
    lines = [(n, line.removesuffix("\r")) for n, line in enumerate(content.split("\n"), 1)]
    lines = [(n, line) for n, line in lines if line]
    if not lines:
        raise MorposError(f"{path} is empty; it needs a header line and one row at least")
    header = lines[0][1].split("\t")
    faults, rows = [], []
    if len(set(header)) < len(header):
        faults.append(f"{path}, row {lines[0][0]}: a column stands twice in the header")
    for n, line in lines[1:]:
        cells = line.split("\t")
        if len(cells) > len(header):
            faults.append(f"{path}, row {n}: {len(cells)} cells under {len(header)} columns")
            continue
        cells += [""] * (len(header) - len(cells))
        row = dict(zip(header, cells, strict=True))
        for column, text in problems(row, schema):
            where = f", column '{column}'" if column else ""
            faults.append(f"{path}, row {n}{where}: {text}")
        rows.append(row | {"row": str(n)})
    if not rows and not faults:
        faults.append(f"{path} has a header but no row")
    _raise(faults)
    return rows


def _raise(faults: list[str]) -> None:
    if faults:
        more = [f"... and {len(faults) - 20} more"] if len(faults) > 20 else []
        raise MorposError("\n".join(faults[:20] + more))


def _documents(config: Mapping[str, Any]) -> dict[str, Document]:
    sheet, base = config["documents"], Path(config["base"])
    rows = read_sheet(sheet, "documents")
    listed = _systems(config["systems"], base) if config["systems"] else {}
    faults: list[str] = []
    documents: dict[str, Document] = {}
    for row in rows:
        name, place = row["document"], f"{sheet}, row {row['row']}"
        if name.lower() in {known.lower() for known in documents}:
            faults.append(f"{place}, column 'document': '{name}' stands twice (case aside)")
            continue
        references = tuple(
            _reference(str(base / path), row) for path in row["reference"].split("|")
        )
        systems = listed.pop(name, [])
        if pattern := row.get("systems", ""):
            systems += _matching(str(base / pattern), name)
        texts = [Text(f"{name}/{slug(s)}", s, p, row["target"], e) for _, s, p, e in systems]
        for text in references:
            if not Path(text.path).is_file():
                faults.append(f"{place}, column 'reference': there is no file {text.path}")
        if not systems:
            where = f"no file matches '{pattern}'" if pattern else "no system is listed"
            faults.append(f"{place}: document '{name}' has no systems ({where})")
        for (where, *_), text in zip(systems, texts, strict=True):
            if not Path(text.path).is_file():
                faults.append(f"{where}, column 'file': there is no file {text.path}")
        doubles = {t.name for t in texts if sum(u.name == t.name for u in texts) > 1}
        faults += [f"{place}: system '{s}' of document '{name}' is given twice" for s in doubles]
        judgments = row.get("judgments", "")
        if judgments and not Path(base / judgments).is_file():
            faults.append(f"{place}, column 'judgments': there is no file {base / judgments}")
        if bool(judgments) != bool(row.get("judgments_format", "")):
            faults.append(f"{place}: 'judgments' and 'judgments_format' need each other")
        documents[name] = Document(
            name=name,
            source=row["source"],
            target=row["target"],
            references=references,
            systems=tuple(sorted(texts, key=lambda text: text.id)),
            judgments=str(base / judgments) if judgments else "",
            judgments_format=row.get("judgments_format", ""),
            domain=row.get("domain", ""),
        )
    for name, systems in listed.items():
        faults.append(f"{systems[0][0]}, column 'document': '{name}' is not in {sheet}")
    _raise(faults)
    return documents


def _reference(path: str, row: Mapping[str, str]) -> Text:
    encoding, language = row.get("encoding") or "utf-8", row["target"]
    # Documents that name the same file share its annotations.
    stem = f"{Path(path).name}-{_digest(path, encoding, language)}"
    return Text(f"references/{slug(stem)}", path, path, language, encoding)


_Listed = tuple[str, str, str, str]  # place in the sheet, system, path, encoding


def _systems(sheet: str, base: Path) -> dict[str, list[_Listed]]:
    listed: dict[str, list[_Listed]] = {}
    for row in read_sheet(sheet, "systems"):
        place = f"{sheet}, row {row['row']}"
        entry = (place, row["system"], str(base / row["file"]), row.get("encoding") or "utf-8")
        listed.setdefault(row["document"], []).append(entry)
    return listed


def _matching(pattern: str, document: str) -> list[_Listed]:
    path = Path(pattern)
    before, after = path.name.split("{system}") if "{system}" in path.name else ("", "")
    if not before + after and "{system}" not in path.name:
        raise MorposError(f"{document}: {{system}} must stand in the file name of '{pattern}'")
    if not path.parent.is_dir():
        return []
    return [
        (pattern, file.name[len(before) : len(file.name) - len(after)], str(file), "utf-8")
        for file in sorted(path.parent.iterdir())
        if file.is_file()
        and file.name.startswith(before)
        and file.name.endswith(after)
        and len(file.name) > len(before + after)
    ]
