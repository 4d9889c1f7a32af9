"""Options of the steps that draw resamples, and what they add to a signature."""

import argparse

from morpos.resampling import SAMPLES, SEED


def arguments(parser: argparse.ArgumentParser) -> None:
    """How many resamples, from which seed."""
    parser.add_argument("--samples", type=int, default=SAMPLES, help=f"resamples ({SAMPLES})")
    parser.add_argument("--seed", type=int, default=SEED, help=f"seed of all draws ({SEED})")


def signature(args: argparse.Namespace) -> str:
    """What decides the random part of a table."""
    return f"samples:{args.samples}|seed:{args.seed}|scheme:two-sided"
