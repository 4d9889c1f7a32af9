"""Canonical texts: what is changed, what is counted, what is refused."""

import gzip
import unicodedata
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morpos.errors import MorposError
from morpos.io.text import canonical, decode, read_bytes, split_lines


def lines(text: str) -> list[str]:
    return split_lines(text, "text", Counter())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("\n", [""]),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("a\n\n", ["a", ""]),
        ("a\r\nb\r\n", ["a", "b"]),
        ("a\r\nb\r", ["a", "b"]),
        ("a\u2028b\u0085c\x0bd\x0ce\x1cf\n", ["a\u2028b\u0085c\x0bd\x0ce\x1cf"]),
    ],
)
def test_only_lf_ends_a_line(text: str, expected: list[str]) -> None:
    assert lines(text) == expected


@pytest.mark.parametrize(
    ("segment", "expected", "changes"),
    [
        ("plain text", "plain text", {}),
        ("10\u00a0000\u202fkm", "10 000 km", {"special_spaces": 2}),
        ("a \u0085 b", "a b", {"controls": 1, "extra_spaces": 2}),
        ("a\tb\x00c\rd", "a b c d", {"controls": 3}),
        ("\ufeffa\u200bb\u00adc", "abc", {"invisible": 3}),
        ("cafe\u0301", "café", {"normalised_segments": 1}),
        ("  a   b ", "a b", {"extra_spaces": 5}),
        ("\u3000", "", {"special_spaces": 1, "extra_spaces": 1}),
        # An invisible character between a letter and its accent does not keep them apart.
        ("e\u200d\u0301", "é", {"invisible": 1, "normalised_segments": 1}),
        # Visible although of the same category as the invisible ones.
        ("\u0600", "\u0600", {}),
    ],
)
def test_canonical_and_its_count(segment: str, expected: str, changes: dict[str, int]) -> None:
    counted: Counter[str] = Counter()
    assert canonical(segment, counted) == expected
    assert {kind: n for kind, n in counted.items() if n} == changes


@given(st.text().filter(lambda text: "\n" not in text))
def test_canonical_is_stable_and_clean(segment: str) -> None:
    once = canonical(segment, Counter())
    again: Counter[str] = Counter()
    assert canonical(once, again) == once
    assert not +again
    assert unicodedata.is_normalized("NFC", once)
    assert once.split() == (once.split(" ") if once else [])
    assert not any(unicodedata.category(c) in ("Cc", "Zl", "Zp") for c in once)


def test_bytes_that_are_not_utf8_are_named() -> None:
    with pytest.raises(MorposError, match=r"out\.txt, line 2: byte 0xFC at byte offset 7 is not"):
        decode(b"ab\nschl\xfcssel\n", "out.txt")


def test_utf16_is_named() -> None:
    with pytest.raises(MorposError, match="UTF-16"):
        decode("a".encode("utf-16"), "out.txt")
    assert decode("a".encode("utf-16"), "out.txt", "utf-16") == "a"


def test_unknown_encoding() -> None:
    with pytest.raises(MorposError, match="no encoding 'utf-9'"):
        decode(b"a", "out.txt", "utf-9")


def test_gzip_is_known_by_its_bytes(tmp_path: Path) -> None:
    packed = tmp_path / "hidden.txt"
    packed.write_bytes(gzip.compress(b"a b\n"))
    assert read_bytes(packed) == b"a b\n"
    page = tmp_path / "page.gz"
    page.write_bytes(b"<!doctype html>")
    with pytest.raises(MorposError, match=r"not gzip .first bytes 3C 21"):
        read_bytes(page)
    packed.write_bytes(gzip.compress(b"a b\n" * 100)[:-9])
    with pytest.raises(MorposError, match="damaged or incomplete"):
        read_bytes(packed)
    with pytest.raises(MorposError, match=r"cannot read .*absent.txt: No such file"):
        read_bytes(tmp_path / "absent.txt")
