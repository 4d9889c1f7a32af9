"""Every command of the documentation, in a checkout in which somebody has run the demo."""

import subprocess
import zipfile
from pathlib import Path

import pytest

from tests.workflow.documentation import PAGES, blocks, copy_checkout, run_block
from tests.workflow.harness import ROOT, environment


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout in which somebody has done as the README says, up to `make demo`."""
    folder = copy_checkout(tmp_path_factory.mktemp("checkout") / "morpos")
    run_block(next(block for block in blocks("README.md") if "make demo" in block.text), folder)
    return folder


def test_every_command_of_the_documentation_runs(checkout: Path) -> None:
    done = 0
    for page in PAGES:
        for block in blocks(page):
            if "make demo" not in block.text:
                run_block(block, checkout)
                done += block.runs
    assert done > 15
    # Pictures are what the rules make of the demo.
    picture = "docs/images/layers.svg"
    assert (checkout / picture).read_bytes() == (ROOT / picture).read_bytes()


def test_snakemakes_own_report_holds_the_pages(checkout: Path) -> None:
    offline = {"https_proxy": "http://127.0.0.1:9"}
    subprocess.run(
        ["snakemake", "--report", "all.zip"],
        cwd=checkout,
        env=environment(checkout, checkout) | offline,
        check=True,
    )
    with zipfile.ZipFile(checkout / "all.zip") as archive:
        pages = [name for name in archive.namelist() if name.endswith(".html")]
        names = {Path(name).name for name in pages}
    assert {"report.html", "demo.de-en.html", "demo.en-cs.html"} <= names
