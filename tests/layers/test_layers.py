"""Layers beside words, morphemes and tags; chrF and chrF++ from them against sacreBLEU."""

import gzip
import hashlib
import re
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.chrf import CHRF

from morpos.errors import MorposError
from morpos.evaluation.resampling import collect_statistics
from morpos.io.files import read_json, read_units, write_segments
from morpos.io.text import canonical
from morpos.layers.given import UnitFile
from morpos.layers.sidecar import sidecar_path
from morpos.layers.tags import tagger
from morpos.layers.units import splitter
from morpos.project.reading import read_project
from morpos.scoring import ngrams
from morpos.scoring.metrics import Metric, read_table
from morpos.workflow.steps import main
from tests.conftest import ROOT

#: chrF and chrF++ as lines of the metric table; also shown in docs/layers.md (tested below).
TABLE = """\
chrF: {family: F, beta: 2, order: 6, layers: {character: 1}}
chrFpp:
  {family: F, beta: 2, layers: {character: {weight: 6, order: 6}, chrf_word: {weight: 2, order: 2}}}
"""


def metric_table(folder: Path, text: str = TABLE) -> dict[str, Metric]:
    (folder / "metrics.yaml").write_text(text)
    return {metric.name: metric for metric in read_table(folder / "metrics.yaml")}


def canonical_lines(path: Path) -> list[str]:
    lines = path.read_bytes().decode().removesuffix("\n").split("\n")
    return [canonical(line, Counter()) for line in lines]


def chrf_counts(hypothesis: list[str], reference: list[str]) -> ngrams.Counts:
    layers = {}
    for name in ("character", "chrf_word"):
        sides = [list(splitter(name).split(text)) for text in (hypothesis, reference)]
        layers[name] = ngrams.count(sides[0], [sides[1]], 6)
    return ngrams.Counts(layers, {})


SYSTEMS = sorted((ROOT / "demo" / "systems").glob("*/*"))


@pytest.mark.parametrize("path", SYSTEMS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_chrf_equals_sacrebleu(tmp_path: Path, path: Path) -> None:
    # sacreBLEU leaves out the n-grams of hypotheses whose reference has none of that order: the
    # demo's references all have six characters and two words.
    hypothesis = canonical_lines(path)
    language = path.parent.name[-2:]
    reference = canonical_lines(ROOT / "demo" / "references" / f"{language}.txt")
    counts = chrf_counts(hypothesis, reference)
    for name, words in (("chrF", 0), ("chrFpp", 2)):
        right = CHRF(word_order=words, eps_smoothing=True).corpus_score(hypothesis, [reference])
        score = metric_table(tmp_path)[name].score(counts)
        assert 100 * score == pytest.approx(right.score, abs=1e-9)


def test_a_metric_of_a_layer_that_was_not_counted(tmp_path: Path) -> None:
    metric = metric_table(tmp_path, "M: {family: F, layers: {pos: 1}}\n")["M"]
    with pytest.raises(MorposError, match="M needs the layer 'pos', but the counts hold character"):
        metric.require(chrf_counts(["a"], ["a"]))


def test_a_metric_of_an_order_that_was_not_counted(tmp_path: Path) -> None:
    metric = metric_table(tmp_path, "M: {family: F, order: 7, layers: {character: 1}}\n")["M"]
    counts = chrf_counts(["a"], ["a"])
    message = (
        "the metric M needs n-grams of the layer 'character' up to n = 7, but they were counted up "
        "to n = 6 only; count again with `--order 7`"
    )
    for use in (metric.require, metric.score, metric.segment_scores):
        with pytest.raises(MorposError, match=message):
            use(counts)
    with pytest.raises(MorposError, match=message):
        collect_statistics({"A": counts}, [metric])


def test_there_are_systems_to_compare() -> None:
    assert len(SYSTEMS) == 35


@given(st.text(alphabet="aB é.,(!¿ ", max_size=30))
def test_chrf_words_are_sacrebleu_s(text: str) -> None:
    right = CHRF(word_order=2)._remove_punctuation(text)
    assert next(splitter("chrf_word").split([text])) == right


def test_chrf_words_by_hand() -> None:
    words = next(splitter("chrf_word").split(["(hi) 'tis , so... ¡ya!"]))
    assert words == ["(hi", ")", "'", "tis", ",", "so..", ".", "¡ya", "!"]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "\u00a0\t",
        "😀",
        "👩‍👩‍👧 🇩🇪",
        "e\u0301",
        "\u0301",
        "...",
        "''",
        "नमस्ते",
        "한국어",
        "\u200b",
        "x" * 500,
    ],
)
def test_chrf_of_hostile_hypotheses(tmp_path: Path, text: str) -> None:
    # References are long enough here; on shorter ones sacreBLEU differs (docs/layers.md).
    references = [canonical(line, Counter()) for line in (f"{text} is no word", "two words 😀")]
    for lines in ([text, ""], [text, text], ["", references[1]]):
        hypotheses = [canonical(line, Counter()) for line in lines]
        counts = chrf_counts(hypotheses, references)
        for name, words in (("chrF", 0), ("chrFpp", 2)):
            right = CHRF(word_order=words, eps_smoothing=True)
            score = right.corpus_score(hypotheses, [references]).score
            assert 100 * metric_table(tmp_path)[name].score(counts) == pytest.approx(
                score, abs=1e-9
            )


def test_characters() -> None:
    assert list(splitter("character").split(["a né", ""])) == [["a", "n", "é"], []]


def test_unknown_names() -> None:
    with pytest.raises(MorposError, match="no layer is called 'syllable'; known are character, "):
        splitter("syllable")


def test_gzipped_layers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "layer.txt.gz"
    write_segments(path, ["a é", "", "b"])
    first = path.read_bytes()
    assert gzip.decompress(first) == "a é\n\nb\n".encode()
    assert read_units(path) == [["a", "é"], [], ["b"]]
    assert sidecar_path(path) == sidecar_path(tmp_path / "layer.txt") == tmp_path / "layer.json"
    monkeypatch.setattr(time, "time", lambda: 1e9)
    write_segments(path, ["a é", "", "b"])
    assert path.read_bytes() == first
    for damaged in (first[:-3], b"no gzip", first[:12] + b"\xff" + first[13:]):
        path.write_bytes(damaged)
        with pytest.raises(MorposError, match=r"layer.txt.gz is a damaged gzip file .*; delete it"):
            read_units(path)


# The step


def step(folder: Path, text: str, *options: str) -> tuple[list[list[str]], dict[str, Any]]:
    (folder / "text.txt").write_text(text, encoding="utf-8")
    output = folder / "layer.txt"
    assert main(["layer", *options, f"--output={output}", str(folder / "text.txt")]) == 0
    return read_units(output), read_json(output.with_suffix(".json"))


def test_step(tmp_path: Path) -> None:
    units, facts = step(tmp_path, "ab c\n\n", "--name=character")
    assert units == [["a", "b", "c"], []]
    assert (facts["signature"], facts["units"]) == ("layer.character:characters", 3)


def test_given_units(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.txt").write_text("x y\n\n")
    options = ("--name=mine", f"--files={tmp_path}/{{text}}.txt", f"--given={tmp_path}/mine.txt")
    units, facts = step(tmp_path, "anything\nat all\n", *options)
    assert units == [["x", "y"], []]
    assert facts["signature"] == f"layer.mine:files.{tmp_path}/{{text}}.txt"
    assert step(tmp_path, "", *options)[0] == []  # a text that was left out
    (tmp_path / "three.txt").write_text("a\nb\nc\n")
    arguments = [*options, f"--output={tmp_path}/o.txt", str(tmp_path / "three.txt")]
    assert main(["layer", *arguments]) == 1
    assert "mine.txt has 2 lines, but the text has 3 segments" in capsys.readouterr().err


@pytest.mark.parametrize(
    "content",
    [
        b"a b\n\nc\xc2\xa0d\n",
        b"a b\n\nc\xc2\xa0d",
        "\ufeffa  b\r\n\r\n\tc\u00a0d \r\n".encode(),
        gzip.compress(b"a b\n\nc\xc2\xa0d\n"),
    ],
    ids=["plain", "no last line end", "Windows", "gzip"],
)
def test_given_files(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a b").mkdir()
    path = tmp_path / "a b" / "x-1.txt"
    path.write_bytes(content)
    given = UnitFile(f"{tmp_path}/a b/{{text}}.txt", str(path))
    # Only blanks and tabs separate: a unit may hold a no-break blank.
    assert given.units(3, "this") == [["a", "b"], [], ["c\u00a0d"]]
    assert given.units(0, "this") == []
    assert given.signature()["given_sha256"] == hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot read .*x.txt: No such file"),
        (b"a\n\xe9\n", "x.txt, line 2: byte 0xE9 at byte offset 2 is not UTF-8; convert the file"),
        (b"a\n", r"x.txt has 1 lines, but the text has 3 segments; make it from this"),
    ],
)
def test_given_files_that_are_none(tmp_path: Path, content: bytes | None, message: str) -> None:
    if content is not None:
        (tmp_path / "x.txt").write_bytes(content)
    with pytest.raises(MorposError, match=message):
        UnitFile(f"{tmp_path}/{{text}}.txt", str(tmp_path / "x.txt")).units(3, "this")
    with pytest.raises(MorposError, match=r"need a pattern with \{text\}.*'x.txt' is none"):
        UnitFile("x.txt", "x.txt")


@pytest.fixture(scope="module")
def pieces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small SentencePiece model."""
    folder = tmp_path_factory.mktemp("pieces")
    sentencepiece.SentencePieceTrainer.train(
        input=str(ROOT / "demo" / "references" / "en.txt"),
        model_prefix=str(folder / "en"),
        vocab_size=200,
        minloglevel=2,
    )
    return folder / "en.model"


def test_subwords(tmp_path: Path, pieces: Path) -> None:
    text = "The mill stands by the river.\n\nZ\n"
    units, facts = step(tmp_path, text, "--name=subword", f"--sentencepiece={pieces}")
    joined = ["".join(segment).replace("▁", " ").strip() for segment in units]
    assert "\n".join(joined) + "\n" == text
    assert len(units[0]) > 6
    digest = facts["details"]["sha256"][:12]
    version = sentencepiece.__version__
    assert facts["signature"] == f"layer.subword:sentencepiece-{version}.en.model#{digest}"


@pytest.mark.parametrize(("content", "fault"), [(None, "missing"), ("x", "no SentencePiece model")])
def test_no_model_of_subwords(tmp_path: Path, content: str | None, fault: str) -> None:
    if content:
        (tmp_path / "m.model").write_text(content)
    with pytest.raises(MorposError, match=f"m.model is {fault}"):
        splitter("subword", "sentencepiece", str(tmp_path / "m.model"))


def test_sentencepiece_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    monkeypatch.delitem(sys.modules, "morpos.layers.units.sentencepiece", raising=False)
    with pytest.raises(MorposError, match=r"pip install -r requirements/sentencepiece.txt, or"):
        splitter("subword", "sentencepiece", "x")
    assert (ROOT / "requirements" / "sentencepiece.txt").is_file()
    assert (ROOT / "envs" / "sentencepiece.yaml").is_file()


def test_a_tagger_without_lemmas() -> None:
    with pytest.raises(MorposError, match="the tagger 'rdr' gives no lemmas"):
        tagger("rdr", "en").lemmatise([["a"]])


# In the configuration

Make = Callable[..., Any]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    monkeypatch.chdir(tmp_path)
    for name in ("ref.txt", "a.txt"):
        Path(name).write_text("x\n")
    Path("d.tsv").write_text(
        "testset\tsource\ttarget\treference\tsystems\nd\tde\ten\tref.txt\t{system}.txt\n"
    )

    def project(table: str, **config: Any) -> Any:
        Path("metrics.yaml").write_text(table)
        return read_project({"testsets": "d.tsv", "metrics": "metrics.yaml", **config})

    return project


def test_only_layers_of_the_metric_table_are_made(make: Make) -> None:
    config = {"layers": {"mine": {"files": "{text}.x"}, "other": {"files": "{text}.y"}}}
    project = make("M: {family: F, layers: {mine: 1, character: 2}}\n", **config)
    assert project.layers == ("character", "mine")
    setup = project.setups[""]
    assert setup.path("character", "d/a", "en", "ref") == "layers/character/d/a.txt"
    assert re.fullmatch(r"layers/mine-\w{6}/d/a\.txt", setup.path("mine", "d/a", "en", "ref"))


LEMMAF = "LEMMAF: {family: F, layers: {lemma: 1}}\n"


@pytest.mark.parametrize(
    ("table", "config", "message"),
    [
        (
            "M: {family: F, layers: {syllable: 1}}\n",
            {},
            r"metrics.yaml: the metric M uses the layer 'syllable', which is neither built in \(wo",
        ),
        ("M: {family: F, layers: {Word: 1}}\n", {}, "M.layers: 'Word' does not match"),
        (
            LEMMAF,
            {},
            "lemmas, but the tagger of 'en', rdr, gives none; choose one of treetagger, spacy, ",
        ),
        (LEMMAF, {"layers": {"word": {"files": "{text}"}}}, "layers: .*should not be valid"),
        (LEMMAF, {"layers": {"a": {"files": "x"}}}, r"layers.a.files: 'x' does not fit"),
        (LEMMAF, {"layers": {"a": {}}}, "layers.a: "),
        (LEMMAF, {"layers": {"a": {"sentencepiece": "no.model"}}}, "there is no file no.model"),
        (LEMMAF, {"archive": {"testsets": ["x"]}}, "archive.testsets: 'x' is not in d.tsv"),
        (TABLE, {"morphemes": {"training": "texts"}}, "morphemes.training: 'texts' is not valid"),
        (TABLE, {"morphemes": {"training": {"list": "{language}.tsv"}}}, "is no file en.tsv"),
        (TABLE, {"morphemes": {"boundary": "a b"}}, "morphemes.boundary: 'a b' does not fit"),
        (TABLE, {"grid": {"morphemes.training": [{"list": "x"}]}}, "is not of type"),
    ],
)
def test_faults(make: Make, table: str, config: dict[str, Any], message: str) -> None:
    with pytest.raises(MorposError, match=message):
        make(table, **config)


def test_lemmas_of_a_tagger_that_gives_them(make: Make) -> None:
    project = make(LEMMAF, tags={"en": {"tagger": "hanta", "granularity": "coarse"}})
    full = make(LEMMAF, tags={"en": {"tagger": "hanta"}})
    paths = [p.setups[""].path("lemma", "d/a", "en", "r") for p in (project, full)]
    assert paths[0] == paths[1]  # the granularity of tags is nothing to lemmas
    assert paths[0].startswith("lemmas/moses-keep/hanta-")


# What is written about them


def test_chrf_is_documented() -> None:
    page = (ROOT / "docs" / "layers.md").read_text(encoding="utf-8")
    assert all(line in page for line in TABLE.splitlines())
