"""A whole data set: configuration, sheets, every text, every judgment, and what lies in results."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from morpos import checks
from morpos.checks.finding import Finding, from_error
from morpos.checks.profile import ENOUGH
from morpos.corpora.loading import LoadedText, load
from morpos.errors import MorposError
from morpos.human import judgments
from morpos.human.judgments import JudgmentSet
from morpos.layers.kinds import kind
from morpos.layers.tags import tagger
from morpos.layers.tags.granularity import GranularTagger
from morpos.project.model import Project, TestSet, TextSource, stale_tables
from morpos.project.reading import examine

#: By language and the folder of its tags.
Taggers = dict[tuple[str, str], GranularTagger]


def check(config: Mapping[str, Any], source: str) -> Iterator[Finding]:
    """All findings about what a configuration names; reads every text."""
    project, faults = examine(config, source)
    yield from (from_error(fault, "configuration") for fault in faults)
    if project is None:
        yield Finding(
            "note",
            "configuration",
            "texts and judgments were not looked at",
            "fix the errors above first",
            file=source,
        )
        return
    yield from _missing(project)
    yield from _stale(project)
    yield from _languages(project)
    taggers: Taggers = {}
    yield from _taggers(project, taggers)
    texts: dict[str, LoadedText | Finding] = {}
    for testset in project.testsets.values():
        yield from _testset(project, testset, texts, taggers)


def _missing(project: Project) -> Iterator[Finding]:
    """Optional test sets whose files are not there."""
    for name, testset in project.missing.items():
        yield Finding(
            "note",
            "optional",
            f"left out: {testset.reason}",
            "nothing to do, unless it should be there",
            testset=name,
            file=project.config["testsets"],
        )


def _stale(project: Project) -> Iterator[Finding]:
    for path, name in stale_tables(project).items():
        yield Finding(
            "note",
            "stale",
            f"is of '{name}', which is not among the test sets",
            "left from an earlier run; delete it if it confuses",
            file=path,
        )


def _languages(project: Project) -> Iterator[Finding]:
    """One file as reference of several target languages: one of them is probably its source."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for testset in project.testsets.values():
        for text in testset.references:
            names = found.setdefault((text.path, text.select), {})
            names.setdefault(text.language, testset.name)
    for (path, _), names in found.items():
        if len(names) > 1:
            yield Finding(
                "warning",
                "language",
                f"is the reference of test sets into {' and '.join(sorted(names))}: "
                f"{', '.join(names.values())}",
                "a source given as reference? Each test set needs the reference in its target "
                "language",
                file=path,
            )


def _taggers(project: Project, working: Taggers) -> Iterator[Finding]:
    """Taggers that are not installed, or have no model; the others become `working`."""
    if not {"pos", "lemma"} & set(project.layers):
        return
    languages: dict[str, str] = {}
    for name, testset in project.testsets.items():
        languages.setdefault(testset.target, name)
    chosen = {
        (language, setup.tags_key(language)): setup
        for setup in project.setups.values()
        for language in languages
    }
    for (language, key), setup in chosen.items():
        options = setup.tagging(language)
        if "{text}" in options.get("model", ""):  # files of each text
            continue
        if kind("pos").faults(setup, language):  # reported already
            continue
        try:
            working[language, key] = tagger(options.pop("tagger"), language, **options)
        except MorposError as error:
            yield from_error(error, "tagger", testset=languages[language])


def _testset(
    project: Project, testset: TestSet, texts: dict[str, LoadedText | Finding], taggers: Taggers
) -> Iterator[Finding]:
    references = []
    for text in testset.references:
        if text.id not in texts:
            texts[text.id] = _load(project, text)
        loaded = texts[text.id]
        if isinstance(loaded, Finding):
            yield replace(loaded, testset=testset.name)
        else:
            references.append(loaded)
            yield from _language_check(project, testset, text, loaded, taggers)
    if not references:
        return
    systems = []
    for text in testset.systems:
        loaded = _load(project, text, references[0].facts)
        if isinstance(loaded, Finding):
            yield replace(loaded, testset=testset.name)
        else:
            systems.append(loaded)
    reading = None
    if testset.judgments and Path(testset.judgments).is_file():
        try:
            reading = _judgments(testset)
        except MorposError as error:
            yield from_error(error, "judgments", testset=testset.name, file=testset.judgments)
    yield from checks.check_testset(
        testset.name, references, systems, reading, project.config["human"]["references"]
    )


def _language_check(
    project: Project, testset: TestSet, text: TextSource, reference: LoadedText, taggers: Taggers
) -> Iterator[Finding]:
    """A reference in another language than the sheet's: outputs are like it, and say nothing."""
    setup = project.setups[""]
    chosen = taggers.get((testset.target, setup.tags_key(testset.target)))
    if chosen is None or len(reference.segments) < ENOUGH:
        return
    tokenise = kind("word").annotator(setup, testset.target)
    words = tokenise(text.name, reference.segments).segments
    if unlike := chosen.language_check(words):
        yield Finding(
            "warning",
            "language",
            unlike,
            f"is it in the target language, '{testset.target}'? Are source and target swapped "
            "in the sheet?",
            testset=testset.name,
            system=text.name,
            file=text.path,
        )


def _load(
    project: Project, text: TextSource, reference: Mapping[str, Any] | None = None
) -> LoadedText | Finding:
    try:
        return load(
            text.path,
            name=text.name,
            format=text.format,
            select=text.select,
            encoding=text.encoding,
            missing=text.missing,
            expected=project.registry.get(text.path, ()),
            reference=reference,
        )
    except MorposError as error:
        return from_error(error, "text", system=text.name, file=text.path)


def _judgments(testset: TestSet) -> JudgmentSet:
    return judgments.read(
        testset.judgments,
        testset.judgments_format,
        testset.source,
        testset.target,
        testset.domain or None,
        higher_is_better=not testset.lower_is_better,
    )
