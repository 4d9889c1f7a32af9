"""What every rule has."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
_RULE = re.compile(r"^( *)(?:use rule \w+ as (\w+) with|rule(?: (\w+))?):\n((?:\1 .*\n|\n)+)", re.M)
RULES = [
    (used or name or "download", body)
    for path in [ROOT / "Snakefile", *sorted((ROOT / "rules").glob("*.smk"))]
    for _, used, name, body in _RULE.findall(path.read_text())
]
#: They run whenever they are asked for; a benchmark would be an output, made once.
ALWAYS = ("restore", "resources")
RUNNING = [
    (name, body)
    for name, body in RULES
    if ("shell:" in body or "log:" in body) and name not in ALWAYS
]


def test_all_rules_are_seen() -> None:
    assert {"text", "claims", "download", "baseline_summary", "all"} <= {name for name, _ in RULES}


@pytest.mark.parametrize(("name", "body"), RUNNING, ids=[name for name, _ in RUNNING])
def test_every_rule_is_measured_and_logged_under_its_name(name: str, body: str) -> None:
    log = re.search(rf'log:\n +log_path[(]("{name}", .*)[)],\n', body)
    benchmark = re.search(rf'benchmark:\n +benchmark_path[(]("{name}", .*)[)]\n', body)
    assert log
    assert benchmark
    assert log[1] == benchmark[1]


def test_a_rule_and_its_step_have_the_same_name() -> None:
    steps = {name: re.search(r"python -m morpos[.]workflow (\w+)", body) for name, body in RULES}
    different = {name: step[1] for name, step in steps.items() if step and step[1] != name}
    assert different == {}


def test_the_slurm_profile_names_rules_that_exist() -> None:
    profile = yaml.safe_load((ROOT / "profiles" / "slurm" / "profile.yaml").read_text())
    names = {name for name, _ in RULES}
    assert {*profile["groups"], *profile["set-resources"]} <= names
    assert set(profile["group-components"]) <= set(profile["groups"].values())


def test_what_runs_whenever_it_is_asked_for_has_no_product() -> None:
    bodies = dict(RULES)
    for name in ALWAYS:
        assert "\n    output:\n" not in bodies[name]
        assert "\n    benchmark:\n" not in bodies[name]
