"""Annotations of the chosen test sets: which files, from which texts."""

from collections.abc import Iterator

from morpos.layers.settings import Setup
from morpos.layers.sidecar import sidecar_path
from morpos.project.model import Project, TestSet, TextSource, training_texts


def _chosen(project: Project) -> Iterator[tuple[Setup, TestSet]]:
    names = project.config["archive"]["testsets"] or project.testsets
    for setup in project.setups.values():
        for name in names:
            yield setup, project.testsets[name]


def _texts(testset: TestSet) -> tuple[TextSource, ...]:
    return (*testset.references, *testset.systems)


def annotation_files(project: Project) -> list[str]:
    """Texts and layers of the chosen test sets with their JSON, below the results.

    Models, and layers that only serve to make others, are what Snakemake's records say of these.
    """
    files = set()
    for setup, testset in _chosen(project):
        place = (testset.target, testset.reference_set)
        for text in _texts(testset):
            files.add(f"texts/{text.id}.txt")
            files |= {setup.path(layer, text.id, *place) for layer in project.layers}
    return sorted(files | {str(sidecar_path(path)) for path in files})


def sources(project: Project) -> list[str]:
    """The texts that the annotations of the chosen test sets are made from."""
    return sorted(
        {
            text.path
            for setup, testset in _chosen(project)
            for text in (*_texts(testset), *training_texts(setup, testset.target))
        }
    )
