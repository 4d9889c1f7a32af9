"""The commands that people type: `morpos <command>`, one module each.

A command has `arguments(parser)`, `run(args)` and, for its help, `EXAMPLES`; what it does lies in
the library, mostly in `morpos.api`. Results go to standard output, all that is said about them to
standard error.
"""

from collections.abc import Sequence
from importlib.util import find_spec

from morpos import cli

COMMANDS = {
    "score": "score translations against a reference",
    "compare": "is one output better than another? paired tests",
    "correlate": "how well metrics rank systems, against human scores",
    "tag": "POS tags of a text",
    "segment": "morphemes of a text",
    "check": "check a data set before it is run",
    "show": "print the table of metrics of a run",
    "doctor": "what is installed, which taggers work, what to install",
    "completion": "completion of commands and options for your shell",
}

_EPILOG = """ In 30 seconds:
  morpos score reference.txt output.txt --lang de
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 = done, 1 = a fault in the input or the set-up, 2 = wrong usage."""
    program = cli.Program(
        name="morpos",
        package=__name__,
        kind="command",
        commands=COMMANDS,
        description="n-gram metrics over words, morphemes and POS tags",
        epilog=_EPILOG,
        elsewhere=_step,
    )
    return cli.main(program, arguments)


def _step(name: str) -> str:
    """How a step of the workflow is called; found by its name, because no command knows a step."""
    if not name.isidentifier() or name.startswith("_"):
        return ""
    there = find_spec(f"morpos.workflow.steps.{name}")
    return f"the step of the workflow is `python -m morpos.workflow {name}`" if there else ""
