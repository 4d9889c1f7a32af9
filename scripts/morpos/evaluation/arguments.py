"""Options of commands and steps that resample, and what they add to a signature."""

import argparse

from morpos.evaluation.defaults import SAMPLES, SEED


def add_resampling(parser: argparse.ArgumentParser) -> None:
    """How many resamples, from which random seed."""
    parser.add_argument("--samples", type=_samples, default=SAMPLES, help=f"resamples ({SAMPLES})")
    add_seed(parser)


def add_seed(parser: argparse.ArgumentParser) -> None:
    """The random seed alone."""
    parser.add_argument("--seed", type=_seed, default=SEED, help=f"random seed ({SEED})")


def _samples(text: str) -> int:
    if (number := int(text)) < 1:
        raise argparse.ArgumentTypeError(f"{text}: at least one resample is needed")
    return number


def _seed(text: str) -> int:
    if (number := int(text)) < 0:
        raise argparse.ArgumentTypeError(f"{text}: a seed is 0 or more")
    return number


def resampling_signature(args: argparse.Namespace) -> str:
    """What decides the random part of a table."""
    return f"samples:{args.samples}|seed:{args.seed}|scheme:two-sided"
