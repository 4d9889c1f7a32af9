"""A whole data set: configuration, sheets, every text, every judgment, and what lies in results."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from morpos import checks, judgments
from morpos.checks.finding import Finding
from morpos.checks.view import ENOUGH
from morpos.errors import MorposError
from morpos.judgments import Reading
from morpos.layers.tags import tagger
from morpos.layers.tags.detail import DetailTagger
from morpos.layers.words import split, tokenizer
from morpos.loading import Loaded, load
from morpos.project import Document, Project, Text, examine, model_faults, stale_tables

#: By language and the folder of its tags.
Taggers = dict[tuple[str, str], DetailTagger]

_PLACE = re.compile(r"(?P<file>[^:]+?), (?:row|line) (?P<line>[0-9]+)[,:]? *(?P<message>.+)")


def check(config: Mapping[str, Any], source: str) -> Iterator[Finding]:
    """All findings about what a configuration names; reads every text."""
    project, faults = examine(config, source)
    yield from map(fault, faults)
    if project is None:
        yield Finding(
            "note",
            "configuration",
            "texts and judgments were not looked at",
            "mend the errors above first",
            file=source,
        )
        return
    yield from _missing(project)
    yield from _stale(project)
    yield from _languages(project)
    taggers: Taggers = {}
    yield from _taggers(project, taggers)
    texts: dict[str, Loaded | Finding] = {}
    for document in project.documents.values():
        yield from _document(project, document, texts, taggers)


def fault(message: str) -> Finding:
    """A fault of configuration or sheets; its place is taken from its message."""
    if place := _PLACE.fullmatch(message):
        return Finding(
            "error", "configuration", place["message"], file=place["file"], line=int(place["line"])
        )
    file, _, rest = message.partition(": ")
    return (
        Finding("error", "configuration", rest, file=file)
        if rest
        else Finding("error", "configuration", message)
    )


def _missing(project: Project) -> Iterator[Finding]:
    """Optional documents whose files are not there."""
    for name, document in project.missing.items():
        yield Finding(
            "note",
            "optional",
            f"left out: {document.reason}",
            "nothing to do, unless it should be there",
            document=name,
            file=project.config["documents"],
        )


def _stale(project: Project) -> Iterator[Finding]:
    for path, name in stale_tables(project).items():
        yield Finding(
            "note",
            "stale",
            f"is of '{name}', which is not among the documents",
            "left from an earlier run; delete it if it confuses",
            file=path,
        )


def _languages(project: Project) -> Iterator[Finding]:
    """One file as reference of several target languages: one of them is probably its source."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for document in project.documents.values():
        for text in document.references:
            names = found.setdefault((text.path, text.select), {})
            names.setdefault(text.language, document.name)
    for (path, _), names in found.items():
        if len(names) > 1:
            yield Finding(
                "warning",
                "language",
                f"is the reference of documents into {' and '.join(sorted(names))}: "
                f"{', '.join(names.values())}",
                "a source given as reference? Each document needs the reference in its target "
                "language",
                file=path,
            )


def _taggers(project: Project, working: Taggers) -> Iterator[Finding]:
    """Taggers that are not installed, or have no model; the others become `working`."""
    if not {"pos", "lemma"} & set(project.layers):
        return
    languages: dict[str, str] = {}
    for name, document in project.documents.items():
        languages.setdefault(document.target, name)
    chosen = {
        (language, setup.tags_key(language)): setup
        for setup in project.setups.values()
        for language in languages
    }
    for (language, key), setup in chosen.items():
        options = setup.tagging(language)
        if options["tagger"] == "given":  # files of each text
            continue
        if model_faults([setup], project.metrics, [language]):  # told already
            continue
        try:
            working[language, key] = tagger(options.pop("tagger"), language, **options)
        except MorposError as error:
            yield Finding("error", "tagger", str(error), document=languages[language])


def _document(
    project: Project, document: Document, texts: dict[str, Loaded | Finding], taggers: Taggers
) -> Iterator[Finding]:
    references = []
    for text in document.references:
        if text.id not in texts:
            texts[text.id] = _load(project, text)
        loaded = texts[text.id]
        if isinstance(loaded, Finding):
            yield replace(loaded, document=document.name)
        else:
            references.append(loaded)
            yield from _doubt(project, document, text, loaded, taggers)
    if not references:
        return
    systems = []
    for text in document.systems:
        loaded = _load(project, text, references[0].facts)
        if isinstance(loaded, Finding):
            yield replace(loaded, document=document.name)
        else:
            systems.append(loaded)
    reading = None
    if document.judgments and Path(document.judgments).is_file():
        try:
            reading = _judgments(document)
        except MorposError as error:
            yield Finding(
                "error", "judgments", str(error), document=document.name, file=document.judgments
            )
    yield from checks.document(
        document.name, references, systems, reading, project.config["human"]["references"]
    )


def _doubt(
    project: Project, document: Document, text: Text, reference: Loaded, taggers: Taggers
) -> Iterator[Finding]:
    """A reference in another language than the sheet's: outputs are like it, and say nothing."""
    setup = project.setups[""]
    chosen = taggers.get((document.target, setup.tags_key(document.target)))
    if chosen is None or len(reference.segments) < ENOUGH:
        return
    splitter = tokenizer(setup.words["tokenizer"], document.target)
    words, _ = split(reference.segments, splitter, setup.words["case"])
    if doubt := chosen.doubt(words):
        yield Finding(
            "warning",
            "language",
            doubt,
            f"is it in the target language, '{document.target}'? Are source and target swapped "
            "in the sheet?",
            document=document.name,
            system=text.name,
            file=text.path,
        )


def _load(
    project: Project, text: Text, reference: Mapping[str, Any] | None = None
) -> Loaded | Finding:
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
        return Finding("error", "text", str(error), system=text.name, file=text.path)


def _judgments(document: Document) -> Reading:
    return judgments.read(
        document.judgments,
        document.judgments_format,
        document.source,
        document.target,
        document.domain or None,
        higher_is_better=not document.lower_is_better,
    )
