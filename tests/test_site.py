"""The documentation as a site: complete, and nothing in it comes from elsewhere."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def test_the_site_is_complete_and_needs_no_network(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs", reason="mkdocs is not installed: make docs")
    subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(tmp_path)],
        cwd=ROOT,
        check=True,
    )
    python = (tmp_path / "python.html").read_text("utf-8")
    for name in ("score", "compare", "correlate", "tag", "segment", "read"):
        assert f'id="morpos.api.{name}"' in python
    assert "Your own data in five minutes" in (tmp_path / "index.html").read_text("utf-8")
    for page in tmp_path.rglob("*.html"):
        content = page.read_text("utf-8")
        loaded = re.findall(r"<(?:script|link|img|iframe)[^>]*(?:src|href)=\"([^\"]*)\"", content)
        assert loaded
        assert [address for address in loaded if re.match(r"(https?:)?//", address)] == [], page
    for style in tmp_path.rglob("*.css"):
        # A data: URL is part of the style, whatever names stand in it.
        addresses = re.findall(r"(?:@import|url\()\s*['\"]?([^'\")\s]*)", style.read_text("utf-8"))
        assert [address for address in addresses if re.match(r"(https?:)?//", address)] == [], style
