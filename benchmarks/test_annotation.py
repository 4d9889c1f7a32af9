"""Tokens per second of the annotation steps, and the bootstrap; the table of rates stands below."""

from collections import Counter
from collections.abc import Iterator

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.texts import Layer, layers, make_testset
from morpos.evaluation.resampling import bootstrap_scores, collect_statistics
from morpos.layers.morphemes.morfessor import Model, train
from morpos.layers.tags.rdr import RdrTagger
from morpos.layers.words import tokenizer
from morpos.scoring.metrics import DEFAULT_TABLE, read_table
from morpos.scoring.ngrams import Counts, References

pytestmark = pytest.mark.benchmark(group="annotation of 2,500 segments")
SEGMENTS = 2500


@pytest.fixture(scope="module")
def words() -> Layer:
    reference, _ = make_testset(SEGMENTS, systems=0)
    return layers(reference)["word"]


@pytest.fixture
def rate(benchmark: BenchmarkFixture, words: Layer) -> Iterator[None]:
    """Print tokens per second once the benchmark is done."""
    yield
    if benchmark.stats:
        seconds = benchmark.stats.stats.median
        print(f"\n{benchmark.name}: {sum(map(len, words)) / seconds:,.0f} tokens/s")


@pytest.mark.usefixtures("rate")
@pytest.mark.parametrize("name", ["moses", "13a"])
def test_tokenising(benchmark: BenchmarkFixture, words: Layer, name: str) -> None:
    chosen = tokenizer(name, "en")
    lines = [" ".join(segment) + "." for segment in words]
    # Once: sacreBLEU remembers whole lines.
    benchmark.pedantic(lambda: list(map(chosen.tokenize, lines)), rounds=1)


@pytest.mark.usefixtures("rate")
@pytest.mark.parametrize("language", ["en", "cs"])
def test_tagging(benchmark: BenchmarkFixture, words: Layer, language: str) -> None:
    """Once: the model then knows all words."""
    chosen = RdrTagger(language)
    benchmark.pedantic(lambda: list(chosen.tag(words)), rounds=1)


@pytest.mark.usefixtures("rate")
def test_training_morfessor(benchmark: BenchmarkFixture, words: Layer) -> None:
    counts = Counter(word for segment in words for word in segment)
    benchmark.pedantic(train, (counts,), rounds=1)


@pytest.mark.usefixtures("rate")
def test_segmenting(benchmark: BenchmarkFixture, words: Layer) -> None:
    """A text of which half was trained on, with a model that has not seen a word yet."""
    trained = train(Counter(word for segment in words[: SEGMENTS // 5] for word in segment))
    state = trained.options, trained.morphs, trained.boundaries, trained.analyses, trained.version
    new = {"setup": lambda: ((Model(*state),), {}), "rounds": 2}
    benchmark.pedantic(lambda model: [list(map(model.segment, s)) for s in words], **new)


@pytest.mark.benchmark(group="statistics")
def test_bootstrap_of_all_metrics(benchmark: BenchmarkFixture) -> None:
    """1,000 resamples, 20 systems × 2,500 segments × 16 metrics."""
    reference, systems = make_testset(SEGMENTS, systems=20)
    right = {name: References([layer]) for name, layer in layers(reference).items()}
    counts = {
        f"system-{number}": Counts(
            {name: right[name].count(layer, 4) for name, layer in layers(system).items()}, {}
        )
        for number, system in enumerate(systems)
    }
    counted = collect_statistics(counts, read_table(DEFAULT_TABLE))
    benchmark.pedantic(bootstrap_scores, (counted, 1000), rounds=1)
