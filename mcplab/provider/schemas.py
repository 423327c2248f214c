"""A look at JSON Schemas, as far as the vendors look: is it one, and is it closed?

The vendors check a schema against a whole draft; here only the keywords are checked that
tool schemas use. Nothing recurses, so that a schema may be nested as deep as it likes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from mcplab.messages import JSON

__all__ = [
    "TYPES",
    "Context",
    "is_open_object",
    "is_type",
    "problem_of",
    "subschemas",
]

Context = tuple[str, ...]
"""Where in a schema: ``("properties", "city", "anyOf", "0")``."""

_Keyword = tuple[type | tuple[type, ...], str, str]

TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")

# Keyword: the types of its value, those types in words, and what schemas it holds.
_KEYWORDS: dict[str, _Keyword] = {
    **dict.fromkeys(("properties", "patternProperties", "$defs"), (dict, "'object'", "named")),
    **dict.fromkeys(("anyOf", "allOf", "oneOf", "prefixItems"), (list, "'array'", "listed")),
    **dict.fromkeys(
        ("items", "additionalProperties", "not", "if", "then", "else", "contains"),
        ((dict, bool), "'object', 'boolean'", "one"),
    ),
    **dict.fromkeys(("required", "enum"), (list, "'array'", "")),
    **dict.fromkeys(("title", "description", "pattern", "format", "$ref"), (str, "'string'", "")),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems"), (int, "'integer'", "")),
    **dict.fromkeys(("minimum", "maximum", "multipleOf"), ((int, float), "'number'", "")),
}


def problem_of(schema: Any) -> str | None:
    """What is wrong with a schema, the way the ``jsonschema`` package words it, or ``None``."""
    todo = [schema]
    while todo:
        value = todo.pop()
        if isinstance(value, bool):
            continue
        if not isinstance(value, dict):
            return f"{value!r} is not of type 'object', 'boolean'"
        for keyword, entry in value.items():
            if keyword == "type":
                if entry not in TYPES and not _is_list_of_types(entry):
                    return f"{entry!r} is not valid under any of the given schemas"
            elif keyword in _KEYWORDS:
                kinds, words, holds = _KEYWORDS[keyword]
                if not isinstance(entry, kinds) or (entry is True and holds != "one"):
                    return f"{entry!r} is not of type {words}"
                if holds:
                    todo.extend(_held(entry, holds))
                elif keyword == "required" and (odd := _not_a_string(entry)):
                    return odd
    return None


def _held(entry: Any, holds: str) -> Iterable[Any]:
    if holds == "named":
        return entry.values()  # type: ignore[no-any-return]
    return entry if holds == "listed" else (entry,)


def _not_a_string(names: Any) -> str | None:
    odd = [name for name in names if not isinstance(name, str)]
    return f"{odd[0]!r} is not of type 'string'" if odd else None


def _is_list_of_types(entry: Any) -> bool:
    return isinstance(entry, list) and bool(entry) and all(one in TYPES for one in entry)


def subschemas(schema: JSON) -> Iterator[tuple[Context, JSON]]:
    """The schema and every object schema inside it, outer before inner, each with its place.

    Args:
        schema: a schema without a problem, see `problem_of`.
    """
    todo: list[tuple[Context, Any]] = [((), schema)]
    while todo:
        context, value = todo.pop()
        if not isinstance(value, dict):
            continue
        yield context, value
        inner: list[tuple[Context, Any]] = []
        for keyword, entry in value.items():
            match _KEYWORDS.get(keyword, ("", "", ""))[2]:
                case "named":
                    inner += [((*context, keyword, name), one) for name, one in entry.items()]
                case "listed":
                    inner += [((*context, keyword, str(i)), one) for i, one in enumerate(entry)]
                case "one":
                    inner.append(((*context, keyword), entry))
        todo += reversed(inner)


def is_type(schema: JSON, kind: str) -> bool:
    """Is `kind` the type of the schema, or one of its types?"""
    given = schema.get("type")
    return given == kind or (isinstance(given, list) and kind in given)


def is_open_object(schema: JSON) -> bool:
    """Is it an object schema that lets in properties it does not name?"""
    return is_type(schema, "object") and schema.get("additionalProperties") is not False
