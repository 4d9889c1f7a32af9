"""What the commands share: options, reading texts, what is said on standard error."""

import argparse
import sys
import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, cast

from morpos import api
from morpos.corpora.rgbf import split_levels
from morpos.errors import MorposError
from morpos.io import progress
from morpos.io.files import write_segments
from morpos.io.text import canonical
from morpos.layers.tags import TAGGERS
from morpos.layers.tags.detail import DETAILS
from morpos.layers.words import TOKENIZERS

STANDARD_INPUT = "/dev/stdin"
#: What is told of a text that was changed on reading.
_TOLD = {
    "line_ends": "Windows line ends",
    "controls": "control characters",
    "blanks": "no-break or other special blanks",
    "invisible": "invisible characters",
    "normalised_segments": "segments not in NFC",
    "surplus_blanks": "surplus blanks",
}


def common(parser: argparse.ArgumentParser) -> None:
    """Options of every command that reads texts."""
    parser.add_argument(
        "-e", "--encoding", default="utf-8", help="encoding of all files, such as latin-1 (utf-8)"
    )
    parser.add_argument(
        "-q", "--quiet", action="store_true", help="no notes and no progress on standard error"
    )


def text(parser: argparse.ArgumentParser) -> None:
    """A text that becomes a layer, and where that goes."""
    parser.add_argument(
        "text",
        metavar="TEXT",
        nargs="?",
        default="-",
        help="one segment a line, plain or gzipped; left out or -, standard input",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="(standard output)")


def words(parser: argparse.ArgumentParser) -> None:
    """The language, and how texts become words."""
    parser.add_argument(
        "-l", "--lang", required=True, metavar="CODE", help="language, ISO 639-1, such as de"
    )
    parser.add_argument(
        "-tok",
        "--tokenizer",
        choices=TOKENIZERS,
        default="moses",
        help="none for tokens that stand between blanks (moses)",
    )
    parser.add_argument("-lc", "--lowercase", action="store_true", help="in lower case")


def tagger(parser: argparse.ArgumentParser) -> None:
    """The tagger (docs/taggers.md)."""
    choices = [name for name in TAGGERS if name != "given"]
    parser.add_argument("--tagger", choices=choices, default="rdr", help="(rdr)")
    parser.add_argument("--tagger-model", metavar="MODEL", help="a model other than the default")
    parser.add_argument(
        "--detail", choices=DETAILS, default="full", help="how much of the tags counts (full)"
    )
    parser.add_argument("--home", help="folder of TreeTagger (environment: TREETAGGER_HOME)")


def morfessor(parser: argparse._ActionsContainer) -> None:
    """The model of morphemes."""
    parser.add_argument(
        "--morfessor-model",
        metavar="FILE",
        help="made already by the workflow's step morfessor",
    )


def scored(parser: argparse.ArgumentParser) -> None:
    """What is scored, and how its layers are made or where they are."""
    parser.add_argument(
        "-m",
        "--metrics",
        type=lambda text: text.split(","),
        metavar="A,B",
        help="metrics, with commas between (all of the table)",
    )
    parser.add_argument("--metric-table", metavar="FILE", help="other metrics (config/README.md)")
    words(parser)
    tagger(parser)
    morfessor(parser)
    parser.add_argument(
        "--annotated",
        action="store_true",
        help="each line of each file is `words ++ morphemes ++ tags`",
    )
    for layer, what in (("tags", "one tag a token"), ("morphemes", "they join up to the tokens")):
        parser.add_argument(
            f"--{layer}",
            nargs="+",
            metavar="FILE",
            help=f"given {layer} of each text, {what}: first references, then systems",
        )
    common(parser)


def width(parser: argparse.ArgumentParser) -> None:
    """How many decimals people are shown."""
    parser.add_argument("-w", "--width", type=_positive, default=2, help="decimals (2)")


def natural(text: str, least: int = 0) -> int:
    """A whole number on the command line, not below the least."""
    if not text.isdecimal() or (number := int(text)) < least:
        raise argparse.ArgumentTypeError(f"'{text}' must be a whole number, {least} or more")
    return number


def _positive(text: str) -> int:
    return natural(text, 1)


def options(args: argparse.Namespace) -> api.Options:
    """The options of annotation out of those of the command line."""
    given = vars(args)
    found: dict[str, Any] = {key: given[key] for key in api.Options.__annotations__ if key in given}
    found["case"] = "lower" if args.lowercase else "keep"
    return cast(api.Options, found)


def read(paths: Sequence[str], args: argparse.Namespace) -> list[api.Text]:
    """The texts, `-` for standard input; what was changed in them is told."""
    if paths.count("-") > 1:
        raise MorposError("standard input (-) can be one text only")
    texts = []
    if "-" in paths and sys.stdin.isatty():
        note(args, "reading standard input; Ctrl-D ends it")
    for path in paths:
        name = "standard input" if path == "-" else path
        source = STANDARD_INPUT if path == "-" else path
        text = api.read(source, encoding=args.encoding, name=name)
        changes = [f"{n} {_TOLD[kind]}" for kind, n in text.changes.items()]
        if changes:
            note(args, f"{name}: changed on reading: {', '.join(changes)}")
        for each in text.notes:
            note(args, f"{name}: {each}")
        texts.append(text)
    return texts


def layers(
    paths: Sequence[str], args: argparse.Namespace
) -> tuple[list[Sequence[str]], dict[str, Any], api.Options]:
    """Texts with the layers that were given: segments a text, arguments for the API, options."""
    chosen = options(args)
    texts = read(paths, args)
    api.fit(texts)
    if args.annotated:
        if args.tags or args.morphemes:
            raise MorposError("--annotated files hold tags and morphemes: leave out the options")
        parts = [_split(text) for text in texts]
        words, morphemes, tags = ([part[i] for part in parts] for i in range(3))
        return words, {"tags": tags, "morphemes": morphemes}, {**chosen, "tokenizer": "none"}
    given = {
        layer: [text.segments for text in read(files, args)] if files else None
        for layer, files in (("tags", args.tags), ("morphemes", args.morphemes))
    }
    return [text.segments for text in texts], given, chosen


def _split(text: api.Text) -> list[Sequence[str]]:
    """Words, morphemes and tags of an annotated text."""
    lines = (
        split_levels(line, f"{text.name}, line {n}") for n, line in enumerate(text.segments, 1)
    )
    layers = zip(*lines, strict=True)
    return [[" ".join(units) for units in layer] for layer in layers] or [[], [], []]


def write(layer: api.Layer, args: argparse.Namespace) -> None:
    """A layer, one segment a line, units between blanks; its signature is told."""
    lines = map(" ".join, layer.segments)
    if args.output:
        write_segments(args.output, lines)
    else:
        for line in lines:
            print(line)
    note(args, f"signature: {layer.signature}")


def system_names(paths: Sequence[str]) -> list[str]:
    """A name a file: without folders, .txt and .gz where that leaves them apart, else the path.

    In the canonical form of texts, so that no line end or control breaks a table or a terminal.
    """
    paths = ["standard input" if path == "-" else path.replace("\n", " ") for path in paths]
    paths = [canonical(path, Counter()) for path in paths]
    short = [Path(path).name.removesuffix(".gz").removesuffix(".txt") for path in paths]
    if len(set(short)) == len(paths):
        return short
    if len(set(paths)) < len(paths):
        twice = next(path for path in paths if paths.count(path) > 1)
        raise MorposError(f"{twice} is given twice; give each system once")
    return list(paths)


def note(args: argparse.Namespace, text: str) -> None:
    """Tell something on standard error, unless it is to be quiet."""
    if not args.quiet:
        print(text, file=sys.stderr)


def start(args: argparse.Namespace) -> None:
    """Tell warnings; bars with the time left for what takes over a second, on a terminal only."""
    warnings.showwarning = lambda message, *_: note(args, f"warning: {message}")
    if args.quiet or not sys.stderr.isatty():
        return
    from tqdm import tqdm

    def bar(items: Iterable[Any], desc: str, total: int | None) -> Iterable[Any]:
        shown: Iterable[Any]
        shown = tqdm(items, desc=desc, total=total, leave=False, delay=1, file=sys.stderr)
        return shown

    progress.show(bar)
