"""What is known of each layer before it is made."""

from pathlib import Path
from typing import Any

import pytest

from morpos.io.schema import defaults
from morpos.layers.kinds import BUILT_IN, known
from morpos.layers.settings import Setup, setups
from morpos.project.reading import merge


def setup(**config: Any) -> Setup:
    return setups(merge(defaults("config"), config))[""]


def test_names() -> None:
    assert BUILT_IN == ("word", "morpheme", "pos", "lemma", "character", "chrf_word")
    assert list(known({"mine": {}})) == [*BUILT_IN, "mine"]


def test_folders() -> None:
    declared = {"mine": {"files": "{text}.x"}}
    chosen = setup(layers=declared, tags={"de": {"tagger": "rdr", "granularity": "coarse"}})
    paths = {name: chosen.path(name, "d/a", "de", "ref") for name in known(declared)}
    # Those of results that were made before anything of this was one object.
    assert paths == {
        "word": "words/moses-keep/d/a.txt",
        "morpheme": "morphemes/moses-keep/ones-419115/ref/d/a.txt",
        "pos": "tags/moses-keep/rdr-3ebd6e/d/a.txt",
        "lemma": "lemmas/moses-keep/rdr-88d8a5/d/a.txt",
        "character": "layers/character/d/a.txt",
        "chrf_word": "layers/chrf_word/d/a.txt",
        "mine": "layers/mine-27e02d/d/a.txt",
    }


@pytest.mark.parametrize(
    ("name", "config", "files"),
    [
        ("pos", {}, {}),
        (
            "pos",
            {"tags": {"de": {"tagger": "given", "model": "my/{text}.pos"}}},
            {"given": "my/d/a.pos"},
        ),
        ("pos", {"tags": {"de": {"tagger": "udpipe", "model": "m"}}}, {"model": "m"}),
        (
            "morpheme",
            {"morphemes": {"training": {"model": "{language}.json"}}},
            {"model": "de.json"},
        ),
        ("morpheme", {"morphemes": {"training": {"texts": ["x"]}}}, {}),
        ("mine", {"layers": {"mine": {"files": "my/{text}"}}}, {"files": "my/d/a"}),
        (
            "mine",
            {"layers": {"mine": {"sentencepiece": "m.model"}}},
            {"sentencepiece": "m.model"},
        ),
        ("character", {}, {}),
    ],
)
def test_the_users_files(name: str, config: dict[str, Any], files: dict[str, str]) -> None:
    chosen = setup(**config)
    assert known(chosen.layers)[name].files(chosen, "de", "d/a") == files


@pytest.mark.parametrize(
    ("tagging", "fault"),
    [
        ({"tagger": "rdr"}, "the tagger rdr has no default model for the language 'fi', only for"),
        ({"tagger": "rdr", "model": "UniPOS/UD_Finnish"}, ""),
        ({"tagger": "treetagger"}, ""),
        ({"tagger": "spacy"}, "the tagger 'spacy' needs the name of a pipeline as its model"),
        ({"tagger": "spacy", "model": "x"}, ""),
        ({"tagger": "hanta"}, "the tagger 'hanta' has no model for language 'fi', only for de, en"),
        ({"tagger": "hanta", "model": "x"}, "the tagger 'hanta' knows its models; leave out the"),
        ({"tagger": "udpipe"}, "the tagger 'udpipe' needs the path of a model file as its model"),
        ({"tagger": "udpipe", "model": "no"}, "tags.fi.model: there is no file no"),
        ({"tagger": "given", "model": "x"}, "given tags need a path with {text} in place of a te"),
        ({"tagger": "given", "model": "{text}.pos"}, ""),
        ({"tagger": "gone"}, "no tagger is called 'gone'; known are rdr"),
    ],
)
def test_what_a_tagger_needs(tagging: dict[str, str], fault: str) -> None:
    faults = known({})["pos"].faults(setup(tags={"fi": tagging}), "fi")
    assert len(faults) == bool(fault)
    assert not fault or faults[0].startswith(fault)


def test_files_that_are_not_there(tmp_path: Path) -> None:
    chosen = setup(
        layers={"a": {"sentencepiece": "no.model"}, "b": {"files": "no/{text}"}},
        morphemes={"training": {"texts": ["{language}.txt", str(tmp_path)]}},
    )
    found = {name: layer.faults(chosen, "de") for name, layer in known(chosen.layers).items()}
    assert found["a"] == ["layers.a.sentencepiece: there is no file no.model"]
    assert found["b"] == []
    assert found["morpheme"] == [
        "morphemes.training: there is no file de.txt",
        f"morphemes.training: there is no file {tmp_path}",
    ]
