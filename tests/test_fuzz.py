"""The targets of `make fuzz` on their seeds, on what was found, and on some mutants of both."""

import random

import pytest

from morpos.data import archives
from morpos.errors import MorposError
from tests.fuzz import targets
from tests.fuzz.targets import FOUND, SEEDS, TARGETS, watched


@pytest.mark.parametrize("name", TARGETS)
def test_target(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_BYTES", 1 << 20)
    draw = random.Random(name)
    for seed in SEEDS[name] + FOUND.get(name, []):
        TARGETS[name](seed)
        for _ in range(20):
            mutant = bytearray(seed)
            for _ in range(draw.randint(1, 4)):
                mutant[draw.randrange(len(mutant))] = draw.randrange(256)
            TARGETS[name](bytes(mutant[: draw.choice([len(mutant), draw.randrange(len(mutant))])]))


@pytest.mark.parametrize("name", TARGETS)
def test_seeds_are_read(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A target whose seeds are all refused would find nothing."""
    seed, refused = b"", set()
    monkeypatch.setattr(targets, "check_message", lambda *_: refused.add(seed))
    for seed in SEEDS[name]:
        TARGETS[name](seed)
    assert len(refused) <= len(SEEDS[name]) / 2


@pytest.mark.parametrize(
    "code",
    [
        "open('/etc/hostname')",
        "open('written', 'w')",
        "__import__('os').mkdir(__import__('os').path.abspath('made'))",
        "__import__('subprocess').run(['true'])",
        "__import__('os').system('true')",
        "__import__('urllib.request').request.urlopen('http://127.0.0.1:9/')",
        "__import__('pickle').loads(b'cos\\nsystem\\n.')",
    ],
)
def test_the_watch_sees_what_no_reader_may_do(code: str) -> None:
    with watched(), pytest.raises(AssertionError, match=r"a reader (did|opened)"):
        eval(code)


def test_what_is_allowed_within_the_watch() -> None:
    with targets.file(b"text") as path:
        assert path.read_text() == "text"
        raise MorposError(f"{path} is refused")
