"""n-gram counts against a plain Counter, and the counts file."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from morpos import ngrams
from morpos.errors import MorposError

Units = Sequence[str]


def grams(units: Units, n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(units[i : i + n]) for i in range(len(units) - n + 1))


def clipped(hypothesis: Units, reference: Counter[tuple[str, ...]], n: int) -> int:
    return sum((grams(hypothesis, n) & reference).values())


# Few distinct units, so that they repeat; some that look like separators of n-grams.
segments = st.lists(st.sampled_from(["a", "b", "a b", "_", "==", "\x1f"]), max_size=9)


@given(st.lists(st.tuples(segments, segments, segments), max_size=6), st.integers(1, 6))
@settings(deadline=None)
def test_equal_to_a_counter(rows: list[tuple[Units, Units, Units]], order: int) -> None:
    hypothesis, *references = ([row[i] for row in rows] for i in range(3))
    counts = ngrams.count(hypothesis, references, order)
    for s, (hyp, *refs) in enumerate(rows):
        assert counts.hypothesis_length[s] == len(hyp)
        assert counts.reference_length[:, s].tolist() == [len(ref) for ref in refs]
        for n in range(1, order + 1):
            expected = [clipped(hyp, grams(ref, n), n) for ref in refs]
            assert counts.match[:, s, n - 1].tolist() == expected
            union = grams(refs[0], n) | grams(refs[1], n)
            assert counts.match_any[s, n - 1] == clipped(hyp, union, n)


def test_totals() -> None:
    assert ngrams.totals(np.array([0, 2, 5]), 4).tolist() == [
        [0, 0, 0, 0],
        [2, 1, 0, 0],
        [5, 4, 3, 2],
    ]


def test_different_numbers_of_segments() -> None:
    with pytest.raises(MorposError, match=r"\[1, 2\]"):
        ngrams.count([["a"]], [[["a"], ["b"]]], 4)


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
        with pytest.raises(MorposError, match=r"x\.npz is no counts file"):
            ngrams.load(path)
    np.savez(path, meta=np.array([{"a": 1}], dtype=object))
    with pytest.raises(MorposError, match="is no counts file"):
        ngrams.load(path)
    with pytest.raises(MorposError, match="cannot read"):
        ngrams.load(tmp_path / "absent.npz")
