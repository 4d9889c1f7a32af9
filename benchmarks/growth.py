"""How time and memory grow: with systems, segments and the order. CPU seconds, MB at most.

    python -m benchmarks.growth

Each line is measured in a process of its own; its memory holds the interpreter and the texts too.
"""

import multiprocessing
import resource
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.texts import cpu, layers, make_testset
from morpos.io.files import write_json
from morpos.io.text import CHANGES
from morpos.scoring import ngrams
from morpos.scoring.metrics import DEFAULT_TABLE
from morpos.workflow import steps

METRICS = DEFAULT_TABLE
Result = tuple[float, float]


def counting(segments: int, order: int) -> Result:
    """One system, words, from lists of strings."""
    reference, (system,) = make_testset(segments, systems=1)
    right, left = layers(reference)["word"], layers(system)["word"]
    start = cpu()
    ngrams.count(left, [right], order)
    return cpu() - start, _memory()


def scoring(systems: int, segments: int) -> Result:
    """The step `scores`: all metrics of a test set, corpus and segments, from files."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [f"{folder}/{number:03}.npz" for number in range(systems)]
        _write_counts(paths, segments, folder)
        output = [f"--{kind}={folder}/{kind}.tsv" for kind in ("scores", "texts")]
        output.append(f"--segments={folder}/segments.tsv.gz")
        inputs = ["--metrics", str(METRICS), "--references", f"{folder}/reference.json"]
        start = cpu()
        assert not steps.main(["scores", "--testset=x", *inputs, *output, "--", *paths])
        return cpu() - start, _memory()


def _write_counts(paths: list[str], segments: int, folder: str) -> None:
    reference, (system,) = make_testset(segments, systems=1)
    right = layers(reference)
    counted = {
        name: ngrams.count(layer, [right[name]], 4) for name, layer in layers(system).items()
    }
    facts: dict[str, Any] = {
        "source": "x",
        "left_out": None,
        "segments": segments,
        "empty_segments": 0,
    }
    facts |= {"ids": None, "notes": [], "changes": dict.fromkeys(CHANGES, 0)}
    write_json(f"{folder}/reference.json", facts | {"name": "reference"})
    for path in paths:
        meta = {"text": facts | {"name": Path(path).stem}, "signature": "tok:none"}
        ngrams.save(path, ngrams.Counts(counted, meta))


def _memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(run: Callable[[int, int], Result], *sizes: int) -> Result:
    # Spawned, so that the memory is the measured step's own.
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(run, sizes)


def main() -> None:
    print(f"counting by {ngrams.KERNEL}")
    for segments in (1_000, 10_000, 100_000):
        seconds, memory = measure(counting, segments, 4)
        print(f"count, {segments:7,} segments, N = 4: {seconds:7.3f} s {memory:6.0f} MB")
    for order in (1, 2, 4, 8, 16):
        seconds, memory = measure(counting, 10_000, order)
        print(f"count,  10,000 segments, N = {order:2}: {seconds:7.3f} s {memory:6.0f} MB")
    for systems in (10, 50, 200):
        seconds, memory = measure(scoring, systems, 3_000)
        print(f"scores, {systems:3} systems × 3,000 segments: {seconds:7.2f} s {memory:6.0f} MB")


if __name__ == "__main__":
    main()
