"""The C extensions; everything else is in pyproject.toml."""

import hashlib
from pathlib import Path

from setuptools import Extension, setup


def extension(name: str) -> Extension:
    source = f"scripts/{name.replace('.', '/')}.c"
    # Its own digest: morpos does not use one that was built from another source.
    digest = hashlib.sha256(Path(source).read_bytes()).hexdigest()
    return Extension(
        name,
        [source],
        define_macros=[("Py_LIMITED_API", "0x030B0000"), ("MORPOS_SOURCE", f'"{digest}"')],
        # Costs in training must be equal to the last bit on every machine.
        extra_compile_args=["-ffp-contract=off"],
        py_limited_api=True,
        # Where no compiler is at hand, Python and NumPy do the same, slower.
        optional=True,
    )


setup(
    ext_modules=[
        extension("morpos.scoring._ngrams"),
        extension("morpos.layers.morphemes._morfessor"),
    ],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
