"""What the commands share: options, reading texts, what is reported on standard error."""

import argparse
import sys
import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, cast

from morpos import api
from morpos.corpora import FORMATS
from morpos.corpora.rgbf import split_levels
from morpos.errors import MorposError
from morpos.io import progress
from morpos.io.files import write_segments
from morpos.io.text import canonical
from morpos.layers.tags import TAGGERS
from morpos.layers.tags.granularity import GRANULARITIES
from morpos.layers.words import TOKENIZERS

STANDARD_INPUT = "/dev/stdin"
#: What is reported of a text that was changed on reading.
_CHANGES = {
    "line_ends": "Windows line ends",
    "controls": "control characters",
    "special_spaces": "no-break or other special spaces",
    "invisible": "invisible characters",
    "normalised_segments": "segments not in NFC",
    "extra_spaces": "extra spaces",
    "inserted_segments": "missing segments, put in empty",
}


def common(parser: argparse.ArgumentParser, order: str = "") -> None:
    """Options of every command that reads texts; `order` says which of several comes first."""
    each = f"; once for all texts, or once for each: {order}" if order else ""
    parser.add_argument(
        "--format",
        action="append",
        choices=FORMATS,
        metavar="NAME",
        help=f"{', '.join(FORMATS.ours)} ... (plain){each}",
    )
    parser.add_argument(
        "--select",
        action="append",
        metavar="WHICH",
        help="which text of a file that holds several: a sysid, hyp:NAME, a column, a field" + each,
    )
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
        metavar="NAME",
        default="moses",
        help=f"{', '.join(TOKENIZERS.ours)} ...; none for tokens that stand between spaces (moses)",
    )
    parser.add_argument("-lc", "--lowercase", action="store_true", help="in lower case")


def tagger(parser: argparse.ArgumentParser) -> None:
    """The tagger (docs/taggers.md)."""
    parser.add_argument(
        "--tagger",
        choices=TAGGERS,
        metavar="NAME",
        default="rdr",
        help=f"{', '.join(name for name in TAGGERS.ours if name != 'given')} ... (rdr)",
    )
    parser.add_argument("--tagger-model", metavar="MODEL", help="a model other than the default")
    parser.add_argument(
        "--granularity",
        choices=GRANULARITIES,
        default="full",
        help="how much of the tags counts (full)",
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
    parser.add_argument(
        "--metric-table", metavar="FILE", help="these metrics instead (config/README.md)"
    )
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
    parser.add_argument(
        "--missing",
        action="append",
        metavar="N,N-N",
        help="segments that an output is known to lack; once for all outputs, or once for each",
    )
    common(parser, "first references, then outputs")


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


def read(
    paths: Sequence[str],
    args: argparse.Namespace,
    outputs: int = 0,
) -> list[api.Text]:
    """The texts, `-` for standard input.

    Args:
        outputs: how many of them, the last, must fit the first of the references before them.
    """
    formats = _for_each(args.format or ["plain"], len(paths), "--format", "texts")
    selects = _for_each(args.select or [""], len(paths), "--select", "texts")
    missing = [""] * len(paths)
    if outputs and args.missing:
        missing[-outputs:] = _for_each(args.missing, outputs, "--missing", "outputs")
    texts: list[api.Text] = []
    _require_one_input(paths, args)
    for path, format, select, lacking in zip(paths, formats, selects, missing, strict=True):
        reference = texts[0] if outputs and texts else None
        options = {"format": format, "select": select, "missing": lacking}
        texts.append(_read(path, args, reference=reference, **options))
    return texts


def _read(path: str, args: argparse.Namespace, **options: Any) -> api.Text:
    """A text; what was changed in it is reported."""
    name, path = ("standard input", STANDARD_INPUT) if path == "-" else (path, path)
    text = api.read(path, name=name, encoding=args.encoding, **options)
    changes = [f"{n} {_CHANGES[kind]}" for kind, n in text.changes.items()]
    if changes:
        note(args, f"{text.name}: changed on reading: {', '.join(changes)}")
    for each in text.notes:
        note(args, f"{text.name}: {each}")
    return text


def _for_each(given: list[str], number: int, option: str, what: str) -> list[str]:
    if len(given) not in (1, number):
        raise MorposError(
            f"{option} is given {len(given)} times for {number} {what}; give it once for all, or "
            "once for each, in their order (references first)"
        )
    return given * number if len(given) == 1 else given


def _require_one_input(paths: Sequence[str], args: argparse.Namespace) -> None:
    if paths.count("-") > 1:
        raise MorposError("standard input (-) can be one text only")
    if "-" in paths and sys.stdin.isatty():
        note(args, "reading standard input; Ctrl-D ends it")


def _read_units(paths: Sequence[str], args: argparse.Namespace) -> list[api.Text]:
    """Layers that were made elsewhere: plain text."""
    _require_one_input(paths, args)
    return [_read(path, args) for path in paths]


def layers(
    references: Sequence[str], outputs: Sequence[str], args: argparse.Namespace
) -> tuple[list[Sequence[str]], dict[str, Any], api.Options]:
    """Texts with the layers that were given: segments a text, arguments for the API, options."""
    chosen = options(args)
    texts = read([*references, *outputs], args, len(outputs))
    api.check_lengths(texts)
    if args.annotated:
        if args.tags or args.morphemes:
            raise MorposError("--annotated files hold tags and morphemes: leave out the options")
        parts = [_split(text) for text in texts]
        words, morphemes, tags = ([part[i] for part in parts] for i in range(3))
        return words, {"tags": tags, "morphemes": morphemes}, {**chosen, "tokenizer": "none"}
    given = {
        layer: [text.segments for text in _read_units(files, args)] if files else None
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
    """A layer, one segment a line, units between spaces; its signature is told."""
    lines = map(" ".join, layer.segments)
    if args.output:
        write_segments(args.output, lines)
    else:
        for line in lines:
            print(line)
    note(args, f"signature: {layer.signature}")


def system_names(paths: Sequence[str], args: argparse.Namespace) -> list[str]:
    """A name an output: what is selected, of one file that holds several; else that of its file,
    without folders, .txt and .gz where that leaves them apart, or else with its path.

    In the canonical form of texts, so that no line end or control breaks a table or a terminal.
    """
    selects = (args.select or [""])[-len(paths) :]
    if len(set(paths)) < len(paths) == len(set(selects)):
        paths = [select.removeprefix("hyp:") for select in selects]
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
