"""Models of morphemes shared between folders through Snakemake's cache."""

from pathlib import Path

import pytest

from tests.workflow.harness import Workspace

TEXT = "The mill stands there.\nShe bought bread, she did not.\nThe walking, the talking!\n"


def workspace(folder: Path, *references: str) -> Workspace:
    """A test set for each reference: d0, d1 ..."""
    space = Workspace(folder)
    for number, reference in enumerate(references):
        path = space.write(f"ref{number}.txt", reference)
        system = space.write(f"A{number}.txt", TEXT.replace("mill", "mile"))
        space.testset(f"d{number}", path, {"A": system})
    space.config["metrics"] = space.write("m.yaml", "MORPHF: {family: F, layers: {morpheme: 1}}\n")
    return space


def test_models_are_fetched_where_nothing_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "a cache"
    cache.mkdir()
    monkeypatch.setenv("SNAKEMAKE_OUTPUT_CACHE", str(cache))

    def times() -> dict[str, int]:
        return {path.name: path.stat().st_mtime_ns for path in cache.iterdir()}

    def models(space: Workspace) -> dict[str, str]:
        """The name in the cache of each model that the folder has from there."""
        links = (space.folder / "results" / "models").rglob("*.json")
        return {path.name: path.readlink().name for path in links}

    first = workspace(tmp_path / "first", TEXT)
    first.snakemake("--quiet", "all", "--cache")
    trained = times()
    assert len(trained) == 1
    # The same reference, and one with another word in it.
    second = workspace(tmp_path / "second", TEXT, TEXT.replace("walking", "talking"))
    second.snakemake("--quiet", "all", "--cache")
    assert len(times()) == 2
    assert trained.items() <= times().items()  # a model that was trained again would be put there
    assert models(first).items() < models(second).items()
    tables = first.results("scores/*", "segment_scores/*")
    assert len(tables) == 2
    assert tables.items() <= second.results("scores/*", "segment_scores/*").items()
    # Another option: nothing fits.
    second.config["morphemes"] = {"seed": 2}
    second.snakemake("--quiet", "all", "--cache")
    assert len(times()) == 4
