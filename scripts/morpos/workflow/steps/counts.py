"""Count the n-gram matches of one system against its references, in every layer."""

import argparse
import sys

from morpos.errors import MorposError
from morpos.io.files import parts, read_json, read_units
from morpos.layers.sidecar import signature_of
from morpos.scoring import ngrams


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", help="facts about the system's canonical text (.json)")
    parser.add_argument("--layers", nargs="+", required=True, metavar="NAME", help="their names")
    parser.add_argument(
        "--files",
        nargs="+",
        required=True,
        help="for each layer in turn the system's file and the references' files",
    )
    parser.add_argument("--order", type=int, default=4, help="largest n (4)")
    parser.add_argument("--output", required=True, help="counts (.npz)")


def run(args: argparse.Namespace) -> None:
    facts = read_json(args.text)
    layers, signatures = {}, []
    for name, paths in zip(args.layers, parts(args.files, len(args.layers)), strict=True):
        hypothesis, *references = (read_units(path) for path in paths)
        lengths = [len(text) for text in (hypothesis, *references)]
        if len(set(lengths[1:] if facts["left_out"] else lengths)) > 1:
            texts = ", ".join(f"{path} ({n})" for path, n in zip(paths, lengths, strict=True))
            raise MorposError(
                f"system and references have different numbers of segments: {texts}; all "
                "references of a test set need the same segments in the same order"
            )
        if facts["left_out"]:
            references = [[] for _ in references]
        layers[name] = ngrams.count(hypothesis, references, args.order)
        found = {signature_of(path): path for path in paths}
        if len(found) > 1:
            both = " and ".join(f"{path} ({text})" for text, path in found.items())
            raise MorposError(
                f"system and reference are not annotated alike: {both}; delete the older layer "
                "and run again"
            )
        signatures += list(found)
    meta = {"text": facts, "signature": "|".join([*signatures, f"order:{args.order}"])}
    print(f"counted by {ngrams.KERNEL}", file=sys.stderr)
    ngrams.save(args.output, ngrams.Counts(layers, meta))
