"""Code digests follow the imports; signatures."""

import subprocess
import sys
from pathlib import Path

import pytest

import morpos
from morpos import signature
from morpos.workflow import code_digest
from morpos.workflow.inputs import tool_code

PACKAGE = Path(morpos.__file__).parent


def digests(package: Path) -> dict[str, str]:
    code = (
        "from morpos.workflow.code_digest import implementation\n"
        "from morpos.workflow.steps import STEPS\n"
        "for step in STEPS: print(step, implementation(step))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(package.parent), "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    return dict(line.split() for line in run.stdout.splitlines())


def test_a_changed_module_changes_the_steps_that_import_it(tmp_path: Path) -> None:
    copy = tmp_path / "morpos"
    subprocess.run(["cp", "-r", str(PACKAGE), str(copy)], check=True)
    before = digests(copy)

    def changed_by(module: str) -> set[str]:
        path = copy / module
        old = path.read_text()
        path.write_text(old + "\n# changed\n")
        after = digests(copy)
        path.write_text(old)
        return {step for step in before if before[step] != after[step]}

    # They read the configuration, and with it all that it names.
    bag = {"archive", "restore"}
    on_demand = {
        "system_tests",
        "metric_tests",
        "segment_level",
        "agreement",
        "claims",
        "order_table",
    }
    on_demand |= {"baseline_table", "export", "submissions"}
    counting = {"counts", "scores", "disagreements", "report_testset"}
    assert changed_by("scoring/ngrams.py") - on_demand == counting | bag
    assert changed_by("scoring/_ngrams.c") == changed_by("scoring/ngrams.py")
    assert changed_by("layers/tags/rdr.py") - on_demand == {"tags", "lemmas"} | bag
    assert changed_by("layers/words/moses.py") == {"words"} | bag
    assert changed_by("layers/morphemes/morfessor.py") == {"morfessor", "morphemes"} | bag
    trainer = "layers/morphemes/_morfessor.c"
    assert changed_by(trainer) == changed_by("layers/morphemes/morfessor.py")
    judged = {"human", "disagreements", "findings"}
    assert changed_by("human/judgments/wmt10.py") - on_demand == judged
    assert changed_by("report/html/index.html") == {"report", "report_testset"}
    assert changed_by("evaluation/agreement.py") == {"agreement"}
    assert changed_by("scoring/external.py") == {
        "baseline",
        "baseline_table",
        "segment_level",
        "submissions",
    }
    judging = {"human", "metric_tests", "segment_level", "agreement", "submissions"}
    judging |= {"disagreements", "findings"}
    assert changed_by("human/arguments.py") == judging
    assert changed_by("cli.py") | changed_by("workflow/steps/__init__.py") == set()
    assert digests(copy) == before


def test_another_tagger_is_nothing_to_a_tagger(monkeypatch: pytest.MonkeyPatch) -> None:
    digests = []
    for version in ("1", "2"):
        versions = {"spacy": version}
        monkeypatch.setattr(
            code_digest, "installed_version", lambda module, v=versions: v.get(module, "")
        )
        code_digest.implementation.cache_clear()
        digests.append({name: tool_code("tags", name) for name in ("rdr", "spacy")})
    code_digest.implementation.cache_clear()
    assert digests[0]["rdr"] == digests[1]["rdr"]
    assert digests[0]["spacy"] != digests[1]["spacy"]


def test_signatures() -> None:
    one = signature.signature({"tok": "moses-1", "order": 4})
    assert one == "tok:moses-1|order:4"
    assert signature.combine([one, one]) == one
    mixed = signature.combine([one, "tok:13a-2|order:4"])
    assert mixed.startswith("tok:2 values#")
    assert mixed.endswith("|order:4")
    assert mixed == signature.combine(["tok:13a-2|order:4", one])
