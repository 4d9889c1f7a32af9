"""Export of one test set as the folders of mt-metrics-eval, after the README of its version 2."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from morpos.io.files import slug, write_segments
from morpos.io.tables import write
from morpos.scoring.metrics import Floats


@dataclass(frozen=True)
class ScoredTestset:
    """One test set with all that the exports to other tools hold.

    Attributes:
        ids: document and segment id of each segment, if the reference has them.
        references, outputs: segments by name; the names of references have no dot or hyphen.
        system: scores of all systems by metric; segment: arrays of shape (S,). A metric
            without some score is left out, because these tools allow no missing scores of metrics.
        signatures: by metric.
        human: human scores by system, NaN if undefined; empty without judgments.
        human_segments: mean direct scores, NaN if unknown: shape (S,); empty for rankings.
    """

    name: str
    pair: str
    ids: Sequence[str] | None
    references: Mapping[str, Sequence[str]]
    outputs: Mapping[str, Sequence[str]]
    system: Mapping[str, Mapping[str, float]]
    segment: Mapping[str, Mapping[str, Floats]]
    signatures: Mapping[str, str]
    human: Mapping[str, float]
    human_segments: Mapping[str, Floats]

    @property
    def documents(self) -> list[str]:
        """The document of each segment; without ids all are one."""
        if self.ids is None:
            count = len(next(iter(self.references.values())))
            return [self.name] * count
        return [one.rpartition("/")[0] or self.name for one in self.ids]

    @property
    def reference(self) -> str:
        """The references that the scores used, as mt-metrics-eval calls them."""
        return next(iter(self.references)) if len(self.references) == 1 else "all"


#: Tables of the real names behind the names of files.
_SYSTEMS = ("file", "system")
_METRICS = ("file", "metric", "signature")
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")


def file_names(names: Iterable[str]) -> dict[str, str]:
    """A name without spaces or slashes for each system or metric: its own, if it is such a name.

    Names that differ in case only get a slug each.
    """
    names = list(names)
    lower = Counter(name.lower() for name in names)
    return {
        name: name if _PLAIN.fullmatch(name) and lower[name.lower()] == 1 else slug(name)
        for name in names
    }


def write_mt_metrics_eval(folder: Path, scored: ScoredTestset) -> None:
    """Write the test set as one of mt-metrics-eval.

    `sources/` is missing: the sheets name no source texts. `systems.tsv` and `metrics.tsv` give the
    real names.
    """
    names, pair = file_names(scored.outputs), scored.pair
    for name, segments in scored.references.items():
        write_segments(folder / "references" / f"{pair}.{name}.txt", segments)
    for name, segments in scored.outputs.items():
        write_segments(folder / "system-outputs" / pair / f"{names[name]}.txt", segments)
    # Fields are separated by spaces, so a document's name holds none.
    documents = [f"all {'_'.join(name.split())}" for name in scored.documents]
    write_segments(folder / "documents" / f"{pair}.docs", documents)

    def score_files(stem: Path, system: Mapping[str, float], one: Mapping[str, Floats]) -> None:
        if system:
            lines = (f"{names[name]}\t{_show_score(score)}" for name, score in system.items())
            write_segments(stem.with_name(f"{stem.name}.sys.score"), lines)
        if one:
            lines = (
                f"{names[n]}\t{_show_score(x)}"
                for n, scores in one.items()
                for x in scores.tolist()
            )
            write_segments(stem.with_name(f"{stem.name}.seg.score"), lines)

    files = file_names(scored.signatures)
    for metric, file in files.items():
        stem = folder / "metric-scores" / pair / f"{file}-{scored.reference}"
        score_files(stem, scored.system.get(metric, {}), scored.segment.get(metric, {}))
    human = {name: scored.human.get(name, math.nan) for name in names if scored.human}
    score_files(folder / "human-scores" / f"{pair}.human", human, scored.human_segments)
    rows = [{"file": file, "system": name} for name, file in names.items()]
    write(folder / "systems.tsv", _SYSTEMS, rows)
    rows = [
        {"file": file, "metric": name, "signature": scored.signatures[name]}
        for name, file in files.items()
    ]
    write(folder / "metrics.tsv", _METRICS, rows)


def _show_score(score: float) -> str:
    return "None" if math.isnan(score) else repr(float(score))
