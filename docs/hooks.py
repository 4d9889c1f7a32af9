"""MkDocs: the site's pages that lie outside `docs/`, and their links."""

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]
#: Page of the site, and the file that it is.
PAGES = {"index.md": "README.md", "configuration.md": "config/README.md"}
_LINK = re.compile(r"\]\((?!https?:|#)([^)#]*)(#[^)]*)?\)")


def on_files(files: Files, config: Any) -> Files:
    """Add the pages."""
    for page, source in PAGES.items():
        content = (ROOT / source).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=content))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Links as the site has them; to what it has not, such as a licence, only the text is left."""
    # Where the links of a page start from, in the project.
    folder = (ROOT / PAGES.get(page.file.src_uri, f"docs/{page.file.src_uri}")).parent
    moved = {str(ROOT / source): name for name, source in PAGES.items()}

    def link(match: re.Match[str]) -> str:
        target = (folder / match[1]).resolve()
        name = moved.get(str(target))
        if name is None and target.is_relative_to(ROOT / "docs"):
            name = target.relative_to(ROOT / "docs").as_posix()
        return f"]({name}{match[2] or ''})" if name else "]"

    return _LINK.sub(link, markdown)
