"""What is chosen by name: ours, and what entry points of other packages add."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from morpos.corpora import FORMATS
from morpos.errors import MorposError
from morpos.human.judgments import READERS
from morpos.io.schema import schema
from morpos.layers import units
from morpos.layers.tags import TAGGERS
from morpos.layers.words import TOKENIZERS
from morpos.registry import Registry, names_at
from morpos.scoring.metrics import FAMILIES

ALL = (FORMATS, READERS, TOKENIZERS, TAGGERS, FAMILIES, units.LAYERS, units.DECLARED)


@pytest.fixture
def other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Registry[object]]:
    """A registry of one, and a package that adds two and would replace that one."""
    (tmp_path / "other.py").write_text(
        "class Two:\n    def __init__(self): import no_such_package\n"
    )
    info = tmp_path / "other-1.5.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1.5\n")
    (info / "entry_points.txt").write_text(
        "[morpos.tests]\none = other:No\ntwo = other:Two\nthree = gone:Three\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    yield Registry("thing", "morpos.tests", {"one": "morpos.registry:Registry"})
    sys.modules.pop("other", None)


def test_ours_come_first_and_cannot_be_replaced(other: Registry[object]) -> None:
    assert list(other) == ["one", "three", "two"]
    assert len(other) == 3
    assert other.load("one") is Registry
    assert "two" in other
    assert "four" not in other
    assert [other.version(name) for name in ("one", "two", "")] == ["", "other 1.5", ""]


def test_a_name_that_is_not_known(other: Registry[object]) -> None:
    with pytest.raises(MorposError, match="no thing is called 'four'; known are one, three, two"):
        other.load("four")


@pytest.mark.parametrize("name", ["two", "three"])
def test_what_another_package_lacks(other: Registry[object], name: str) -> None:
    with pytest.raises(MorposError, match=f"the thing '{name}' is not installed .*: install other"):
        other.make(name)


def test_other_packages_are_asked_only_if_they_must(monkeypatch: pytest.MonkeyPatch) -> None:
    def entry_points(group: str) -> tuple[()]:
        raise AssertionError(group)

    monkeypatch.setattr("importlib.metadata.entry_points", entry_points)
    registry: Registry[object] = Registry("thing", "morpos.x", {"one": "morpos.registry:Registry"})
    assert "one" in registry
    assert registry.load("one") is Registry


@pytest.mark.parametrize("registry", ALL, ids=lambda registry: registry.kind)
def test_all_of_ours_can_be_loaded(registry: Registry[object]) -> None:
    """Taggers without their packages, too: what they need is asked before anything runs."""
    for name in registry.ours:
        assert registry.load(name)
        assert registry.ours[name].split(":")[0] not in registry.modules_without(name)


def test_schemas_list_the_names() -> None:
    config = schema("config")["properties"]
    tags = config["tags"]["additionalProperties"]["properties"]
    assert tags["tagger"]["enum"] == list(TAGGERS)
    assert config["words"]["properties"]["tokenizer"]["enum"] == list(TOKENIZERS)
    for sheet in ("testsets", "systems"):
        assert schema(sheet)["properties"]["format"]["enum"] == ["", *FORMATS]
    judged = schema("testsets")["properties"]["judgments_format"]["enum"]
    assert judged == ["", *READERS]
    family = schema("metrics")["additionalProperties"]["properties"]["family"]["enum"]
    assert family == ["F+BLEU", *FAMILIES]
    assert names_at("morpos.layers.words:CASES") == ["keep", "lower"]
