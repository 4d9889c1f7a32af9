"""Make a large input: many systems and test sets, with synthetic texts and synthetic judgments.

The words are invented, their frequencies follow Zipf's law; a system is the reference with words
replaced, moved and left out, the more the worse it is; the judgments are drawn from these planted
qualities, no person judged anything. The same options give the same bytes.

    python benchmarks/make_large.py large --systems 200 --testsets 10 --segments 100
    snakemake --directory large --configfile large/config.yaml --cores all
"""

import argparse
import itertools
from collections.abc import Sequence
from pathlib import Path
from random import Random

LANGUAGES = ("en", "de", "fr", "es", "cs")
STEMS, WORDS_A_SEGMENT = 2000, 22
ENDINGS = ("", "", "s", "en", "ing", "er")
JUDGMENTS_A_SYSTEM = 40
NOISE, TIE = 0.15, 0.05  # of what a judge sees around the planted quality; closer is a tie

CONFIG = """\
title: Large synthetic set
notice: Synthetic texts and synthetic judgments; these correlations are no evidence about metrics.
testsets: testsets.tsv
# The time that tests of all pairs take grows with the square of the number of systems.
report: {significance: false}
"""


def vocabulary(rng: Random) -> tuple[list[str], list[float]]:
    """Words and their cumulative weights."""
    syllables = ["".join(pair) for pair in itertools.product("bdfgklmnprstvz", "aeiou")]
    stems = ["".join(rng.choices(syllables, k=rng.randint(1, 3))) for _ in range(STEMS)]
    words = [stem + ending for stem in stems for ending in ENDINGS]
    return words, list(itertools.accumulate(1 / rank for rank in range(1, len(words) + 1)))


def worsen(words: Sequence[str], quality: float, others: Sequence[str], rng: Random) -> list[str]:
    """A translation of this quality (1 = the reference itself)."""
    rate = 0.6 * (1 - quality)
    kept = [
        rng.choice(others) if rng.random() < rate else word
        for word in words
        if rng.random() > rate / 4
    ]
    for i in range(1, len(kept)):
        if rng.random() < rate / 2:
            kept[i - 1], kept[i] = kept[i], kept[i - 1]
    return kept


def judge(qualities: dict[str, float], rng: Random) -> list[str]:
    """Rows of pairwise judgments."""
    rows = []
    for _ in range(JUDGMENTS_A_SYSTEM * len(qualities) // 2):
        first, second = rng.sample(sorted(qualities), 2)
        seen = [rng.gauss(qualities[name], NOISE) for name in (first, second)]
        ranks = "1\t1" if abs(seen[0] - seen[1]) < TIE else "1\t2" if seen[0] > seen[1] else "2\t1"
        rows.append(f"{first}\t{second}\t{ranks}")
    return rows


def write(path: Path, lines: Sequence[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")


def make(folder: Path, systems: int, testsets: int, segments: int, seed: int) -> None:
    """Write sheets, configuration, texts and judgments below a folder."""
    sheet = ["testset\tsource\ttarget\treference\tsystems\tjudgments\tjudgments_format"]
    width = len(str(systems))
    names = [f"system-{number:0{width}}" for number in range(1, systems + 1)]
    for number in range(1, testsets + 1):
        rng = Random(f"large {seed} {number}")
        target = LANGUAGES[number % len(LANGUAGES)]
        testset = f"large-{number}.{'en' if target != 'en' else 'de'}-{target}"
        words, weights = vocabulary(rng)
        reference = [
            rng.choices(words, cum_weights=weights, k=max(1, round(rng.gauss(WORDS_A_SEGMENT, 8))))
            for _ in range(segments)
        ]
        write(folder / testset / "reference.txt", [" ".join(segment) for segment in reference])
        qualities = {name: rng.random() for name in names}
        for name, quality in qualities.items():
            outputs = [worsen(segment, quality, words, rng) for segment in reference]
            lines = [" ".join(output) for output in outputs]
            write(folder / testset / "outputs" / f"{name}.txt", lines)
        header = "system1\tsystem2\trank1\trank2"
        write(folder / testset / "judgments.tsv", [header, *judge(qualities, rng)])
        sheet.append(
            f"{testset}\t{testset[-5:-3]}\t{target}\t{testset}/reference.txt"
            f"\t{testset}/outputs/{{system}}.txt\t{testset}/judgments.tsv\tpairwise"
        )
    write(folder / "testsets.tsv", sheet)
    write(folder / "config.yaml", CONFIG.splitlines())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--systems", type=int, default=200, help="a test set (200)")
    parser.add_argument("--testsets", type=int, default=10)
    parser.add_argument("--segments", type=int, default=100, help="a test set (100)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    make(args.folder, args.systems, args.testsets, args.segments, args.seed)


if __name__ == "__main__":
    main()
