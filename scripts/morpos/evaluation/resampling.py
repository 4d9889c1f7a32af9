"""Resampling: scores of all systems and metrics on many resamples of the segments at once.

A resample is a row of weights, one a segment. Statistics that can be added up over segments are
summed for all resamples by one matrix product; scores are then made of the sums, never by averaging
segment scores. Products of integers stay exact in float64 as long as sums stay below 2**53.

Everything random comes from a seed through `numpy.random.default_rng`, drawn as sacreBLEU 2.5 draws
(`sacrebleu.significance`), so that the same seed means the same resamples there and here.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from morpos.errors import MorposError
from morpos.evaluation.correlation import FEWEST_SYSTEMS, Interval, coefficients, pairs
from morpos.evaluation.defaults import SAMPLES, SEED
from morpos.evaluation.human_statistics import JudgmentStatistics
from morpos.io.progress import track
from morpos.scoring.metrics import Family, Floats, Metric
from morpos.scoring.ngrams import Counts, Integers

#: So many units have their signs flipped in all 2^n ways, more at random.
EXACT = 12
#: Memory that one chunk of resamples may take, in bytes.
BUDGET = 2**26


@dataclass(frozen=True)
class MetricPart:
    """One family on one layer, and where its statistics stand: columns of shape (N, 3, order)."""

    family: Family
    index: Integers


@dataclass(frozen=True)
class SegmentStatistics:
    """The statistics of N systems over S segments that M metrics need.

    Attributes:
        columns: (S, C), whole numbers; equal columns (the reference's, say) are kept once.
        parts: the distinct (family, layer, order) that the metrics are made of.
        terms: which parts each metric is made of, in the order of its families and components.
    """

    systems: tuple[str, ...]
    metrics: tuple[Metric, ...]
    columns: Floats
    parts: tuple[MetricPart, ...]
    terms: tuple[tuple[int, ...], ...]

    @property
    def segments(self) -> int:
        """S."""
        return int(self.columns.shape[0])

    def combine(self, scores: Sequence[Floats]) -> Floats:
        """The metrics, from one array of scores a part: P times (B, ...) to (B, M, ...)."""
        combined = []
        for metric, terms in zip(self.metrics, self.terms, strict=True):
            weights = [c.weight for _ in metric.families for c in metric.components]
            combined.append(metric.mean(zip(weights, (scores[t] for t in terms), strict=True)))
        return np.stack(combined, axis=1)

    def score(self, weights: NDArray[Any]) -> Floats:
        """Corpus scores in 0..1 of weighted segments: shape (B, S) to (B, M, N)."""
        sums = weights.astype(np.float64) @ self.columns
        return self.combine([part.family.score(sums[:, part.index]) for part in self.parts])

    def scores(self) -> Floats:
        """Corpus scores in 0..1 of the whole text: shape (M, N)."""
        return np.asarray(self.score(np.ones((1, self.segments)))[0])


def collect_statistics(
    counts: Mapping[str, Counts], metrics: Sequence[Metric]
) -> SegmentStatistics:
    """Collect what the metrics need from the counts of the systems of one test set.

    Raises:
        MorposError: the systems differ in their number of segments, or there is none; something
            that a metric needs was not counted.
    """
    if not counts or not metrics:
        raise MorposError("nothing to resample: no system or no metric")
    for metric in metrics:
        for system in counts.values():
            metric.require(system)
    columns: dict[bytes, int] = {}
    parts: dict[tuple[Family, str, int], int] = {}
    made, terms = [], []
    for metric in metrics:
        keys = [(f, c.layer, c.order) for f in metric.families for c in metric.components]
        for family, layer, order in keys:
            if (family, layer, order) in parts:
                continue
            parts[family, layer, order] = len(parts)
            index = []
            for system in counts.values():
                statistics = family.statistics(system.layers[layer], order)
                flat = statistics.reshape(len(statistics), -1).T.astype(np.int64, order="C")
                index.append([columns.setdefault(c.tobytes(), len(columns)) for c in flat])
            made.append(MetricPart(family, np.array(index).reshape(len(counts), 3, order)))
        terms.append(tuple(parts[key] for key in keys))
    table = [np.frombuffer(column, dtype=np.int64) for column in columns]
    if len({len(column) for column in table}) > 1:
        raise MorposError("the systems have different numbers of segments")
    return SegmentStatistics(
        tuple(counts),
        tuple(metrics),
        np.stack(table, axis=1).astype(np.float64),
        tuple(made),
        tuple(terms),
    )


# --- drawing -----------------------------------------------------------------------------------


def chunk_rows(width: int) -> int:
    """How many resamples fit into memory if each takes so many numbers."""
    # A multiple of 32, because booleans are drawn 32 at a time.
    return max(32, BUDGET // (8 * width) // 32 * 32)


def chunks(samples: int, rows: int) -> Iterator[int]:
    """Sizes of at most `rows` that add up to `samples`."""
    for start in track(range(0, samples, rows), "Resampling"):
        yield min(rows, samples - start)


def bootstrap(segments: int, samples: int, seed: int, rows: int = 256) -> Iterator[Floats]:
    """Weights of resamples with replacement: arrays of shape (<= rows, S), each row sums to S."""
    rng = np.random.default_rng(seed)
    for size in chunks(samples, rows):
        drawn = rng.choice(segments, size=(size, segments), replace=True)
        drawn += np.arange(size)[:, None] * segments
        flat = np.bincount(drawn.ravel(), minlength=size * segments)
        yield flat.reshape(size, segments).astype(np.float64)


def draw_swaps(
    shape: tuple[int, ...], samples: int, seed: int, rows: int = 256
) -> Iterator[Floats]:
    """0 or 1 for each item, at random: arrays of shape (<= rows, *shape).

    1: a segment stays with its system; 0: two systems swap it. `rows` is a multiple of 32, or the
    stream is not that of one draw.
    """
    rng = np.random.default_rng(seed)
    for size in chunks(samples, rows):
        yield rng.integers(2, size=(size, *shape), dtype=bool).astype(np.float64)


def draw_signs(units: int, samples: int, seed: int) -> tuple[Floats, bool]:
    """Signs -1 and 1 of shape (B, units), and whether they are all there are (up to 12 units).

    If so, the first sign stays 1: the other half are the negatives of this half, so any two-sided
    statistic has the same share in both.
    """
    if units <= EXACT:
        bits = np.arange(2 ** max(0, units - 1))[:, None] >> np.arange(units) & 1
        return np.where(bits[:, ::-1] == 1, -1.0, 1.0), True
    return 1 - 2 * next(draw_swaps((units,), samples, seed, samples)), False


def bootstrap_scores(statistics: SegmentStatistics, samples: int, seed: int = SEED) -> Floats:
    """Corpus scores in 0..1 on bootstrap resamples: shape (B, M, N)."""
    rows = chunk_rows(statistics.segments + _width(statistics, len(statistics.systems)))
    weights = bootstrap(statistics.segments, samples, seed, rows)
    return np.concatenate([statistics.score(w) for w in weights])


def swapped_differences(
    statistics: SegmentStatistics, samples: int, seed: int = SEED
) -> Iterator[Floats]:
    """Score differences of all pairs i < j whose segments were swapped at random.

    The sum of a pseudo-system is kept_i + (total_j - kept_j): one matrix product serves all pairs.

    Yields:
        Arrays of shape (b, M, pairs), pairs in the order of `pairs`.
    """
    first, second = pairs(len(statistics.systems))
    total = statistics.columns.sum(axis=0)
    rows = chunk_rows(statistics.segments + 2 * _width(statistics, len(first)))
    for keep in draw_swaps((statistics.segments,), samples, seed, rows):
        kept = keep @ statistics.columns
        rest = total - kept
        differences = []
        for part in statistics.parts:
            own, other = kept[:, part.index], rest[:, part.index]
            one = part.family.score(own[:, first] + other[:, second])
            two = part.family.score(own[:, second] + other[:, first])
            differences.append(one - two)
        yield statistics.combine(differences)


def _width(statistics: SegmentStatistics, items: int) -> int:
    # Numbers a resample: its sums, and for one part at a time the statistics, thrice for the
    # steps in between.
    largest = max(int(part.index[0].size) for part in statistics.parts)
    scores = len(statistics.parts) + len(statistics.metrics)
    return int(statistics.columns.shape[1]) + items * (3 * largest + scores)


# --- correlations ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Resampled:
    """Coefficients of all metrics on the same resamples of segments.

    Attributes:
        observed: (M,) of the whole text, NaN if undefined; drawn: (B, M).
        human: joint (segments bring their judgments) or fixed.
        missing: share of systems that had no human score in a resample, over all resamples.
    """

    metrics: tuple[str, ...]
    systems: tuple[str, ...]
    kind: str
    observed: Floats
    drawn: Floats
    human: str
    missing: float
    segments: int
    seed: int

    @property
    def method(self) -> str:
        """How the resamples were made, in words."""
        return f"{self.kind}, bootstrap over segments, human scores {self.human}"

    def intervals(self, level: float = 0.95) -> list[Interval]:
        """Percentile intervals over segments, one a metric."""
        return [
            percentile_interval(value, drawn, level, self.segments, self.method, self.seed)
            for value, drawn in zip(self.observed, self.drawn.T, strict=True)
        ]


def percentile_interval(
    value: float, drawn: Floats, level: float, n: int, method: str, seed: int
) -> Interval:
    """The middle `level` of resampled values, shape (B,); NaN among them are left out, counted."""
    known = drawn[~np.isnan(drawn)]
    undefined = 1 - len(known) / len(drawn)
    shown, low, high, note = None, None, None, "undefined"
    if not math.isnan(value):
        shown, note = float(value), "undefined in all resamples"
        if len(known):
            low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2]).tolist()
            note = ""
    return Interval(shown, low, high, level, n, undefined, method, len(drawn), seed, note)


def resample_correlations(
    statistics: SegmentStatistics,
    human: JudgmentStatistics | Mapping[str, float],
    samples: int = SAMPLES,
    seed: int = SEED,
    kinds: Sequence[str] = ("spearman",),
) -> dict[str, Resampled]:
    """Coefficients by kind on the same bootstrap resamples of segments, for intervals and tests.

    A segment drawn k times brings its counts k times. Human scores as statistics (of the same
    segments) bring the judgments of that segment k times too; given as numbers they stay fixed. A
    system without a human score in a resample leaves that resample.

    Raises:
        ValueError: the human scores are over other segments.
    """
    fixed = not isinstance(human, JudgmentStatistics)
    if isinstance(human, JudgmentStatistics):
        if human.units != statistics.segments:
            raise ValueError("the human scores are not over the segments of the systems")
        scores = dict(zip(human.systems, human.scores().tolist(), strict=True))
    else:
        scores = dict(human)
    known = [
        i for i, name in enumerate(statistics.systems) if not math.isnan(scores.get(name, math.nan))
    ]
    systems = tuple(statistics.systems[i] for i in known)
    full = np.array([scores[name] for name in systems])
    drawn: dict[str, list[Floats]] = {kind: [] for kind in kinds}
    missing = 0
    for weights in bootstrap(statistics.segments, samples, seed):
        judged = np.broadcast_to(full, (len(weights), len(full)))
        if isinstance(human, JudgmentStatistics):
            judged = human.score(weights)[:, [human.systems.index(name) for name in systems]]
        missing += int(np.isnan(judged).sum())
        scored = statistics.score(weights)[:, :, known]
        for kind in kinds:
            drawn[kind].append(coefficients(scored, judged[:, None, :], kind))
    return {
        kind: Resampled(
            tuple(metric.name for metric in statistics.metrics),
            systems,
            kind,
            coefficients(statistics.scores()[:, known], full, kind),
            np.concatenate(drawn[kind]),
            "fixed" if fixed else "joint",
            missing / (samples * len(systems)) if systems else 0.0,
            statistics.segments,
            seed,
        )
        for kind in kinds
    }


def systems_interval(
    metric: ArrayLike,
    human: ArrayLike,
    kind: str = "spearman",
    samples: int = SAMPLES,
    seed: int = SEED,
    level: float = 0.95,
) -> Interval:
    """Percentile interval over systems, drawn with replacement.

    None for fewer than 10 systems. A system drawn twice is tied with itself, which the sample never
    was: show `analytic_interval` beside it.
    """
    x, y = np.asarray(metric), np.asarray(human)
    n, value = len(x), float(coefficients(x, y, kind))
    method = f"{kind}, bootstrap over systems"
    if n < FEWEST_SYSTEMS:
        note = f"only {n} systems; an interval over systems needs {FEWEST_SYSTEMS}"
        shown = None if math.isnan(value) else value
        return Interval(shown, None, None, level, n, 0.0, method, 0, seed, note)
    drawn = np.random.default_rng(seed).choice(n, size=(samples, n), replace=True)
    return percentile_interval(
        value, coefficients(x[drawn], y[drawn], kind), level, n, method, seed
    )


# --- sensitivity -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Stability:
    """How far a ranking by fewer segments is like the one by all.

    Attributes:
        mean, low: mean and 5 % quantile of Kendall's τ-b over random choices of so many segments:
            shape (sizes, M), NaN if undefined.
    """

    metrics: tuple[str, ...]
    sizes: tuple[int, ...]
    mean: Floats
    low: Floats
    samples: int
    seed: int

    def stable(self, tau: float = 0.9) -> NDArray[np.bool_]:
        """Whether from this size on 95 % of the choices reach τ-b: shape (sizes, M)."""
        return np.asarray(np.logical_and.accumulate((self.low >= tau)[::-1], axis=0)[::-1])


def stability(
    statistics: SegmentStatistics, sizes: Sequence[int], samples: int = 200, seed: int = SEED
) -> Stability:
    """How many segments give a stable ranking? Segments are chosen without replacement.

    Raises:
        ValueError: a size is not in 1..S.
    """
    if not all(1 <= size <= statistics.segments for size in sizes):
        raise ValueError(f"sizes must lie in 1..{statistics.segments}")
    rng = np.random.default_rng(seed)
    full = statistics.scores()
    taus = []
    for size in sizes:
        chosen = np.tile(np.arange(statistics.segments) < size, (samples, 1))
        taus.append(coefficients(statistics.score(rng.permuted(chosen, axis=1)), full, "kendall"))
    tau = np.array(taus)  # (sizes, B, M)
    names = tuple(metric.name for metric in statistics.metrics)
    low = np.quantile(tau, 0.05, axis=1)
    return Stability(names, tuple(sizes), tau.mean(axis=1), low, samples, seed)


def with_order(metric: Metric, order: int) -> Metric:
    """The metric with another N in all layers."""
    components = tuple(replace(c, order=order) for c in metric.components)
    return replace(metric, name=f"{metric.name}[N={order}]", components=components)


def with_weights(metric: Metric, steps: int) -> Iterator[Metric]:
    """The metric with all weights of its layers that are multiples of 1/steps and add up to 1."""
    layers = len(metric.components)
    for bars in combinations(range(steps + layers - 1), layers - 1):
        edges = (-1, *bars, steps + layers - 1)
        parts = [after - before - 1 for before, after in pairwise(edges)]
        components = tuple(
            replace(c, weight=part / steps)
            for c, part in zip(metric.components, parts, strict=True)
        )
        name = f"{metric.name}[{','.join(f'{part}/{steps}' for part in parts)}]"
        yield replace(metric, name=name, components=components)
