"""Split a file of `words ++ morphemes ++ tags`, one segment a line, into layers for `counts`."""

import argparse
from collections import Counter
from pathlib import Path

from morpos.corpora.rgbf import LAYERS, split_levels
from morpos.io.files import sha256, write_json
from morpos.io.text import CHANGES, read_text, split_lines
from morpos.layers.annotation import Annotation
from morpos.layers.sidecar import write_layer

#: What the layers are called in a signature.
_KEYS = {"word": "tok", "morpheme": "morph", "pos": "pos"}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="one segment a line, UTF-8, plain or gzipped")
    parser.add_argument("--name", required=True, help="name of the system, or of the reference")
    parser.add_argument(
        "--output-dir", required=True, help="folder for word.txt, morpheme.txt, pos.txt, text.json"
    )


def run(args: argparse.Namespace) -> None:
    changes: Counter[str] = Counter()
    text = read_text(args.file)
    segments = [
        split_levels(line, f"{args.file}, line {number}")
        for number, line in enumerate(split_lines(text, args.file, changes), 1)
    ]
    folder = Path(args.output_dir)
    layers: list[list[list[str]]] = [[], [], []]
    for segment in segments:
        for layer, units in zip(layers, segment, strict=True):
            layer.append(units)
    for name, layer in zip(LAYERS, layers, strict=True):
        made = Annotation(layer, {_KEYS[name]: "given"}, {"given": args.file})
        write_layer(folder / f"{name}.txt", made, source=args.file)
    write_json(
        folder / "text.json",
        {
            "name": args.name,
            "source": args.file,
            "sha256": sha256(args.file),
            "segments": len(segments),
            "empty_segments": sum(not words for words, _, _ in segments),
            "ids": None,
            "changes": {kind: changes[kind] for kind in CHANGES},
            "notes": [],
            "left_out": None,
        },
    )
