"""The same numbers in other forms: tables, the folders of mt-metrics-eval, files of the WMT task.

The layouts follow the README of mt-metrics-eval (version 2) and the page of the WMT22 metrics task.
"""

import gzip
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from morpos import typeset
from morpos.errors import MorposError
from morpos.files import atomic, slug, write_segments
from morpos.metrics import Floats
from morpos.tables import TEXT, Row, write

# --- tables ------------------------------------------------------------------------------------


def tidy_scores(rows: Iterable[Row], metrics: Iterable[str]) -> Iterator[Row]:
    """One row a document, system and metric, from wide tables of scores."""
    metrics = list(metrics)
    for row in rows:
        for metric in metrics:
            shared = {key: row[key] for key in ("document", "system", "signature")}
            yield shared | {"metric": metric, "score": row[metric]}


@dataclass(frozen=True)
class Table:
    """A tidy table, and the same rounded for people: titles and tables of text cells."""

    columns: Sequence[str]
    rows: Sequence[Row]
    shown: Mapping[str, Sequence[Sequence[str]]]


def _tsv(path: str, table: Table) -> None:
    write(path, table.columns, table.rows)


def _parquet(path: str, table: Table) -> None:
    try:
        import pyarrow  # an optional extra
        from pyarrow import parquet
    except ImportError as error:
        raise MorposError(
            f"Parquet needs pyarrow, which is not installed ({error}): "
            "pip install -r requirements/parquet.txt"
        ) from error
    columns = {
        name: pyarrow.array(
            [_defined(row[name]) for row in table.rows],
            pyarrow.string() if name in TEXT else pyarrow.float64(),
        )
        for name in table.columns
    }
    with atomic(path, binary=True) as handle:
        parquet.write_table(pyarrow.table(columns), handle)


def _json(path: str, table: Table) -> None:
    with atomic(path) as handle:
        rows = [{name: _defined(row[name]) for name in table.columns} for row in table.rows]
        json.dump(rows, handle, ensure_ascii=False, indent=0, allow_nan=False)
        handle.write("\n")


def _markdown(path: str, table: Table) -> None:
    parts = [part for title, cells in table.shown.items() for part in (f"## {title}", cells)]
    signatures = dict.fromkeys(f"`{row['signature']}`" for row in table.rows)
    texts = [part if isinstance(part, str) else typeset.markdown(part) for part in parts]
    with atomic(path) as handle:
        handle.write("\n\n".join([*texts, *signatures]) + "\n")


def _latex(path: str, table: Table) -> None:
    signatures = list(dict.fromkeys(row["signature"] for row in table.rows))
    with atomic(path) as handle:
        for title, cells in table.shown.items():
            handle.write(typeset.latex(cells, [title]) + "\n")
        handle.writelines(f"% {signature}\n" for signature in signatures)


#: By the ending of the file.
FORMATS: dict[str, Callable[[str, Table], None]] = {
    "tsv": _tsv,
    "json": _json,
    "md": _markdown,
    "tex": _latex,
    "parquet": _parquet,
}


def _defined(value: object) -> object:
    return None if isinstance(value, float) and math.isnan(value) else value


def pivot(rows: Iterable[Row], row: str, value: str, digits: int, scale: float) -> list[list[str]]:
    """One line a value of the column `row`, one column a metric, rounded; undefined is a dash."""
    cells: dict[str, dict[str, str]] = {}
    for one in rows:
        known = not math.isnan(one[value])
        text = f"{scale * one[value]:.{digits}f}" if known else "–"
        cells.setdefault(one[row], {})[one["metric"]] = text
    metrics = list(dict.fromkeys(metric for line in cells.values() for metric in line))
    lines = [[name, *(line.get(m, "–") for m in metrics)] for name, line in cells.items()]
    return [[row, *metrics], *lines]


# --- layouts of others -------------------------------------------------------------------------


@dataclass(frozen=True)
class Scored:
    """One document with all that the layouts of others hold.

    Attributes:
        ids: document and segment id of each segment, if the reference has them.
        references, outputs: segments by name; the names of references have no dot or hyphen.
        system: scores by metric and system; segment: arrays of shape (S,).
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


_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")


def file_names(systems: Iterable[str]) -> dict[str, str]:
    """A name without blanks or slashes for each system: its own, if it is such a name.

    Systems that differ in case only get a slug each.
    """
    systems = list(systems)
    lower = Counter(name.lower() for name in systems)
    return {
        name: name if _PLAIN.fullmatch(name) and lower[name.lower()] == 1 else slug(name)
        for name in systems
    }


def write_mt_metrics_eval(folder: Path, scored: Scored) -> None:
    """Write the document as a test set of mt-metrics-eval.

    `sources/` is missing: the sheets name no source texts. `systems.tsv` gives the real names.
    """
    names, pair = file_names(scored.outputs), scored.pair
    for name, segments in scored.references.items():
        write_segments(folder / "references" / f"{pair}.{name}.txt", segments)
    for name, segments in scored.outputs.items():
        write_segments(folder / "system-outputs" / pair / f"{names[name]}.txt", segments)
    # Fields stand between blanks, so a document's name holds none.
    documents = [f"all {'_'.join(name.split())}" for name in scored.documents]
    write_segments(folder / "documents" / f"{pair}.docs", documents)

    def score_files(stem: Path, system: Mapping[str, float], one: Mapping[str, Floats]) -> None:
        if system:
            lines = (f"{names[name]}\t{_none(score)}" for name, score in system.items())
            write_segments(stem.with_name(f"{stem.name}.sys.score"), lines)
        if one:
            lines = (
                f"{names[n]}\t{_none(x)}" for n, scores in one.items() for x in scores.tolist()
            )
            write_segments(stem.with_name(f"{stem.name}.seg.score"), lines)

    for metric, system in scored.system.items():
        stem = folder / "metric-scores" / pair / f"{metric}-{scored.reference}"
        score_files(stem, system, scored.segment[metric])
    human = {name: scored.human.get(name, math.nan) for name in names if scored.human}
    score_files(folder / "human-scores" / f"{pair}.human", human, scored.human_segments)
    rows = [{"file": file, "system": name} for name, file in names.items()]
    write(folder / "systems.tsv", ["file", "system"], rows)


def _none(score: float) -> str:
    return "None" if math.isnan(score) else repr(float(score))


def write_wmt22(folder: Path, scored: Scored) -> None:
    """Write submission files of the WMT22 metrics task, two a metric, gzipped.

    System level: METRIC, LANG-PAIR, TESTSET, DOMAIN, REFERENCE, SYSTEM-ID, SCORE; segment level
    with DOCUMENT after DOMAIN and SEGMENT-NUMBER, from 1, before SCORE; tabs, no header.
    """
    reference = scored.reference.replace("ref", "ref-")  # as the task spells them
    names = file_names(scored.outputs)
    for metric, system in scored.system.items():
        head = (metric, scored.pair, scored.name, "all")
        lines = ["\t".join([*head, reference, names[n], repr(x)]) for n, x in system.items()]
        _gzip(folder / f"{metric}.sys.score.gz", lines)
        lines = [
            "\t".join([*head, document, reference, names[name], str(number), repr(score)])
            for name, scores in scored.segment[metric].items()
            for number, (document, score) in enumerate(
                zip(scored.documents, scores.tolist(), strict=True), 1
            )
        ]
        _gzip(folder / f"{metric}.seg.score.gz", lines)


def _gzip(path: Path, lines: Sequence[str]) -> None:
    data = "".join(f"{line}\n" for line in lines).encode()
    with atomic(path, binary=True) as handle:
        handle.write(gzip.compress(data, compresslevel=3, mtime=0))
