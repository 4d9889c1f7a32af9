"""Agreement of human judges, and intervals for human scores."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from morpos.evaluation.correlation import Interval
from morpos.evaluation.defaults import SAMPLES, SEED
from morpos.evaluation.human_statistics import JudgmentStatistics
from morpos.evaluation.resampling import bootstrap, percentile_interval
from morpos.human.scores import RankedPair

Kind = Literal["inter", "intra"]
Chance = Literal["third", "empirical"]


@dataclass(frozen=True)
class Agreement:
    """κ = (P(A) - P(E)) / (1 - P(E)), or why there is none.

    Attributes:
        value: κ.
        agreed: P(A), share of the pairs of judgments that agree.
        chance: P(E), see `agreement`.
        n: pairs of judgments of the same two outputs of a segment.
        items: outputs compared at least twice in this sense.
        ties: share of all comparisons that are ties.
    """

    kind: Kind
    value: float | None
    agreed: float | None
    chance: float | None
    n: int
    items: int
    ties: float | None
    method: str
    note: str


def agreement(comparisons: Iterable[RankedPair], kind: Kind, chance: Chance = "third") -> Agreement:
    """How often two judgments of the same two outputs agree on better, tied or worse.

    Args:
        comparisons: all of a task; leave those with the reference out first, or not (WMT10
            published both).
        kind: inter: judgments of two different judges; intra: two judgments of one judge.
        chance: P(E). third: 1/3, as in the findings of WMT07-10 (Callison-Burch et al.).
            empirical: P(A>B)² + P(A=B)² + P(A<B)², as from WMT11 on, with the observed share of
            ties, and the rest halved, since which output is A means nothing.
    """
    # Per segment and pair of systems (in alphabetical order): the outcomes of each judge.
    items: defaultdict[tuple[int | None, str, str], Counter[tuple[str, int]]]
    items = defaultdict(Counter)
    total = ties = 0
    for c in comparisons:
        swapped = c.first > c.second
        first, second = (c.second, c.first) if swapped else (c.first, c.second)
        items[c.segment, first, second][c.judge, -c.outcome if swapped else c.outcome] += 1
        total += 1
        ties += c.outcome == 0

    n = agreed = repeated = 0
    for outcomes in items.values():
        by_judge: Counter[str] = Counter()
        by_outcome: Counter[int] = Counter()
        for (judge, outcome), times in outcomes.items():
            by_judge[judge] += times
            by_outcome[outcome] += times
        # Of all pairs of judgments, those by the same judge are intra, the others inter.
        same_judge = sum(map(_pairs, by_judge.values()))
        same_both = sum(map(_pairs, outcomes.values()))
        if kind == "intra":
            compared, alike = same_judge, same_both
        else:
            compared = _pairs(sum(by_judge.values())) - same_judge
            alike = sum(map(_pairs, by_outcome.values())) - same_both
        n, agreed, repeated = n + compared, agreed + alike, repeated + (compared > 0)

    share = ties / total if total else None
    method = f"{kind}-annotator κ, P(E) {chance}"
    if not n or share is None:
        note = "nothing was judged twice " + (
            "by the same judge" if kind == "intra" else "by different judges"
        )
        return Agreement(kind, None, None, None, 0, 0, share, method, note)
    expected = 1 / 3 if chance == "third" else share**2 + 2 * ((1 - share) / 2) ** 2
    observed = agreed / n
    # With ties only, agreement by chance is certain.
    value = (observed - expected) / (1 - expected) if expected < 1 else None
    note = "" if expected < 1 else "all comparisons are ties"
    return Agreement(kind, value, observed, expected, n, repeated, share, method, note)


def _pairs(n: int) -> int:
    return n * (n - 1) // 2


def human_intervals(
    human: JudgmentStatistics, samples: int = SAMPLES, seed: int = SEED, level: float = 0.95
) -> dict[str, Interval]:
    """Percentile bootstrap intervals of the human scores, over their segments or judgments.

    A resample without a comparison of a system is undefined for that system.
    """
    drawn = np.concatenate(
        [human.score(weights) for weights in bootstrap(human.units, samples, seed)]
    )
    method = f"bootstrap over {human.unit}s"
    return {
        name: percentile_interval(value, column, level, human.units, method, seed)
        for name, value, column in zip(human.systems, human.scores(), drawn.T, strict=True)
    }
