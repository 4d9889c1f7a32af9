"""Standard input, output and error, whatever the caller made of them.

Imports nothing that an interpreter has not imported at its start: a client of the server lives for
a few milliseconds only.
"""

import io
import os
import sys


def open_streams() -> None:
    """Open those of standard input, output and error that are closed (`>&-`), on /dev/null.

    Else the next file or socket that is opened would be taken for them.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            file = os.open(os.devnull, os.O_RDWR)  # the lowest number is free: its own
            mode = "w" if number else "r"
            # As Python's own: who puts another stream in its place does not close the file.
            setattr(sys, name, os.fdopen(file, mode, encoding="utf-8", closefd=False))


def write_utf8() -> None:
    """Data is UTF-8 wherever it goes; a terminal that cannot show a letter is no reason to stop."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="replace")


def drop_output() -> None:
    """Let the interpreter, which flushes it at its end, find nothing wrong with standard output."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
