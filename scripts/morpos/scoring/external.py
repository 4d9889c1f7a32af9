"""External metrics, which stand beside ours: baselines by sacreBLEU, and scores given as a file."""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sacrebleu.metrics.base import Metric
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from morpos.errors import MorposError
from morpos.io import tables
from morpos.io.files import read_json, sha256
from morpos.signature import model

#: By the name in the configuration: the name in tables, which no metric of ours has, and the metric
#: with sacreBLEU's defaults. Scores are sacreBLEU's, 0 to 100. TER counts errors: it is shown as
#: negative, so that higher is better in every column.
BASELINES: dict[str, tuple[str, Callable[..., Metric]]] = {
    "bleu": ("BLEU-13a", BLEU),
    "chrf": ("chrF", CHRF),
    "chrf++": ("chrF++", lambda **options: CHRF(word_order=2, **options)),
    "ter": ("-TER", TER),
}


def score(name: str, outputs: Sequence[str], references: Sequence[Sequence[str]]) -> dict[str, Any]:
    """Corpus and segment scores of one system, with sacreBLEU's own signature.

    Segment BLEU has sacreBLEU's effective order, as its sentence_bleu does.
    """
    label, make = BASELINES[name]
    metric = make()
    sign = -1 if name == "ter" else 1
    corpus = metric.corpus_score(outputs, references)
    # The signature of several references is known only after scoring.
    signature = str(metric.get_signature())
    single = make(effective_order=True) if name == "bleu" else metric
    segments = [
        sign * single.sentence_score(output, list(of_segment)).score
        for output, *of_segment in zip(outputs, *references, strict=True)
    ]
    return {
        "metric": label,
        "score": sign * corpus.score,
        "segments": segments,
        "signature": signature,
    }


@dataclass(frozen=True)
class ExternalMetric:
    """A metric that is not made of our counts, on the systems of one test set.

    Attributes:
        system: corpus scores; segment: segment scores, shape (S,), NaN where undefined. A system
            without a score is missing.
    """

    name: str
    signature: str
    system: dict[str, float] = field(default_factory=dict)
    segment: dict[str, NDArray[np.float64]] = field(default_factory=dict)


def read_baselines(paths: Iterable[str], systems: Collection[str]) -> list[ExternalMetric]:
    """The baselines of these systems, from files with what `score` gave, one a system."""
    found: dict[str, ExternalMetric] = {}
    for one in map(read_json, paths):
        if one["system"] in systems and not one["left_out"]:
            made = ExternalMetric(one["metric"], one["signature"])
            metric = found.setdefault(made.name, made)
            metric.system[one["system"]] = one["score"]
            metric.segment[one["system"]] = np.array(one["segments"])
    return list(found.values())


def read_scores(
    path: str, taken: Collection[str], systems: Collection[str], segments: int
) -> tuple[list[ExternalMetric], list[str]]:
    """Read scores from elsewhere: columns system, metric, score and, if wanted, segment.

    Higher is better; an empty score is undefined. A line without a segment has the score of a whole
    system, the others those of its segments, which count from 1.

    Args:
        taken: names that no metric may have.
        systems, segments: of the test set.

    Returns:
        The metrics, and the names in the file that are not systems of the test set.

    Raises:
        MorposError: a column is missing, a score is there twice, a metric's name is taken, a
            segment does not exist, some segments of a system are missing, or no score
            is of these systems.
    """
    # By metric and system, then by segment; 0 is the whole text.
    given: dict[tuple[str, str], dict[int, float]] = {}
    unknown: dict[str, None] = {}
    tables.require(path, tables.GIVEN["extra_scores"])
    for number, row in enumerate(tables.read(path, {*tables.columns(path)} - {"score"}), 2):
        metric, system, text = row["metric"], row["system"], row.get("segment", "")
        where = f"{path}, line {number}"
        if metric in taken or not metric:
            problem = f"there is a metric or column '{metric}' already" if metric else "no metric"
            raise MorposError(f"{where}: {problem}; give it a name of its own")
        if system not in systems:
            unknown[system] = None
            continue
        if text and not (text.isascii() and text.isdigit() and 1 <= int(text) <= segments):
            raise MorposError(f"{where}: segment '{text}'; the test set has 1 to {segments}")
        scores, segment = given.setdefault((metric, system), {}), int(text or 0)
        if segment in scores:
            of = f", segment {segment}," if segment else ""
            raise MorposError(f"{where}: {system}{of} by {metric} is scored twice; keep one")
        scores[segment] = row["score"]
    if systems and not given:
        raise MorposError(f"{path}: no score of a system here ({', '.join(sorted(systems))})")
    signature = f"file:{model(path, sha256(path))}"
    found: dict[str, ExternalMetric] = {}
    for (name, system), scores in given.items():
        external = found.setdefault(name, ExternalMetric(name, signature))
        if not math.isnan(whole := scores.pop(0, math.nan)):
            external.system[system] = whole
        if scores:
            external.segment[system] = _segment_scores(path, name, system, scores, segments)
    return list(found.values()), list(unknown)


def _segment_scores(
    path: str, metric: str, system: str, scores: Mapping[int, float], segments: int
) -> NDArray[np.float64]:
    if len(scores) < segments:
        first = min({*range(1, segments + 1)} - scores.keys())
        raise MorposError(
            f"{path}: {metric} has scores of {len(scores)} of the {segments} segments of {system}; "
            f"{first} is the first that is missing. Add it, or lines with an empty score"
        )
    return np.array([scores[n] for n in range(1, segments + 1)])
