"""JSON Lines: one object a segment, whose fields are chosen by name."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from morpos.corpora.base import RawText
from morpos.errors import MorposError, first_names, quoted
from morpos.io.text import read_text, split_lines

#: Fields of the ids; of each the first one that the first object has.
_SEGMENT = ("id", "segment")
_DOCUMENT = ("document", "doc")


def read(path: str | Path, encoding: str, select: str, changes: Counter[str]) -> RawText:
    """Read the field `select` of each line's object; other fields may hold anything.

    A field `id`, or else `segment`, gives the ids, behind that of `document`, or else `doc`, where
    there is one. Without `select` there must be one other field. A line end within a text is
    replaced by a space.

    Raises:
        MorposError: the file cannot be read or decoded; a line is not an object with all the fields
            that are read, or has one twice; the text is not a string; an id twice.
    """
    lines = split_lines(read_text(path, encoding), path, changes)
    if not lines:
        raise MorposError(f"{path} is empty: a JSON Lines file has an object for each segment")
    first = _parse(lines[0], f"{path}, line 1")
    segment, document = (
        next((name for name in names if name in first and name != select), "")
        for names in (_SEGMENT, _DOCUMENT)
    )
    select = select or _only_text(first, {segment, document}, path)
    fields = [document, segment] if document and segment else [segment] if segment else []
    texts, ids = [], dict[str, int]()
    for number, line in enumerate(lines, 1):
        place = f"{path}, line {number}"
        each = _parse(line, place)
        texts.append(_text(each, select, place))
        key = "/".join(_id(each, name, place) for name in fields)
        if fields and (earlier := ids.setdefault(key, number)) != number:
            raise MorposError(
                f"{place}: the id {quoted(key)} was given in line {earlier} already; make the ids "
                "unique or, if they are none, rename the field"
            )
    changes["controls"] += sum(text.count("\n") for text in texts)
    segments = tuple(text.replace("\n", " ") for text in texts)
    return RawText(segments, tuple(ids) if fields else None, ())


class _Repeated(ValueError):
    """A name of a field that an object has twice."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = Counter(name for name, _ in pairs)
        raise _Repeated(next(name for name, n in names.items() if n > 1))
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_once)


def _parse(line: str, place: str) -> dict[str, Any]:
    try:
        found = _DECODER.decode(line)
        if "\\u" in line:
            json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise MorposError(f"{place}: half of a character (\\ud800 to \\udfff)") from error
    except json.JSONDecodeError as error:
        reason = f"column {error.colno}: {error.msg}"
        raise MorposError(f"{place} is not JSON ({reason}); each line is one object") from error
    except _Repeated as error:
        name = quoted(error.args[0])
        raise MorposError(f"{place}: the field {name} is there twice") from error
    except RecursionError as error:
        raise MorposError(f"{place} is nested too deeply") from error
    except ValueError as error:  # a number of thousands of digits
        raise MorposError(f"{place} cannot be read: {error}") from error
    if not isinstance(found, dict):
        raise MorposError(f'{place} is not an object, such as {{"id": 1, "text": "..."}}')
    return found


def _only_text(first: dict[str, Any], ids: set[str], path: str | Path) -> str:
    names = [name for name in first if name not in ids]
    if len(names) != 1:
        raise MorposError(
            f"{path}, line 1: select one of the {len(names)} fields {first_names(names, 20)}"
        )
    return names[0]


def _value(found: dict[str, Any], name: str, place: str) -> Any:
    if name not in found:
        raise MorposError(
            f"{place}: no field is called {quoted(name)}; there are {first_names(found, 20)}"
        )
    return found[name]


def _text(found: dict[str, Any], name: str, place: str) -> str:
    value = _value(found, name, place)
    if value is None:
        raise MorposError(
            f"{place}: the field {quoted(name)} is null; where there is no text, give an empty one"
        )
    if not isinstance(value, str):
        raise MorposError(
            f"{place}: the field {quoted(name)} holds {_kind(value)}, not a text in quotes"
        )
    return value


def _id(found: dict[str, Any], name: str, place: str) -> str:
    value = _value(found, name, place)
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise MorposError(
            f"{place}: the field {quoted(name)} holds {_kind(value)}, which is not an id: give a "
            "text or a whole number"
        )
    return str(value)


def _kind(value: object) -> str:
    kinds = {dict: "an object", list: "a list", bool: "true or false", type(None): "null"}
    return kinds.get(type(value), "a number")
