"""Shared fixtures."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
#: Real WMT files, problem inputs and design notes; not part of the project.
SHARED = Path(os.environ.get("MORPOS_SHARED", ROOT.parent / "shared"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder beside the project; tests that need it are skipped, visibly, without it."""
    if not SHARED.is_dir():
        pytest.skip(f"{SHARED} is not there (real WMT files and problem cases)")
    return SHARED


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The files that take longest first, so that all processes are busy to the end."""
    items.sort(key=lambda item: ("workflow" not in item.path.parts, "demo" not in item.path.name))
