"""All annotations of a run: which files, what they are made from, and what decides them."""

import json
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from morpos.errors import MorposError
from morpos.files import read_json, sha256
from morpos.layers.sidecar import beside
from morpos.layers.tags import TAGGERS
from morpos.project import Project, TestSet, Text, training_texts
from morpos.provenance import implementation
from morpos.setups import Setup

#: The step that makes the files of each folder.
STEPS = {
    "texts": "text",
    "words": "words",
    "models": "morfessor",
    "morphemes": "morphemes",
    "taggers": "treetagger",
    "tags": "tags",
    "lemmas": "lemmas",
    "layers": "layer",
}


def code(folder: str, tool: str = "") -> str:
    """The digest of the code that makes the files of a folder.

    Args:
        folder: one of `STEPS`.
        tool: of tags and lemmas the tagger, of other layers what their declaration names: an extra
            that is for another one may be installed or not.
    """
    package, tools = {
        "tags": ("morpos.layers.tags", TAGGERS),
        "lemmas": ("morpos.layers.tags", TAGGERS),
        "layers": ("morpos.layers.units", ("sentencepiece",)),
    }.get(folder, ("", ()))
    others = tuple(f"{package}.{other}" for other in tools if other != tool)
    return implementation(STEPS[folder], others)


def _chosen(project: Project) -> Iterator[tuple[Setup, TestSet]]:
    names = project.config["archive"]["testsets"] or project.testsets
    for setup in project.setups.values():
        for name in names:
            yield setup, project.testsets[name]


def _texts(testset: TestSet) -> tuple[Text, ...]:
    return (*testset.references, *testset.systems)


def contents(project: Project) -> list[str]:
    """The annotations of the chosen test sets, below the results: all that a run would make."""
    layers, texts, others = set(project.layers), set(), set()
    if layers & {"morpheme", "pos", "lemma"}:
        layers.add("word")
    for setup, testset in _chosen(project):
        language, place = testset.target, (testset.target, testset.reference_set)
        for text in _texts(testset):
            texts.add(f"texts/{text.id}.txt")
            texts |= {setup.path(layer, text.id, *place) for layer in layers}
        if "morpheme" in layers:
            for text in training_texts(setup, language):
                texts |= {f"texts/{text.id}.txt", setup.path("word", text.id, *place)}
            if setup.training(language)[0] != "model":
                others.add(setup.model(*place))
        if layers & {"pos", "lemma"} and setup.tagging(language)["tagger"] == "treetagger":
            others.add(setup.verified(language))
    return sorted(others | texts | {str(beside(path)) for path in texts})


def sources(project: Project) -> list[str]:
    """The user's files that the annotations of the chosen test sets are made from."""
    files, layers = set(), project.layers
    for setup, testset in _chosen(project):
        tagging = setup.tagging(testset.target)
        if "morpheme" in layers:
            files |= set(setup.training(testset.target)[1])
        if "pos" in layers and tagging["tagger"] == "udpipe":
            files.add(tagging["model"])
        for text in _texts(testset):
            files.add(text.path)
            if "pos" in layers and tagging["tagger"] == "given":
                files.add(tagging["model"].replace("{text}", text.id))
            for declared in (setup.layers[name] for name in layers if name in setup.layers):
                files |= {path.replace("{text}", text.id) for path in declared.values()}
    return sorted(files)


def facts(project: Project) -> dict[str, Any]:
    """All that decides the annotations of the chosen test sets, by what it is.

    Raises:
        MorposError: a file that they are made from cannot be read.
    """
    try:
        sums = {f"sha256 of {path}": sha256(path) for path in sources(project)}
    except OSError as error:
        raise MorposError(f"cannot read {error.filename}: {error.strerror}") from error
    return dict(sorted((_choices(project) | sums).items()))


def _choices(project: Project) -> dict[str, Any]:
    """Code and options."""
    found: dict[str, Any] = {"option strict": project.config["strict"]}
    folders = {path.split("/")[0] for path in contents(project)}
    for folder in folders - {"tags", "lemmas", "layers"}:
        found[f"code of {folder}"] = code(folder)
    for setup, testset in _chosen(project):
        language = testset.target
        tagging = setup.tagging(language)
        found |= {
            f"options of words/{setup.words_key}": dict(setup.words),
            f"options of morphemes/{setup.morphemes_key}": dict(setup.morphemes),
            f"options of tags/{setup.tags_key(language)}": tagging,
        }
        for folder in folders & {"tags", "lemmas"}:
            found[f"code of {folder} by {tagging['tagger']}"] = code(folder, tagging["tagger"])
        found |= {f"text {text.id}": asdict(text) for text in _texts(testset)}
    for name in project.layers:
        declared = project.config["layers"].get(name, {})
        if declared or name in ("character", "chrf_word"):
            found[f"options of layer {name}"] = dict(declared)
            found[f"code of layer {name}"] = code("layers", *declared)
    return found


def record(project: Project) -> Path:
    """The file that says what the restored annotations among the results were made with."""
    return Path(project.config["results"], "restored.json")


def check_restored(project: Project) -> None:
    """Snakemake does not know what restored annotations were made with, so it is looked at here.

    Raises:
        MorposError: code, options or texts have changed since; says which, and what to delete.
    """
    path, results = record(project), project.config["results"]
    if not path.is_file():
        return
    restored = read_json(path)
    # Whatever is chosen to be archived now. Files that are not there Snakemake will ask for.
    archive = project.config["archive"] | {"testsets": []}
    project = replace(project, config={**project.config, "archive": archive})
    present = _choices(project) | {
        f"sha256 of {source}": sha256(source)
        for source in sources(project)
        if Path(source).is_file()
    }
    shared = {what: value for what, value in present.items() if what in restored}
    if changed := differences(shared, restored, "now", "when they were made"):
        folders = [str(folder) for name in STEPS if (folder := Path(results, name)).is_dir()]
        raise MorposError(
            f"{results} holds annotations that were restored, but what they are made from is now "
            f"another:\n{changed}\nChange that back; or remove them, to have them made anew: "
            f"rm -r {shlex.join([str(path), *folders])}"
        )


def differences(present: Mapping[str, Any], other: Mapping[str, Any], here: str, there: str) -> str:
    """What differs, a line each, ten lines at most; empty if nothing does.

    Args:
        present: facts
        other: facts to compare them with
        here: what to call the first, such as "here"
        there: what to call the others
    """
    lines = [
        f"{what}: {_short(value)} {here}, {_short(other.get(what, 'nothing'))} {there}"
        for what, value in present.items()
        if other.get(what) != value
    ]
    return "\n".join(lines[:10] + ([f"... and {len(lines) - 10} more"] if lines[10:] else []))


def _short(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
