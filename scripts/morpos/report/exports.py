"""The same numbers in other forms: TSV, JSON and Parquet; Markdown and LaTeX for people."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from morpos.errors import MorposError
from morpos.io import tables
from morpos.io.files import atomic
from morpos.io.tables import Row
from morpos.report import typeset


def read(paths: Iterable[str], text: frozenset[str] | None = None) -> pd.DataFrame:
    """Tables of one kind below each other.

    Args:
        text: columns that hold text (`morpos.io.tables.read`).
    """
    parts = [pd.DataFrame(tables.read(path, text), columns=tables.columns(path)) for path in paths]
    return pd.concat(parts, ignore_index=True)


def tidy_scores(scores: pd.DataFrame) -> pd.DataFrame:
    """One row a test set, system and metric, from wide tables of scores."""
    metrics = [column for column in scores if column not in tables.NOT_METRICS]
    shared = ["testset", "system", "signature"]
    tidy = scores.melt(shared, metrics, "metric", "score", ignore_index=False)
    tidy = tidy.sort_index(kind="stable")  # as in the wide tables, system by system
    return tidy[["testset", "system", "metric", "score", "signature"]]


def pivot(
    rows: pd.DataFrame, row: str, value: str, digits: int, scale: float = 1
) -> list[list[str]]:
    """One line a value of the column `row`, one column a metric, rounded; undefined is a dash."""
    wide = rows.pivot(index=row, columns="metric", values=value) * scale
    wide = wide.loc[rows[row].unique(), rows["metric"].unique()]
    cells = wide.map(lambda score: "–" if pd.isna(score) else f"{score:.{digits}f}")
    return [[row, *cells.columns], *([name, *cells.loc[name]] for name in cells.index)]


def records(rows: pd.DataFrame) -> list[Row]:
    """Rows as `morpos.io.tables` has them."""
    return [{str(name): cell for name, cell in row.items()} for row in rows.to_dict("records")]


@dataclass(frozen=True)
class ExportTable:
    """A tidy table, and the same rounded for people: titles and tables of text cells."""

    rows: pd.DataFrame
    shown: Mapping[str, Sequence[Sequence[str]]]

    @property
    def records(self) -> list[Row]:
        """The rows, None where undefined."""
        return records(self.rows.astype(object).where(self.rows.notna(), None))

    @property
    def signatures(self) -> Iterator[str]:
        """Each signature once."""
        return iter(self.rows["signature"].unique())


def _tsv(path: str, table: ExportTable) -> None:
    tables.write(path, table.rows.columns.tolist(), table.records)


def _parquet(path: str, table: ExportTable) -> None:
    with atomic(path, binary=True) as handle:
        try:
            table.rows.to_parquet(handle, index=False)
        except ImportError as error:
            raise MorposError(
                f"Parquet needs pyarrow, which is not installed ({error}): "
                "pip install -r requirements/parquet.txt"
            ) from error


def _json(path: str, table: ExportTable) -> None:
    with atomic(path) as handle:  # DataFrame.to_json would round to 15 digits
        json.dump(table.records, handle, ensure_ascii=False, indent=0, allow_nan=False)
        handle.write("\n")


def _markdown(path: str, table: ExportTable) -> None:
    parts = [f"## {title}\n\n{typeset.markdown(cells)}" for title, cells in table.shown.items()]
    with atomic(path) as handle:
        handle.write("\n\n".join([*parts, *(f"`{one}`" for one in table.signatures)]) + "\n")


def _latex(path: str, table: ExportTable) -> None:
    with atomic(path) as handle:
        for title, cells in table.shown.items():
            handle.write(typeset.latex(cells, [title]) + "\n")
        handle.writelines(f"% {one}\n" for one in table.signatures)


#: By the suffix of the file.
FORMATS: dict[str, Callable[[str, ExportTable], None]] = {
    "tsv": _tsv,
    "json": _json,
    "md": _markdown,
    "tex": _latex,
    "parquet": _parquet,
}
