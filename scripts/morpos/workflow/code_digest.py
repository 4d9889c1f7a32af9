"""The code of a step as a digest: what of this package and of others it runs on."""

import ast
import hashlib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import metadata
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[1]
_DISTRIBUTION = "distribution "
# Modules that count where they are imported, what they are compiled to, and what only types need.
_CODE = {".py", ".c", ".so", ".pyi", ".typed"}
_ASKS = {"version", "metadata.version", "metadata.distribution", "distribution"}


@cache
def implementation(step: str, without: tuple[str, ...] = ()) -> str:
    """A digest of everything that a step imports: modules of this package by content, with the
    files beside a package's `__init__.py`, others by the version of their distribution.

    Computed by following the import statements, those inside functions too, from
    `morpos.workflow.steps.<step>`; so it changes when, and only when, what the step runs on
    changes.

    Args:
        without: modules that it may import, but not for the job in question.
    """
    digest = hashlib.sha256()
    for module in sorted(imported_modules(f"morpos.workflow.steps.{step}", without)):
        path = _file(module)
        content = (
            b"".join(map(Path.read_bytes, _parts(path)))
            if path
            else installed_version(module).encode()
        )
        digest.update(f"{module}\0{hashlib.sha256(content).hexdigest()}\n".encode())
    return digest.hexdigest()[:16]


def _parts(path: Path) -> list[Path]:
    if path.name != "__init__.py":
        return [path]
    data = (p for p in path.parent.iterdir() if p.is_file() and p.suffix not in _CODE)
    return [path, *sorted(data)]


def imported_modules(module: str, without: tuple[str, ...] = ()) -> set[str]:
    """A module and all that it imports, at once or later, but nothing by way of `without`."""
    seen: set[str] = set()
    queue = [module]
    while queue:
        name = queue.pop()
        if name in seen or name in without:
            continue
        seen.add(name)
        if (path := _file(name)) and path.suffix == ".py":
            queue += _imports(path)
    return seen


@cache
def _imports(path: Path) -> list[str]:
    names = []
    for node in _running(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            # `from package import module` and `from module import name` look the same.
            names.append(node.module)
            names += [
                f"{node.module}.{a.name}" for a in node.names if _file(f"{node.module}.{a.name}")
            ]
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in _ASKS:
            # A distribution that is asked for its files or version without being imported.
            names += [
                f"{_DISTRIBUTION}{argument.value}"
                for argument in node.args
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
            ]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            # A class in a registry, "module:Class", is imported when somebody asks for it.
            module, colon, _ = node.value.partition(":")
            names += [module] if colon and _file(module) else []
    return names


def _running(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes below this one but those that are there for type checkers only."""
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"):
            yield child
            yield from _running(child)


@cache
def _file(module: str) -> Path | None:
    first, *rest = module.split(".")
    if first != "morpos":
        return None
    path = _ROOT.joinpath(*rest)
    # An extension counts by its source, not by what a compiler made of it.
    for candidate in (path.with_suffix(".py"), path / "__init__.py", path.with_suffix(".c")):
        if candidate.is_file():
            return candidate
    return None


@cache
def installed_version(module: str) -> str:
    """The version of the package that a module belongs to; "" if it is not installed."""
    if module.startswith(_DISTRIBUTION):
        names = [module.removeprefix(_DISTRIBUTION)]
    else:
        names = _distributions().get(module.split(".")[0], [])
    try:
        return " ".join(metadata.version(name) for name in sorted(set(names)))
    except metadata.PackageNotFoundError:  # an extra that is not installed
        return ""


@cache
def _distributions() -> Mapping[str, list[str]]:
    return metadata.packages_distributions()
