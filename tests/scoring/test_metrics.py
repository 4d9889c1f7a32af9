"""Scores against sacreBLEU, against an F score of another making, and by hand."""

import math
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from morpos.errors import MorposError
from morpos.scoring import ngrams
from morpos.scoring.metrics import DEFAULT_TABLE, Component, FScore, Metric, read_table
from tests.conftest import METRIC_TABLE

ROOT = Path(__file__).resolve().parents[2]
METRICS = {metric.name: metric for metric in read_table(METRIC_TABLE)}

Text = list[list[str]]


def counts_of(hypothesis: Text, references: list[Text], order: int = 4) -> ngrams.Counts:
    layer = ngrams.count(hypothesis, references, order)
    return ngrams.Counts({"word": layer, "morpheme": layer, "pos": layer}, {})


def split(*lines: str) -> Text:
    return [line.split() for line in lines]


def f_score(hypothesis: Text, reference: Text, order: int = 4) -> float:
    """The definition of METRICS.md once more, in exact fractions and with nothing shared."""
    total = Fraction(0)
    for n in range(1, order + 1):
        match = units = 0
        for h, r in zip(hypothesis, reference, strict=True):
            hyp, ref = ([tuple(x[i : i + n]) for i in range(len(x) - n + 1)] for x in (h, r))
            for gram in set(hyp):
                match += min(hyp.count(gram), ref.count(gram))
            units += len(hyp) + len(ref)
        total += Fraction(2 * match, units) if units else 0
    return float(total / order)


def sacrebleu(hypothesis: Text, references: list[Text]) -> float:
    metric = BLEU(tokenize="none", smooth_method="none", force=True)
    joined = [[" ".join(segment) for segment in text] for text in [hypothesis, *references]]
    return float(metric.corpus_score(joined[0], joined[1:]).score) / 100


def sacrebleu_sentence(hypothesis: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    metric = BLEU(tokenize="none", smooth_method="exp", effective_order=True, force=True)
    score = metric.sentence_score(" ".join(hypothesis), [" ".join(r) for r in references]).score
    return float(score) / 100


def test_worked_example_of_the_specification() -> None:
    counts = counts_of(split("a b c x e"), [split("a b c d e")])
    assert METRICS["WORDF"].score(counts) == pytest.approx((0.8 + 0.5 + 1 / 3 + 0) / 4, abs=1e-15)
    assert METRICS["BLEU"].score(counts) == 0


segment = st.lists(st.sampled_from("abcde"), max_size=9)
rows = st.lists(st.tuples(segment, segment, segment), min_size=1, max_size=6)


@given(rows)
@settings(deadline=None, max_examples=300)
def test_equal_to_independent_scores(texts: list[tuple[list[str], ...]]) -> None:
    hypothesis, one, two = ([row[i] for row in texts] for i in range(3))
    single, double = counts_of(hypothesis, [one]), counts_of(hypothesis, [one, two])
    assert METRICS["WORDF"].score(single) == pytest.approx(f_score(hypothesis, one), abs=1e-12)
    for counts, references in ((single, [one]), (double, [one, two])):
        expected = sacrebleu(hypothesis, references)
        assert METRICS["BLEU"].score(counts) == pytest.approx(expected, abs=1e-9)
        by_segment = METRICS["BLEU"].segment_scores(counts)
        for s, (hyp, *refs) in enumerate(texts):
            expected = sacrebleu_sentence(hyp, refs[: len(references)])
            assert by_segment[s] == pytest.approx(expected, abs=1e-9)
    for s, (hyp, *refs) in enumerate(texts):
        expected = max(f_score([hyp], [ref]) for ref in refs)
        assert METRICS["WORDF"].segment_scores(double)[s] == pytest.approx(expected, abs=1e-12)


# sacreBLEU leaves out the hypothesis n-grams of a segment whose reference is too short to have any
# of that order; morpos counts them. So the references here have six characters at least.
@given(
    st.lists(
        st.tuples(st.text("abcd", max_size=12), st.text("abcd", min_size=6, max_size=12)),
        min_size=1,
    )
)
@settings(deadline=None, max_examples=200)
def test_characters_with_order_6_and_beta_2_are_chrf(texts: list[tuple[str, str]]) -> None:
    hypothesis, reference = ([list(row[i]) for row in texts] for i in range(2))
    chrf = Metric("chrF", (FScore(beta=2.0),), (Component("word", 1, 6),))
    expected = CHRF(eps_smoothing=True).corpus_score(
        [row[0] for row in texts], [[row[1] for row in texts]]
    )
    score = chrf.score(counts_of(hypothesis, [reference], 6))
    assert 100 * score == pytest.approx(expected.score, abs=1e-9)


def test_several_references_take_the_best_one_per_segment() -> None:
    hypothesis = split("a b c d", "x y z")
    references = [split("a b c d", "q q"), split("q", "x y z")]
    assert METRICS["WORDF"].score(counts_of(hypothesis, references)) == 1.0


@pytest.mark.parametrize(
    ("hypothesis", "reference"),
    [
        (split(""), split("a b c d e")),
        (split("a b c d e"), split("")),
        (split(""), split("")),
        (split("x y z v w"), split("a b c d e")),
    ],
)
def test_nothing_in_common_is_zero_everywhere(hypothesis: Text, reference: Text) -> None:
    counts = counts_of(hypothesis, [reference])
    for metric in METRICS.values():
        assert metric.score(counts) == 0
        assert metric.segment_scores(counts).tolist() == [0.0]


def test_a_perfect_segment_of_three_units_has_75_percent() -> None:
    counts = counts_of(split("a b c"), [split("a b c")])
    assert METRICS["WORDF"].segment_scores(counts).tolist() == [0.75]
    assert METRICS["BLEU"].segment_scores(counts).tolist() == [1.0]


def test_combinations_are_means() -> None:
    texts = {
        "word": (split("a b c d e"), split("a b c d x")),
        "morpheme": (split("a a b c d e"), split("a b c d y")),
        "pos": (split("N V N V N"), split("N V N V N")),
    }
    layers = {name: ngrams.count(h, [r], 4) for name, (h, r) in texts.items()}
    counts = ngrams.Counts(layers, {})
    f = {name: f_score(h, r) for name, (h, r) in texts.items()}
    bleu = {name: sacrebleu(h, [r]) for name, (h, r) in texts.items()}
    w, m, p = f["word"], f["morpheme"], f["pos"]
    bw, bm, bp = bleu["word"], bleu["morpheme"], bleu["pos"]
    expected = {
        "WORDF": w, "MORPHF": m, "POSF": p, "BLEU": bw, "MORPHBLEU": bm, "POSBLEU": bp,
        "WPF": (w + p) / 2, "WMF": (w + m) / 2, "MPF": (m + p) / 2,
        "WPBLEU": (bw + bp) / 2, "WMBLEU": (bw + bm) / 2, "MPBLEU": (bm + bp) / 2,
        "WMPF": (w + m + p) / 3, "WMPBLEU": (bw + bm + bp) / 3,
        "WMPFBLEU": (w + m + p + bw + bm + bp) / 6,
        "WMPF_w": 0.2 * w + 0.3 * m + 0.5 * p,
    }  # fmt: skip
    assert set(expected) == set(METRICS)
    for name, value in expected.items():
        assert METRICS[name].score(counts) == pytest.approx(value, abs=1e-9), name


def test_long_repetition_is_clipped() -> None:
    hypothesis, reference = [["the"] * 10_000], [["the", "end"]]
    counts = counts_of(hypothesis, [reference])
    assert METRICS["WORDF"].score(counts) == pytest.approx(2 / 10_002 / 4, abs=1e-15)
    assert math.isfinite(METRICS["BLEU"].score(counts))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1]", "is not of type 'object'"),
        ("{}", "non-empty|does not have enough properties|should be non-empty"),
        ("X: {family: G, layers: {word: 1}}", r"X\.family: 'G' is not one of"),
        ("X: {family: F, layers: {Words: 1}}", r"X\.layers: 'Words' does not match"),
        ("X: {family: F, layers: {word: 0}}", r"X\.layers\.word"),
        ("X: {family: F}", "'layers' is a required property"),
        ("X: {family: F, order: 0, layers: {word: 1}}", r"X\.order: 0 is less than"),
        ("NO: {family: F, layers: {word: 1}}", "put it in quotes"),
        ("X: [", "is not valid YAML"),
    ],
)
def test_faults_in_the_table_are_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "metrics.yaml"
    path.write_text(text)
    with pytest.raises(MorposError, match=message):
        read_table(path)


@pytest.mark.parametrize("beta", [0.3, 1.3, 2.0])
def test_perfect_segments_score_one_whatever_beta(beta: float) -> None:
    family = FScore(beta)
    for length in range(4, 60):
        units = [[str(i) for i in range(length)]]
        layer = ngrams.count(units, [units], 4)
        assert family.segment_score(family.statistics(layer, 4)).tolist() == [pytest.approx(1.0)]


def test_the_grid_keeps_the_metrics_of_the_paper() -> None:
    table = {m.name: m for m in read_table(ROOT / "config" / "wmt08-10" / "grid-metrics.yaml")}
    assert {name: table[name] for name in METRICS} == METRICS


def test_no_other_metric_has_a_name_of_the_paper() -> None:
    """The table of the package may have more metrics or fewer."""
    table = {metric.name: metric for metric in read_table(DEFAULT_TABLE)}
    assert table == table | {name: METRICS[name] for name in METRICS.keys() & table.keys()}
