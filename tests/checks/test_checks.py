"""`morpos check`: each kind of fault is found where it was planted, and nothing in good data."""

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from morpos import checks, commands
from morpos.checks import Finding
from morpos.checks.profile import TextProfile
from morpos.checks.project import check
from morpos.corpora.loading import LoadedText
from morpos.human.judgments import JudgmentSet, Ranking
from morpos.io import tables
from tests.conftest import ROOT

Lines = list[str]
DEMO = ROOT / "demo"


def text(name: str, lines: Lines) -> LoadedText:
    facts: dict[str, Any] = {
        "name": name,
        "source": f"{name}.txt",
        "left_out": None,
        "changes": {},
        "notes": [],
    }
    return LoadedText(lines, facts | {"segments": len(lines), "found_segments": len(lines)})


def read(path: str) -> Lines:
    return (DEMO / path).read_text(encoding="utf-8").splitlines()


def found(findings: list[Finding]) -> set[tuple[str, str]]:
    return {(f.check, f.system) for f in findings if f.severity in ("error", "warning")}


GERMAN, FRENCH = read("references/de.txt"), read("references/fr.txt")
GOOD, OTHER = read("systems/en-de/agreement.txt"), read("systems/en-de/lexical.txt")


def test_nothing_is_wrong_with_the_demo(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    assert commands.main(["check", "config/config.yaml"]) == 0
    assert capsys.readouterr().out == (
        "note: demo.en-es omissions: demo/systems/en-es/omissions.txt, line 36: 1 of 44 lines is "
        "empty where the reference is not: 36: an empty line scores 0 [empty]\n"
        "config/config.yaml: 1 note\n"
    )


PAGE = str.maketrans("äöüÄÖÜß", "фцьДЦЬЯ")
PLAIN = str.maketrans("äöüÄÖÜß", "aouAOUs")
FAULTS: dict[str, tuple[str, Callable[[Lines], Lines]]] = {
    "a line missing": ("shift", lambda t: [*t[:20], *t[21:], ""]),
    "a line too many": ("shift", lambda t: [*t[:30], t[30], *t[30:-1]]),
    "backwards": ("shuffle", lambda t: t[::-1]),
    "the first ten shuffled": ("shuffle", lambda t: [*t[9::-2], *t[8::-2], *t[10:]]),
    "another language": ("language", lambda t: FRENCH),
    "the reference": ("copy", lambda t: GERMAN),
    "half of each line": ("length", lambda t: [s[: len(s) // 2] for s in t]),
    "lower case": ("case", lambda t: [s.lower() for s in t]),
    "a third in lower case": ("case", lambda t: [s.lower() for s in t[:15]] + t[15:]),
    "capitals": ("case", lambda t: [s.upper() for s in t]),
    "tokenised": ("tokenised", lambda t: [re.sub(r"([.,])", r" \1", s) for s in t]),
    "read in a wrong encoding": ("garbled", lambda t: [s.encode().decode("cp1252") for s in t]),
    "saved as ASCII": ("lost", lambda t: [s.encode("ascii", "replace").decode() for s in t]),
    "of another code page": ("letters", lambda t: [s.translate(PAGE) for s in t]),
    "without accents": ("letters", lambda t: [s.translate(PLAIN) for s in t]),
    "with entities": ("entities", lambda t: [s.replace(" und ", " &amp; ") for s in t]),
    "cut off": ("cut", lambda t: t[:-3] + [""] * 3),
    "cut at 50 characters": ("cut", lambda t: [s[:50] for s in t]),
    "with empty lines": ("empty", lambda t: [*t[:20], "", "", "", *t[23:]]),
    "twice": ("duplicate", lambda t: OTHER),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_are_found_where_they_are(fault: str) -> None:
    kind, plant = FAULTS[fault]
    systems = [text("good", OTHER), text("bad", plant(GOOD))]
    assert (kind, "bad") in found(checks.check_testset("d", [text("r", GERMAN)], systems))
    assert {
        system for _, system in found(checks.check_testset("d", [text("r", GERMAN)], systems))
    } == {"bad"}
    assert not found(checks.check_testset("d", [text("r", GERMAN)], [systems[0], text("b", GOOD)]))


def test_a_shift_names_its_lines() -> None:
    shifted = [*GOOD[:20], *GOOD[21:], ""]
    (finding,) = (
        f
        for f in checks.check_testset("d", [text("r", GERMAN)], [text("bad", shifted)])
        if f.check == "shift"
    )
    assert finding.line == 21
    assert finding.message.startswith("lines 21 to 43 fit the reference's 1 below much better")


@pytest.mark.parametrize("kind", ["language", "shift", "case"])
def test_what_is_wrong_with_all_outputs_is_wrong_with_the_reference(kind: str) -> None:
    reference = {
        "language": FRENCH,  # such as the source
        "shift": [*GERMAN[1:], "Ende."],
        "case": [s.lower() for s in GERMAN],
    }[kind]
    systems = [text("a", GOOD), text("b", OTHER)]
    findings = checks.check_testset("d", [text("r", reference)], systems)
    # German umlauts are letters that French does not have.
    assert found(findings) == {(kind, "r")} | {("letters", "r") for _ in range(kind == "language")}
    (finding,) = (f for f in findings if f.check == kind)
    assert "so it is with all 2 outputs" in finding.message


def test_references_among_each_other() -> None:
    one, two = text("one", GERMAN), text("two", [*GERMAN[:-1], "Ende."])
    assert found(checks.check_testset("d", [one, two], [text("a", GOOD)])) == {
        ("same-references", "two")
    }


def test_references_one_a_segment() -> None:
    def left_out(lines: int) -> LoadedText:
        facts = text("a", []).facts | {"left_out": "does not fit", "found_segments": lines}
        return LoadedText([], facts)

    one = [text(f"r{n}", ["x", "y"]) for n in range(3)]
    messages = [
        f.message for f in checks.check_testset("d", one, [left_out(3)]) if f.check == "arrangement"
    ]
    assert messages == [
        "there are 3 references of 2 lines each, and outputs of 3 lines: as if each file held the "
        "references of one segment"
    ]
    double = [text("r", ["x"] * 6)]
    (finding,) = (
        f for f in checks.check_testset("d", double, [left_out(3)]) if f.check == "arrangement"
    )
    assert finding.message == "has 2 times as many lines (6) as each output (3)"


def invented(seed: int = 1) -> tuple[Lines, dict[str, Lines]]:
    """A human translation, and outputs that are like each other: variants of another one."""
    rng = random.Random(seed)
    words = [f"{a}{b}{c}" for a in "bdfgklmnprst" for b in "aeiou" for c in "lmnrst"]
    human = [rng.choices(words, k=12) for _ in range(60)]
    machine = [[w if rng.random() < 0.5 else rng.choice(words) for w in line] for line in human]
    outputs = {
        name: [
            " ".join(w if rng.random() < 0.8 else rng.choice(words) for w in line)
            for line in machine
        ]
        for name in "ABCDE"
    }
    return [" ".join(line) for line in human], outputs


def test_reference_and_output_swapped() -> None:
    human, outputs = invented()
    others = {name: lines for name, lines in outputs.items() if name != "E"}
    right = [text(name, lines) for name, lines in outputs.items()]
    wrong = [text(name, lines) for name, lines in (others | {"E": human}).items()]
    assert found(checks.check_testset("d", [text("r", human)], right)) == set()
    assert found(checks.check_testset("d", [text("r", outputs["E"])], wrong)) == {("swapped", "E")}


def judged(by: int = 0, sign: int = 1, **names: str) -> set[tuple[str, str]]:
    """Judgments that prefer whoever has more words of the reference, and what is found."""
    human, outputs = invented()
    systems = [text(name, lines) for name, lines in outputs.items()]
    words = {t.facts["name"]: TextProfile(t).words for t in systems}
    right = TextProfile(text("r", human)).words
    rankings = [
        Ranking(
            n + 1 + by,
            "judge",
            tuple((names.get(a, a), -sign * len(words[a][n] & right[n])) for a in outputs),
        )
        for n in range(1, 59)
    ]
    reading = JudgmentSet(
        "j.tsv", "pairwise", tuple(names.get(a, a) for a in outputs), tuple(rankings)
    )
    return found(checks.check_testset("d", [text("r", human)], systems, reading))


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (judged(), set()),
        (judged(by=1), {("judged-shift", "")}),
        (judged(by=-1), {("judged-shift", "")}),
        (judged(sign=-1), {("judged-reversed", "")}),
        (judged(by=5), {("judged-range", "")}),
        (judged(A="a "), {("judged-names", "A")}),
        (judged(A="something else"), set()),
        (judged(A="1", B="2", C="3", D="4", E="5"), {("judged-names", "")}),
    ],
)
def test_judgments(result: set[tuple[str, str]], expected: set[tuple[str, str]]) -> None:
    assert result == expected


def test_names_that_look_the_same() -> None:
    systems = [text("Lab 1", GOOD), text("lab-1", OTHER)]
    assert found(checks.check_testset("d", [text("r", GERMAN)], systems)) == {("names", "lab-1")}


def test_a_whole_data_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for path, lines in (("ref.txt", GERMAN), ("a.txt", GOOD), ("b.txt", GOOD[:-1])):
        Path(path).write_text("\n".join(lines).replace("\n", "\r\n", 2) + "\n", encoding="utf-8")
    Path("testsets.tsv").write_text(
        "testset\tsource\ttarget\treference\tsystems\toptional\n"
        "d\ten\tde\tref.txt\t{system}.txt\t\n"
        "gone\ten\tde\tno.txt\t{system}.txt\tyes\n"
        "e\tde\ten\tref.txt\t{system}.txt\t\n"
        "bad\ten\tde\tmissing.txt\t{system}.txt\t\n"
    )
    Path("results/scores").mkdir(parents=True)
    Path("results/scores/old.tsv").touch()
    assert commands.main(["check", "testsets.tsv", "--output", "table.tsv"]) == 1
    rows = {(r["severity"], r["check"], r["testset"], r["file"]) for r in tables.read("table.tsv")}
    assert {
        ("error", "configuration", "", "testsets.tsv"),
        ("error", "text", "d", "b.txt"),
        ("warning", "language", "", "ref.txt"),
        ("repaired", "changed", "d", "a.txt"),
        ("note", "optional", "gone", "testsets.tsv"),
        ("note", "stale", "", "results/scores/old.tsv"),
    } <= rows
    places = {r["file"]: r["line"] for r in tables.read("table.tsv") if r["severity"] == "error"}
    assert places["testsets.tsv"] == 5


def one_testset(target: str) -> None:
    """A test set with an output in German, in the working folder."""
    for name in ("ref.txt", "a.txt"):
        Path(name).write_text("\n".join(GERMAN) + "\n", encoding="utf-8")
    Path("testsets.tsv").write_text(
        f"testset\tsource\ttarget\treference\tsystems\nd\ten\t{target}\tref.txt\t{{system}}.txt\n"
    )


@pytest.mark.parametrize(
    ("tagging", "message"),
    [
        ({"de": {"tagger": "rdr", "model": "POS/Klingon"}}, "no complete model 'POS/Klingon'"),
        ({"de": {"tagger": "treetagger", "home": "nowhere"}}, "no TreeTagger: "),
        ({"en": {"tagger": "rdr", "model": "POS/Klingon"}}, ""),
        ({}, ""),
    ],
)
def test_a_tagger_that_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tagging: dict[str, object], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    one_testset("de")
    config = {"testsets": "testsets.tsv", "tags": tagging}
    messages = [f.message for f in check(config, "config.yaml") if f.check == "tagger"]
    assert len(messages) == bool(message)
    assert message in "".join(messages)
    without = config | {"metrics": {"BLEU": {"family": "BLEU", "layers": {"word": 1}}}}
    assert not [f for f in check(without, "config.yaml") if f.check == "tagger"]


@pytest.mark.parametrize(("target", "warned"), [("de", False), ("en", True)])
def test_source_and_target_swapped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str, warned: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    demo = ROOT / "demo"
    Path("testsets.tsv").write_text(
        "testset\tsource\ttarget\treference\tsystems\n"
        f"d\tfr\t{target}\t{demo}/references/de.txt\t{demo}/systems/en-de/{{system}}.txt\n"
    )
    warnings = [f for f in check({"testsets": "testsets.tsv"}, "c.yaml") if f.severity == "warning"]
    assert [f.check for f in warnings] == ["language"] * warned
    assert all("Are source and target swapped" in f.advice for f in warnings)


def test_a_tagger_without_a_model_is_one_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    one_testset("sw")
    for tags in ({}, {"sw": {"tagger": "udpipe", "model": "nowhere"}}):
        found = check({"testsets": "testsets.tsv", "tags": tags}, "config.yaml")
        assert [f.check for f in found if f.severity == "error"] == ["configuration"]


def test_every_check_is_documented() -> None:
    page = (ROOT / "docs" / "check.md").read_text(encoding="utf-8")
    code = "".join(p.read_text() for p in (ROOT / "scripts/morpos/checks").glob("*.py"))
    kinds = {kind for kind, _ in FAULTS.values()} | set(
        re.findall(r'"(?:error|warning|note|repaired)",\s+"([a-z-]+)"', code)
    )
    assert len(kinds) > 20
    assert not {kind for kind in kinds if f"`{kind}`" not in page}


def test_no_false_alarm_on_real_outputs(shared: Path, tmp_path: Path) -> None:
    """Thirteen outputs of WMT10 and their judgments: their known oddities and nothing else."""
    sheet = (ROOT / "config" / "wmt08-10" / "testsets.tsv").read_text().splitlines()
    wanted = [line for line in sheet if line.startswith(("testset\t", "wmt10-news.cs-en\t"))]
    (tmp_path / "testsets.tsv").write_text("\n".join(wanted) + "\n")
    config = {"testsets": str(tmp_path / "testsets.tsv"), "base": str(shared / "wmt")}
    assert found([*check(config, "wmt")]) == {
        ("case", "cu-zeman"),
        ("entities", "bbn-combo"),
        ("entities", "cu-bojar"),
        ("garbled", "bbn-combo"),
        ("tokenised", "cmu"),
    }
