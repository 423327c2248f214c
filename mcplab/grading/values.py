"""Compare values as the wire would carry them.

A learner may hand back dicts, tuples or the SDK's own objects: what counts is the JSON
that they become. So a value is turned into plain JSON first. That also takes every
trick out of it: no ``__eq__`` of a learner's class survives the trip.
"""

from __future__ import annotations

import json
from typing import Any

_SHOWN = 1500  # characters of a value in a message: about a screen of a notebook cell
_WIDTH = 88  # a JSON value up to this length stays on one line


class NotJSON(ValueError):
    """The value cannot be sent as JSON; the message says why, in words."""


def to_json(value: Any) -> Any:
    """`value` as plain JSON: dict, list, str, int, float, bool, None and nothing else.

    Pydantic objects (what the SDKs return) become what their SDK would send.

    Raises:
        NotJSON: there is no JSON for it.
    """
    try:
        return json.loads(json.dumps(value, default=_model, allow_nan=False))
    except RecursionError:
        raise NotJSON("It is nested too deeply.") from None
    except (TypeError, ValueError) as error:
        raise NotJSON(f"It cannot be written as JSON: {error}.") from None


def _model(value: Any) -> Any:
    from pydantic import BaseModel

    if isinstance(value, BaseModel):
        return BaseModel.model_dump(value, mode="json", by_alias=True, exclude_none=True)
    raise TypeError(f"a value of type {type(value).__name__} has no JSON form")


def same(got: Any, expected: Any) -> bool:
    """Equal in value and in type, all the way down: 1 is not 1.0 and not True."""
    return first_difference(got, expected) is None


def first_difference(got: Any, expected: Any, path: str = "") -> str | None:
    """Where two JSON values part, such as ``[1].content[0].id``; ``None`` when they do not."""
    if type(got) is not type(expected):
        return path
    if isinstance(expected, dict):
        for key in [*expected, *got]:
            if key not in got or key not in expected:
                return f"{path}.{key}"
            inner = first_difference(got[key], expected[key], f"{path}.{key}")
            if inner is not None:
                return inner
        return None
    if isinstance(expected, list):
        for index, (one, other) in enumerate(zip(got, expected, strict=False)):
            inner = first_difference(one, other, f"{path}[{index}]")
            if inner is not None:
                return inner
        return None if len(got) == len(expected) else f"{path}[{min(len(got), len(expected))}]"
    return None if got == expected else path


def shown(value: Any) -> str:
    """A JSON value as text to look at: a line where it fits, cut to about a screen."""
    text = _pretty(value, 0)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + " … (cut)"


def _pretty(value: Any, indent: int) -> str:
    line = json.dumps(value, ensure_ascii=False)
    if not value or not isinstance(value, dict | list) or indent + len(line) <= _WIDTH:
        return line
    inner = " " * (indent + 2)
    if isinstance(value, dict):
        parts = (f"{json.dumps(k)}: {_pretty(v, indent + 2)}" for k, v in value.items())
        opening, closing = "{}"
    else:
        parts = (_pretty(item, indent + 2) for item in value)
        opening, closing = "[]"
    body = ",\n".join(inner + part for part in parts)
    return f"{opening}\n{body}\n{' ' * indent}{closing}"
