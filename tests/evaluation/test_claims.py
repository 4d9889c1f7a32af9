"""Claims over test sets, by enumeration and by hand."""

import math
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from morpos.errors import MorposError
from morpos.evaluation.claims import block_interval, judge_claims, read_claims, verdict
from tests.conftest import ROOT

PUBLISHED = ROOT / "config" / "wmt08-10" / "published.tsv"

Row = dict[str, Any]


def rows(values: dict[str, tuple[float, float]], **columns: object) -> list[Row]:
    """Correlations of metrics A and B; a test set is called group-target."""
    return [
        {"testset": testset, "group": testset.split("-")[0], "target": testset.split("-")[1]}
        | {
            "systems": "all",
            "exclude_from_summary": 0.0,
            "metric": metric,
            "spearman": rho,
            "note": "",
        }
        | columns
        for testset, pair in values.items()
        for metric, rho in zip("AB", pair, strict=True)
    ]


CLAIM: Row = {"claim": "C", "text": "A is better", "first": "A", "second": "B", "published": 0.1}


def test_signs_of_a_block_flip_together() -> None:
    values = {"x-en": (0.9, 0.5), "x-de": (0.6, 0.5), "y-en": (0.7, 0.8), "y-cs": (0.5, 0.2)}
    more = {"x-en2": (0.4, 0.2)}
    table = rows(values) + rows(more, target="en")  # one more of the block (x, en)
    (found,) = judge_claims([CLAIM], table, 100, 1)
    blocks = [0.4 + 0.2, 0.1, -0.1, 0.3]
    mean = sum(blocks) / 5
    flipped = [
        sum(s * b for s, b in zip(signs, blocks, strict=True)) / 5
        for signs in product((1, -1), repeat=4)
    ]
    assert found["effect"] == pytest.approx(mean)
    assert found["p"] == sum(abs(f) >= abs(mean) - 1e-12 for f in flipped) / 16
    assert (found["n"], found["blocks"]) == (5, 4)
    testsets = [0.4, 0.1, -0.1, 0.3, 0.2]
    flipped = [
        sum(s * d for s, d in zip(signs, testsets, strict=True)) / 5
        for signs in product((1, -1), repeat=5)
    ]
    assert found["p_optimistic"] == sum(abs(f) >= abs(mean) - 1e-12 for f in flipped) / 32


def test_what_does_not_count() -> None:
    table = rows({"x-en": (0.9, 0.5), "x-de": (math.nan, 0.5)})
    table += rows({"x-cs": (0.0, 1.0)}, exclude_from_summary=1.0)
    table += rows({"x-en": (0.0, 1.0)}, systems="without combinations")
    (found,) = judge_claims([CLAIM], table, 100, 1)
    assert found["effect"] == pytest.approx(0.4)
    assert (found["n"], found["note"]) == (1, "ρ undefined in 1 test sets")
    assert found["low"] is None  # one block has no interval


def test_a_metric_that_there_is_not() -> None:
    with pytest.raises(MorposError, match="claim 'C': no metric Z; there are A, B"):
        judge_claims([CLAIM | {"second": "Z"}], rows({"x-en": (0.9, 0.5)}), 100, 1)
    (found,) = judge_claims([CLAIM], [], 100, 1)  # no judgments at all
    assert (found["verdict"], found["note"]) == ("untested", "no test sets")


def test_holm_is_over_the_list() -> None:
    table = rows({f"{year}-en": (0.5 + year / 100, 0.4) for year in range(10)})
    claims = [CLAIM, CLAIM | {"claim": "D", "first": "B", "second": "A"}]
    one, other = judge_claims(claims, table, 100, 1)
    assert one["p"] == 2 / 2**10
    assert one["p_holm"] == 2 * one["p"]
    assert (one["verdict"], other["verdict"]) == ("supported", "contradicted")


def test_verdicts() -> None:
    assert verdict(0.1, 0.05) == "undecided"
    assert verdict(-0.1, 0.049) == "contradicted"
    assert verdict(None, None) == "untested"


def test_whole_blocks_are_drawn() -> None:
    # Of two blocks, both once (1/2) or one of them twice (1/4 each): -1, 1/3 or 1.
    interval = block_interval([1, 1, -1], ["a", "a", "b"], 2000, 1)
    assert [interval.low, interval.value, interval.high] == pytest.approx([-1, 1 / 3, 1])


def test_the_papers_claims_are_those_of_its_table() -> None:
    header, *lines = (line.split("\t") for line in PUBLISHED.read_text().splitlines())
    means = {line[0]: float(line[header.index("mean")]) for line in lines}
    claims = read_claims(str(PUBLISHED.with_name("claims.tsv")))
    assert len(claims) == len({(claim["first"], claim["second"]) for claim in claims})
    for claim in claims:
        difference = means[claim["first"]] - means[claim["second"]]
        assert claim["published"] == pytest.approx(difference, abs=1e-9)
        assert difference > 0


def test_a_claim_that_stands_twice(tmp_path: Path) -> None:
    path = tmp_path / "claims.tsv"
    path.write_text("claim\ttext\tfirst\tsecond\tpublished\n" + "C\tt\tA\tB\t0\n" * 2)
    with pytest.raises(MorposError, match="claimed twice: C"):
        read_claims(str(path))
