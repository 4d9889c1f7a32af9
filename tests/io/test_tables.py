"""Tables on disk."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from morpos.io import tables

ROWS = [{"system": "a\tb", "x": 0.1}, {"system": "c", "x": float("nan")}]


def test_a_packed_table_is_the_plain_one_and_always_the_same(tmp_path: Path) -> None:
    for name in ("plain.tsv", "one.tsv.gz", "two.tsv.gz"):
        tables.write(tmp_path / name, ["system", "x"], ROWS)
    assert (tmp_path / "plain.tsv").read_bytes() == b"system\tx\na b\t0.1\nc\t\n"
    packed = (tmp_path / "one.tsv.gz").read_bytes()
    assert gzip.decompress(packed) == (tmp_path / "plain.tsv").read_bytes()
    assert packed == (tmp_path / "two.tsv.gz").read_bytes()


@pytest.mark.parametrize("name", ["t.tsv", "t.tsv.gz"])
def test_what_fails_midway_leaves_nothing(tmp_path: Path, name: str) -> None:
    def rows() -> Iterator[dict[str, object]]:
        yield from ROWS
        raise ValueError("midway")

    with pytest.raises(ValueError, match="midway"):
        tables.write(tmp_path / name, ["system", "x"], rows())
    assert not list(tmp_path.iterdir())
