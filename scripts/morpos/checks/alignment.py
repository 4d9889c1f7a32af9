"""Do the lines of an output belong to those of the reference? Shifted and shuffled lines.

Each line of the output looks for the line of the reference with which it shares the rarest words.
That is its own line, but for some by chance: at most 1.6 % of the lines in the 341 outputs of
WMT08-10, and never more than two lines in a row with the same distance.
"""

import math
from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, diags_array

from morpos.checks.profile import TextProfile

#: So many lines in a row that look for a line at the same distance are shifted.
RUN = 4
#: A larger share of lines (and so many at least) that look for another line was shuffled.
SHUFFLED, SHUFFLED_LINES = 0.04, 4
# Words in more lines of the reference than this say little, and cost most of the time.
_COMMON = 20


class Shift(NamedTuple):
    """Lines first to last (from 1) that fit the reference so many lines further on."""

    first: int
    last: int
    distance: int


class Alignment:
    """Where the rare words of a reference are."""

    def __init__(self, reference: TextProfile) -> None:
        self.size = len(reference.segments)
        lines = Counter(word for words in reference.words for word in words)
        rare = sorted(word for word, n in lines.items() if n <= min(_COMMON, self.size / 4))
        self.index = {word: i for i, word in enumerate(rare)}
        weights = np.log([self.size / lines[word] for word in rare])
        self.reference = (self._matrix(reference.words) @ diags_array(weights)).T.tocsr()
        # Two words that stand in two lines each are the least on which a line is judged.
        self.least = 2 * math.log(self.size / 2)

    def _matrix(self, lines: Sequence[frozenset[str]]) -> Any:
        rows = [[self.index[word] for word in words if word in self.index] for words in lines]
        ends = np.cumsum([0, *map(len, rows)])
        columns = np.array([column for row in rows for column in row], dtype=np.int64)
        return csr_matrix((np.ones(len(columns)), columns, ends), (len(rows), len(self.index)))

    def distances(self, output: TextProfile) -> dict[int, int]:
        """How many lines further on the reference is found, by line from 0.

        Lines that share too little with any line of the reference are left out, and so are those
        that could belong to their own line as well as to another.
        """
        shared = (self._matrix(output.words) @ self.reference).tocsr()
        own: NDArray[np.float64] = shared.diagonal()
        found = {}
        for line in range(self.size):
            values = shared.data[shared.indptr[line] : shared.indptr[line + 1]]
            if len(values) and (best := values.max()) >= self.least:
                if own[line] == best:
                    found[line] = 0
                elif own[line] <= best / 2:
                    found[line] = int(shared.indices[shared.indptr[line] + values.argmax()]) - line
        return found


def shifts(distances: dict[int, int]) -> list[Shift]:
    """Runs of lines that look for a line at the same distance."""
    found = []
    for distance, run in groupby(distances.items(), key=lambda item: item[1]):
        lines = [line for line, _ in run]
        if distance and len(lines) >= RUN:
            found.append(Shift(lines[0] + 1, lines[-1] + 1, distance))
    return found


def shuffled(distances: dict[int, int]) -> list[int]:
    """Lines (from 1) that belong elsewhere, if they are too many for chance; no shifted ones."""
    apart = {line for shift in shifts(distances) for line in range(shift.first - 1, shift.last)}
    lines = [line + 1 for line, distance in distances.items() if distance and line not in apart]
    many = len(lines) >= SHUFFLED_LINES and len(lines) > SHUFFLED * len(distances)
    return lines if many else []
