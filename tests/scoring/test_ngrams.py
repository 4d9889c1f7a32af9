"""n-gram counts against a plain Counter, and the counts file."""

import shutil
from collections import Counter
from collections.abc import Sequence
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from morpos.errors import MorposError
from morpos.scoring import ngrams
from morpos.scoring.ngrams import LayerCounts

Units = Sequence[str]
Text = Sequence[Units]


def grams(units: Units, n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(units[i : i + n]) for i in range(len(units) - n + 1))


def clipped(hypothesis: Units, reference: Counter[tuple[str, ...]], n: int) -> int:
    return sum((grams(hypothesis, n) & reference).values())


# Few distinct units, so that they repeat; some that look like separators of n-grams.
segments = st.lists(st.sampled_from(["a", "b", "a b", "_", "==", "\x1f"]), max_size=9)
# As many texts as there are: the hypothesis and 1 to 5 references.
rows_of_texts = st.integers(2, 6).flatmap(
    lambda texts: st.lists(st.lists(segments, min_size=texts, max_size=texts), min_size=1)
)
needs_c = pytest.mark.skipif(
    "C" not in ngrams.KERNELS, reason="the part in C is not built: make setup"
)
kernels = pytest.mark.parametrize("kernel", ["NumPy", pytest.param("C", marks=needs_c)])


def check(counts: LayerCounts, rows: Sequence[Text], order: int) -> None:
    """Compare with a Counter, segment by segment; a row is a hypothesis and its references."""
    for s, (hypothesis, *references) in enumerate(rows):
        assert counts.hypothesis_length[s] == len(hypothesis)
        assert counts.reference_length[:, s].tolist() == list(map(len, references))
        for n in range(1, order + 1):
            of_each = [grams(reference, n) for reference in references]
            expected = [clipped(hypothesis, counter, n) for counter in of_each]
            assert counts.match[:, s, n - 1].tolist() == expected
            most = reduce(or_, of_each)
            assert counts.match_any[s, n - 1] == clipped(hypothesis, most, n)


def test_c_is_used_where_it_can_be_built() -> None:
    if not shutil.which("cc"):
        pytest.skip("no C compiler, so only NumPy is tested; install one, make setup")
    assert ngrams.KERNEL == "C", "the extension is missing or outdated: make setup"
    assert ngrams.KERNELS.keys() == {"NumPy", "C"}


def count(hypothesis: Text, references: Sequence[Text], order: int, kernel: str) -> LayerCounts:
    (counts,) = count_all([hypothesis], references, order, kernel)
    return counts


def count_all(
    hypotheses: Sequence[Text], references: Sequence[Text], order: int, kernel: str
) -> list[LayerCounts]:
    ready = ngrams.References(references)
    return ready.count_interned(list(map(ready.intern, hypotheses)), order, kernel=kernel)


@kernels
@given(rows_of_texts, st.integers(1, 12))
@settings(deadline=None)
def test_equal_to_a_counter(kernel: str, rows: list[list[Units]], order: int) -> None:
    hypothesis, *references = (list(text) for text in zip(*rows, strict=True))
    check(count(hypothesis, references, order, kernel), rows, order)


@kernels
@given(rows_of_texts, st.integers(1, 12), st.integers(1, 5))
@settings(deadline=None)
def test_several_systems_at_once(
    kernel: str, rows: list[list[Units]], order: int, systems: int
) -> None:
    texts = [list(text) for text in zip(*rows, strict=True)]
    hypotheses, references = texts[:systems], texts[max(1, len(texts) - 2) :]
    found = count_all(hypotheses, references, order, kernel)
    assert len(found) == len(hypotheses)
    for counts, hypothesis in zip(found, hypotheses, strict=True):
        check(counts, list(zip(hypothesis, *references, strict=True)), order)


@kernels
def test_edges(kernel: str) -> None:
    def try_out(rows: Sequence[Text], order: int) -> None:
        hypothesis, *references = ([row[i] for row in rows] for i in range(len(rows[0])))
        check(count(hypothesis, references, order, kernel), rows, order)

    try_out([[[], []], [["a"], []], [[], ["a"]]], 2)
    try_out([[["a"] * 30, ["a"] * 29, ["a"]]], 40)  # orders beyond every length
    # More units in a segment, and more different ones, than 16 bits can number.
    long = [str(i % 66_001) for i in range(70_000)]
    try_out([[long, long[1:]], [["0"], ["0", "0"]]], 2)

    none = count([], [[], []], 4, kernel)
    assert none.match.shape == (2, 0, 4)
    with pytest.raises(MorposError, match=r"\[1, 2, 2\]"):
        count([["a"]], [[["a"], ["b"]]] * 2, 4, kernel)


@kernels
def test_large_numbers_of_units(kernel: str) -> None:
    large = [0, 2**16 - 1, 2**16, 2**31 - 2, 2**31 - 1]
    own, other = [*large, 0, -1, 2**16], [*large[1:], *large, 2**16]
    match, match_any = np.zeros((1, 1, 1, 3), np.int64), np.zeros((1, 1, 3), np.int64)
    units, starts = np.array(own, np.int32), np.array([0, len(own)])
    others, other_starts = np.array(other, np.int32), np.array([0, len(other)])
    ngrams.KERNELS[kernel](units, starts, 1, others, other_starts, 1, 3, match, match_any)
    texts = list(map(str, own)), list(map(str, other))
    expected = [clipped(texts[0], grams(texts[1], n), n) for n in (1, 2, 3)]
    assert match.ravel().tolist() == match_any.ravel().tolist() == expected


@needs_c
def test_a_built_kernel_of_another_source_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "ngrams.c").write_text("of tomorrow")
    assert ngrams.kernels(tmp_path / "ngrams.c").keys() == {"NumPy"}


@needs_c
def test_c_refuses_arrays_that_do_not_belong_together() -> None:
    count_in_c: Any = ngrams.KERNELS["C"]
    units, starts = np.zeros(6, np.int32), np.array([0, 1, 3, 4, 6])  # two systems, two segments
    others, other_starts = np.zeros(3, np.int32), np.array([0, 1, 3])
    match, match_any = np.zeros((2, 1, 2, 4), np.int64), np.zeros((2, 2, 4), np.int64)
    good = [units, starts, 2, others, other_starts, 1, 4, match, match_any]
    count_in_c(*good)
    for place, wrong in (
        (0, units[:2]),
        (1, np.array([0, 4, 3, 4, 6])),
        (1, np.array([1, 2, 3, 4, 6])),
        (1, starts[:4]),
        (1, starts[:1]),
        (1, starts[:0]),
        (2, 0),
        (2, 1),
        (2, 3),
        (2, 4),
        (2, -1),
        (2, 2**62),
        (3, np.zeros(4, np.int32)),
        (4, np.array([0, 3])),
        (5, 2),
        (5, -1),
        (5, 2**62),
        (6, 5),
        (6, 2**62),
        (7, match[:, :, :1].copy()),
        (7, match[:1].copy()),
        (8, match_any[:, :, :3].copy()),
        (8, match_any[:1].copy()),
    ):
        with pytest.raises(ValueError, match="do not belong together"):
            count_in_c(*good[:place], wrong, *good[place + 1 :])


@given(segments, st.lists(segments, min_size=1, max_size=2), st.integers(1, 4))
@settings(deadline=None)
def test_covered_units_are_those_of_matches(hyp: Units, refs: Sequence[Units], order: int) -> None:
    found = ngrams.matched_orders(hyp, refs, order)
    # Of n-grams of one size, the number of covered units follows from which occurrences match.
    expected = [0] * len(hyp)
    for n in range(1, order + 1):
        most = {g: max(grams(ref, n)[g] for ref in refs) for ref in refs for g in grams(ref, n)}
        for start in range(len(hyp) - n + 1):
            gram = tuple(hyp[start : start + n])
            earlier = sum(tuple(hyp[i : i + n]) == gram for i in range(start))
            if earlier < most.get(gram, 0):
                expected[start : start + n] = [n] * n
    assert found == expected
    counts = ngrams.count([hyp], [[ref] for ref in refs], 1)
    assert sum(level > 0 for level in ngrams.matched_orders(hyp, refs, 1)) == counts.match_any[0, 0]


def test_covered_by_hand() -> None:
    hypothesis = ["a", "cat", "sat", "on", "mat", "the", "the"]
    reference = ["the", "cat", "sat", "on", "the", "mat"]
    assert ngrams.matched_orders(hypothesis, [reference], 4) == [0, 3, 3, 3, 1, 1, 1]


def test_totals() -> None:
    assert ngrams.totals(np.array([0, 2, 5]), 4).tolist() == [
        [0, 0, 0, 0],
        [2, 1, 0, 0],
        [5, 4, 3, 2],
    ]


def test_different_numbers_of_segments() -> None:
    with pytest.raises(MorposError, match=r"\[1, 2\]"):
        ngrams.count([["a"]], [[["a"], ["b"]]], 4)
    with pytest.raises(MorposError, match=r"\[2, 1\]"):
        ngrams.count([["a"]], [[["a"], ["b"]], [["a"]]], 4)


def test_file_round_trip(tmp_path: Path) -> None:
    layer = ngrams.count([["a", "b"], []], [[["a"], ["b"]]], 3)
    counts = ngrams.Counts({"word": layer}, {"text": {"name": "Größe <b>"}})
    for name in ("one.npz", "two.npz"):
        ngrams.save(tmp_path / name, counts)
    assert (tmp_path / "one.npz").read_bytes() == (tmp_path / "two.npz").read_bytes()
    again = ngrams.load(tmp_path / "one.npz")
    assert again.meta == counts.meta
    assert (again.layers["word"].match == layer.match).all()


def test_damaged_files(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    layer = ngrams.count([["a", "b"]], [[["a"]]], 3)
    ngrams.save(path, ngrams.Counts({"word": layer}, {}))
    whole = path.read_bytes()
    for content in (b"", b"no zip", whole[: len(whole) // 2]):
        path.write_bytes(content)
        with pytest.raises(MorposError, match=r"x\.npz is not a counts file"):
            ngrams.load(path)
    np.savez(path, meta=np.array([{"a": 1}], dtype=object))
    with pytest.raises(MorposError, match="is not a counts file"):
        ngrams.load(path)
    with pytest.raises(MorposError, match="cannot read"):
        ngrams.load(tmp_path / "absent.npz")
