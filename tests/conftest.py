"""Shared fixtures."""

import os
from pathlib import Path

import hypothesis
import pytest

# The processes of a run collect and draw each for itself, and the machine may be slow: no example
# depends on chance, none fails by the clock. New examples are drawn by `make fuzz`.
hypothesis.settings.register_profile(
    "repeatable",
    derandomize=True,
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("repeatable")

ROOT = Path(__file__).resolve().parents[1]
#: What tests pin does not depend on the package's table, which a user may edit.
METRIC_TABLE = ROOT / "tests" / "metrics.yaml"
#: Real WMT files, problem inputs and design notes; not part of the project.
SHARED = Path(os.environ.get("MORPOS_SHARED", ROOT.parent / "shared"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder beside the project; tests that need it are skipped, visibly, without it."""
    if not SHARED.is_dir():
        pytest.skip(
            f"no {SHARED.name}: set MORPOS_SHARED to the folder of real WMT files and problem cases"
        )
    return SHARED


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Numbered where a value cannot be read as an id: bytes (packed ones hold the time), texts of
    several lines or of more than one, functions without a name."""
    long = isinstance(val, str) and (len(val) > 70 or "\n" in val)
    unnamed = getattr(val, "__name__", "") == "<lambda>"
    return argname if long or unnamed or isinstance(val, bytes) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The files that take longest first, so that all processes are busy to the end."""
    items.sort(key=lambda item: ("workflow" not in item.path.parts, "demo" not in item.path.name))
