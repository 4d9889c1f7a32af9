"""The two sheets of a project: test sets, and systems."""

import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from morpos.errors import MorposError
from morpos.io.files import digest, slug
from morpos.io.sheets import collected, read_sheet
from morpos.project.model import Missing, TestSet, TextSource


class Sheets:
    """Reads the two sheets of a configuration and collects their faults."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        self.config = config
        self.base = Path(config["base"])
        self.sheet = config["testsets"]
        self.faults: list[MorposError] = []
        self.absent: list[MorposError] = []  # faults of one test set that are files not there
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
            name, line = row["testset"], int(row["line"])
            if name.lower() in seen:
                text = f"'{name}' stands twice (case aside)"
                self.faults.append(self._fault(text, line, "testset"))
                continue
            seen[name.lower()] = name
            self.absent = []
            testsets[name] = testset = self._testset(row, line)
            if row.get("optional") and self.absent:
                first = self.absent[0]
                column = f"column '{first.column}': " if first.column else ""
                reason = column + first.message
                missing[name] = Missing(
                    reason, bool(testset.judgments) and not testset.exclude_from_summary
                )
                del testsets[name]
            else:
                self.faults += self.absent
        for name, listed in self._listed.items() if rows else ():
            if name not in seen.values():
                near = f"; did you mean '{seen[name.lower()]}'?" if name.lower() in seen else ""
                text = f"'{name}' is not in {self.sheet}{near}"
                place = {"path": self.config["systems"], "line": int(listed[0]["line"])}
                self.faults.append(MorposError(text, column="testset", **place))
        if missing and not testsets:
            name, reason = next((name, m.reason) for name, m in missing.items())
            text = (
                f"none of the {len(missing)} optional test sets has its files; '{name}': {reason}"
            )
            self.faults.append(MorposError(text, path=self.sheet))
        return testsets, missing

    def _fault(self, text: str, line: int, column: str = "") -> MorposError:
        return MorposError(text, path=self.sheet, line=line, column=column)

    def _exists(self, path: str) -> bool:
        try:
            return path in self.registry or (self.base / path).is_file()
        except (OSError, ValueError):  # a path that no file can have
            return False

    def _testset(self, row: Mapping[str, str], line: int) -> TestSet:
        def get(column: str) -> str:
            return row.get(column, "")

        judgments = get("judgments")
        paths = row["reference"].split("|")
        selects = get("select").split("|") if get("select") else [""] * len(paths)
        if len(selects) != len(paths):
            text = f"{len(selects)} for {len(paths)} references; give as many, split by |"
            self.faults.append(self._fault(text, line, "select"))
            selects = [""] * len(paths)
        for path in paths:
            if not self._exists(path):
                text = f"there is no file {self._at(path)}"
                self.absent.append(self._fault(text, line, "reference"))
        extra = get("extra_scores")
        for column, path in (("judgments", judgments), ("extra_scores", extra)):
            if path and not self._exists(path):
                text = f"there is no file {self._at(path)}"
                self.absent.append(self._fault(text, line, column))
        if bool(judgments) != bool(get("judgments_format")):
            text = "'judgments' and 'judgments_format' need each other"
            self.faults.append(self._fault(text, line))
        return TestSet(
            name=row["testset"],
            source=row["source"],
            target=row["target"],
            references=tuple(
                self._reference(path, select, row)
                for path, select in zip(paths, selects, strict=True)
            ),
            systems=tuple(sorted(self._systems(row, line), key=lambda text: text.id)),
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

    def _systems(self, row: Mapping[str, str], line: int) -> list[TextSource]:
        """The systems of a test set: those of the sheet, then those that only the pattern finds."""
        testset, language = row["testset"], row["target"]
        texts: dict[str, TextSource] = {}
        for listed in self._listed.get(testset, []):
            name = listed["system"]
            where = {"path": self.config["systems"], "line": int(listed["line"])}
            if name in texts:
                message = f"system '{name}' of '{testset}' is given twice"
                self.faults.append(MorposError(message, **where))
                continue
            if not self._exists(listed["file"]):
                message = f"there is no file {self._at(listed['file'])}"
                self.absent.append(MorposError(message, column="file", **where))
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
                    message = (
                        f"system '{name}' of '{testset}' is given twice, as {texts[name].path} and "
                        f"{text.path}"
                    )
                    self.faults.append(self._fault(message, line))
                if path in references:
                    del texts[name]
        if not texts:
            reason = f"no file matches '{self._at(pattern)}'" if pattern else "none is listed"
            message = f"test set '{testset}' has no systems ({reason})"
            self.absent.append(self._fault(message, line))
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
                message = (
                    f"{self._at(path)} fits the pattern of outputs '{pattern}', but is a broken "
                    "link or not a regular file; fix it or take it away"
                )
                self.faults.append(MorposError(message, path=self.sheet))
        return found
