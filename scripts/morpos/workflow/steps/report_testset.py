"""Write the page of one test set of the report."""

import argparse
from pathlib import Path

from morpos.io import tables
from morpos.io.files import atomic, parts
from morpos.report.html import testset
from morpos.report.html.testset import LayerFiles


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--title", default="morpos", help="title of the report")
    parser.add_argument("--notice", help="a sentence to show above all results")
    parser.add_argument("--testset", required=True, help="name of the test set")
    parser.add_argument("--source", required=True, help="source language")
    parser.add_argument("--target", required=True, help="target language")
    parser.add_argument("--library", required=True, help="the library of charts (JavaScript)")
    parser.add_argument("--order", type=int, default=4, help="largest n that was counted (4)")
    parser.add_argument("--scores", required=True, help="system × metric (TSV)")
    parser.add_argument("--texts", required=True, help="what the texts are like (TSV)")
    parser.add_argument("--disagreements", required=True, help="the most divergent segments (TSV)")
    parser.add_argument("--human", nargs="?", help="human scores (TSV)")
    parser.add_argument("--correlations", nargs="?", help="correlations (TSV)")
    parser.add_argument("--left-out-systems", nargs="?", help="systems left out, and why (TSV)")
    parser.add_argument("--intervals", nargs="?", help="intervals, clusters of systems (TSV)")
    parser.add_argument("--coefficients", nargs="?", help="coefficients with intervals (TSV)")
    parser.add_argument("--layers", nargs="*", default=[], metavar="NAME", help="their names")
    parser.add_argument(
        "--systems", nargs="*", default=[], help="a system's file of each layer; the others beside"
    )
    parser.add_argument(
        "--references", nargs="*", default=[], help="for each layer in turn the references' files"
    )
    parser.add_argument("--output", required=True, help="the page (HTML)")


def run(args: argparse.Namespace) -> None:
    def read(path: str | None) -> list[tables.Row]:
        return tables.read(path) if path else []

    page = testset.render(
        title=args.title,
        notice=args.notice,
        testset=args.testset,
        source=args.source,
        target=args.target,
        library=Path(args.library).read_text(encoding="utf-8"),
        order=args.order,
        # Any other column is a metric, whatever it is called.
        scores=tables.read(args.scores, tables.NOT_METRICS),
        metrics=[name for name in tables.columns(args.scores) if name not in tables.NOT_METRICS],
        human=read(args.human),
        correlations=read(args.correlations),
        left_out_systems=read(args.left_out_systems),
        intervals=read(args.intervals),
        coefficients=read(args.coefficients),
        disagreements=read(args.disagreements),
        texts=read(args.texts),
        layers=[
            LayerFiles(name, Path(system).parent, tuple(map(Path, references)))
            for name, system, references in zip(
                args.layers,
                args.systems,
                parts(args.references, len(args.layers)),
                strict=True,
            )
        ],
    )
    with atomic(args.output) as handle:
        handle.write(page)
