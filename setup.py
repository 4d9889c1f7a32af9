"""The C extension; everything else is in pyproject.toml."""

import hashlib
from pathlib import Path

from setuptools import Extension, setup

SOURCE = "scripts/morpos/_ngrams.c"

setup(
    ext_modules=[
        Extension(
            "morpos._ngrams",
            [SOURCE],
            # Its own digest: morpos does not use one that was built from another source.
            define_macros=[
                ("Py_LIMITED_API", "0x030B0000"),
                ("MORPOS_SOURCE", f'"{hashlib.sha256(Path(SOURCE).read_bytes()).hexdigest()}"'),
            ],
            py_limited_api=True,
            # Where no compiler is at hand, NumPy does the same, slower.
            optional=True,
        )
    ],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
