"""How often `morpos check` finds faults that are planted in good test sets, as a Markdown table.

python benchmarks/planted_faults.py CONFIG [CONFIG ...] [--testsets N] [--systems N]

Each fault is planted in one output at a time, with a fixed seed; found is whether a warning of the
check that is meant for it names that output (or the reference, where that is the same).
"""

import argparse
import html
import random
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from morpos.checks import Finding, judged, outputs, sets
from morpos.checks.alignment import Alignment
from morpos.checks.profile import TextProfile
from morpos.corpora.loading import LoadedText, load
from morpos.human import judgments
from morpos.human.judgments import JudgmentSet
from morpos.io.schema import read_yaml
from morpos.project.reading import merge, read_project

Lines = list[str]


def some(lines: Lines, share: float, change: Callable[[str], str]) -> Lines:
    """Change a share of the lines, chosen with a fixed seed."""
    chosen = set(random.Random(1).sample(range(len(lines)), round(share * len(lines))))
    return [change(line) if n in chosen else line for n, line in enumerate(lines)]


def missing(lines: Lines, share: float) -> Lines:
    """A line is missing before the last share of the text, and an empty one fills up."""
    cut = round((1 - share) * (len(lines) - 1))
    return [*lines[:cut], *lines[cut + 1 :], ""]


def doubled(lines: Lines, share: float) -> Lines:
    """A line stands twice before the last share of the text, and the last is lost."""
    cut = round((1 - share) * (len(lines) - 1))
    return [*lines[: cut + 1], *lines[cut:-1]]


def shuffle(lines: Lines, share: float) -> Lines:
    """A share of the lines stand in each other's place."""
    rng = random.Random(1)
    places = rng.sample(range(len(lines)), round(share * len(lines)))
    mixed = list(lines)
    for place, other in zip(places, places[1:] + places[:1], strict=True):
        mixed[place] = lines[other]
    return mixed


def tokenised(line: str) -> str:
    return line.replace(",", " ,").replace(".", " .").replace("  ", " ")


def misread(line: str) -> str:
    return line.encode().decode("cp1252", "replace")


def poorer(line: str) -> str:
    return line.encode("ascii", "replace").decode()


def stripped(line: str) -> str:
    return unicodedata.normalize("NFD", line).encode("ascii", "ignore").decode()


def other_page(line: str) -> str:
    """Latin-2 read as Latin-1, as Cyrillic where that makes no difference."""
    return line.encode("iso8859-2", "replace").decode("iso8859-5")


def escaped(line: str) -> str:
    return "".join(f"&#{ord(c)};" if c > "\x7f" else c for c in html.escape(line))


def end_gone(lines: Lines, share: float) -> Lines:
    kept = len(lines) - round(share * len(lines))
    return lines[:kept] + [""] * (len(lines) - kept)


def capped(lines: Lines, share: float) -> Lines:
    """Cut at a number of words that so many lines exceed."""
    lengths = sorted(len(line.split(" ")) for line in lines)
    most = lengths[round((1 - share) * (len(lengths) - 1))]
    return [" ".join(line.split(" ")[:most]) for line in lines]


def words_gone(lines: Lines, share: float) -> Lines:
    rng = random.Random(1)
    return [" ".join(w for w in line.split(" ") if rng.random() >= share) for line in lines]


#: What is planted, at which strengths, and the check that is meant for it.
PLANTED: list[tuple[str, str, Sequence[float], Callable[[Lines, float], Lines]]] = [
    ("a line missing before the last ...", "shift", (1, 0.5, 0.1, 0.02, 0.005), missing),
    ("a line doubled before the last ...", "shift", (1, 0.5, 0.1, 0.02, 0.005), doubled),
    ("lines shuffled", "shuffle", (1, 0.5, 0.2, 0.1, 0.05, 0.02), shuffle),
    ("lower-cased", "case", (1, 0.7, 0.5, 0.3, 0.2), lambda t, s: some(t, s, str.lower)),
    ("in capitals", "case", (1, 0.5, 0.2), lambda t, s: some(t, s, str.upper)),
    ("tokenised", "tokenised", (1, 0.7, 0.5), lambda t, s: some(t, s, tokenised)),
    ("UTF-8 read as Windows-1252", "garbled", (1, 0.1, 0.01), lambda t, s: some(t, s, misread)),
    ("read by another code page", "letters", (1, 0.7, 0.5), lambda t, s: some(t, s, other_page)),
    ("accented letters as ?", "lost", (1, 0.1, 0.01), lambda t, s: some(t, s, poorer)),
    ("accents stripped", "letters", (1, 0.95, 0.5), lambda t, s: some(t, s, stripped)),
    ("entities left in", "entities", (1, 0.1, 0.01), lambda t, s: some(t, s, escaped)),
    ("end of the text empty", "cut", (0.5, 0.1, 0.01), end_gone),
    ("lines cut off at a length", "cut", (0.5, 0.1, 0.02), capped),
    ("empty lines", "empty", (0.2, 0.05, 0.02), lambda t, s: some(t, s, lambda _: "")),
    ("words left out", "length", (0.5, 0.4, 0.3), words_gone),
    ("the reference itself, but for", "copy", (0, 0.1, 0.3), lambda t, s: t),
    ("another language", "language", (1, 0.5, 0.3, 0.1), lambda t, s: t),
]


def changed(text: LoadedText, lines: Lines) -> TextProfile:
    """A text with other lines."""
    return TextProfile(LoadedText([" ".join(line.split()) for line in lines], text.facts))


def found(findings: Iterator[Finding], check: str) -> bool:
    """Whether a warning is of that check."""
    return any(finding.check == check and finding.severity == "warning" for finding in findings)


def plant(
    reference: LoadedText,
    others: Sequence[LoadedText],
    texts: Sequence[LoadedText],
    reading: JudgmentSet | None,
) -> Iterator[tuple[str, str, float, bool]]:
    """Fault, check, strength and whether it was found, for each output and planted fault.

    `others` are references in other languages, line by line with this one or not.
    """
    view, alignment = TextProfile(reference), Alignment(TextProfile(reference))
    for number, text in enumerate(texts):
        for fault, check, strengths, change in PLANTED:
            for strength in strengths:
                lines = change(text.segments, strength)
                if check == "copy":
                    kept = set(some([*map(str, range(len(lines)))], 1 - strength, lambda _: "x"))
                    lines = [
                        new if str(n) not in kept else old
                        for n, (old, new) in enumerate(
                            zip(text.segments, reference.segments, strict=True)
                        )
                    ]
                if check == "language":
                    other = others[number % len(others)].segments
                    chosen = some([""] * len(lines), strength, lambda _: "x")
                    lines = [
                        other[n % len(other)] if chosen[n] else line for n, line in enumerate(lines)
                    ]
                if lines != text.segments:
                    output = changed(text, lines)
                    yield (
                        fault,
                        check,
                        strength,
                        found(outputs.check(output, view, alignment), check),
                    )
        copy = some(text.segments, 0.04, lambda line: line + " .")
        for strength, lines in ((0, text.segments), (0.04, copy)):
            pair = [TextProfile(text), changed(text, lines)]
            yield (
                "the same output twice, but for",
                "duplicate",
                strength,
                found(sets.duplicates(pair), "duplicate"),
            )
        rest = [TextProfile(each) for each in texts if each is not text]
        yield (
            "reference and output swapped",
            "swapped",
            1,
            found(sets.swapped([*rest, view], TextProfile(text)), "swapped"),
        )
    if reading and reading.rankings:
        views = [TextProfile(text) for text in texts]
        reverse = [
            r._replace(ranks=tuple((name, -rank) for name, rank in r.ranks))
            for r in reading.rankings
        ]
        for fault, check, strength, rankings in (
            *(
                (
                    "judged segments counted from elsewhere",
                    "judged-shift",
                    by,
                    [r._replace(segment=(r.segment or 1) + by) for r in reading.rankings],
                )
                for by in (-1, 1)
            ),
            ("the best rank is the highest", "judged-reversed", 1, reverse),
        ):
            wrong = replace(reading, rankings=tuple(rankings))
            yield (
                fault,
                check,
                strength,
                found(judged.check(wrong, views, (), view, ["_ref"]), check),
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("config", nargs="+")
    parser.add_argument("--testsets", type=int, default=8)
    parser.add_argument("--systems", type=int, default=5)
    args = parser.parse_args()
    config: dict[str, object] = {}
    for path in args.config:
        config = merge(config, read_yaml(path))
    project = read_project(config)
    rows: dict[tuple[str, str, float], list[bool]] = {}
    names = list(project.testsets)
    for name in names[:: max(1, len(names) // args.testsets)]:
        testset = project.testsets[name]
        reference = load(testset.references[0].path)
        others = [
            load(other.references[0].path)
            for other in project.testsets.values()
            if other.target != testset.target and other.group == testset.group
        ]
        texts = [
            load(text.path, name=text.name, missing=text.missing, reference=reference.facts)
            for text in testset.systems[: args.systems]
        ]
        reading = judgments.read(
            testset.judgments,
            testset.judgments_format,
            testset.source,
            testset.target,
            testset.domain or None,
        )
        for fault, check, strength, hit in plant(reference, others, texts, reading):
            rows.setdefault((fault, check, strength), []).append(hit)
    table: dict[tuple[str, str], list[str]] = {}
    for (fault, check, strength), hits in rows.items():
        table.setdefault((fault, check), []).append(f"{strength:g}: {sum(hits)}/{len(hits)}")
    print("| planted | check | strength: found |", "|---|---|---|", sep="\n")
    for (fault, check), found_by_strength in table.items():
        print(f"| {fault} | `{check}` | {', '.join(found_by_strength)} |")


if __name__ == "__main__":
    main()
