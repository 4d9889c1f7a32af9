"""Well-known metrics to stand beside ours, computed by sacreBLEU and given as files."""

from collections.abc import Callable, Sequence
from typing import Any

from sacrebleu.metrics.base import Metric
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from morpos import tables
from morpos.errors import MorposError

#: The name in the configuration: the name in tables, which no metric of ours has, and the metric
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


def read_extra(path: str, taken: Sequence[str]) -> list[tables.Row]:
    """Read scores from elsewhere: columns system, metric, score; higher is better.

    Raises:
        MorposError: a column is missing, a score stands twice, or a metric's name is taken.
    """
    tables.require(path, tables.GIVEN["extra_scores"])
    rows = tables.read(path)
    seen = set()
    for number, row in enumerate(rows, 2):
        if row["metric"] in taken:
            raise MorposError(f"{path}, line {number}: there is a metric '{row['metric']}' already")
        key = (row["system"], row["metric"])
        if key in seen:
            raise MorposError(f"{path}, line {number}: {' by '.join(key)} is scored twice")
        seen.add(key)
    return rows
