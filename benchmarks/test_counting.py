"""Counting and BLEU of three layers, 20 systems × 2,500 segments, against sacreBLEU.

Both sides get the same layers; sacreBLEU keeps the n-grams of its references between systems.
"""

import subprocess
import sys
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from sacrebleu.metrics.bleu import BLEU

from benchmarks.texts import Layer, layers, make_testset
from morpos.io.files import write_segments
from morpos.scoring.metrics import Bleu
from morpos.scoring.ngrams import KERNELS, Interned, LayerCounts, References

ORDER = 4
Texts = dict[str, tuple[Layer, list[Layer]]]
in_memory = pytest.mark.benchmark(group="20 systems × 3 layers in memory", warmup=False)
from_files = pytest.mark.benchmark(group="20 systems × 3 layers from files, with the start")


@pytest.fixture(scope="module")
def texts() -> Texts:
    reference, systems = make_testset(segments=2500, systems=20)
    right, left = layers(reference), [layers(system) for system in systems]
    return {name: (right[name], [system[name] for system in left]) for name in right}


def bleu(counts: LayerCounts) -> float:
    return float(Bleu().score(Bleu().statistics(counts, ORDER).sum(axis=0)))


def interned(texts: Texts) -> list[tuple[References, list[Interned]]]:
    ready = [(References([reference]), systems) for reference, systems in texts.values()]
    return [(references, list(map(references.intern, systems))) for references, systems in ready]


def ours(ready: list[tuple[References, list[Interned]]], kernel: str) -> list[float]:
    return [
        bleu(counts)
        for references, own in ready
        for counts in references.count_interned(own, ORDER, kernel=kernel)
    ]


def theirs(ready: list[tuple[BLEU, list[list[str]]]]) -> list[float]:
    return [
        metric.corpus_score(own, None).score / 100 for metric, systems in ready for own in systems
    ]


def for_sacrebleu(texts: Texts) -> list[tuple[BLEU, list[list[str]]]]:
    return [
        (
            BLEU(tokenize="none", smooth_method="none", force=True, references=[_lines(reference)]),
            list(map(_lines, systems)),
        )
        for reference, systems in texts.values()
    ]


def _lines(layer: Layer) -> list[str]:
    return [" ".join(segment) for segment in layer]


@in_memory
@pytest.mark.parametrize("kernel", KERNELS)
def test_from_numbers(benchmark: BenchmarkFixture, texts: Texts, kernel: str) -> None:
    benchmark.pedantic(ours, (interned(texts), kernel), rounds=5)


@in_memory
@pytest.mark.parametrize("kernel", KERNELS)
def test_from_strings(benchmark: BenchmarkFixture, texts: Texts, kernel: str) -> None:
    benchmark.pedantic(lambda: ours(interned(texts), kernel), rounds=3)


@in_memory
def test_sacrebleu(benchmark: BenchmarkFixture, texts: Texts) -> None:
    ready = for_sacrebleu(texts)
    found = benchmark.pedantic(theirs, (ready,), rounds=2)
    assert found == pytest.approx(ours(interned(texts), "NumPy"), abs=1e-12)


OURS = """
import sys
from pathlib import Path
from morpos.io.files import read_units
from morpos.scoring.metrics import Bleu
from morpos.scoring.ngrams import References
for layer in ("word", "morpheme", "pos"):
    references = References([read_units(f"{sys.argv[1]}/reference.{layer}")])
    for path in sorted(Path(sys.argv[1]).glob(f"system-*.{layer}")):
        counts = references.count(read_units(path), 4)
        print(Bleu().score(Bleu().statistics(counts, 4).sum(axis=0)))
"""
THEIRS = """
import sys
from pathlib import Path
from sacrebleu.metrics.bleu import BLEU
def lines(path):
    return Path(path).read_text(encoding="utf-8").removesuffix("\\n").split("\\n")
for layer in ("word", "morpheme", "pos"):
    reference = lines(f"{sys.argv[1]}/reference.{layer}")
    metric = BLEU(tokenize="none", smooth_method="none", force=True, references=[reference])
    for path in sorted(Path(sys.argv[1]).glob(f"system-*.{layer}")):
        print(metric.corpus_score(lines(path), None).score / 100)
"""


@from_files
@pytest.mark.parametrize("program", [OURS, THEIRS], ids=["morpos", "sacrebleu"])
def test_from_files(
    benchmark: BenchmarkFixture, texts: Texts, tmp_path: Path, program: str
) -> None:
    for name, (reference, systems) in texts.items():
        write_segments(tmp_path / f"reference.{name}", _lines(reference))
        for number, system in enumerate(systems):
            write_segments(tmp_path / f"system-{number:02}.{name}", _lines(system))
    run = [sys.executable, "-c", program, str(tmp_path)]
    benchmark.pedantic(
        subprocess.run, (run,), {"check": True, "stdout": subprocess.DEVNULL}, rounds=2
    )
