"""Sufficient statistics: exact integer n-gram counts per segment, layer and order.

Everything that is scored later comes from these counts alone. A counts file (`.npz`, read without
pickle) holds, for each layer L, S segments, R references and N orders:

=====================  ==========  =====================================================
array                  shape       meaning
=====================  ==========  =====================================================
L.hypothesis_length    (S,)        units of the hypothesis
L.reference_length     (R, S)      units of each reference
L.match                (R, S, N)   matches clipped by each single reference
L.match_any            (S, N)      matches clipped by the maximum over the references
=====================  ==========  =====================================================

and `meta`, a JSON text. Numbers of n-grams follow from the lengths: max(0, length - n + 1).
"""

import io
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from morpos.errors import MorposError
from morpos.io.files import atomic, parse_json, sha256

Integers = NDArray[np.int64]
Segments = Sequence[Sequence[str]]


@dataclass(frozen=True)
class LayerCounts:
    """The counts of one layer of one system; shapes as in the table above."""

    hypothesis_length: Integers
    reference_length: Integers
    match: Integers
    match_any: Integers

    @property
    def order(self) -> int:
        """The largest n that was counted."""
        return int(self.match.shape[2])

    def __post_init__(self) -> None:
        references, segments, order = self.match.shape
        if (
            self.hypothesis_length.shape != (segments,)
            or self.reference_length.shape != (references, segments)
            or self.match_any.shape != (segments, order)
            or references == 0
            or order == 0
        ):
            raise ValueError("the shapes of the counts do not belong together")


@dataclass(frozen=True)
class Counts:
    """All layers of one system, and where they come from (`meta`)."""

    layers: Mapping[str, LayerCounts]
    meta: Mapping[str, Any]


def totals(length: Integers, order: int) -> Integers:
    """How many n-grams n = 1..order a text of so many units has: shape (..., order)."""
    return np.asarray(np.maximum(0, length[..., None] - np.arange(order)))


#: The units of all segments as numbers, and where each segment starts, and the end: shapes (U,) and
#: (S + 1,); of several texts one after the other.
Interned = tuple[NDArray[np.int32], Integers]
Kernel = Callable[
    [NDArray[np.int32], Integers, int, NDArray[np.int32], Integers, int, int, Integers, Integers],
    None,
]


def _count_with_numpy(
    units: NDArray[np.int32],
    starts: Integers,
    systems: int,
    reference_units: NDArray[np.int32],
    reference_starts: Integers,
    references: int,
    order: int,
    match: Integers,
    match_any: Integers,
) -> None:
    """Add the clipped n-gram matches to arrays of zeros; `_ngrams.c` does the same.

    Args:
        units: all units of the systems as numbers, one system after the other.
        starts: where each of their S segments starts, and the end: shape (T * S + 1,).
        systems: T.
        reference_units: all units of the references, one reference after the other.
        reference_starts: the same for their segments: shape (R * S + 1,).
        references: R.
        order: N.
        match: shape (T, R, S, N).
        match_any: shape (T, S, N).
    """
    segments = match_any.shape[1]
    for t in range(systems):
        own = starts[t * segments : (t + 1) * segments + 1]
        system = units[own[0] : own[-1]], own - own[0]
        _count_one(system, (reference_units, reference_starts), match[t], match_any[t])


def _count_one(own: Interned, others: Interned, match: Integers, match_any: Integers) -> None:
    """Add the matches of one system to its part of the arrays.

    Each distinct (segment, n-gram) gets an integer id: for n = 1 from the unit, for n > 1 from the
    id of the first n - 1 units and the last unit. Counting is then a bincount per text.
    """
    references, segments, order = match.shape
    texts = references + 1
    lengths = np.concatenate([np.diff(starts) for _, starts in (own, others)])
    last = np.concatenate([units for units, _ in (own, others)]).astype(np.uint32).astype(np.int64)
    # Of each position: which segment it lies in, which text, and how many units are left there.
    segment = np.repeat(np.tile(np.arange(segments), texts), lengths)
    text = np.repeat(np.repeat(np.arange(texts), segments), lengths)
    left = np.repeat(np.cumsum(lengths), lengths) - np.arange(len(last))

    ids = segment
    position = np.arange(len(last))
    for n in range(order):
        position = position[left[position] > n]
        if not len(position):
            break
        keys = ids[position] << 32 | last[position + n]
        distinct, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
        ids = np.zeros(len(last), dtype=np.int64)
        ids[position] = inverse
        home = segment[position[first]]
        table = np.stack(
            [
                np.bincount(inverse[text[position] == t], minlength=len(distinct))
                for t in range(texts)
            ]
        )
        clipped = np.minimum(table[0], table[1:])
        for r in range(references):
            match[r, :, n] = _sum_by(home, clipped[r], segments)
        match_any[:, n] = _sum_by(home, clipped.max(axis=0), segments)


def matched_orders(
    hypothesis: Sequence[str], references: Sequence[Sequence[str]], order: int
) -> list[int]:
    """The largest n of the matched n-grams that each unit of one segment lies in; 0: in none.

    To show people what `count` counted (`match_any`). Of an n-gram that the hypothesis has more
    often than any reference, the first ones are the matches.
    """
    largest = [0] * len(hypothesis)
    for n in range(1, order + 1):
        left: Counter[tuple[str, ...]] = Counter()
        for reference in references:
            left |= Counter(_ngrams(reference, n))
        for start, ngram in enumerate(_ngrams(hypothesis, n)):
            if left[ngram]:
                left[ngram] -= 1
                largest[start : start + n] = [n] * n
    return largest


def _ngrams(units: Sequence[str], n: int) -> Iterator[tuple[str, ...]]:
    return zip(*(units[start:] for start in range(n)), strict=False)


def _sum_by(group: Integers, values: Integers, groups: int) -> Integers:
    # bincount sums in float64: exact below 2**53, far above any segment.
    return np.bincount(group, weights=values, minlength=groups).astype(np.int64)


_SOURCE = Path(__file__).with_name("_ngrams.c")


def kernels(source: Path = _SOURCE) -> dict[str, Kernel]:
    """What can count: NumPy, and C where it was built, and built from this source."""
    found: dict[str, Kernel] = {"NumPy": _count_with_numpy}
    try:
        from morpos.scoring import _ngrams
    except ImportError:
        return found
    if sha256(source) == _ngrams.SOURCE:
        found["C"] = _ngrams.count
    return found


#: The ways to count, which differ in nothing but speed, and the one that is used.
KERNELS = kernels()
KERNEL = "C" if "C" in KERNELS else "NumPy"


class References:
    """The references of a test set in one layer, made ready to count any number of systems.

    Their units become numbers. A unit of a system that is in no reference cannot match; -1 stands
    for all of those.

    Args:
        references: R times S segments of units, R > 0.

    Raises:
        MorposError: the references differ in their number of segments.
    """

    def __init__(self, references: Sequence[Segments]) -> None:
        numbers = [len(reference) for reference in references]
        if len(set(numbers)) > 1:
            raise MorposError(f"the references have different numbers of segments: {numbers}")
        ids: defaultdict[str, int] = defaultdict()
        ids.default_factory = ids.__len__
        self._lengths = np.stack([_lengths(reference) for reference in references])
        self._starts = _starts(self._lengths)
        units = chain.from_iterable(chain.from_iterable(references))
        self._units = np.fromiter(map(ids.__getitem__, units), np.int32, self._starts[-1])
        self._ids = dict(ids)

    def intern(self, hypothesis: Segments) -> Interned:
        """The units of a system as numbers; for `count_interned`."""
        starts = _starts(_lengths(hypothesis))
        units = map(self._ids.get, chain.from_iterable(hypothesis), repeat(-1))
        return np.fromiter(units, np.int32, starts[-1]), starts

    def count(self, hypothesis: Segments, order: int) -> LayerCounts:
        """Count the clipped n-gram matches of every segment of one system.

        Args:
            hypothesis: S segments of units.
            order: count n = 1..order.

        Raises:
            MorposError: the system has another number of segments than the references.
        """
        (counts,) = self.count_all([hypothesis], order)
        return counts

    def count_all(self, hypotheses: Sequence[Segments], order: int) -> list[LayerCounts]:
        """`count` of several systems in one pass, which takes less time than one after another."""
        return self.count_interned(list(map(self.intern, hypotheses)), order)

    def count_interned(
        self, hypotheses: Sequence[Interned], order: int, *, kernel: str = KERNEL
    ) -> list[LayerCounts]:
        """`count_all` for what `intern` gave of at least one system, by one of the `KERNELS`."""
        references, segments = self._lengths.shape
        for _, starts in hypotheses:
            if len(starts) != segments + 1:
                raise MorposError(
                    "hypothesis and references have different numbers of segments: "
                    f"{[len(starts) - 1, *[segments] * references]}"
                )
        lengths = np.array([np.diff(starts) for _, starts in hypotheses])
        match = np.zeros((len(hypotheses), references, segments, order), dtype=np.int64)
        match_any = np.zeros((len(hypotheses), segments, order), dtype=np.int64)
        own = np.concatenate([units for units, _ in hypotheses]), _starts(lengths), len(hypotheses)
        others = self._units, self._starts, references
        KERNELS[kernel](*own, *others, order, match, match_any)
        return [
            LayerCounts(length, self._lengths, *matches)
            for length, *matches in zip(lengths, match, match_any, strict=True)
        ]


def _lengths(text: Segments) -> Integers:
    return np.fromiter(map(len, text), np.int64, len(text))


def _starts(lengths: Integers) -> Integers:
    return np.concatenate([[0], np.cumsum(lengths)])


def count(hypothesis: Segments, references: Sequence[Segments], order: int) -> LayerCounts:
    """Count one system; see `References`, which is there for several."""
    return References(references).count(hypothesis, order)


_FIELDS = ("hypothesis_length", "reference_length", "match", "match_any")


def save(path: str | Path, counts: Counts) -> None:
    """Write a counts file; the same counts give the same bytes."""
    arrays = {
        f"{name}.{field}": getattr(layer, field).astype(np.int32)
        for name, layer in counts.layers.items()
        for field in _FIELDS
    }
    meta = json.dumps(counts.meta, ensure_ascii=False, sort_keys=True, allow_nan=False)
    arrays["meta"] = np.frombuffer(meta.encode(), dtype=np.uint8)
    with atomic(path, binary=True) as handle:
        np.savez_compressed(handle, **arrays)


def load(path: str | Path) -> Counts:
    """Read a counts file.

    Raises:
        MorposError: the file is missing, damaged, or does not hold counts.
    """
    try:
        with np.load(io.BytesIO(Path(path).read_bytes()), allow_pickle=False) as archive:
            meta = parse_json(archive["meta"].tobytes().decode())
            if not isinstance(meta, dict):
                raise ValueError("meta is not a JSON object")
            names = [key.removesuffix(".match") for key in archive.files if key.endswith(".match")]
            layers = {
                name: LayerCounts(*(_integers(archive[f"{name}.{f}"]) for f in _FIELDS))
                for name in names
            }
    except OSError as error:
        raise MorposError(f"cannot read {path}: {error.strerror or error}") from error
    except Exception as error:  # zipfile and NumPy's parser raise many kinds, TokenError for one
        raise MorposError(
            f"{path} is not a counts file ({error}); delete it and run again"
        ) from error
    return Counts(layers, meta)


def _integers(array: NDArray[Any]) -> Integers:
    if array.dtype != np.int32 or (array < 0).any():
        raise ValueError("counts are not integers >= 0")
    return array.astype(np.int64)
