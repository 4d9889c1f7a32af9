"""The demo is what its generator makes, is aligned, and has the differences it claims."""

import csv
import re
import subprocess
import sys
import unicodedata
from collections import Counter
from pathlib import Path

import pytest

DEMO = Path(__file__).resolve().parents[1] / "demo"
PAIRS = ["de-en", "en-cs", "en-de", "en-es", "en-fr"]
NAMES = {"cs": "Czech", "de": "German", "en": "English", "es": "Spanish", "fr": "French"}
SEGMENTS = 44


def lines(path: Path) -> list[str]:
    text = path.read_bytes().decode("utf-8")
    assert text.endswith("\n")
    return text[:-1].split("\n")


def outputs(pair: str) -> dict[str, list[str]]:
    return {path.stem: lines(path) for path in sorted((DEMO / "systems" / pair).glob("*.txt"))}


def reference(pair: str) -> list[str]:
    return lines(DEMO / "references" / f"{pair[-2:]}.txt")


def shared_words(left: list[str], right: list[str]) -> int:
    return sum(
        (Counter(a.split()) & Counter(b.split())).total() for a, b in zip(left, right, strict=True)
    )


def tables() -> list[tuple[str, str]]:
    """Every word of the two tables with its language."""
    entries = [line.split("\t") for line in lines(DEMO / "tables.tsv")[1:]]
    header, *rows = (line.split("\t") for line in lines(DEMO / "vocabulary.tsv"))
    pairs = [(language, word) for language, _, word, _ in entries]
    return pairs + [pair for row in rows for pair in zip(header, row, strict=True)]


def test_regenerating_gives_the_committed_bytes(tmp_path: Path) -> None:
    script = str(DEMO / "make_demo.py")
    subprocess.run([sys.executable, script, "--out", str(tmp_path)], check=True)
    made = {path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()}
    committed = {path.relative_to(DEMO) for path in (DEMO / "systems").rglob("*.txt")}
    assert made == committed | {Path("judgments.csv")}
    for path in made:
        assert (tmp_path / path).read_bytes() == (DEMO / path).read_bytes(), path


@pytest.mark.parametrize("language", NAMES)
def test_references_are_clean(language: str) -> None:
    segments = lines(DEMO / "references" / f"{language}.txt")
    assert len(segments) == len(set(segments)) == SEGMENTS
    for segment in segments:
        assert segment == unicodedata.normalize("NFC", segment)
        assert 8 <= len(segment.split(" ")) <= 25
        assert all(char == " " or not char.isspace() for char in segment)
        assert segment == segment.strip()
        assert "  " not in segment


def test_words_of_the_tables_occur_in_the_references() -> None:
    texts = {name: (DEMO / "references" / f"{name}.txt").read_text("utf-8") for name in NAMES}
    missing = [
        (language, word)
        for language, word in tables()
        if not re.search(rf"(?<!\w){re.escape(word)}(?!\w)", texts[language])
    ]
    assert missing == []


@pytest.mark.parametrize("pair", PAIRS)
def test_systems_are_aligned_and_differ(pair: str) -> None:
    systems = outputs(pair)
    assert len(systems) >= 7
    assert all(len(output) == SEGMENTS for output in systems.values())
    assert len({tuple(output) for output in [reference(pair), *systems.values()]}) == 1 + len(
        systems
    )
    empty = [
        (name, n) for name, output in systems.items() for n, s in enumerate(output, 1) if not s
    ]
    assert empty == ([("omissions", 36)] if pair == "en-es" else [])


@pytest.mark.parametrize("pair", PAIRS)
def test_near_copy_is_closer_to_the_reference_than_word_salad(pair: str) -> None:
    systems = outputs(pair)
    near, salad = (
        shared_words(systems[name], reference(pair)) for name in ["near-copy", "word-salad"]
    )
    assert near > salad


@pytest.mark.parametrize("pair", PAIRS)
def test_judgments(pair: str) -> None:
    source, target = (NAMES[code] for code in pair.split("-"))
    with (DEMO / "judgments.csv").open(encoding="utf-8", newline="") as file:
        rows = [r for r in csv.DictReader(file) if (r["srclang"], r["trglang"]) == (source, target)]
    assert len(rows) == 120
    judged: set[str] = set()
    for row in rows:
        index, segment = int(row["srcIndex"]), int(row["segmentId"])
        assert 1 <= index <= SEGMENTS
        assert row["documentId"] == f"synthetic/{(index - 1) // 4 + 1}"
        assert segment == (index - 1) % 4 + 1
        assert re.fullmatch(r"synthetic-judge-[1-4]", row["judgeId"])
        systems = {row[f"system{place}Id"] for place in range(1, 6)}
        assert len(systems) == 5
        assert {int(row[f"system{place}rank"]) for place in range(1, 6)} <= {-1, 1, 2, 3, 4, 5}
        judged |= systems
    assert judged == {"_ref", *outputs(pair)}
