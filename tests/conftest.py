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
