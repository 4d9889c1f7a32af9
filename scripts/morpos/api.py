"""The Python interface: the verbs of the command line as functions.

Texts are lists of segments, one string each; scores lie in 0..1 at full precision. The functions
take the same way from text to scores as the workflow and give the same numbers.
"""

import hashlib
import json
import math
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

from morpos import signature as signatures
from morpos.corpora.loading import CanonicalText, ReferenceOrder
from morpos.errors import MorposError, first_names
from morpos.evaluation.defaults import SAMPLES, SEED
from morpos.io.progress import track
from morpos.io.schema import unknown_name
from morpos.io.text import canonical
from morpos.layers import morphemes as morpheme_layer
from morpos.layers.kinds import BUILT_IN, kind
from morpos.layers.settings import Setup
from morpos.layers.sidecar import require_one_each
from morpos.scoring import counts_files as systems_of
from morpos.scoring import metrics as metric_tables
from morpos.scoring import ngrams
from morpos.scoring.metrics import Metric, corpus_scores, segment_scores
from morpos.scoring.ngrams import Counts

if TYPE_CHECKING:
    from morpos.evaluation.significance import Intervals, PairTests

#: Languages that are written without spaces between words.
_WITHOUT_SPACES = ("ja", "km", "lo", "my", "th", "yue", "zh")
#: Warnings are of the line that called the interface.
_CALLER = 4


class Options(TypedDict, total=False):
    """How texts are annotated; what is left out is as in the paper, with the tagger rdr."""

    #: `moses`, `13a`, or `none` for texts whose tokens stand between spaces
    tokenizer: str
    #: `keep` or `lower`
    case: str
    #: one of `morpos.layers.tags.TAGGERS` but `given`
    tagger: str
    #: a model other than the tagger's default for the language (docs/taggers.md)
    tagger_model: str | None
    #: how much of the tags counts: `full`, `coarse` or `universal`
    granularity: str
    #: folder of TreeTagger
    home: str | None
    #: a trained Morfessor model (JSON) to use instead of one trained on the references
    morfessor_model: str | None


@dataclass(frozen=True)
class Text:
    """A text in canonical form, and what was changed to bring it there.

    Attributes:
        segments: one string each, without line ends.
        changes: how many of each of `morpos.io.text.CHANGES`; empty if nothing was changed.
        notes: what a person should know about how it was read.
        ids: of the segments, where the format has some.
    """

    name: str
    segments: tuple[str, ...]
    changes: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    ids: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Layer:
    """A text as units: for each segment a list of tokens, tags or morphemes.

    Attributes:
        signature: what decides the units.
    """

    segments: tuple[tuple[str, ...], ...]
    signature: str


@dataclass(frozen=True)
class Significance:
    """Are the differences real? See `morpos.evaluation.significance` for the tests.

    Attributes:
        intervals: 95 % bootstrap intervals over segments, for each metric and system.
        bootstrap, randomisation: p of all pairs of systems; None for one system.
    """

    intervals: "Intervals"
    bootstrap: "PairTests | None"
    randomisation: "PairTests | None"


@dataclass(frozen=True)
class Scores:
    """The scores of systems, and the counts that they are made of.

    Attributes:
        systems: for each system its score by each metric, 0..1.
        signature: what decides the scores; give it with them.
        counts: exact n-gram counts for each system.
    """

    systems: Mapping[str, Mapping[str, float]]
    signature: str
    metrics: tuple[Metric, ...]
    counts: Mapping[str, Counts]

    def segments(self) -> dict[str, dict[str, list[float]]]:
        """For each system and metric the score of each segment, 0..1."""
        return {
            name: {
                metric: scores.tolist()
                for metric, scores in segment_scores(self.metrics, counts).items()
            }
            for name, counts in self.counts.items()
        }

    def significance(self, samples: int = SAMPLES, seed: int = SEED) -> Significance:
        """Intervals of the scores and paired tests of all systems, as the workflow's.

        Args:
            samples: number of resamples.
            seed: of all draws.
        """
        from morpos.evaluation.resampling import collect_statistics
        from morpos.evaluation.significance import (
            approximate_randomisation,
            intervals,
            paired_bootstrap,
        )

        counted = collect_statistics(self.counts, self.metrics)
        drawn = intervals(counted, samples, seed)
        if len(self.counts) < 2:
            return Significance(drawn, None, None)
        tests = (
            test(counted, samples, seed) for test in (paired_bootstrap, approximate_randomisation)
        )
        return Significance(drawn, *tests)


@dataclass(frozen=True)
class Difference:
    """Two systems by one metric.

    Attributes:
        first, second: their scores, 0..1.
        difference: first minus second.
        low, high: its 95 % bootstrap interval over segments.
        p_bootstrap, p_randomisation: two-sided, for this metric alone.
    """

    metric: str
    first: float
    second: float
    difference: float
    low: float
    high: float
    p_bootstrap: float
    p_randomisation: float


@dataclass(frozen=True)
class Comparison:
    """Two systems compared; `scores` holds both under the names `first` and `second`."""

    differences: tuple[Difference, ...]
    scores: Scores
    samples: int
    seed: int

    def most_divergent(self, metric: str, most: int = 3) -> list[tuple[int, float, float]]:
        """The segments in which the two differ most: number from 1, first's and second's score."""
        both = self.scores.segments()
        pairs = zip(both["first"][metric], both["second"][metric], strict=True)
        rows = [(number, one, two) for number, (one, two) in enumerate(pairs, 1) if one != two]
        return sorted(rows, key=lambda row: -abs(row[1] - row[2]))[:most]


@dataclass(frozen=True)
class MetricCorrelation:
    """How well one metric ranks the systems.

    Attributes:
        n: systems with both a score and a human score.
        spearman, pearson, kendall: None if undefined, with the reason in `note`.
        low, high: analytic 95 % interval of Spearman's ρ over systems, from 10 systems on.
        accuracy: share of pairs of systems that metric and humans order alike.
        ties_metric, ties_human: how many systems share their score with another one.
    """

    metric: str
    n: int
    spearman: float | None
    low: float | None
    high: float | None
    pearson: float | None
    kendall: float | None
    accuracy: float | None
    ties_metric: int
    ties_human: int
    note: str


def read(
    path: str | Path,
    *,
    format: str = "plain",
    select: str = "",
    encoding: str = "utf-8",
    missing: str = "",
    reference: Text | None = None,
    name: str | None = None,
) -> Text:
    """Read a text, plain or gzipped, and bring it into canonical form.

    Args:
        format: one of `morpos.corpora.FORMATS`: `plain` has one segment a line.
        select: which text of a file that holds several (config/README.md).
        missing: segments that an output is known to lack, such as 7,9-11: empty ones are put in.
        reference: of an output its reference: it is brought into the order of that, by the ids of
            segments where both have some, and must have as many.
        name: what it is called in messages; left out, its path.

    Raises:
        MorposError: it cannot be read or decoded, or does not fit the reference.
    """
    text = CanonicalText()
    fits = None
    if reference:
        fits = ReferenceOrder(reference.ids, len(reference.segments), reference.name)
    text.read(
        path, format=format, select=select, encoding=encoding, missing=missing, reference=fits
    )
    changes = {kind: n for kind, n in text.changes.items() if n}
    return Text(name or str(path), tuple(text.segments), changes, tuple(text.notes), text.ids)


def tag(segments: Sequence[str], language: str, **options: Unpack[Options]) -> Layer:
    """Tokenise and tag a text: one tag for each token.

    >>> morpos.tag(["The old mill stood still ."], "en", tokenizer="none").segments
    (('DT', 'JJ', 'NN', 'VBD', 'RB', '.'),)

    Args:
        segments: the text.
        language: ISO 639-1 code.

    Raises:
        MorposError: there is no such tagger or model here; says what to do.
    """
    setup = _setup(language, options)
    text = _canonical(segments, "the text")
    words = _words([text], language, setup)
    return _after(words[0], *_annotated("pos", language, setup, [(text.name, words[0])]))


def segment(
    segments: Sequence[str],
    language: str,
    *,
    train_on: Sequence[str] | None = None,
    boundary: str = "",
    **options: Unpack[Options],
) -> Layer:
    """Tokenise a text and split its words into morphemes with Morfessor.

    >>> stems = "walk talk play wait help call open pull push turn".split()
    >>> forms = [f"{stem} {stem}s {stem}ed {stem}ing" for stem in stems]
    >>> morpos.segment(["opened playing"], "en", train_on=forms, boundary="+").segments[0]
    ('open+', 'ed', 'play+', 'ing')

    Args:
        train_on: the text that the model is trained on; left out, the text itself.
        boundary: marker behind every morpheme of a word but the last.

    Raises:
        MorposError: the language is not a code, or the model's file not a model.
    """
    setup = _setup(language, options, "text" if train_on is None else "reference", boundary)
    texts = [_canonical(segments, "the text")]
    if train_on is not None:
        texts.append(_canonical(train_on, "train_on"))
    words, *_ = layers = _words(texts, language, setup)
    made = _annotated("morpheme", language, setup, [("the text", words)], layers[-1].segments)
    return _after(words, *made)


def score(
    references: Sequence[Sequence[str]],
    systems: Mapping[str, Sequence[str]],
    language: str,
    *,
    metrics: Sequence[str] | None = None,
    metric_table: str | Path | None = None,
    tags: Sequence[Sequence[str]] | None = None,
    morphemes: Sequence[Sequence[str]] | None = None,
    **options: Unpack[Options],
) -> Scores:
    """Score systems against one reference or several.

    >>> reference = ["the old mill stood by the river", "the children were playing outside"]
    >>> output = ["the old mill was by the river", "children were playing outside"]
    >>> found = morpos.score([reference], {"mine": output}, "en", metrics=["WORDF", "POSF"])
    >>> {metric: round(value, 4) for metric, value in found.systems["mine"].items()}
    {'WORDF': 0.5804, 'POSF': 0.9366}
    >>> found.signature.split("|")[1]
    'tok:moses-0.2.0'

    Only the layers that the metrics use are made: without morphemes nothing is trained.

    Args:
        references: one list of segments a reference; the morphemes are trained on all of them.
        systems: name and segments of each system, as many as the reference has.
        language: of all these texts, ISO 639-1.
        metrics: names out of the metric table; left out, all of it.
        metric_table: file with other metrics (config/README.md); left out, the paper's.
        tags: tags that are given: a text for each reference, then for each system, in each segment
            as many tags between spaces as it has tokens.
        morphemes: the same for morphemes, which join up to the tokens.

    Raises:
        MorposError: texts do not fit each other, a metric is not known, or an annotation cannot be
            made.
    """
    table, digest = _table(metric_table)
    chosen = _choose(table, metrics)
    texts = _texts(references, systems)
    needed = {component.layer for metric in chosen for component in metric.components}
    order = max(component.order for metric in chosen for component in metric.components)
    given = {"pos": tags, "morpheme": morphemes}
    made, parts = _layers(
        needed, texts, len(references), language, _setup(language, options), given
    )
    signature = "|".join([*parts, f"order:{order}"])
    counted = {}
    for layer in track(made, "Counting"):
        segments = [own.segments for own in made[layer]]
        right, left = segments[: len(references)], segments[len(references) :]
        counted[layer] = ngrams.References(right).count_all(left, order)
    counts = {
        name: Counts(
            {layer: of_all[i] for layer, of_all in counted.items()},
            {"text": {"name": name, "left_out": None}, "signature": signature},
        )
        for i, name in enumerate(systems)
    }
    return Scores(
        {name: corpus_scores(chosen, one) for name, one in counts.items()},
        f"{systems_of.signature(counts, 'the systems')}|{digest}",
        chosen,
        counts,
    )


def compare(
    references: Sequence[Sequence[str]],
    first: Sequence[str],
    second: Sequence[str],
    language: str,
    *,
    samples: int = SAMPLES,
    seed: int = SEED,
    metrics: Sequence[str] | None = None,
    metric_table: str | Path | None = None,
    tags: Sequence[Sequence[str]] | None = None,
    morphemes: Sequence[Sequence[str]] | None = None,
    **options: Unpack[Options],
) -> Comparison:
    """Is the first output better than the second? Both are tested on the same segments.

    >>> reference = ["the old mill stood by the river", "the children were playing outside"]
    >>> output = ["the old mill was by the river", "children were playing outside"]
    >>> found = morpos.compare([reference], reference, output, "en", metrics=["WORDF"])
    >>> found.differences[0].difference > 0
    True

    Args:
        references: as for `score`, and so are language, metrics, layers and options.
        samples: number of resamples.
        seed: of all draws.
    """
    import numpy as np

    from morpos.evaluation.resampling import bootstrap_scores, collect_statistics
    from morpos.evaluation.significance import approximate_randomisation, paired_bootstrap

    scores = score(
        references,
        {"first": first, "second": second},
        language,
        metrics=metrics,
        metric_table=metric_table,
        tags=tags,
        morphemes=morphemes,
        **options,
    )
    counted = collect_statistics(scores.counts, scores.metrics)
    drawn = bootstrap_scores(counted, samples, seed)
    low, high = np.quantile(drawn[:, :, 0] - drawn[:, :, 1], [0.025, 0.975], axis=0)
    bootstrap = paired_bootstrap(counted, samples, seed)
    randomisation = approximate_randomisation(counted, samples, seed)
    differences = tuple(
        Difference(
            metric.name,
            scores.systems["first"][metric.name],
            scores.systems["second"][metric.name],
            float(bootstrap.difference[m, 0]),
            float(low[m]),
            float(high[m]),
            float(bootstrap.p[m, 0]),
            float(randomisation.p[m, 0]),
        )
        for m, metric in enumerate(scores.metrics)
    )
    return Comparison(differences, scores, samples, seed)


def correlate(
    scores: Mapping[str, Mapping[str, float]], human: Mapping[str, float]
) -> list[MetricCorrelation]:
    """How well metrics rank the systems that humans judged, too.

    >>> scores = {"a": {"WORDF": 0.5}, "b": {"WORDF": 0.4}, "c": {"WORDF": 0.3}}
    >>> morpos.correlate(scores, {"a": 0.9, "b": 0.2, "c": 0.3})[0].spearman
    0.5

    Args:
        scores: for each system its score by each metric, such as `Scores.systems`; NaN is none.
        human: human score of each system, higher is better; NaN is none.

    Raises:
        MorposError: no system has both.
    """
    from morpos.evaluation.correlation import analytic_interval, pairwise_accuracy
    from morpos.evaluation.correlation import correlate as coefficient

    common = [name for name in scores if not math.isnan(human.get(name, math.nan))]
    if not common:
        raise MorposError(
            "no system has both scores and a human score; scored are "
            f"{first_names(scores)}, judged are {first_names(human)}; names must be spelt alike"
        )
    rows = []
    for metric in dict.fromkeys(chain.from_iterable(scores.values())):
        known = [n for n in common if not math.isnan(scores[n].get(metric, math.nan))]
        values, judged = (
            [side[n] for n in known] for side in ({n: scores[n][metric] for n in known}, human)
        )
        found = {
            kind: coefficient(values, judged, kind) for kind in ("spearman", "pearson", "kendall")
        }
        rho = found["spearman"]
        interval = analytic_interval(rho.value, rho.n)
        rows.append(
            MetricCorrelation(
                metric,
                rho.n,
                rho.value,
                interval.low,
                interval.high,
                found["pearson"].value,
                found["kendall"].value,
                pairwise_accuracy(values, judged).value,
                rho.ties_metric,
                rho.ties_human,
                rho.note,
            )
        )
    return rows


# --- how texts become layers -------------------------------------------------------------------


def _setup(
    language: str, options: Options, training: str = "reference", boundary: str = ""
) -> Setup:
    """The options as the workflow has them; `training` says what morphemes are trained on."""
    if not re.fullmatch("[a-z]{2,3}", language):
        raise MorposError(f"{language!r} is not an ISO 639-1 code of a language, such as de")
    if unknown := options.keys() - Options.__annotations__.keys():
        raise TypeError(f"no option is called {min(unknown)!r}")
    tagging = {
        "tagger": options.get("tagger", "rdr"),
        "model": options.get("tagger_model"),
        "granularity": options.get("granularity", "full"),
        "home": options.get("home"),
    }
    if tagging["tagger"] == "given":
        raise MorposError(
            "the tagger 'given' is for the workflow; here give the tags of each text by `tags`"
        )
    model = options.get("morfessor_model")
    return Setup(
        name="",
        words={
            "tokenizer": options.get("tokenizer", "moses"),
            "case": options.get("case", "keep"),
        },
        morphemes={"training": {"model": model} if model else training, "boundary": boundary},
        tags={language: {key: value for key, value in tagging.items() if value}},
        layers={},
        suffix=".txt",
    )


def _annotated(
    name: str,
    language: str,
    setup: Setup,
    texts: Sequence[tuple[str, Text | Layer]],
    basis: Iterable[Sequence[str]] = (),
) -> list[Layer]:
    """A layer of texts with their names, made of their segments or words; see `kinds.Kind`."""
    annotate = kind(name).annotator(setup, language, basis)
    layers = []
    for text, source in texts:
        made = annotate(text, source.segments)
        for warning in (*made.warnings, *made.notes):
            warnings.warn(f"{text}: {warning}", stacklevel=_CALLER)
        layers.append(Layer(tuple(map(tuple, made.segments)), made.signature))
    return layers


def _words(texts: Sequence[Text], language: str, setup: Setup) -> list[Layer]:
    for text in texts:
        if language in _WITHOUT_SPACES and setup.words["tokenizer"] != "none":
            warnings.warn(
                f"{text.name}: the tokenisers do not split the words of {language!r}; give "
                "texts whose tokens stand between spaces, with the tokeniser none",
                stacklevel=_CALLER,
            )
    return _annotated("word", language, setup, [(text.name, text) for text in texts])


def _after(words: Layer, layer: Layer) -> Layer:
    """The layer with the signature of the words, on which it depends, before its own."""
    return Layer(layer.segments, f"{words.signature}|{layer.signature}")


def _canonical(segments: Sequence[str], name: str) -> Text:
    if isinstance(segments, str):
        raise TypeError(f"{name} is one string; give a list with one string a segment")
    changes: Counter[str] = Counter()
    return Text(name, tuple(canonical(segment, changes) for segment in segments))


def _texts(references: Sequence[Sequence[str]], systems: Mapping[str, Sequence[str]]) -> list[Text]:
    """All texts in canonical form, the references first; they have as many segments each."""
    if not references or not systems:
        raise MorposError("scores need one reference and one system at least")
    several = len(references) > 1
    names = [f"reference {n}" if several else "the reference" for n, _ in enumerate(references, 1)]
    texts = [_canonical(*pair) for pair in zip(references, names, strict=True)]
    texts += [_canonical(segments, name) for name, segments in systems.items()]
    check_lengths(texts)
    return texts


def check_lengths(texts: Sequence[Text]) -> None:
    """Check that texts, the first of which is a reference, have as many segments each.

    Raises:
        MorposError: names the text that has not.
    """
    first, *others = texts
    if not first.segments:
        raise MorposError(f"{first.name} is empty; it needs one segment at least")
    for text in others:
        if len(text.segments) != len(first.segments):
            raise MorposError(
                f"{text.name} has {len(text.segments)} segments, but {first.name} has "
                f"{len(first.segments)}; segments are paired line by line, so none may be missing, "
                "split or joined"
            )


def _table(path: str | Path | None) -> tuple[tuple[Metric, ...], str]:
    """A metric table, and its part of a signature: the digest that the workflow gives it."""
    table = metric_tables.load(path or metric_tables.DEFAULT_TABLE, check=path is not None)
    content = hashlib.sha256(f"{json.dumps(table)}\n".encode()).hexdigest()
    return tuple(metric_tables.parse_metrics(table)), signatures.model("metrics:", content)


def _choose(table: Sequence[Metric], names: Sequence[str] | None) -> tuple[Metric, ...]:
    known = {metric.name: metric for metric in table}
    folded = {name.casefold(): name for name in known}
    chosen = {}
    for name in known if names is None else names:
        right = name if name in known else folded.get(name.casefold(), "")
        if right not in known:
            raise MorposError(f"the metric {unknown_name(name, list(known))}")
        chosen[right] = known[right]
    if not chosen:
        raise MorposError(f"no metric is chosen; known are {', '.join(known)}")
    return tuple(chosen.values())


def _layers(
    needed: Set[str],
    texts: Sequence[Text],
    references: int,
    language: str,
    setup: Setup,
    given: Mapping[str, Sequence[Sequence[str]] | None],
) -> tuple[dict[str, list[Layer]], list[str]]:
    """The layers that are needed and what decides them, both in the workflow's order."""
    if unknown := needed - set(BUILT_IN):
        raise MorposError(
            f"the layer '{min(unknown)}' is declared in a configuration; the workflow scores with "
            f"it, here there are {', '.join(BUILT_IN)}"
        )
    names = [text.name for text in texts]
    words = []
    if any(name == "word" or kind(name).made_from == "word" for name in needed):
        words = _words(texts, language, setup)
    made: dict[str, list[Layer]] = {}
    for name in filter(needed.__contains__, BUILT_IN):
        if name == "word":
            made[name] = words
        elif (units := given.get(name)) is not None:
            made[name] = _given(name, units, texts, words)
        else:
            sources: Sequence[Text | Layer] = words if kind(name).made_from == "word" else texts
            basis = chain.from_iterable(layer.segments for layer in words[:references])
            pairs = list(zip(names, sources, strict=True))
            made[name] = _annotated(name, language, setup, pairs, basis)
    # The words decide what is made of them, whether or not they count themselves.
    parts = [layers[0].signature for layers in (words, *made.values()) if layers]
    return made, list(dict.fromkeys(parts))


def _given(
    name: str, units: Sequence[Sequence[str]], texts: Sequence[Text], words: Sequence[Layer]
) -> list[Layer]:
    """Tags or morphemes that the caller brought, checked against the words."""
    kind = "tags" if name == "pos" else "morphemes"
    if len(units) != len(texts):
        raise MorposError(
            f"{len(units)} texts of {kind} were given for {len(texts)} texts; give one for each "
            "reference and then one for each system"
        )
    layers = []
    for text, own, layer in zip(texts, units, words, strict=True):
        segments = [segment.split() for segment in _canonical(own, text.name).segments]
        if len(segments) != len(text.segments):
            raise MorposError(
                f"{text.name}: {len(segments)} segments of {kind} for {len(text.segments)} segments"
            )
        if name == "pos":
            require_one_each(text.name, layer.segments, segments, kind)
        else:
            for number, (tokens, morphemes) in enumerate(
                zip(layer.segments, segments, strict=True), 1
            ):
                try:
                    morpheme_layer.groups(tokens, morphemes)
                except MorposError as error:
                    raise MorposError(f"{text.name}, segment {number}: {error}") from error
        key = "morph" if name == "morpheme" else name
        layers.append(Layer(tuple(map(tuple, segments)), signatures.signature({key: "given"})))
    return layers
