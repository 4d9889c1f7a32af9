"""Fuzz one target: `python -m tests.fuzz sgml FOLDER [options of libFuzzer]`.

The corpus, and the inputs that failed, are kept in the folder.
"""

import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["morpos", "tarfile", "zipfile", "gzip"]):
    from morpos.data import archives
    from tests.fuzz import targets


def main() -> None:
    name, folder, *options = sys.argv[1:]
    corpus = Path(folder) / name
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(targets.SEEDS[name] + targets.FOUND.get(name, [])):
        (corpus / f"seed-{number}").write_bytes(seed)
    words = Path(folder) / "words.dict"
    escaped = ("".join(f"\\x{byte:02x}" for byte in word.encode()) for word in targets.WORDS)
    words.write_text("".join(f'"{word}"\n' for word in escaped))
    # Small limits: a bomb is one at any size, and filling a disk takes time.
    archives.MAX_BYTES, archives.MAX_MEMBERS = 1 << 20, 100
    defaults = [
        *(f"-dict={words}", f"-artifact_prefix={folder}/failed-{name}-", "-print_final_stats=1"),
        *("-timeout=20", "-rss_limit_mb=2048", "-max_len=4096", "-close_fd_mask=3"),
    ]
    atheris.Setup([sys.argv[0], *defaults, *options, str(corpus)], targets.TARGETS[name])
    atheris.Fuzz()


main()
