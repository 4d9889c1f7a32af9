"""The metrics: a metric is data, namely a family and a weight, an order and β per layer.

Scores lie in 0..1 and are made from exact counts only. Sources: M. Popović, "Morphemes and POS tags
for n-gram based evaluation metrics" (WMT 2011) for the metrics; the same author's rgbF (PBML 98,
2012) for the F score; Papineni et al. (ACL 2002) and sacreBLEU for BLEU.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import InitVar, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from morpos.errors import MorposError
from morpos.registry import Registry
from morpos.scoring.ngrams import Counts, LayerCounts, totals

#: The metric table that comes with the package: the paper's metrics.
DEFAULT_TABLE = Path(__file__).with_name("metrics.yaml")

#: Classes, made with the `beta` of a metric.
FAMILIES: Registry[type["Family"]] = Registry(
    "family of metrics",
    "morpos.metric_families",
    {"F": "morpos.scoring.metrics:FScore", "BLEU": "morpos.scoring.metrics:Bleu"},
)

Array = NDArray[Any]
Floats = NDArray[np.float64]


class Family(ABC):
    """How the counts of one layer become a score.

    `statistics` of segments can be added up over any set of segments before `score`. Each family is
    made with the `beta` of the metric table, whether it takes account of that or not; two that give
    the same scores are equal.
    """

    @abstractmethod
    def statistics(self, counts: LayerCounts, order: int) -> Array:
        """What the score needs of each segment: shape (S, 3, order), integers."""

    @abstractmethod
    def score(self, statistics: Array) -> Floats:
        """Corpus scores in 0..1 of summed statistics: shape (..., 3, order) to (...)."""

    @abstractmethod
    def segment_score(self, statistics: Array) -> Floats:
        """Segment scores in 0..1: shape (S, 3, order) to (S,)."""


def f_by_order(match: Array, hypothesis: Array, reference: Array, beta: float) -> Floats:
    """F per order: (1 + β²)·m / (h + β²·r), 0 where there is no n-gram on either side."""
    denominator = hypothesis + beta**2 * reference
    return np.divide(
        (1 + beta**2) * match,
        denominator,
        out=np.zeros(np.shape(match), dtype=np.float64),
        where=denominator > 0,
    )


@dataclass(frozen=True)
class FScore(Family):
    """F per order, then the plain arithmetic mean over the orders (rgbF).

    An order without n-grams counts as 0, it is not skipped: a perfect segment of 3 units has .75.
    """

    beta: float = 1.0

    def statistics(self, counts: LayerCounts, order: int) -> Array:
        """Matches, hypothesis and reference n-grams against the best reference of each segment.

        The best is the one with the highest segment F (tie: the first), as in chrF.
        """
        match = counts.match[:, :, :order]
        hypothesis = np.broadcast_to(totals(counts.hypothesis_length, order), match.shape)
        candidates = np.stack(
            [match, hypothesis, totals(counts.reference_length, order)], axis=2
        )  # (R, S, 3, order)
        # Rounded so that equal fractions tie whatever the order of summation.
        best = np.round(self.score(candidates), 12).argmax(axis=0)
        return np.asarray(candidates[best, np.arange(len(best))])

    def score(self, statistics: Array) -> Floats:
        match, hypothesis, reference = np.moveaxis(statistics, -2, 0)
        scores = f_by_order(match, hypothesis, reference, self.beta).mean(axis=-1)
        assert np.all((scores >= 0) & (scores <= 1 + 1e-12))
        return np.asarray(np.minimum(scores, 1.0))  # rounding, where β² is not a whole number

    def segment_score(self, statistics: Array) -> Floats:
        return self.score(statistics)


@dataclass(frozen=True)
class Bleu(Family):
    """Corpus BLEU without smoothing; sentence BLEU with sacreBLEU's "exp" and effective order."""

    beta: InitVar[float] = 1.0

    def statistics(self, counts: LayerCounts, order: int) -> Array:
        """Matches (clipped by the maximum over references), hypothesis n-grams, reference length.

        The reference length is the closest one, tie: the shorter; it fills the third row.
        """
        lengths = np.sort(counts.reference_length, axis=0)
        closest = np.abs(lengths - counts.hypothesis_length).argmin(axis=0)
        reference = lengths[closest, np.arange(len(closest))]
        hypothesis = totals(counts.hypothesis_length, order)
        match = counts.match_any[:, :order]
        return np.stack(
            [match, hypothesis, np.broadcast_to(reference[:, None], match.shape)], axis=1
        )

    def score(self, statistics: Array) -> Floats:
        match, hypothesis, _ = np.moveaxis(statistics, -2, 0)
        precision = np.divide(
            match, hypothesis, out=np.zeros(match.shape, dtype=np.float64), where=hypothesis > 0
        )
        return np.asarray(_geometric_mean(precision) * _brevity_penalty(statistics))

    def segment_score(self, statistics: Array) -> Floats:
        match, hypothesis, _ = np.moveaxis(statistics, -2, 0)
        # Effective order: the last n of which the hypothesis has n-grams. The k-th order without a
        # match gets the precision 1 / (2**k * h_n).
        used = hypothesis > 0
        missed = used & (match == 0)
        precision = np.divide(
            np.where(missed, 0.5 ** missed.cumsum(axis=-1), match),
            hypothesis,
            out=np.ones(match.shape, dtype=np.float64),
            where=used,
        )
        any_match = match.any(axis=-1)
        mean = np.log(precision).sum(axis=-1) / np.maximum(used.sum(axis=-1), 1)
        return np.where(any_match, np.exp(mean) * _brevity_penalty(statistics), 0.0)


def _geometric_mean(precision: Floats) -> Floats:
    positive = (precision > 0).all(axis=-1)
    logs = np.log(precision, out=np.zeros(precision.shape), where=precision > 0)
    return np.where(positive, np.exp(logs.mean(axis=-1)), 0.0)


def _brevity_penalty(statistics: Array) -> Floats:
    hypothesis, reference = statistics[..., 1, 0], statistics[..., 2, 0]
    ratio = np.divide(
        reference, hypothesis, out=np.full(hypothesis.shape, np.inf), where=hypothesis > 0
    )
    return np.asarray(np.exp(np.minimum(0.0, 1.0 - ratio)))


@dataclass(frozen=True)
class Component:
    """What one layer contributes to a metric."""

    layer: str
    weight: float
    order: int


@dataclass(frozen=True)
class Metric:
    """The weighted mean of one or both families over layers."""

    name: str
    families: tuple[Family, ...]
    components: tuple[Component, ...]

    def require(self, counts: Counts) -> None:
        """Check that the counts hold all layers of the metric, up to the order of each.

        Raises:
            MorposError: one is missing, or was not counted so far; names it.
        """
        for component in self.components:
            if component.layer not in counts.layers:
                raise MorposError(
                    f"the metric {self.name} needs the layer '{component.layer}', but the counts "
                    f"hold {', '.join(counts.layers)} only; count again with `--layer`"
                )
            if component.order > (order := counts.layers[component.layer].order):
                raise MorposError(
                    f"the metric {self.name} needs n-grams of the layer '{component.layer}' up to "
                    f"n = {component.order}, but they were counted up to n = {order} only; count "
                    f"again with `--order {component.order}`"
                )

    def score(self, counts: Counts) -> float:
        """The corpus score in 0..1."""
        return corpus_scores([self], counts)[self.name]

    def segment_scores(self, counts: Counts) -> Floats:
        """The score of each segment on its own, in 0..1: shape (S,)."""
        return segment_scores([self], counts)[self.name]

    def combine(self, counts: Counts, part: Callable[[Family, str, int], Floats]) -> Floats:
        """The metric of the scores that `part` gives of counts for a family, a layer, an order."""
        self.require(counts)
        return self.mean(
            (c.weight, part(family, c.layer, c.order))
            for family in self.families
            for c in self.components
        )

    def mean(self, parts: Iterable[tuple[float, Floats]]) -> Floats:
        """The weighted mean of (weight, score) pairs: one for each family and component."""
        total = len(self.families) * sum(c.weight for c in self.components)
        # The weights' sum divides last, so that (1, 1) is the plain mean to the last bit.
        return np.asarray(sum(weight * score for weight, score in parts) / total)


def corpus_scores(metrics: Iterable[Metric], counts: Counts) -> dict[str, float]:
    """The corpus score of each metric, by name; what metrics share is worked out once.

    Raises:
        MorposError: something that a metric needs was not counted.
    """

    @cache
    def part(family: Family, layer: str, order: int) -> Floats:
        return family.score(family.statistics(counts.layers[layer], order).sum(axis=0))

    return {metric.name: float(metric.combine(counts, part)) for metric in metrics}


def segment_scores(metrics: Iterable[Metric], counts: Counts) -> dict[str, Floats]:
    """The segment scores of each metric, by name, each of shape (S,); likewise."""

    @cache
    def part(family: Family, layer: str, order: int) -> Floats:
        return family.segment_score(family.statistics(counts.layers[layer], order))

    return {metric.name: metric.combine(counts, part) for metric in metrics}


def load(path: str | Path, *, check: bool = True) -> dict[str, dict[str, Any]]:
    """Read and validate a metric table as it is written (YAML or JSON; see config/README.md).

    Args:
        check: false for our own table, which needs no validation.

    Raises:
        MorposError: not YAML, or an entry that is not a metric; names the metric.
    """
    # Imported only where tables are read: it takes longer than scoring.
    from morpos.io.schema import read_yaml, validate

    table = read_yaml(path)
    if check:
        validate(table, "metrics", str(path))
    assert isinstance(table, dict)
    return table


def read_table(path: str | Path) -> list[Metric]:
    """The metrics of a metric table.

    Raises:
        MorposError: as `load`.
    """
    return parse_metrics(load(path))


def parse_metrics(table: Mapping[str, Mapping[str, Any]]) -> list[Metric]:
    """The metrics of a table that `load` read."""
    return [_metric(name, entry) for name, entry in table.items()]


def _metric(name: str, entry: Mapping[str, Any]) -> Metric:
    # F+BLEU is the mean of both.
    names = entry["family"].split("+")
    families = tuple(FAMILIES.make(part, entry.get("beta", 1.0)) for part in names)
    components = []
    for layer, value in entry["layers"].items():
        part = value if isinstance(value, Mapping) else {"weight": value}
        components.append(
            Component(layer, part["weight"], part.get("order", entry.get("order", 4)))
        )
    return Metric(name, families, tuple(components))
