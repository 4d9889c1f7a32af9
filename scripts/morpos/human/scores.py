"""Human scores: judgments turned into one score a system, by one of several rules."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from morpos.errors import MorposError
from morpos.human.judgments import READERS, JudgmentSet, Ranking, Rating


class RankedPair(NamedTuple):
    """Two outputs of one segment: outcome 1 if the first is better, 0 if tied, -1 if worse."""

    segment: int | None
    judge: str
    first: str
    second: str
    outcome: int


@dataclass(frozen=True, slots=True)
class Tally:
    """Numbers of comparisons, seen from one system."""

    wins: int = 0
    losses: int = 0
    ties: int = 0

    @property
    def decided(self) -> int:
        """Comparisons that are not ties."""
        return self.wins + self.losses

    @property
    def comparisons(self) -> int:
        """All comparisons."""
        return self.decided + self.ties

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.wins + other.wins, self.losses + other.losses, self.ties + other.ties)


@dataclass(frozen=True, slots=True)
class HumanScore:
    """The human score of a system; None has its reason in `note`.

    The tallies are 0 for direct scores, `ratings` is 0 for rankings.
    """

    system: str
    score: float | None
    wins: int
    losses: int
    ties: int
    comparisons: int
    ratings: int
    is_reference: bool
    note: str


# --- scores from rankings ----------------------------------------------------------------------


def compare_outputs(rankings: Iterable[Ranking]) -> Iterator[RankedPair]:
    """Every pair of two different systems in each ranking."""
    for segment, judge, ranks in rankings:
        for (first, rank1), (second, rank2) in combinations(ranks, 2):
            if first != second:
                outcome = (rank1 < rank2) - (rank1 > rank2)
                yield RankedPair(segment, judge, first, second, outcome)


def tally(compared: Iterable[RankedPair]) -> dict[str, dict[str, Tally]]:
    """Per system and opponent, how the comparisons went. Takes the segments in any selection."""
    result: defaultdict[str, dict[str, Tally]] = defaultdict(dict)
    counts = Counter((c.first, c.second, c.outcome) for c in compared)
    for (first, second, outcome), n in counts.items():
        for one, other, sign in ((first, second, outcome), (second, first, -outcome)):
            more = Tally(n * (sign > 0), n * (sign < 0), n * (sign == 0))
            result[one][other] = result[one].get(other, Tally()) + more
    return dict(result)


def total(opponents: Mapping[str, Tally]) -> Tally:
    """All comparisons of one system."""
    return sum(opponents.values(), Tally())


def better_or_equal(opponents: Mapping[str, Tally]) -> Fraction | None:
    """(wins + ties) / comparisons, 0..1: the score of WMT08-10 (Callison-Burch et al. 2008-2010).

    It rewards ties and easy opponents. None without comparisons.
    """
    t = total(opponents)
    return Fraction(t.wins + t.ties, t.comparisons) if t.comparisons else None


def wins(opponents: Mapping[str, Tally]) -> Fraction | None:
    """wins / (wins + losses), 0..1: ties are left out (later WMTs). None without a win or loss."""
    t = total(opponents)
    return Fraction(t.wins, t.decided) if t.decided else None


def expected_wins(opponents: Mapping[str, Tally]) -> Fraction | None:
    """Mean over opponents of wins / (wins + losses), 0..1 (Koehn 2012; Bojar et al. 2013).

    Opponents met in ties only are left out. None without a win or loss.
    """
    shares = [Fraction(t.wins, t.decided) for t in opponents.values() if t.decided]
    return sum(shares, Fraction()) / len(shares) if shares else None


RANKING_RULES: dict[str, Callable[[Mapping[str, Tally]], Fraction | None]] = {
    "better-or-equal": better_or_equal,
    "wins": wins,
    "expected-wins": expected_wins,
}


# --- scores from ratings -----------------------------------------------------------------------


def standardise(ratings: Iterable[Rating]) -> list[Rating]:
    """z scores: (score - mean) / sd over all raw scores of the same judge.

    sd is the sample standard deviation (n - 1). A judge with one score, or the same score
    throughout, has none and is left out.
    """
    by_judge: defaultdict[str, list[Rating]] = defaultdict(list)
    for rating in ratings:
        by_judge[rating.judge].append(rating)
    result = []
    for own in by_judge.values():
        mean = _mean(rating.score for rating in own)
        squares = sum(((rating.score - mean) ** 2 for rating in own), Fraction())
        if squares:
            sd = math.sqrt(squares / (len(own) - 1))
            result += [r._replace(score=Fraction(float(r.score - mean) / sd)) for r in own]
    return result


def ratings_for_rule(judgments: JudgmentSet, rule: str) -> Sequence[Rating]:
    """The ratings as a rule takes them: z scores for mean-z.

    Raises:
        MorposError: a rating has no judge, and the rule goes by judges.
    """
    if rule != "mean-z":
        return judgments.ratings
    if not all(rating.judge for rating in judgments.ratings):
        raise MorposError(
            f"{judgments.path}: mean-z needs a judge for every score; add the column rater, or use "
            "the rule mean"
        )
    return standardise(judgments.ratings)


def mean_scores(ratings: Iterable[Rating]) -> dict[str, Fraction]:
    """Mean score per system in the unit of the ratings, over segments; repeats averaged first."""
    cells: defaultdict[str, defaultdict[int | None, list[Fraction]]]
    cells = defaultdict(lambda: defaultdict(list))
    for rating in ratings:
        cells[rating.system][rating.segment].append(rating.score)
    return {name: _mean(map(_mean, segments.values())) for name, segments in cells.items()}


def _mean(values: Iterable[Fraction]) -> Fraction:
    values = list(values)
    return sum(values, Fraction()) / len(values)


RATING_RULES = ("mean", "mean-z")


# --- scores ------------------------------------------------------------------------------------


def rules_for(format: str) -> tuple[str, ...]:
    """The rules that go with a format, the default first."""
    return RATING_RULES if READERS.load(format).holds == "ratings" else tuple(RANKING_RULES)


def check_rule(judgments: JudgmentSet, rule: str) -> None:
    """Check that a rule goes with the judgments.

    Raises:
        MorposError: it does not.
    """
    if rule not in (rules := rules_for(judgments.format)):
        raise MorposError(
            f"{judgments.path}: rule {rule!r} does not go with the format {judgments.format}; "
            f"use one of {', '.join(rules)}"
        )


def human_scores(
    judgments: JudgmentSet, rule: str | None = None, references: Collection[str] = ("_ref",)
) -> list[HumanScore]:
    """The human score of every system, sorted by name.

    Args:
        rule: for rankings one of `RANKING_RULES` (default better-or-equal), for ratings one of
            `RATING_RULES` (default mean).
        references: names of judged references. They are flagged; comparisons with them count for
            the others, as at WMT10.

    Raises:
        MorposError: the rule does not go with the judgments.
    """
    rule = rules_for(judgments.format)[0] if rule is None else rule
    check_rule(judgments, rule)
    score = _score_ratings if rule in RATING_RULES else _score_rankings
    return score(judgments, rule, references)


def scores_by_system(judgments: JudgmentSet, rule: str) -> dict[str, float]:
    """The human score of each system, NaN if undefined."""
    return {
        row.system: math.nan if row.score is None else row.score
        for row in human_scores(judgments, rule)
    }


def _score_rankings(
    judgments: JudgmentSet, rule: str, references: Collection[str]
) -> list[HumanScore]:
    table = tally(compare_outputs(judgments.rankings))
    result = []
    for name in judgments.systems:
        opponents = table.get(name, {})
        score, t = RANKING_RULES[rule](opponents), total(opponents)
        note = ""
        if score is None:
            note = f"no win or loss: {t.ties} ties" if t.ties else "no comparisons"
        result.append(
            HumanScore(
                system=name,
                score=None if score is None else float(score),
                wins=t.wins,
                losses=t.losses,
                ties=t.ties,
                comparisons=t.comparisons,
                ratings=0,
                is_reference=name in references,
                note=note,
            )
        )
    return result


def _score_ratings(
    judgments: JudgmentSet, rule: str, references: Collection[str]
) -> list[HumanScore]:
    ratings = ratings_for_rule(judgments, rule)
    before = Counter(rating.system for rating in judgments.ratings)
    after = Counter(rating.system for rating in ratings)
    scores = mean_scores(ratings)
    result = []
    for name in judgments.systems:
        lost = before[name] - after[name]
        note = f"{lost} scores of judges without spread left out" if lost else ""
        result.append(
            HumanScore(
                system=name,
                score=float(scores[name]) if name in scores else None,
                wins=0,
                losses=0,
                ties=0,
                comparisons=0,
                ratings=after[name],
                is_reference=name in references,
                note=note or ("" if name in scores else "no scores"),
            )
        )
    return result
