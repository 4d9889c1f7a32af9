"""A stand-in for TreeTagger's program, which may not be passed on: it speaks its line protocol.

`tree-tagger {options} <parameter file>` reads a token a line and writes `token<TAB>tag<TAB>lemma`
a line, and as the real one does, it

- gives lines that begin with < and end with > back as they are (option -sgml),
- takes what stands behind a tab for given tags, and cuts lines at 1,000 bytes,
- lets a token's tag depend on those before it, up to a sentence's end (option -eos-tag),
- may answer only after the end of the input.

Its tags mean nothing: they tell tokens apart. The parameter file chooses a bad habit: a line
`habit: <name of a function below>`.
"""

import os
import sys
import time
from collections.abc import Iterator

FLAGS = {"-token", "-lemma", "-sgml", "-quiet", "-no-unknown"}


def main(arguments: list[str]) -> int:
    *options, parameters = arguments
    eos = options.pop(options.index("-eos-tag") + 1) if "-eos-tag" in options else ""
    if set(options) - FLAGS - {"-eos-tag"}:
        print(f"unknown options: {options}", file=sys.stderr)
        return 1
    with open(parameters, encoding="utf-8") as file:
        first = file.readline().strip()
    habit = globals()[first.removeprefix("habit: ")] if first.startswith("habit: ") else good
    tokens = [line.removesuffix(b"\n")[:1000] for line in sys.stdin.buffer]
    for line in habit(tokens, eos.encode()):
        sys.stdout.buffer.write(line + b"\n")
    return 0


def good(tokens: list[bytes], eos: bytes) -> Iterator[bytes]:
    before = b""
    for token in tokens:
        if token.startswith(b"<") and token.endswith(b">"):
            yield token
            before = b"" if token == eos else before
        else:
            word, *given = token.split(b"\t")
            yield b"\t".join((word, given[0] if given else tag(word, before), word.lower()))
            before = word


def tag(word: bytes, before: bytes) -> bytes:
    if word in (b".", b"!", b"?"):
        return b"SENT"
    if before == b"to":
        return b"VV"
    text = word.decode(errors="replace")
    return b"CD" if text.isdigit() else b"NP" if text[:1].isupper() else b"NN"


def no_tags(tokens: list[bytes], eos: bytes) -> Iterator[bytes]:
    for line in good(tokens, eos):
        yield line.split(b"\t")[0]


def empty_tags(tokens: list[bytes], eos: bytes) -> Iterator[bytes]:
    for line in good(tokens, eos):
        yield line.replace(b"\tNN\t", b"\t\t")


def swallows(tokens: list[bytes], eos: bytes) -> Iterator[bytes]:
    return (line for line in good(tokens, eos) if not line.startswith(b"bad\t"))


def splits(tokens: list[bytes], eos: bytes) -> Iterator[bytes]:
    for line in good(tokens, eos):
        yield from [b"b\tNN\tb", b"ad\tNN\tad"] if line.startswith(b"bad\t") else [line]


def changes(tokens: list[bytes], eos: bytes) -> Iterator[bytes]:
    return (line.replace(b"bad\t", b"good\t") for line in good(tokens, eos))


def loses_sentence_ends(tokens: list[bytes], eos: bytes) -> Iterator[bytes]:
    return (line for line in good(tokens, eos) if line != eos)


def dies(tokens: list[bytes], eos: bytes) -> Iterator[bytes]:
    for line in good(tokens, eos):
        if line.startswith(b"bad\t"):
            sys.stdout.flush()
            os._exit(3)
        yield line


def hangs(tokens: list[bytes], eos: bytes) -> Iterator[bytes]:
    for line in good(tokens, eos):
        if line.startswith(b"bad\t"):
            sys.stdout.flush()
            time.sleep(600)
        yield line


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
