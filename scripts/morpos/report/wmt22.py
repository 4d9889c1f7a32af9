"""Export of one test set as a submission to the WMT22 metrics task, after the task's page."""

import gzip
from collections.abc import Sequence
from pathlib import Path

from morpos.io.files import atomic
from morpos.report.mt_metrics_eval import ScoredTestset, file_names


def write_wmt22(folder: Path, scored: ScoredTestset) -> None:
    """Write submission files of the WMT22 metrics task, two a metric, gzipped.

    System level: METRIC, LANG-PAIR, TESTSET, DOMAIN, REFERENCE, SYSTEM-ID, SCORE; segment level
    with DOCUMENT after DOMAIN and SEGMENT-NUMBER, from 1, before SCORE; tabs, no header.
    """
    reference = scored.reference.replace("ref", "ref-")  # as the task spells them
    names = file_names(scored.outputs)
    for metric, file in file_names(scored.signatures).items():
        head = (metric, scored.pair, scored.name, "all")
        lines = [
            "\t".join([*head, reference, names[name], repr(score)])
            for name, score in scored.system.get(metric, {}).items()
        ]
        _gzip(folder / f"{file}.sys.score.gz", lines)
        lines = [
            "\t".join([*head, document, reference, names[name], str(number), repr(score)])
            for name, scores in scored.segment.get(metric, {}).items()
            for number, (document, score) in enumerate(
                zip(scored.documents, scores.tolist(), strict=True), 1
            )
        ]
        _gzip(folder / f"{file}.seg.score.gz", lines)


def _gzip(path: Path, lines: Sequence[str]) -> None:
    if not lines:
        return
    data = "".join(f"{line}\n" for line in lines).encode()
    with atomic(path, binary=True) as handle:
        handle.write(gzip.compress(data, compresslevel=3, mtime=0))
