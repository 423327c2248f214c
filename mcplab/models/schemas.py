"""Reading JSON Schema, as far as a descriptor needs it: properties, types, local references.

Everything here is total: a schema that is wrong, recursive or not a schema at all gives an
empty answer, never an exception, because a model must read whatever a server lists.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcplab.messages import JSON

_UNIONS = ("anyOf", "oneOf", "allOf")
_INDIRECT = frozenset({"$ref", *_UNIONS})
_DEEPEST = 4  # how far nested properties are read; deeper ones are rare and a model skims them too


def resolve(schema: Any, root: JSON) -> JSON:
    """Follow local ``$ref`` and take the first useful branch of ``anyOf``/``oneOf``/``allOf``.

    Args:
        schema: the schema of one parameter.
        root: the whole input schema, where ``#/$defs/…`` is looked up.

    Returns:
        A plain schema, or ``{}`` when there is none to be had.
    """
    if not isinstance(schema, dict):
        return {}
    found: JSON = schema
    for _ in range(_DEEPEST * 2):
        if _INDIRECT.isdisjoint(found):
            return found
        if isinstance(found.get("$ref"), str):
            found = {**_lookup(found["$ref"], root), **_without(found, "$ref")}
            continue
        union = next((k for k in _UNIONS if _branches(found, k)), None)
        if union is None:
            return found
        found = {**_branches(found, union)[0], **_without(found, union)}
    return {}


def properties(schema: Any, root: JSON | None = None) -> dict[str, JSON]:
    """The properties of an object schema by name, each resolved."""
    root = root if root is not None else schema if isinstance(schema, dict) else {}
    found = resolve(schema, root).get("properties")
    if not isinstance(found, dict):
        return {}
    return {str(name): resolve(value, root) for name, value in found.items()}


def required(schema: Any) -> tuple[str, ...]:
    """The names listed under ``required``."""
    names = schema.get("required") if isinstance(schema, dict) else None
    return tuple(n for n in names if isinstance(n, str)) if isinstance(names, list) else ()


def kind(schema: JSON) -> str:
    """The type of a parameter: ``"integer"``, ``"array"``, …, guessed when it is not stated.

    A list of types (``["string", "null"]``) counts as its first type that is not null.
    """
    stated = schema.get("type")
    if isinstance(stated, list):
        stated = next((t for t in stated if t != "null"), None)
    if isinstance(stated, str):
        return stated
    if "properties" in schema:
        return "object"
    if "items" in schema:
        return "array"
    values = choices(schema)
    if values and all(isinstance(v, int | float) and not isinstance(v, bool) for v in values):
        return "number"
    return "string"


def choices(schema: JSON) -> list[Any]:
    """The legal values of an ``enum`` (or the one of a ``const``), else an empty list."""
    if "const" in schema:
        return [schema["const"]]
    values = schema.get("enum")
    return values if isinstance(values, list) else []


def text(schema: Any) -> str:
    """All that a schema *says*: names, descriptions and enum values of its parameters."""
    root = schema if isinstance(schema, dict) else {}
    return " . ".join(_sayings(root, root, _DEEPEST))


def _sayings(schema: Any, root: JSON, depth: int) -> Iterator[str]:
    if depth == 0:
        return
    for name, inner in properties(schema, root).items():
        yield name
        said = inner.get("description")
        if isinstance(said, str):
            yield said
        yield from (value for value in choices(inner) if isinstance(value, str))
        if "items" in inner:
            inner = resolve(inner["items"], root)
            yield from (value for value in choices(inner) if isinstance(value, str))
        if "properties" in inner:
            yield from _sayings(inner, root, depth - 1)


def _branches(schema: JSON, key: str) -> list[JSON]:
    branches = schema.get(key)
    if not isinstance(branches, list):
        return []
    return [b for b in branches if isinstance(b, dict) and b.get("type") != "null"]


def _lookup(pointer: str, root: JSON) -> JSON:
    here: Any = root
    for part in pointer.removeprefix("#").strip("/").split("/"):
        here = here.get(part) if isinstance(here, dict) and part else here
    return here if isinstance(here, dict) and here is not root else {}


def _without(schema: JSON, key: str) -> JSON:
    return {k: v for k, v in schema.items() if k != key}
