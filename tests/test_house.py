"""What keeps the house in order besides the walls of `make lint` (docs/architecture.md)."""

import ast
import subprocess
from collections import Counter
from collections.abc import Iterator
from typing import TypeVar

import pytest

from tests.conftest import ROOT

PACKAGE = ROOT / "scripts" / "morpos"
#: Lines of a function; lines of what all rules share.
LONGEST, COMMON = 80, 150

Node = TypeVar("Node", bound=ast.AST)


def nodes(kind: type[Node]) -> Iterator[tuple[str, Node]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, kind):
                yield str(path.relative_to(PACKAGE)), node


def test_no_class_name_stands_twice() -> None:
    places: dict[str, list[str]] = {}
    for path, node in nodes(ast.ClassDef):
        places.setdefault(node.name, []).append(path)
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_functions_are_short() -> None:
    lengths = Counter(
        {
            f"{path}: {node.name}": (node.end_lineno or 0) - node.lineno + 1
            for path, node in nodes(ast.FunctionDef)
        }
    )
    name, longest = lengths.most_common(1)[0]
    assert longest <= LONGEST, name


def test_rules_can_be_read_alone() -> None:
    common = (ROOT / "rules" / "common.smk").read_text(encoding="utf-8")
    assert common.count("\n") < COMMON
    for path in (ROOT / "rules").glob("*.smk"):
        text = path.read_text(encoding="utf-8")
        assert "\ndef " not in text, path.name
        assert "params.options" not in text, path.name


def test_nothing_in_the_repository_is_a_link() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "--stage"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("not a git checkout: clone the repository to run this")
    assert [line for line in listed.stdout.splitlines() if line.startswith("120000")] == []
