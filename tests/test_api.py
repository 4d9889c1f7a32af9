"""The Python interface: its examples, values by hand and by other tools, what it refuses."""

import doctest
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from sacrebleu.metrics.bleu import BLEU
from scipy import stats

import morpos
from morpos import api
from morpos.errors import MorposError
from morpos.workflow.code_digest import imported_modules
from tests.scoring.test_metrics import f_score

DEMO = Path(__file__).resolve().parents[1] / "demo"


@pytest.fixture(autouse=True)
def _cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))


def demo(name: str) -> list[str]:
    return (DEMO / name).read_text("utf-8").split("\n")[:-1]


def test_the_examples_in_the_docstrings() -> None:
    results = doctest.testmod(api, globs={"morpos": morpos})
    assert results.attempted >= 10
    assert not results.failed


def test_the_worked_example() -> None:
    found = morpos.score(
        [["a b c d e"]], {"x": ["a b c x e"]}, "en", metrics=["WORDF", "bleu"], tokenizer="none"
    )
    assert found.systems["x"]["WORDF"] == pytest.approx((0.8 + 0.5 + 1 / 3 + 0) / 4, abs=1e-15)
    assert found.systems["x"]["BLEU"] == 0
    assert "morph" not in found.signature


def test_several_references_as_sacrebleu() -> None:
    references = [demo("references/de.txt"), demo("systems/en-de/near-copy.txt")]
    output = demo("systems/en-de/lexical.txt")
    found = morpos.score(references, {"x": output}, "de", metrics=["BLEU"], tokenizer="none")
    metric = BLEU(tokenize="none", smooth_method="none", force=True)
    expected = metric.corpus_score(output, references).score
    assert 100 * found.systems["x"]["BLEU"] == pytest.approx(expected, abs=1e-9)
    assert "|refs:2|" in found.signature


def test_given_layers_count_as_they_are() -> None:
    words, tags = ["a b c d e", "f g"], ["X Y X Y X", "Z Z"]
    other, its_tags = ["a b c x e", "f h"], ["X Y X X X", "Z Y"]
    morphemes = [["a b c d e", "f g"], ["a b c x e", "f h"]]
    found = morpos.score(
        [words],
        {"x": other},
        "en",
        metrics=["POSF", "MORPHF"],
        tokenizer="none",
        tags=[tags, its_tags],
        morphemes=morphemes,
    )
    split = [[text.split() for text in texts] for texts in (its_tags, tags, other, words)]
    assert found.systems["x"]["POSF"] == pytest.approx(f_score(split[0], split[1]), abs=1e-15)
    assert found.systems["x"]["MORPHF"] == pytest.approx(f_score(split[2], split[3]), abs=1e-15)
    assert "|morph:given|pos:given|" in found.signature


def test_a_model_that_was_kept_is_the_trained_one(tmp_path: Path) -> None:
    reference = demo("references/cs.txt")
    first, second = (morpos.segment(reference, "cs") for _ in range(2))
    assert first == second
    cache = Path(api.__file__)  # any file: a cache that is no folder
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(cache))
        assert morpos.segment(reference, "cs") == first


def test_comparison_by_an_independent_bootstrap() -> None:
    reference, one, two = (
        demo(f"{name}.txt")
        for name in ("references/en", "systems/de-en/lexical", "systems/de-en/agreement")
    )
    found = morpos.compare(
        [reference], one, two, "en", metrics=["WORDF"], tokenizer="none", samples=200, seed=3
    )
    (row,) = found.differences
    right, first, second = ([s.split() for s in text] for text in (reference, one, two))
    assert row.first == pytest.approx(f_score(first, right), abs=1e-12)
    assert row.difference == pytest.approx(row.first - f_score(second, right), abs=1e-12)
    drawn = []
    rng = np.random.default_rng(3)
    for chosen in rng.choice(len(right), size=(200, len(right)), replace=True):
        a, b, r = ([text[i] for i in chosen] for text in (first, second, right))
        drawn.append(f_score(a, r) - f_score(b, r))
    low, high = np.quantile(drawn, [0.025, 0.975])
    assert (row.low, row.high) == pytest.approx((low, high), abs=1e-12)
    extreme = sum(abs(d - row.difference) >= abs(row.difference) - 1e-12 for d in drawn)
    assert row.p_bootstrap == (1 + extreme) / 201
    number, its_first, its_second = found.most_divergent("WORDF", 1)[0]
    scores = [
        abs(f_score([a], [r]) - f_score([b], [r]))
        for a, b, r in zip(first, second, right, strict=True)
    ]
    assert abs(its_first - its_second) == pytest.approx(max(scores), abs=1e-12)
    assert scores[number - 1] == pytest.approx(max(scores), abs=1e-12)


def test_equal_outputs_are_not_different() -> None:
    reference, output = demo("references/en.txt"), demo("systems/de-en/lexical.txt")
    found = morpos.compare(
        [reference], output, output, "en", metrics=["WORDF"], tokenizer="none", samples=100
    )
    (row,) = found.differences
    assert (row.difference, row.low, row.high) == (0, 0, 0)
    assert (row.p_bootstrap, row.p_randomisation) == (1, 1)
    assert found.most_divergent("WORDF") == []


def test_correlations_as_scipy() -> None:
    rng = np.random.default_rng(1)
    metric, human = rng.random(12), rng.random(12)
    names = [f"s{i}" for i in range(12)]
    scores = {name: {"M": float(x)} for name, x in zip(names, metric, strict=True)}
    judged = dict(zip(names, map(float, human), strict=True))
    (row,) = morpos.correlate(scores | {"unjudged": {"M": 0.5}}, judged | {"unscored": 0.1})
    assert row.n == 12
    for name, value in (
        ("spearman", stats.spearmanr(metric, human)[0]),
        ("pearson", stats.pearsonr(metric, human)[0]),
        ("kendall", stats.kendalltau(metric, human)[0]),
    ):
        assert getattr(row, name) == pytest.approx(value, abs=1e-9)
    assert row.spearman is not None
    assert row.low is not None
    assert row.high is not None
    assert row.low < row.spearman < row.high


def test_undefined_correlations_say_why() -> None:
    scores = {name: {"M": 0.5, "N": i / 3} for i, name in enumerate("abc")}
    constant, other = morpos.correlate(scores, {"a": 0.1, "b": 0.2, "c": 0.3})
    assert constant.spearman is None
    assert "same score" in constant.note
    assert other.spearman == pytest.approx(1)
    with pytest.raises(MorposError, match="spelt alike"):
        morpos.correlate(scores, {"A": 1.0})


@pytest.mark.parametrize(
    ("references", "output", "language", "options", "message"),
    [
        ([["a", "b"]], ["a"], "en", {}, "x has 1 segments, but the reference has 2"),
        ([["a"], ["a", "b"]], ["a"], "en", {}, "reference 2 has 2 segments"),
        ([[]], [], "en", {}, "the reference is empty"),
        ([], ["a"], "en", {}, "one reference and one system"),
        ([["a"]], ["a"], "german", {}, "ISO 639-1"),
        ([["a"]], ["a"], "xx", {}, "no default model for language 'xx'"),
        ([["a"]], ["a"], "en", {"metrics": ["POSX"]}, "did you mean 'POSF'"),
        ([["a"]], ["a"], "en", {"metrics": []}, "no metric is chosen"),
        ([["a b"]], ["a"], "en", {"tags": [["X"], ["X"]]}, "2 words, but 1 tags"),
        ([["a b"]], ["a"], "en", {"tags": [["X X"]]}, "1 texts of tags were given for 2 texts"),
        ([["a b"]], ["a"], "en", {"morphemes": [["a b"], ["b"]]}, "do not join up"),
        ([["a"]], ["a"], "en", {"morfessor_model": __file__}, "not valid JSON"),
    ],
)
def test_what_is_refused(
    references: list[list[str]],
    output: list[str],
    language: str,
    options: dict[str, Sequence[str]],
    message: str,
) -> None:
    with pytest.raises(MorposError, match=message):
        morpos.score(references, {"x": output}, language, **options)  # type: ignore[arg-type]


def test_one_string_is_no_text() -> None:
    with pytest.raises(TypeError, match="one string"):
        morpos.score(["a b c"], {"x": ["a b c"]}, "en")
    with pytest.raises(TypeError, match="no option is called 'tokeniser'"):
        morpos.tag(["a"], "en", tokeniser="none")  # type: ignore[call-arg]
    with pytest.raises(AttributeError, match="scores"):
        _ = morpos.scores  # type: ignore[attr-defined]


def test_no_step_depends_on_the_interface() -> None:
    modules = imported_modules("morpos.workflow.steps.words")
    assert "morpos.layers.words" in modules
    assert not {"morpos.api", "morpos.scoring.metrics", "numpy"} & modules


def test_the_package_lists_its_interface() -> None:
    assert set(morpos.__all__) < set(dir(morpos))


def test_read_takes_other_formats_and_the_order_of_a_reference(tmp_path: Path) -> None:
    reference, output = tmp_path / "r.sgm", tmp_path / "x.jsonl"
    reference.write_text('<refset><doc docid="d"><seg id=1>a</seg><seg id=2>b</seg></doc></refset>')
    output.write_text('{"doc": "d", "id": 2, "t": "B"}\n{"doc": "d", "id": 1, "t": "A"}\n')
    original = morpos.read(reference, format="sgml")
    assert original.ids == ("d/1", "d/2")
    assert morpos.read(output, format="jsonl", select="t").segments == ("B", "A")
    fitting = morpos.read(output, format="jsonl", select="t", reference=original)
    assert (fitting.segments, fitting.ids) == (("A", "B"), None)
    short = tmp_path / "short.txt"
    short.write_text("B\n")
    with pytest.raises(MorposError, match=r"short.txt has 1 segments, but .*r.sgm has 2"):
        morpos.read(short, reference=original)
    fitting = morpos.read(short, reference=original, missing="1")
    assert fitting.segments == ("", "B")
    assert fitting.changes == {"inserted_segments": 1}
    assert fitting.notes == ("paired by position, not by id: the text has no ids",)
