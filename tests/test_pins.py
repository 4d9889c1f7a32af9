"""Pins: what conda installs is what pip installs; every declared package is pinned with a hash."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENTS = sorted((ROOT / "envs").glob("*.yaml"))
_PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==(\S+) \\$", re.MULTILINE)


def _normal(name: str) -> str:
    return re.sub(r"[._]", "-", name.lower())


def pins(name: str) -> dict[str, str]:
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    found = dict(_PIN.findall(text))
    assert text.count("--hash=sha256:") >= len(found) > 0
    return {_normal(name): version for name, version in found.items()}


@pytest.mark.parametrize("path", ENVIRONMENTS, ids=lambda path: path.stem)
def test_environments_install_the_pins_and_morpos(path: Path) -> None:
    *_, last = yaml.safe_load(path.read_text())["dependencies"]
    *lines, own = last["pip"]
    assert own == "--editable ${MORPOS_CHECKOUT}"
    extra = {} if path.stem == "morpos" else pins(path.stem)
    found = {_normal(name): version for name, version in (line.split("==") for line in lines)}
    wanted = pins("workflow") | extra
    assert {re.sub(r"\[.*\]", "", name): version for name, version in found.items()} == wanted


def test_everything_declared_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    for name, declared in {
        "workflow": project["dependencies"] + extras["workflow"],
        "dev": project["dependencies"] + extras["workflow"] + extras["dev"],
        **{extra: extras[extra] for extra in extras if extra not in ("workflow", "dev")},
    }.items():
        pinned = pins(name)
        for requirement in declared:
            package = _normal(re.split(r"[=<>~!]", requirement)[0].strip())
            assert package in pinned, (name, requirement)
            if exact := re.fullmatch(r"[^=]+==([0-9.]+)", requirement):
                assert pinned[package] == exact[1]


def test_every_dependency_has_licence_and_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    page = (ROOT / "docs" / "dependencies.md").read_text().lower()
    extras = project["optional-dependencies"]
    runtime = [r for name in extras if name != "dev" for r in extras[name]]
    for requirement in project["dependencies"] + runtime:
        package = re.split(r"[=<>~!]", requirement)[0].strip().lower()
        assert package in page, package
