"""JSON Schema validation with messages that name the place and say what is allowed."""

import difflib
import math
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from morpos.errors import MorposError
from morpos.io.text import read_text
from morpos.registry import names_at

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

#: Where the schemas lie; they are part of the package.
_SCHEMAS = Path(__file__).with_name("schemas")

#: Keys and columns that had another name, with their new one.
RENAMED = {
    "apart": "exclude_from_summary",
    "detail": "granularity",
    "document": "testset",
    "documents": "testsets",
    "intended": "expected_testsets",
    "pictures": "figures",
}


@cache
def schema(name: str) -> dict[str, Any]:
    """The schema called `name`, `schemas/<name>.schema.yaml`."""
    content = yaml.safe_load((_SCHEMAS / f"{name}.schema.yaml").read_text(encoding="utf-8"))
    assert isinstance(content, dict)
    _fill(content)
    return content


def _fill(node: Any) -> None:
    """Put names that are listed elsewhere behind those of an `enum`.

    `x-enum: package.module:NAMES` says where: nothing here knows what these are.
    """
    if isinstance(node, dict) and (place := node.pop("x-enum", None)):
        node["enum"] = [*node.get("enum", []), *names_at(place)]
    if isinstance(node, dict | list):
        for child in node.values() if isinstance(node, dict) else node:
            _fill(child)


@cache
def _validator(name: str) -> "Validator":
    # Here, because it takes longer to import than a small job to run.
    from jsonschema import Draft202012Validator, validators

    # 1.0 is not a whole number here: the steps take it as text, and so do signatures.
    checker = Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool)
    )
    strict = validators.extend(Draft202012Validator, type_checker=checker)  # type: ignore[no-untyped-call]
    validator: Validator = strict(schema(name))
    return validator


def problems(value: Any, name: str) -> list[tuple[str, str]]:
    """All faults of a value against a schema: (place within the value, what is wrong)."""
    found = []
    for error in sorted(
        _validator(name).iter_errors(value), key=lambda e: [str(p) for p in e.path]
    ):
        place = ".".join(str(part) for part in error.absolute_path)
        rules = error.schema if isinstance(error.schema, dict) else {}
        hint = rules.get("description")
        if error.validator == "additionalProperties":
            known = [*rules.get("properties", {})]
            instance: Any = error.instance
            unknown = [key for key in instance if key not in known]
            found += [(place, unknown_name(key, known)) for key in unknown]
        elif error.validator == "pattern" and hint and place:
            found.append((place, f"{error.instance!r} does not fit; wanted: {hint}"))
        else:
            message = error.message if len(error.message) < 300 else error.message[:300] + " ..."
            found.append((place, message + (f" ({hint})" if hint and place else "")))
    return found


def unknown_name(name: object, known: Sequence[str]) -> str:
    """What to say of a name that is not known, with the one that was perhaps meant."""
    if (new := RENAMED.get(str(name))) in known:
        return f"'{name}' is now called '{new}'"
    near = difflib.get_close_matches(str(name), known, 1)
    meant = f"did you mean '{near[0]}'?" if near else f"known are {', '.join(known)}"
    return f"'{name}' is not known; {meant}"


class _OneOfEach(yaml.SafeLoader):
    """Refuses a key that stands twice, of which YAML would silently take the last."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: list[Any] = []
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if key in seen:
                raise yaml.MarkedYAMLError(
                    problem=f"the key '{key}' stands twice", problem_mark=key_node.start_mark
                )
            seen.append(key)
        return super().construct_mapping(node, deep)


def read_yaml(path: str | Path) -> Any:
    """Read YAML or JSON in which no key stands twice.

    Raises:
        MorposError: unreadable or no YAML; names line and column.
    """
    text = read_text(path)
    # The flow of JSON may be indented by tabs, that of YAML not.
    text = text.replace("\t", " ") if Path(path).suffix == ".json" else text
    try:
        return yaml.load(text, _OneOfEach)  # noqa: S506
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f", line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        tab = "; indent with blanks, never with tabs" if "'\\t'" in str(error.problem) else ""
        raise MorposError(
            f"{path}{place}: is not valid YAML: {error.problem or error.context}{tab}"
        ) from error
    except (yaml.YAMLError, RecursionError) as error:
        problem = " ".join(str(error).split())
        raise MorposError(f"{path} is not valid YAML: {problem}") from error


def validate(value: Any, name: str, path: str) -> None:
    """Check what was read from `path`.

    Raises:
        MorposError: every fault.
    """
    if place := _not_finite(value):
        raise MorposError(f"{place} is not a finite number", path=path)
    if isinstance(value, dict) and (odd := [key for key in value if not isinstance(key, str)]):
        raise MorposError(f"the key {odd[0]!r} is not text; put it in quotes", path=path)
    if found := problems(value, name):
        texts = [f"{place}: {text}" if place else text for place, text in found]
        texts[-1] += "; every key: config/README.md"
        raise MorposError(faults=[MorposError(text, path=path) for text in texts])


def _not_finite(value: Any, place: str = "") -> str:
    """Where a value holds a NaN or an infinity, which YAML can write; "" if it does not."""
    if isinstance(value, dict):
        items = [(f"{place}.{key}".lstrip("."), child) for key, child in value.items()]
    elif isinstance(value, list):
        items = [(f"{place}.{i}", child) for i, child in enumerate(value)]
    else:
        return place if isinstance(value, float) and not math.isfinite(value) else ""
    return next(filter(None, (_not_finite(child, at) for at, child in items)), "")


def defaults(name: str) -> dict[str, Any]:
    """The default of every key that has one, nested objects included."""
    return _defaults(schema(name))


def _defaults(node: dict[str, Any]) -> dict[str, Any]:
    values = {}
    for key, child in node.get("properties", {}).items():
        if "default" in child:
            values[key] = child["default"]
        elif child.get("type") == "object" and "properties" in child:
            values[key] = _defaults(child)
    return values
