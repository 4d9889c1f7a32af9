"""Is one system better than another, by one metric, and one metric better than another?

Systems are compared in all pairs and by all metrics at once.

Two schemes turn resamples into a p value; both are p = (1 + number of extremes) / (1 + samples):

- `two-sided`: extreme is |d* - d| >= |d| (bootstrap, centred on the observed difference d) or
  |d*| >= |d| (randomisation). Ties count as extreme, so two equal outputs get p = 1.
- `sacrebleu`: what sacreBLEU 2.5 does, to compare with it. Bootstrap: |d*| - mean |d*| > |d|, which
  counts one tail only: its p is about half of the two-sided one. Randomisation: |d*| > |d|, so that
  two equal outputs get the smallest p there is. sacreBLEU sums in float32 for the bootstrap: its
  sums, and with them its p values, are exact only while they stay below 2**24.

Sources: Koehn (EMNLP 2004); Riezler & Maxwell (2005); Clark et al. (ACL 2011); Holm (1979).
"""

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from morpos.evaluation.correlation import coefficients, correlate, pairs
from morpos.evaluation.defaults import SAMPLES, SEED
from morpos.evaluation.human_statistics import segment_matrix
from morpos.evaluation.resampling import (
    Resampled,
    SegmentStatistics,
    bootstrap_scores,
    chunk_rows,
    draw_signs,
    draw_swaps,
    swapped_differences,
)
from morpos.human.judgments import Ranking, Rating
from morpos.human.scores import compare_outputs, tally
from morpos.scoring.metrics import Floats
from morpos.scoring.ngrams import Integers

Scheme = Literal["two-sided", "sacrebleu"]

#: Differences of scores in 0..1 that agree so far are equal: below it lies rounding.
TOLERANCE = 1e-12


@dataclass(frozen=True)
class Intervals:
    """Corpus scores in 0..1 with percentile intervals; `value`, `low`, `high` are (M, N)."""

    metrics: tuple[str, ...]
    systems: tuple[str, ...]
    value: Floats
    low: Floats
    high: Floats
    level: float
    segments: int
    samples: int
    seed: int


@dataclass(frozen=True)
class PairTests:
    """Tests of all pairs of systems i < j with all metrics; arrays have the shape (M, pairs).

    Attributes:
        test: bootstrap or randomisation.
        scores: (M, N), 0..1.
        difference: score of the first system minus that of the second.
        p: two-sided, unless the scheme is sacrebleu (see above).
        p_holm: p adjusted for all pairs of systems, one family a metric (and test set).
    """

    test: Literal["bootstrap", "randomisation"]
    scheme: Scheme
    metrics: tuple[str, ...]
    systems: tuple[str, ...]
    scores: Floats
    difference: Floats
    p: Floats
    p_holm: Floats
    segments: int
    samples: int
    seed: int

    def matrix(self, values: Floats) -> Floats:
        """One of the arrays as symmetric matrices: shape (M, pairs) to (M, N, N), 1 between equals.

        Meant for p values.
        """
        n = len(self.systems)
        first, second = pairs(n)
        square = np.ones((len(values), n, n))
        square[:, first, second] = square[:, second, first] = values
        return square

    def clusters(self, alpha: float = 0.05) -> Integers:
        """The cluster of each system by each metric, 1 is best, from `p_holm`: shape (M, N)."""
        adjusted = self.matrix(self.p_holm)
        return np.stack(
            [clusters(*both, alpha) for both in zip(self.scores, adjusted, strict=True)]
        )

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row a metric and pair, for a table."""
        first, second = pairs(len(self.systems))
        smallest = len(first) / (1 + self.samples)
        note = "" if smallest < 0.05 else f"too few samples: p_holm is never below {smallest:.2g}"
        for m, metric in enumerate(self.metrics):
            for k, (i, j) in enumerate(zip(first, second, strict=True)):
                yield {
                    "metric": metric,
                    "system": self.systems[i],
                    "other": self.systems[j],
                    "difference": float(self.difference[m, k]),
                    "p": float(self.p[m, k]),
                    "p_holm": float(self.p_holm[m, k]),
                    "n": self.segments,
                    "samples": self.samples,
                    "seed": self.seed,
                    "method": f"{self.test}, {self.scheme}",
                    "note": note if self.difference[m, k] else "the scores are equal",
                }


def intervals(
    statistics: SegmentStatistics, samples: int = SAMPLES, seed: int = SEED, level: float = 0.95
) -> Intervals:
    """Percentile bootstrap intervals of all corpus scores over segments (Koehn 2004)."""
    scores = bootstrap_scores(statistics, samples, seed)
    low, high = np.quantile(scores, [(1 - level) / 2, (1 + level) / 2], axis=0)
    names = tuple(metric.name for metric in statistics.metrics)
    return Intervals(
        names,
        statistics.systems,
        statistics.scores(),
        low,
        high,
        level,
        statistics.segments,
        samples,
        seed,
    )


def paired_bootstrap(
    statistics: SegmentStatistics,
    samples: int = SAMPLES,
    seed: int = SEED,
    scheme: Scheme = "two-sided",
) -> PairTests:
    """Paired bootstrap of all pairs of systems: the same segments are drawn for both."""
    first, second = pairs(len(statistics.systems))
    scores = statistics.scores()
    extreme = []
    by_metric = bootstrap_scores(statistics, samples, seed).swapaxes(0, 1)
    for observed, drawn in zip(scores, by_metric, strict=True):
        d = observed[first] - observed[second]
        resampled = drawn[:, first] - drawn[:, second]
        if scheme == "sacrebleu":
            size = np.abs(resampled)
            counted = size - size.mean(axis=0) > np.abs(d)
        else:
            counted = np.abs(resampled - d) >= np.abs(d) - TOLERANCE
        extreme.append(counted.sum(axis=0))
    return _tests("bootstrap", scheme, statistics, scores, np.stack(extreme), samples, seed)


def approximate_randomisation(
    statistics: SegmentStatistics,
    samples: int = SAMPLES,
    seed: int = SEED,
    scheme: Scheme = "two-sided",
) -> PairTests:
    """Approximate randomisation of all pairs: two systems swap their outputs of random segments."""
    first, second = pairs(len(statistics.systems))
    scores = statistics.scores()
    d = np.abs(scores[:, first] - scores[:, second])
    extreme = np.zeros(d.shape, dtype=np.int64)
    for swapped in swapped_differences(statistics, samples, seed):
        size = np.abs(swapped)
        extreme += (size > d if scheme == "sacrebleu" else size >= d - TOLERANCE).sum(axis=0)
    return _tests("randomisation", scheme, statistics, scores, extreme, samples, seed)


def one_sided(statistics: SegmentStatistics, samples: int = SAMPLES, seed: int = SEED) -> Floats:
    """How likely swapping at random makes i so much better than j, as mid-p: shape (M, N, N).

    (number above + half the number equal) / samples, so that p_ij = 1 - p_ji.
    """
    n = len(statistics.systems)
    first, second = pairs(n)
    scores = statistics.scores()
    d = scores[:, first] - scores[:, second]
    counted = np.zeros(d.shape)
    for swapped in swapped_differences(statistics, samples, seed):
        counted += above(swapped, d).sum(axis=0)
    p = np.full((len(scores), n, n), 0.5)
    p[:, first, second] = counted / samples
    p[:, second, first] = 1 - counted / samples
    return p


def above(drawn: Floats, observed: Floats) -> Floats:
    """1 where drawn > observed, 1/2 where they are equal, else 0."""
    return np.asarray(
        (1 + np.sign(np.where(np.abs(drawn - observed) < TOLERANCE, 0.0, drawn - observed))) / 2
    )


def _tests(
    test: Literal["bootstrap", "randomisation"],
    scheme: Scheme,
    statistics: SegmentStatistics,
    scores: Floats,
    extreme: Integers,
    samples: int,
    seed: int,
) -> PairTests:
    first, second = pairs(len(statistics.systems))
    p = p_value(extreme, samples)
    return PairTests(
        test,
        scheme,
        tuple(metric.name for metric in statistics.metrics),
        statistics.systems,
        scores,
        scores[:, first] - scores[:, second],
        p,
        holm(p),
        statistics.segments,
        samples,
        seed,
    )


def p_value(extreme: Integers, samples: int) -> Floats:
    """(1 + extremes) / (1 + samples): the observed order is one of the possible ones."""
    return np.asarray((1 + extreme) / (1 + samples))


def holm(p: Floats) -> Floats:
    """Holm's step-down adjustment within the last axis; NaN (no test) stays and does not count."""
    order = np.argsort(p, axis=-1)  # NaN last
    ordered = np.take_along_axis(p, order, axis=-1)
    left = (~np.isnan(p)).sum(axis=-1, keepdims=True) - np.arange(p.shape[-1])
    stepped = np.minimum(1.0, np.maximum.accumulate(left * ordered, axis=-1))
    adjusted = np.empty_like(stepped)
    np.put_along_axis(adjusted, order, stepped, axis=-1)
    return adjusted


def clusters(scores: Floats, p: Floats, alpha: float = 0.05) -> Integers:
    """Rank clusters by the WMT rule, 1 is best.

    From the best system down, a new cluster begins at a system that is significantly worse than
    all above it.

    Args:
        scores: (N,), higher is better.
        p: (N, N), symmetric.

    Returns:
        The number of each system's cluster: (N,).
    """
    order = np.argsort(-scores, kind="stable")
    result = np.empty(len(scores), dtype=np.int64)
    cluster = 1
    for place, system in enumerate(order):
        above = order[:place]
        worse = (p[system, above] < alpha) & (scores[system] < scores[above])
        cluster += int(place > 0 and worse.all())
        result[system] = cluster
    return result


# --- soft pairwise accuracy --------------------------------------------------------------------

#: What the two sources of human p values are called.
SPA = "SPA"
SPA_OF_RANKINGS = "own variant of SPA: signs of direct comparisons flip"


@dataclass(frozen=True)
class SoftPairwiseAccuracy:
    """1 - mean |p_human - p_metric| over pairs of systems, 0..1.

    Attributes:
        n: systems; pairs: those used; left_out: those without any human comparison.
        method: where the human p values come from.
    """

    value: float | None
    n: int
    pairs: int
    left_out: int
    method: str
    samples: int
    seed: int
    note: str


def soft_pairwise_accuracy(
    p_metric: Floats, p_human: Floats, method: str, samples: int = SAMPLES, seed: int = SEED
) -> SoftPairwiseAccuracy:
    """SPA (Thompson et al., WMT 2024) of one metric.

    Args:
        p_metric: (N, N), from `one_sided` of the same systems.
        p_human: (N, N), from `p_of_ratings` (method `SPA`) or `p_of_rankings` (`SPA_OF_RANKINGS`).
        method, samples, seed: what is to be said about them.
    """
    first, second = pairs(len(p_human))
    gap = np.abs(p_human - p_metric)[first, second]
    known = ~np.isnan(gap)
    n = int(known.sum())
    return SoftPairwiseAccuracy(
        float(1 - gap[known].mean()) if n else None,
        len(p_human),
        n,
        len(gap) - n,
        method,
        samples,
        seed,
        "" if n else "no pair of systems was compared by humans",
    )


def p_of_ratings(
    ratings: Iterable[Rating], systems: Sequence[str], samples: int = SAMPLES, seed: int = SEED
) -> Floats:
    """One-sided mid-p that i is so much better than j by direct scores: (N, N), NaN if unknown.

    The two systems swap their mean scores of a segment at random; segments that only one of them
    has do not count.
    """
    ratings = list(ratings)
    last = max((rating.segment or 0 for rating in ratings), default=0)
    scores = segment_matrix(ratings, systems, last)
    first, second = pairs(len(systems))
    differences = scores[first] - scores[second]  # (pairs, segments)
    known = (~np.isnan(differences)).any(axis=1)
    differences = np.nan_to_num(differences)
    # Scaled so that sums lie in -1..1, where TOLERANCE is meant.
    differences /= np.maximum(np.abs(differences).sum(axis=1, keepdims=True), 1e-300)
    counted = np.zeros(len(first))
    for keep in draw_swaps((scores.shape[1],), samples, seed):
        signs = 2 * keep - 1
        counted += above(signs @ differences.T, differences.sum(axis=1)).sum(axis=0)
    return _one_sided_matrix(np.where(known, counted / samples, np.nan), len(systems))


def p_of_rankings(rankings: Iterable[Ranking], systems: Sequence[str]) -> Floats:
    """The same for rankings, a variant of our own: signs of direct comparisons i against j flip.

    Exact: of n comparisons that are not ties, i wins Binomial(n, 1/2). NaN for pairs that were
    never compared directly; pairs with ties only have 1/2.
    """
    table = tally(compare_outputs(rankings))
    first, second = pairs(len(systems))
    p = np.full(len(first), np.nan)
    for k, (i, j) in enumerate(zip(first, second, strict=True)):
        t = table.get(systems[i], {}).get(systems[j])
        if t and t.comparisons:
            chance = stats.binom(t.decided, 0.5)
            p[k] = chance.sf(t.wins) + chance.pmf(t.wins) / 2
    return _one_sided_matrix(p, len(systems))


def _one_sided_matrix(p: Floats, n: int) -> Floats:
    first, second = pairs(n)
    matrix = np.full((n, n), 0.5)
    matrix[first, second], matrix[second, first] = p, 1 - p
    return matrix


# --- metric against metric ---------------------------------------------------------------------


@dataclass(frozen=True)
class MetricTest:
    """Is the first metric better than the second?

    Attributes:
        difference: coefficient of the first minus that of the second.
        p, p_holm: None if undefined; `p_holm` is set by `adjust_holm`.
        sides: 1: the first is better; 2: they differ.
        n: systems, segments or test sets, see `method`.
        samples: resamples used, 0 if none was needed; exact permutations count as samples.
    """

    first: str
    second: str
    difference: float | None
    p: float | None
    p_holm: float | None
    sides: int
    n: int
    method: str
    samples: int
    seed: int | None
    note: str


def adjust_holm(tests: Iterable[MetricTest]) -> list[MetricTest]:
    """The tests with Holm's adjustment over all of them; undefined ones do not count."""
    tests = list(tests)
    p = holm(np.array([math.nan if test.p is None else test.p for test in tests]))
    return [
        replace(test, p_holm=None if math.isnan(value) else float(value))
        for test, value in zip(tests, p, strict=True)
    ]


def williams(r1: ArrayLike, r2: ArrayLike, r12: ArrayLike, n: int) -> tuple[Floats, Floats]:
    """Williams' test of two dependent correlations that share a variable, one-sided.

    t = (r1 - r2) sqrt((n - 1)(1 + r12) / (2 K (n - 1)/(n - 3) + (r1 + r2)²/4 (1 - r12)³)), with
    K = 1 - r1² - r2² - r12² + 2 r1 r2 r12, df = n - 3 (Williams 1959; Graham & Baldwin 2014).

    Args:
        r1, r2: Pearson's r of two metrics with the human scores.
        r12: Pearson's r of the two metrics.
        n: systems, at least 4.

    Returns:
        t, and p that the first is not better; NaN where the formula has no value.
    """
    r1, r2, r12 = np.broadcast_arrays(*(np.asarray(r, dtype=np.float64) for r in (r1, r2, r12)))
    k = 1 - r1**2 - r2**2 - r12**2 + 2 * r1 * r2 * r12
    # K is a determinant and never negative but for rounding.
    below = 2 * np.maximum(k, 0) * (n - 1) / (n - 3) + (r1 + r2) ** 2 / 4 * (1 - r12) ** 3
    square = np.divide(
        (n - 1) * (1 + r12), below, out=np.full(below.shape, np.nan), where=below > TOLERANCE
    )
    t = (r1 - r2) * np.sqrt(square)
    return t, np.asarray(stats.t.sf(t, n - 3))


def williams_tests(
    metrics: Mapping[str, ArrayLike], human: ArrayLike, *, ranks: bool = False
) -> list[MetricTest]:
    """Williams' test of all ordered pairs of metrics, one-sided, with Holm over all of them.

    Args:
        metrics: scores of the same systems as `human`.
        ranks: on ranks instead of scores: approximate, since the test assumes normal data.
    """
    n = len(np.asarray(human))
    kind = "spearman" if ranks else "pearson"
    method = "Williams, " + ("on ranks (approximate)" if ranks else "pearson")
    r = {name: correlate(scores, human, kind) for name, scores in metrics.items()}
    tests = []
    for one, two in permutations(metrics, 2):
        a, b = r[one].value, r[two].value
        between = correlate(metrics[one], metrics[two], kind).value
        difference, p, note = None, None, ""
        if a is None or b is None or between is None:
            note = r[one].note or r[two].note
        else:
            difference = a - b
            if n < 4:
                note = f"only {n} systems; Williams' test needs 4"
            elif math.isnan(value := float(williams(a, b, between, n)[1])):
                note = "the two metrics are linear in each other"
            else:
                p = value
        tests.append(MetricTest(one, two, difference, p, None, 1, n, method, 0, None, note))
    return adjust_holm(tests)


def bootstrap_tests(resampled: Resampled) -> list[MetricTest]:
    """Do two metrics differ? Paired bootstrap over segments of all pairs, with Holm.

    Two-sided: extreme is |Δ* - Δ| >= |Δ|. Resamples in which either is undefined are left out.
    """
    tests = []
    for i, j in combinations(range(len(resampled.metrics)), 2):
        observed = float(resampled.observed[i] - resampled.observed[j])
        drawn = resampled.drawn[:, i] - resampled.drawn[:, j]
        drawn = drawn[~np.isnan(drawn)]
        extreme = np.abs(drawn - observed) >= abs(observed) - TOLERANCE
        defined = bool(len(drawn)) and not math.isnan(observed)
        tests.append(
            MetricTest(
                resampled.metrics[i],
                resampled.metrics[j],
                observed if defined else None,
                float(p_value(extreme.sum(), len(drawn))) if defined else None,
                None,
                2,
                resampled.segments,
                resampled.method,
                len(drawn),
                resampled.seed,
                "" if defined else "a coefficient is undefined",
            )
        )
    return adjust_holm(tests)


def permutation_tests(
    metrics: Mapping[str, ArrayLike],
    human: ArrayLike,
    kind: str = "spearman",
    samples: int = SAMPLES,
    seed: int = SEED,
) -> list[MetricTest]:
    """Do two metrics differ? They swap the standardised scores of systems; all pairs, with Holm.

    Two-sided; all 2^n swaps for up to 12 systems, else at random (PERM-SYS of Deutsch et al.,
    TACL 2021).
    """
    n = len(np.asarray(human))
    signs, exact = draw_signs(n, samples, seed)
    how = f"all {2**n} swaps" if exact else "random swaps"
    method = f"{kind}, permutation of systems, {how}"
    z = {name: _standardised(np.asarray(scores)) for name, scores in metrics.items()}
    r = {name: correlate(scores, human, kind) for name, scores in metrics.items()}
    tests = []
    for one, two in combinations(metrics, 2):
        a, b = r[one].value, r[two].value
        difference, p, note = None, None, r[one].note or r[two].note
        if a is not None and b is not None:
            difference = a - b
            swapped = [np.where(signs > 0, z[v], z[w]) for v, w in ((one, two), (two, one))]
            drawn = coefficients(swapped[0], human, kind) - coefficients(swapped[1], human, kind)
            p = _two_sided(drawn, difference, exact)
        count = 2**n if exact else samples
        tests.append(MetricTest(one, two, difference, p, None, 2, n, method, count, seed, note))
    return adjust_holm(tests)


def permutation_both(
    metrics: Mapping[str, Floats],
    human: ArrayLike,
    kind: str = "spearman",
    samples: int = SAMPLES,
    seed: int = SEED,
) -> list[MetricTest]:
    """Do two metrics differ? They swap standardised scores of single outputs (PERM-BOTH of Deutsch
    et al., TACL 2021); all pairs, with Holm.

    Only for system scores that are means of segment scores; corpus F and BLEU are not, so
    this speaks of the segment-averaged metrics, and so does `difference`.

    Args:
        metrics: segment scores, (N, S).
        human: (N,).
    """
    human = np.asarray(human)
    method = f"{kind}, permutation of segments and systems, segment-averaged scores only"
    z = np.stack([_standardised(scores) for scores in metrics.values()], axis=2)  # (N, S, M)
    systems, segments, _ = z.shape
    means = z.mean(axis=1)  # (N, M)
    # What goes over to another metric is summed for all metrics at once, whatever the other is.
    moved = np.concatenate(
        [
            np.moveaxis(np.moveaxis(drawn, 1, 0) @ z, 0, 2) / segments
            for drawn in draw_swaps(
                (systems, segments), samples, seed, chunk_rows(2 * systems * segments)
            )
        ]
    )  # (B, M, N)
    observed = coefficients(means.T, human, kind)
    undefined = "a coefficient is undefined"
    tests = []
    for (i, one), (j, two) in combinations(enumerate(metrics), 2):
        difference = float(observed[i] - observed[j])
        test = MetricTest(one, two, None, None, None, 2, systems, method, 0, seed, undefined)
        if not math.isnan(difference):
            gap = moved[:, j] - moved[:, i]
            drawn = coefficients(means[:, i] + gap, human, kind)
            drawn -= coefficients(means[:, j] - gap, human, kind)
            p = _two_sided(drawn, difference, exact=False)
            test = replace(test, difference=difference, p=p, samples=samples, note="")
        tests.append(test)
    return adjust_holm(tests)


def sign_flip_test(
    names: tuple[str, str],
    differences: Sequence[float],
    blocks: Sequence[Hashable] | None = None,
    samples: int = SAMPLES,
    seed: int = SEED,
) -> MetricTest:
    """Does the coefficient of two metrics differ on average over test sets? Signs flip at random.

    Args:
        differences: coefficient of the first minus that of the second, one a test set.
        blocks: of each test set what it shares with others, such as (year, target language): the
            signs of a block flip together. Left out, test sets count as independent, which is
            optimistic: they share references, systems and judges.

    Raises:
        ValueError: differences and blocks differ in number, or a difference is NaN.
    """
    values = np.asarray(differences, dtype=np.float64)
    if np.isnan(values).any():
        raise ValueError("leave test sets with an undefined coefficient out, for both metrics")
    sums: defaultdict[Hashable, float] = defaultdict(float)
    labels = range(len(values)) if blocks is None else blocks
    for block, value in zip(labels, values.tolist(), strict=True):
        sums[block] += value
    signs, exact = draw_signs(len(sums), samples, seed)
    mean = signs @ np.array(list(sums.values()), dtype=np.float64) / max(1, len(values))
    defined = len(values) > 0
    difference = float(values.mean()) if defined else None
    how = "test sets as independent (optimistic)" if blocks is None else f"{len(sums)} blocks"
    return MetricTest(
        *names,
        difference,
        None if difference is None else _two_sided(mean, difference, exact),
        None,
        2,
        len(values),
        f"sign flips, {how}",
        2 ** len(sums) if exact else samples,
        seed,
        "" if defined else "no test sets",
    )


def _standardised(scores: Floats) -> Floats:
    """z scores over the whole array; zeros where all scores are equal."""
    spread = scores.std()
    return np.asarray((scores - scores.mean()) / (spread if spread > 0 else 1))


def _two_sided(drawn: Floats, observed: float, exact: bool) -> float:
    """Share as far from 0 as the observed one, undefined ones (a constant side) counted as such."""
    extreme = ~(np.abs(drawn) < abs(observed) - TOLERANCE)
    return float(extreme.mean() if exact else p_value(extreme.sum(), len(extreme)))
