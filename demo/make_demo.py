"""Make the outputs and the judgments of the demo from its references. All of it is invented.

The references (`references/`) and the word tables (`tables.tsv`, `vocabulary.tsv`) are written by
hand. This script plants errors of known kinds and strengths in the references and draws rankings
from the planted qualities. It is deterministic: the same inputs and SEED give the same bytes.

    python demo/make_demo.py [--out demo]
"""

import argparse
import csv
import re
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
SEED = "morpos demo 1"

LANGUAGES = {"cs": "Czech", "de": "German", "en": "English", "es": "Spanish", "fr": "French"}
DIRECTIONS = [("de", "en"), ("en", "de"), ("en", "fr"), ("en", "es"), ("en", "cs")]


class Plan(NamedTuple):
    """The planted quality of a system (1 = the reference) and the rates of its errors."""

    quality: float
    synonym: float = 0.0  # of the words and phrases in the table, replaced
    lexical: float = 0.0  # the same, by a word of another meaning
    inflection: float = 0.0  # the same, by a wrong form
    source: float = 0.0  # of the words and phrases in the vocabulary, left in the source language
    move: float = 0.0  # of all words, moved one to three places to the right
    drop: float = 0.0  # of all words, left out


REFERENCE = "_ref"
REFERENCE_QUALITY = 1.0
SYSTEMS = {
    "near-copy": Plan(0.90, synonym=0.6),
    "agreement": Plan(0.68, inflection=0.8),
    "word-order": Plan(0.56, move=0.3),
    "lexical": Plan(0.47, lexical=0.8),
    "omissions": Plan(0.36, drop=0.3),
    "untranslated": Plan(0.24, source=0.8),
    "word-salad": Plan(0.05, lexical=0.5, inflection=0.5, source=0.3, move=0.5, drop=0.15),
}
EMPTY = ("en-es", "omissions", 36)  # the one empty output line (counted from 1)

SEGMENTS_A_DOCUMENT = 4  # each story of the references is four segments long
JUDGES = 4
ROWS = 120  # rankings a translation direction
SYSTEMS_A_ROW = 5
NOISE = 0.18  # standard deviation of what a judge sees around the planted quality
TIE = 0.06  # neighbours closer than this get the same rank
NOT_RANKED = 0.04  # rate of rows in which one system has the rank -1

WORD = re.compile(r"\d+(?: \d{3})+|\w+(?:[-'.,:]\w+)*")
STRETCH = re.compile(rf"(?:{WORD.pattern})(?: (?:{WORD.pattern}))+")
Table = dict[str, str]


def read_lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def read_tables(source: str, target: str) -> dict[str, Table]:
    """The replacements in the target language by kind of error."""
    tables: dict[str, Table] = {"synonym": {}, "lexical": {}, "inflection": {}, "source": {}}
    for line in read_lines(HERE / "tables.tsv")[1:]:
        language, kind, word, replacement = line.split("\t")
        if language == target:
            tables[kind][word] = replacement
    languages, *entries = (line.split("\t") for line in read_lines(HERE / "vocabulary.tsv"))
    for entry in entries:
        words = dict(zip(languages, entry, strict=True))
        tables["source"][words[target]] = words[source]
    return tables


def replace(text: str, table: Table, rate: float, rng: Random) -> str:
    """Replace whole words or phrases of the table, the longest first."""
    keys = "|".join(re.escape(key) for key in sorted(table, key=lambda key: (-len(key), key)))

    def choose(match: re.Match[str]) -> str:
        return table[match[0]] if rng.random() < rate else match[0]

    return re.sub(rf"(?<!\w)(?:{keys})(?!\w)", choose, text)


def move_words(text: str, rate: float, rng: Random) -> str:
    """Move words to the right within stretches free of punctuation; a capital first word stays."""

    def scramble(stretch: re.Match[str]) -> str:
        words = WORD.findall(stretch[0])
        place = int(words[0][0].isupper())
        while place < len(words) - 1:
            if rng.random() < rate:
                target = min(place + rng.randint(1, 3), len(words) - 1)
                words.insert(target, words.pop(place))
                place = target
            place += 1
        return " ".join(words)

    return STRETCH.sub(scramble, text)


def drop_words(text: str, rate: float, rng: Random) -> str:
    """Leave words out, but the first one and those that are not letters only."""
    first, *rest = text.split(" ")
    kept = [word for word in rest if not word.isalpha() or rng.random() >= rate]
    return " ".join([first, *kept])


def translate(text: str, plan: Plan, tables: dict[str, Table], rng: Random) -> str:
    """The reference with the errors of the plan."""
    rates = {
        "synonym": plan.synonym,
        "lexical": plan.lexical,
        "inflection": plan.inflection,
        "source": plan.source,
    }
    for kind, rate in rates.items():
        text = replace(text, tables[kind], rate, rng)
    return drop_words(move_words(text, plan.move, rng), plan.drop, rng)


def rank(seen: Sequence[float]) -> list[int]:
    """Ranks from 1 (the best) on; a system close behind the one before it shares its rank."""
    ranks = [0] * len(seen)
    order = sorted(range(len(seen)), key=lambda index: -seen[index])
    current = 1
    for before, index in zip([order[0], *order], order, strict=False):
        current += seen[before] - seen[index] >= TIE
        ranks[index] = current
    return ranks


def judge(source: str, target: str, segments: int, rng: Random) -> list[list[str | int]]:
    """Draw the rankings of one translation direction as rows of the CSV file."""
    qualities = {REFERENCE: REFERENCE_QUALITY}
    qualities |= {name: plan.quality for name, plan in sorted(SYSTEMS.items())}
    names = list(qualities)  # a system's number is its place here; the reference is 0
    # A segment is good or bad luck for a system, whoever judges it; the judge adds as much again.
    spread = NOISE / 2**0.5
    luck = [{name: rng.gauss(0, spread) for name in names} for _ in range(segments)]
    tasks = [(segment, person) for segment in range(segments) for person in range(1, JUDGES + 1)]
    rows: list[list[str | int]] = []
    for segment, person in sorted(rng.sample(tasks, ROWS)):
        shown = rng.sample(names, SYSTEMS_A_ROW)
        ranks = rank(
            [qualities[name] + luck[segment][name] + rng.gauss(0, spread) for name in shown]
        )
        if rng.random() < NOT_RANKED:
            ranks[rng.randrange(SYSTEMS_A_ROW)] = -1
        document, place = divmod(segment, SEGMENTS_A_DOCUMENT)
        row: list[str | int] = [LANGUAGES[source], LANGUAGES[target], segment + 1]
        row += [f"synthetic/{document + 1}", place + 1, f"synthetic-judge-{person}"]
        for name in shown:
            row += [names.index(name), name]
        rows.append([*row, *ranks])
    return rows


def header() -> list[str]:
    columns = ["srclang", "trglang", "srcIndex", "documentId", "segmentId", "judgeId"]
    numbers = range(1, SYSTEMS_A_ROW + 1)
    columns += [f"system{number}{what}" for number in numbers for what in ("Number", "Id")]
    return columns + [f"system{number}rank" for number in numbers]


def make(out: Path) -> None:
    """Write `systems/<source>-<target>/<system>.txt` and `judgments.csv` below `out`."""
    references = {name: read_lines(HERE / "references" / f"{name}.txt") for name in LANGUAGES}
    judgments = [header()]
    for source, target in DIRECTIONS:
        pair = f"{source}-{target}"
        tables = read_tables(source, target)
        folder = out / "systems" / pair
        folder.mkdir(parents=True, exist_ok=True)
        for name, plan in SYSTEMS.items():
            rng = Random(f"{SEED} {pair} {name}")
            lines = [translate(text, plan, tables, rng) for text in references[target]]
            if EMPTY[:2] == (pair, name):
                lines[EMPTY[2] - 1] = ""
            output = "".join(f"{line}\n" for line in lines)
            (folder / f"{name}.txt").write_text(output, encoding="utf-8", newline="\n")
        rng = Random(f"{SEED} {pair} judgments")
        rows = judge(source, target, len(references[target]), rng)
        judgments += [[str(cell) for cell in row] for row in rows]
    with (out / "judgments.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(judgments)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Make the synthetic demo of morpos.")
    parser.add_argument("--out", type=Path, default=HERE, help="folder to write to (%(default)s)")
    make(parser.parse_args(arguments).out)


if __name__ == "__main__":
    main()
