"""Claims that one metric correlates better than another, tested over test sets.

Test sets share references, systems and judges, so the signs of a block (group, target language)
flip together, and the interval is made by drawing whole blocks.
"""

import math
from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import asdict

import numpy as np

from morpos.errors import MorposError
from morpos.evaluation.correlation import Interval
from morpos.evaluation.resampling import percentile_interval
from morpos.evaluation.significance import adjust_holm, sign_flip_test
from morpos.io import tables
from morpos.io.tables import Row

#: Below it an adjusted p is called significant.
ALPHA = 0.05


def read_claims(path: str) -> list[Row]:
    """Read a table of claims: claim, text, first, second, published.

    `first` is the metric that is said to be better than `second`; `published` the published
    difference of their means.

    Raises:
        MorposError: a column is missing, or a claim is there twice.
    """
    tables.require(path, tables.GIVEN["claims"])
    rows = tables.read(path)
    names = [row["claim"] for row in rows]
    if twice := {name for name in names if names.count(name) > 1}:
        raise MorposError(f"{path}: claimed twice: {', '.join(sorted(twice))}")
    return rows


def judge_claims(
    claims: Sequence[Row], correlations: Sequence[Row], samples: int, seed: int
) -> list[Row]:
    """Test each claim over the test sets, with Holm over the list.

    Test sets excluded from the summary do not count, nor does one where either ρ is undefined.

    Raises:
        MorposError: a claim is about a metric that there is not.
    """
    rho: dict[str, dict[str, float]] = {}
    blocks: dict[str, tuple[str, str]] = {}
    for row in correlations:
        if row["systems"] == "all" and not row["exclude_from_summary"]:
            rho.setdefault(row["testset"], {})[row["metric"]] = row["spearman"]
            blocks[row["testset"]] = (row["group"], row["target"])
    metrics = {metric for values in rho.values() for metric in values}
    tests, rows = [], []
    for claim in claims:
        pair = (claim["first"], claim["second"])
        if rho and (unknown := {*pair} - metrics):
            raise MorposError(
                f"claim '{claim['claim']}': no metric {' and '.join(sorted(unknown))}; there are "
                f"{', '.join(sorted(metrics))}"
            )
        known = {
            testset: values[pair[0]] - values[pair[1]]
            for testset, values in rho.items()
            if not any(math.isnan(values.get(metric, math.nan)) for metric in pair)
        }
        labels = [blocks[testset] for testset in known]
        differences = list(known.values())
        tests.append(sign_flip_test(pair, differences, labels, samples, seed))
        plain = sign_flip_test(pair, differences, None, samples, seed)
        interval = block_interval(differences, labels, samples, seed)
        note = f"ρ undefined in {len(rho) - len(known)} test sets" * (len(known) < len(rho))
        rows.append(
            claim
            | {"low": interval.low, "high": interval.high, "level": interval.level}
            | {"p_optimistic": plain.p, "blocks": len(set(labels)), "remark": note}
        )
    return [
        row
        | asdict(test)
        | {"effect": test.difference, "note": test.note or row["remark"]}
        | {"verdict": verdict(test.difference, test.p_holm)}
        for row, test in zip(rows, adjust_holm(tests), strict=True)
    ]


def verdict(effect: float | None, p_holm: float | None) -> str:
    """What the data at hand say: no significant difference is not "no difference"."""
    if effect is None or p_holm is None:
        return "untested"
    if p_holm >= ALPHA:
        return "undecided"
    return "supported" if effect > 0 else "contradicted"


def block_interval(
    differences: Sequence[float], blocks: Sequence[Hashable], samples: int, seed: int
) -> Interval:
    """Percentile interval of the mean difference; whole blocks are drawn with replacement."""
    sums: defaultdict[Hashable, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for block, difference in zip(blocks, differences, strict=True):
        sums[block][0] += difference
        sums[block][1] += 1
    n = len(sums)
    method = f"bootstrap over {n} blocks"
    if n < 2:
        note = "an interval needs two blocks"
        return Interval(None, None, None, 0.95, n, 0.0, method, 0, seed, note)
    table = np.array(list(sums.values()))
    drawn = table[np.random.default_rng(seed).choice(n, size=(samples, n))].sum(axis=1)
    value = float(np.mean(differences))
    return percentile_interval(value, drawn[:, 0] / drawn[:, 1], 0.95, n, method, seed)
