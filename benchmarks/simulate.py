"""How tests of tests are judged: how often each test is wrong on data where it is known.

Every simulation draws data for which the null hypothesis holds and counts how often the test
rejects it at 5 %; for intervals, how often they miss the true value. Prints a table; the bounds in
it are those of the specification (paired tests on at least 500 segments and Williams' test on
normal data of at least 12 systems: 5 % ± 1.5; discrete permutation tests: at most 6.5 %). All else
is measured and published, not tuned.

    python benchmarks/simulate.py --simulations 2000
"""

import argparse
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy import sparse, stats

from morpos.evaluation.correlation import Interval, analytic_interval, coefficients
from morpos.evaluation.human_statistics import JudgmentStatistics
from morpos.evaluation.resampling import (
    SegmentStatistics,
    collect_statistics,
    resample_correlations,
    systems_interval,
)
from morpos.evaluation.significance import (
    PairTests,
    approximate_randomisation,
    bootstrap_tests,
    intervals,
    paired_bootstrap,
    permutation_both,
    permutation_tests,
    sign_flip_test,
    williams,
)
from morpos.scoring.metrics import Bleu, Component, Floats, FScore, Metric
from morpos.scoring.ngrams import Counts, Integers, LayerCounts, totals

ALPHA = 0.05
ORDER = 4


@dataclass(frozen=True)
class Size:
    """How much to simulate."""

    simulations: int
    samples: int
    seed: int


@dataclass(frozen=True)
class Rate:
    """How often a test erred."""

    design: str
    test: str
    bound: str
    wrong: int
    of: int


Simulation = Callable[[Size], Iterator[Rate]]
PAIRED, DISCRETE = "3.5-6.5 %", "<= 6.5 %"


def _rates(design: str, bounds: dict[str, str], wrong: Counter[str], of: int) -> Iterator[Rate]:
    for test, bound in bounds.items():
        yield Rate(design, test, bound, wrong[test], of)


# --- data --------------------------------------------------------------------------------------


def _layer(rng: np.random.Generator, length: Integers, quality: Floats) -> LayerCounts:
    """Counts of a system that matches each unit of a segment with the given probability.

    Args:
        length: units of each reference segment, 8 or more, (S,).
        quality: probability of a match in each segment, (S,).
    """
    hypothesis = length + rng.integers(-2, 3, size=len(length))
    possible = np.minimum(totals(hypothesis, ORDER), totals(length, ORDER))
    match = np.empty_like(possible)
    match[:, 0] = rng.binomial(possible[:, 0], quality)
    for n in range(1, ORDER):
        # An n-gram matches if one shorter does and the next unit too, more often than not.
        match[:, n] = rng.binomial(np.minimum(match[:, n - 1], possible[:, n]), quality**0.5)
    return LayerCounts(hypothesis, length[None], match[None], match)


def _metric(name: str, layer: str, bleu: bool = False) -> Metric:
    return Metric(name, (Bleu() if bleu else FScore(),), (Component(layer, 1, ORDER),))


def _equal_systems(rng: np.random.Generator, systems: int, segments: int) -> SegmentStatistics:
    """Systems that are equally good; segments differ in difficulty, alike for all systems."""
    length = rng.integers(8, 41, size=segments)
    quality = rng.beta(12, 8, size=segments)
    counts = {str(i): Counts({"word": _layer(rng, length, quality)}, {}) for i in range(systems)}
    return collect_statistics(counts, [_metric("F", "word"), _metric("BLEU", "word", bleu=True)])


def _exchangeable(rng: np.random.Generator, shape: tuple[int, ...]) -> tuple[Floats, ...]:
    """Human scores and two metrics, normal: r with the humans .7 each, with each other .6."""
    cov = np.array([[1, 0.7, 0.7], [0.7, 1, 0.6], [0.7, 0.6, 1]])
    return tuple(np.moveaxis(rng.multivariate_normal(np.zeros(3), cov, size=shape), -1, 0))


def _misses(interval: Interval, truth: float) -> bool:
    """An interval that does not exist misses."""
    if interval.low is None or interval.high is None:
        return True
    return not interval.low <= truth <= interval.high


# --- simulations -------------------------------------------------------------------------------


def paired_tests(size: Size, segments: int = 500) -> Iterator[Rate]:
    """Three equal systems: one pair for the rate of a single test, all pairs for Holm."""
    rng = np.random.default_rng(size.seed)
    wrong: Counter[str] = Counter()
    bounds: dict[str, str] = {}
    for run in range(size.simulations):
        p = _equal_systems(rng, 3, segments)
        tests: dict[str, PairTests] = {
            "bootstrap": paired_bootstrap(p, size.samples, run),
            "bootstrap, sacreBLEU's scheme": paired_bootstrap(p, size.samples, run, "sacrebleu"),
            "randomisation": approximate_randomisation(p, size.samples, run),
        }
        for name, result in tests.items():
            for m, metric in enumerate(result.metrics):
                single, family = f"{name}, {metric}", f"{name}, {metric}, any of 3 after Holm"
                bounds[single] = PAIRED if "sacre" not in name else "none"
                bounds[family] = "none"
                wrong[single] += bool(result.p[m, 0] <= ALPHA)
                wrong[family] += bool((result.p_holm[m] <= ALPHA).any())
    yield from _rates(f"equal systems, {segments} segments", bounds, wrong, size.simulations)


def score_intervals(size: Size, segments: int = 500) -> Iterator[Rate]:
    """95 % intervals of a corpus score; the truth is the score of very many segments."""
    rng = np.random.default_rng(size.seed)
    truth = _equal_systems(rng, 1, 400_000).scores()[:, 0]
    missed: Counter[str] = Counter()
    for run in range(size.simulations):
        result = intervals(_equal_systems(rng, 1, segments), size.samples, run)
        for m, metric in enumerate(result.metrics):
            inside = result.low[m, 0] <= truth[m] <= result.high[m, 0]
            missed[f"95 % interval of {metric}"] += not inside
    bounds = dict.fromkeys(sorted(missed), "none")
    yield from _rates(f"one system, {segments} segments", bounds, missed, size.simulations)


def williams_test(size: Size) -> Iterator[Rate]:
    """One-sided, all simulations at once."""
    for n in (6, 8, 12, 18, 25):
        rng = np.random.default_rng(size.seed)
        data = _exchangeable(rng, (10 * size.simulations, n))
        for kind in ("pearson", "spearman"):
            r1, r2, r12 = (
                coefficients(data[i], data[j], kind) for i, j in ((0, 1), (0, 2), (1, 2))
            )
            p = williams(r1, r2, r12, n)[1]
            bound = PAIRED if n >= 12 and kind == "pearson" else "none"
            name = "Williams" if kind == "pearson" else "Williams on ranks"
            yield Rate(f"normal, {n} systems", name, bound, int((p <= ALPHA).sum()), len(p))


def permutations_of_systems(size: Size) -> Iterator[Rate]:
    """All swaps for 8 and 12 systems, random ones for 18."""
    for n in (8, 12, 18):
        rng = np.random.default_rng(size.seed)
        human, one, two = _exchangeable(rng, (size.simulations, n))
        for kind in ("pearson", "spearman"):
            wrong = 0
            for run in range(size.simulations):
                metrics = {"one": one[run], "two": two[run]}
                (test,) = permutation_tests(metrics, human[run], kind, size.samples, run)
                wrong += test.p is not None and test.p <= ALPHA
            name = f"permutation of systems, {kind}"
            yield Rate(f"normal, {n} systems", name, DISCRETE, wrong, size.simulations)


def permutations_of_segments(size: Size, systems: int = 12, segments: int = 100) -> Iterator[Rate]:
    """Segment scores of two metrics: quality of the system, of the segment, and noise."""
    rng = np.random.default_rng(size.seed)
    wrong = 0
    for run in range(size.simulations):
        quality = rng.normal(size=systems)
        human = quality + 0.5 * rng.normal(size=systems)
        one, two = (
            quality[:, None] + rng.normal(size=segments) + 4 * rng.normal(size=(systems, segments))
            for _ in range(2)
        )
        metrics = {"one": one, "two": two}
        (test,) = permutation_both(metrics, human, "pearson", size.samples, run)
        wrong += test.p is not None and test.p <= ALPHA
    design = f"{systems} systems, {segments} segment scores"
    yield Rate(design, "permutation of segments and systems", DISCRETE, wrong, size.simulations)


def segments_drawn(size: Size, systems: int = 12, segments: int = 500) -> Iterator[Rate]:
    """Two metrics with the same expected scores, and human scores of every segment.

    The true ρ is that of very many segments: of the expected scores with the expected judgments.
    """
    rng = np.random.default_rng(size.seed)
    metrics = [_metric("one", "one"), _metric("two", "two")]
    names = tuple(str(i) for i in range(systems))
    ones = sparse.csr_array(np.ones((segments, systems)))
    wrong: Counter[str] = Counter()
    for run in range(size.simulations):
        quality = rng.uniform(0.5, 0.6, size=systems)
        humans = quality + rng.normal(scale=0.02, size=systems)
        length = rng.integers(8, 41, size=segments)
        difficulty = rng.normal(scale=0.1, size=segments)
        counts = {}
        for name, q in zip(names, quality, strict=True):
            match = np.clip(q + difficulty, 0.05, 0.95)
            layers = {layer: _layer(rng, length, match) for layer in ("one", "two")}
            counts[name] = Counts(layers, {})
        judged = humans + rng.normal(scale=0.3, size=(segments, systems))
        human = JudgmentStatistics("segment", names, sparse.csr_array(judged), ones, 1)
        drawn = resample_correlations(collect_statistics(counts, metrics), human, size.samples, run)
        result = drawn["spearman"]
        (test,) = bootstrap_tests(result)
        wrong["bootstrap of Δρ over segments"] += test.p is not None and test.p <= ALPHA
        truth = float(coefficients(quality, humans))
        first = result.intervals()[0]
        inside = (
            first.low is not None and first.high is not None and first.low <= truth <= first.high
        )
        wrong["95 % interval of ρ over segments"] += not inside
    design = f"{systems} systems, {segments} segments"
    yield from _rates(design, dict.fromkeys(sorted(wrong), "none"), wrong, size.simulations)


def intervals_over_systems(size: Size, r: float = 0.7) -> Iterator[Rate]:
    """Spearman's ρ of normal data with Pearson's r of .7."""
    truth = 6 / math.pi * math.asin(r / 2)
    for n in (10, 18, 25):
        rng = np.random.default_rng(size.seed)
        wrong: Counter[str] = Counter()
        for run in range(size.simulations):
            x, y = rng.multivariate_normal([0, 0], [[1, r], [r, 1]], size=n).T
            drawn = systems_interval(x, y, samples=size.samples, seed=run)
            analytic = analytic_interval(float(coefficients(x, y)), n)
            for name, interval in (("bootstrap", drawn), ("Bonett & Wright", analytic)):
                wrong[f"95 % interval over systems, {name}"] += _misses(interval, truth)
        bounds = dict.fromkeys(sorted(wrong), "none")
        yield from _rates(f"normal, {n} systems", bounds, wrong, size.simulations)


def over_testsets(size: Size) -> Iterator[Rate]:
    """As in the paper: 33 test sets, 15 blocks of (year, target language), which share effects."""
    blocks = [i % 15 for i in range(33)]
    wrong: Counter[str] = Counter()
    rng = np.random.default_rng(size.seed)
    for run in range(size.simulations):
        shared = rng.normal(scale=0.1, size=15)
        differences = shared[blocks] + rng.normal(scale=0.1, size=33)
        for name, given in (("blocked", blocks), ("as independent (optimistic)", None)):
            test = sign_flip_test(("one", "two"), differences.tolist(), given, size.samples, run)
            wrong[f"sign flips of test sets, {name}"] += test.p is not None and test.p <= ALPHA
    bounds = {name: DISCRETE if "blocked" in name else "none" for name in sorted(wrong)}
    yield from _rates("33 test sets in 15 blocks", bounds, wrong, size.simulations)


SIMULATIONS: dict[str, Simulation] = {
    "paired": paired_tests,
    "score-intervals": score_intervals,
    "williams": williams_test,
    "systems": permutations_of_systems,
    "segments": permutations_of_segments,
    "delta-rho": segments_drawn,
    "system-intervals": intervals_over_systems,
    "testsets": over_testsets,
}


def _wilson(wrong: int, of: int) -> tuple[float, float]:
    ci = stats.binomtest(wrong, of).proportion_ci(method="wilson")
    return float(ci.low), float(ci.high)


def main() -> None:
    """Run the simulations and print a table, tab-separated."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--simulations", type=int, default=2000, help="data sets a row (2000)")
    parser.add_argument("--samples", type=int, default=1000, help="resamples a test (1000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--only", nargs="+", choices=SIMULATIONS, default=list(SIMULATIONS), help="which ones"
    )
    args = parser.parse_args()
    size = Size(args.simulations, args.samples, args.seed)
    print(f"# {size}; rates in %, with Wilson's 95 % interval", flush=True)
    print("design", "test", "rate", "low", "high", "N", "bound", "seconds", sep="\t")
    for name in args.only:
        start = time.perf_counter()
        for rate in SIMULATIONS[name](size):
            low, high = _wilson(rate.wrong, rate.of)
            figures = [f"{100 * value:.2f}" for value in (rate.wrong / rate.of, low, high)]
            spent = f"{time.perf_counter() - start:.0f}"
            print(
                rate.design, rate.test, *figures, rate.of, rate.bound, spent, sep="\t", flush=True
            )


if __name__ == "__main__":
    main()
