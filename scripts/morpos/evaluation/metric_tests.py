"""Meta-evaluation of one test set as rows of tables: what `docs/statistics.md` explains."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property

import numpy as np

from morpos.evaluation.correlation import (
    ACCURACY,
    COEFFICIENTS,
    Interval,
    analytic_interval,
    correlate,
    leave_one_out,
    pairwise_accuracy,
    robust_pearson,
)
from morpos.evaluation.human_statistics import JudgmentStatistics
from morpos.evaluation.resampling import (
    Resampled,
    SegmentStatistics,
    collect_statistics,
    resample_correlations,
    stability,
    systems_interval,
    with_order,
    with_weights,
)
from morpos.evaluation.significance import (
    SPA,
    SPA_OF_RANKINGS,
    bootstrap_tests,
    one_sided,
    p_of_rankings,
    p_of_ratings,
    permutation_both,
    permutation_tests,
    soft_pairwise_accuracy,
    williams_tests,
)
from morpos.human.judgments import JudgmentSet
from morpos.io.tables import Row
from morpos.scoring.metrics import Floats
from morpos.scoring.ngrams import Counts

#: Numbers of segments whose rankings are compared with the ranking by all.
SIZES = (10, 20, 50, 100, 200, 500, 1000, 2000)
#: Weights of a metric's layers are varied in tenths.
_STEPS = 10

#: Columns of the tables, between the test set and the signature.
COEFFICIENT_COLUMNS = (
    *("metric", "coefficient", "value", "chance", "low", "high", "level", "interval"),
    *("n", "drawn", "undefined", "ties_metric", "ties_human", "left_out"),
    *("samples", "seed", "note"),
)
TEST_COLUMNS = (
    *("first", "second", "difference", "p", "p_holm", "sides"),
    *("n", "samples", "seed", "method", "note"),
)
WITHOUT_ONE_COLUMNS = ("metric", "system", "spearman", "n", "note")
STABILITY_COLUMNS = (
    *("metric", "segments", "of", "mean_kendall", "low_kendall", "stable"),
    *("samples", "seed"),
)
VARIANT_COLUMNS = ("metric", "variant", "spearman", "n", "note")


@dataclass(frozen=True)
class Evaluation:
    """Metrics against human scores of the same systems.

    Attributes:
        counts: of the systems that are correlated.
        human: their human scores; drawn_human: the same, to be drawn with the segments or fixed.
    """

    counts: Mapping[str, Counts]
    statistics: SegmentStatistics
    human: Floats
    drawn_human: JudgmentStatistics | Mapping[str, float]
    judgments: JudgmentSet
    samples: int
    seed: int

    @property
    def scores(self) -> dict[str, Floats]:
        """Scores by metric, in the order of the systems."""
        names = (metric.name for metric in self.statistics.metrics)
        return dict(zip(names, self.statistics.scores(), strict=True))

    @cached_property
    def resampled(self) -> dict[str, Resampled]:
        """All coefficients on the same resamples of segments."""
        return resample_correlations(
            self.statistics, self.drawn_human, self.samples, self.seed, tuple(COEFFICIENTS)
        )

    def coefficients(self) -> Iterator[Row]:
        """Every coefficient of every metric, a row for each way to an interval."""
        over_segments = {kind: drawn.intervals() for kind, drawn in self.resampled.items()}
        spa = self._soft_pairwise_accuracies()
        for m, (metric, scores) in enumerate(self.scores.items()):
            shared = _COEFFICIENT | {"metric": metric}
            for kind in COEFFICIENTS:
                found = correlate(scores, self.human, kind)
                values = asdict(found) | {"coefficient": kind, "left_out": ""}
                for interval in (
                    over_segments[kind][m],
                    systems_interval(scores, self.human, kind, self.samples, self.seed),
                    analytic_interval(found.value, found.n, kind),
                ):
                    yield shared | values | _interval(interval, found.note)
            robust = robust_pearson(scores, self.human, self.statistics.systems)
            left_out = ", ".join(robust.left_out)
            yield shared | asdict(robust) | {"coefficient": "robust pearson", "left_out": left_out}
            accuracy = pairwise_accuracy(scores, self.human)
            yield shared | asdict(accuracy) | {"coefficient": ACCURACY, "n": accuracy.pairs}
            yield shared | spa[m]

    def _soft_pairwise_accuracies(self) -> list[Row]:
        drawn = (self.samples, self.seed)
        if self.judgments.rankings:
            method, human = SPA_OF_RANKINGS, p_of_rankings(self.judgments.rankings, self._names)
        elif any(rating.segment is not None for rating in self.judgments.ratings):
            method, human = SPA, p_of_ratings(self.judgments.ratings, self._names, *drawn)
        else:
            note = "needs judgments of segments"
            return [{"coefficient": SPA, "note": note}] * len(self.statistics.metrics)
        rows = []
        for metric in one_sided(self.statistics, *drawn):
            found = soft_pairwise_accuracy(metric, human, method, *drawn)
            note = found.note or (f"{found.left_out} pairs never compared" * bool(found.left_out))
            rows.append(asdict(found) | {"coefficient": method, "left_out": "", "note": note})
            rows[-1]["n"] = found.pairs
        return rows

    @property
    def _names(self) -> Sequence[str]:
        return self.statistics.systems

    def tests(self) -> Iterator[Row]:
        """Metric against metric; Holm within each kind of test."""
        drawn = (self.samples, self.seed)
        averaged = {
            metric.name: np.stack([metric.segment_scores(one) for one in self.counts.values()])
            for metric in self.statistics.metrics
        }
        for test in (
            *williams_tests(self.scores, self.human),
            *williams_tests(self.scores, self.human, ranks=True),
            *bootstrap_tests(self.resampled["spearman"]),
            *permutation_tests(self.scores, self.human, "spearman", *drawn),
            *permutation_both(averaged, self.human, "spearman", *drawn),
        ):
            yield asdict(test)

    def without_one(self) -> Iterator[Row]:
        """ρ without each system in turn."""
        for metric, scores in self.scores.items():
            for system, found in leave_one_out(scores, self.human, self._names).items():
                yield _spearman(metric, found.value, found.n, found.note) | {"system": system}

    def stability(self) -> Iterator[Row]:
        """How like the ranking by so many random segments is to the ranking by all."""
        sizes = [size for size in SIZES if size < self.statistics.segments]
        if not sizes:
            return
        found = stability(self.statistics, sizes, seed=self.seed)
        stable = found.stable()
        for i, size in enumerate(sizes):
            for m, metric in enumerate(found.metrics):
                yield {
                    "metric": metric,
                    "segments": size,
                    "of": self.statistics.segments,
                    "mean_kendall": float(found.mean[i, m]),
                    "low_kendall": float(found.low[i, m]),
                    "stable": int(stable[i, m]),
                    "samples": found.samples,
                    "seed": found.seed,
                }

    def variants(self) -> Iterator[Row]:
        """ρ of each metric with other N, and with other weights of its layers. In-sample!"""
        for metric in self.statistics.metrics:
            most = min(self.counts[self._names[0]].layers[c.layer].order for c in metric.components)
            variants = [with_order(metric, order) for order in range(1, most + 1)]
            if len(metric.components) > 1:
                variants += with_weights(metric, _STEPS)
            scores = collect_statistics(self.counts, variants).scores()
            for variant, values in zip(variants, scores, strict=True):
                found = correlate(values, self.human)
                row = _spearman(metric.name, found.value, found.n, found.note)
                yield row | {"variant": variant.name.removeprefix(metric.name).strip("[]")}


# What a coefficient has nothing to say of stays empty.
_COEFFICIENT: Row = dict.fromkeys(COEFFICIENT_COLUMNS)


def _spearman(metric: str, value: float | None, n: int, note: str) -> Row:
    return {"metric": metric, "spearman": value, "n": n, "note": note}


def _interval(interval: Interval, note: str) -> Row:
    return {
        "low": interval.low,
        "high": interval.high,
        "level": interval.level,
        "interval": interval.method.partition(", ")[2],
        "drawn": interval.n,
        "undefined": interval.undefined,
        "samples": interval.samples,
        "seed": interval.seed,
        "note": note or interval.note,
    }
