"""The commands of the documentation: taken out of its pages, and run in a copy of the checkout.

* `sh` and `python` blocks are run, in order. What cannot be run says so in the block, for readers
  too: `# not run by the tests: <reason>`, in its first line for all of it, or behind a command.
* Another block is a file if the text right before it names one: "in `mine/config.yaml`:".
"""

import re
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.workflow.harness import ROOT, environment

#: In the order in which somebody reads them: the README makes `mine`, which the others use.
PAGES = (
    "README.md",
    *(f"docs/{page}.md" for page in ("commands", "python", "tutorial-demo", "tutorial-wmt10")),
    "docs/performance.md",
    *(f"docs/{page}.md" for page in ("archive", "layers", "statistics", "taggers", "wmt08-10")),
    *("docs/check.md", "config/README.md", "demo/README.md"),
)
REASONS = {
    "needs the network",
    "installs packages",
    ".ci/run does it",
}
_FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"in `(mine/[^`{}]+)`[^`]*:\s*$")
_MARK = re.compile(r"# not run by the tests: (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block: a script, or the content of a file."""

    page: str
    language: str
    text: str
    file: str

    @property
    def runs(self) -> bool:
        """Whether it is a script that is not marked as a whole."""
        return self.language in ("sh", "python") and not _MARK.match(self.text)


def blocks(page: str) -> Iterator[Block]:
    """The blocks of a page, by its path in the project."""
    content = (ROOT / page).read_text(encoding="utf-8")
    for match in _FENCE.finditer(content):
        file = _FILE.search(content[: match.start()])
        yield Block(page, match[2], textwrap.dedent(match[3]), file[1] if file else "")


def copy_checkout(folder: Path) -> Path:
    """The project's files as they are now, and an environment that is set up already."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name, follow_symlinks=False)
    venv = folder / ".venv"
    venv.mkdir()
    for part in ("bin", "lib", "pyvenv.cfg"):
        (venv / part).symlink_to(Path(sys.prefix) / part)
    for stamp in (".workflow", ".dev", ".docs"):
        (venv / stamp).touch()
    return folder


def run_block(block: Block, folder: Path) -> None:
    """Write a block's file, or run it with bash or Python in the folder."""
    if block.language not in ("sh", "python"):
        if block.file:
            path = folder / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        return
    assert set(_MARK.findall(block.text)) <= REASONS, block
    if not block.runs:
        return
    lines = [line for line in block.text.split("\n") if not _MARK.search(line)]
    shell = [sys.executable] if block.language == "python" else ["bash", "-euo", "pipefail"]
    run = subprocess.run(
        [*shell, "-c", "\n".join(lines)],
        cwd=folder,
        env=environment(folder, folder) | {"HOME": str(folder / "home")},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    assert run.returncode == 0, f"{block.page}:\n{block.text}\n{run.stdout}\n{run.stderr}"
