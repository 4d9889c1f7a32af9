"""Types of options on the command line."""

import argparse


def truth(text: str) -> bool:
    """`True` or `False`, as the rules write a parameter that is one of both."""
    if text not in ("True", "False"):
        raise argparse.ArgumentTypeError(f"'{text}' must be True or False")
    return text == "True"


def add_switch(parser: argparse.ArgumentParser, option: str, help: str) -> None:
    """An option that is on if it is given, unless it is given as `=False`."""
    parser.add_argument(option, nargs="?", type=truth, const=True, default=False, help=help)
