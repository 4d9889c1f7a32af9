"""Our table of metrics beside a published one, as TSV, Markdown and LaTeX."""

import argparse

from morpos.io import tables
from morpos.io.files import atomic
from morpos.report.published import (
    COLUMNS,
    TAG_COLUMNS,
    compare_published,
    distinct_tags,
    latex,
    markdown,
)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("summary", help="our table (TSV)")
    parser.add_argument("published", help="the published one: metric, mean, rank_gt, rank_ge (TSV)")
    parser.add_argument("--tags", nargs="*", default=[], help="POS layers of the references")
    parser.add_argument("--languages", nargs="*", default=[], help="the language of each of them")
    parser.add_argument(
        "--published-tags", nargs="?", help="published numbers of distinct tags (TSV)"
    )
    parser.add_argument("--note", default="", help="what is known to differ")
    parser.add_argument("--output", required=True, help="output: the comparison (TSV)")
    parser.add_argument("--output-tags", required=True, help="output: distinct tags (TSV)")
    parser.add_argument("--markdown", required=True, help="output: the same for people")
    parser.add_argument("--latex", required=True, help="output: the same with booktabs")


def run(args: argparse.Namespace) -> None:
    tables.require(args.published, tables.GIVEN["published"])
    rows = compare_published(tables.read(args.summary), tables.read(args.published))
    tables.write(args.output, COLUMNS, rows)
    if args.published_tags:
        tables.require(args.published_tags, tables.GIVEN["published_tags"])
    published = tables.read(args.published_tags) if args.published_tags else []
    layers: dict[str, list[str]] = {}
    for language, path in zip(args.languages, args.tags, strict=True):
        layers.setdefault(language, []).append(path)
    tags = distinct_tags(layers, published)
    tables.write(args.output_tags, TAG_COLUMNS, tags)
    with atomic(args.markdown) as handle:
        handle.write(markdown(rows, tags, args.note))
    with atomic(args.latex) as handle:
        handle.write(latex(rows))
