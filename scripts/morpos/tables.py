"""Tables: tab-separated, never quoted, numbers at full precision, undefined is an empty cell.

The last column of every table is its signature.
"""

import csv
import gzip
from pathlib import Path

import numpy as np
import pandas as pd

from morpos.errors import MorposError
from morpos.files import atomic
from morpos.text import read_bytes

#: Columns that hold text; all others are numbers.
TEXT = {"document", "system", "reference", "file", "metric", "status", "note", "signature", "rule"}


def write(path: str | Path, frame: pd.DataFrame) -> None:
    """Write a table, gzipped if the name ends in .gz; the same table gives the same bytes."""
    text = frame.to_csv(sep="\t", index=False, quoting=csv.QUOTE_NONE, lineterminator="\n")
    data = text.encode()
    if str(path).endswith(".gz"):
        data = gzip.compress(data, compresslevel=4, mtime=0)
    with atomic(path, binary=True) as handle:
        handle.write(data)


def read(path: str | Path) -> pd.DataFrame:
    """Read a table; text stays text ("NA" and "1" are system names too).

    Raises:
        MorposError: missing, no table, or a cell that should be a number and is none.
    """
    lines = read_bytes(path).decode("utf-8-sig").removesuffix("\n").split("\n")
    rows = [line.removesuffix("\r").split("\t") for line in lines]
    header = rows.pop(0)
    for number, row in enumerate(rows, 2):
        if len(row) != len(header):
            raise MorposError(
                f"{path}, line {number}: {len(row)} cells, but the header has {len(header)}"
            )
    frame = pd.DataFrame(rows, columns=header, dtype=object)
    for column in header:
        if column not in TEXT:
            frame[column] = [
                _number(value, f"{path}, line {number}, column '{column}'")
                for number, value in enumerate(frame[column], 2)
            ]
    return frame


def _number(value: str, place: str) -> float:
    try:
        return float(value) if value else np.nan
    except ValueError as error:
        raise MorposError(f"{place}: '{value}' is no number") from error
