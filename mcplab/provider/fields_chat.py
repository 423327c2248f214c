"""The fields of a Chat Completions request (``POST /v1/chat/completions``).

The order is the vendor's, as it was measured (see the source of the rule ``chat-type``):
what is required, then fields that it does not know, then every known field in an order of
its own. Whatever is in the body, these functions only look; they never raise.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

from mcplab.messages import JSON
from mcplab.provider.checks import Faults, Path, check, fault

__all__ = ["FIELDS", "ROLES", "bracketed", "fields"]

ROLES = ("system", "assistant", "user", "function", "tool", "developer")
_CHOICES = ("none", "auto", "required")
_TOOL_TYPES = ("function", "custom")
_PART_TYPES = ("text", "image_url", "input_audio", "refusal", "audio", "file")
_FORMATS = ("json_object", "json_schema", "text")
_TIERS = ("auto", "default", "fast", "flex", "priority")
_LEVELS = ("low", "medium", "high")

_NAME = re.compile(r"[a-zA-Z0-9_-]+")
_MAX_NAME = 64
_MAX_DESCRIPTION = 1024
_MAX_ID = 40
_MAX_TOOLS = 128


def bracketed(where: Path) -> str:
    """A path the way OpenAI writes it: ``messages[1].tool_calls[0].id``."""
    text = "".join(f"[{one}]" if isinstance(one, int) else f".{one}" for one in where)
    return text.removeprefix(".")


def kind_of(value: Any) -> str:
    """The vendor's words for the type of a JSON value."""
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int():
            return "an integer"
        case float():
            return "a decimal number"
        case str():
            return "a string"
        case list():
            return "an array"
        case _:
            return "an object"


def _listed(values: Sequence[str], word: str) -> str:
    quoted = [f"'{value}'" for value in values]
    comma = "," if len(quoted) > 2 else ""
    return f"{', '.join(quoted[:-1])}{comma} {word} {quoted[-1]}"


def _type(value: Any, where: Path, expected: str) -> Faults:
    yield fault("chat-type", *where, path=bracketed(where), expected=expected, got=kind_of(value))


def _missing(*where: str | int) -> Faults:
    yield fault("chat-missing", *where, path=bracketed(where))


def _value(value: Any, where: Path, known: Sequence[str]) -> Faults:
    """A string out of a list."""
    if not isinstance(value, str):
        yield from _type(value, where, f"one of {_listed(known, 'or')}")
    elif value not in known:
        words = _listed(known, "and")
        yield fault("chat-value", *where, path=bracketed(where), value=value, supported=words)


def _one_of(*known: str) -> Callable[[Any, Path], Faults]:
    return lambda value, where: _value(value, where, known)


def _string(value: Any, where: Path) -> Faults:
    if not isinstance(value, str):
        yield from _type(value, where, "a string")


def _boolean(value: Any, where: Path) -> Faults:
    if not isinstance(value, bool):
        yield from _type(value, where, "a boolean")


def _object(value: Any, where: Path) -> Faults:
    if not isinstance(value, dict):
        yield from _type(value, where, "an object")


def _metadata(value: Any, where: Path) -> Faults:
    if not isinstance(value, dict):
        yield from _type(value, where, "a metadata object")


def _anything(value: Any, where: Path) -> Faults:
    yield from ()


def _integer(low: int | None = None, high: int | None = None) -> Callable[[Any, Path], Faults]:
    def look(value: Any, where: Path) -> Faults:
        if type(value) is not int:
            yield from _type(value, where, "an integer")
        else:
            yield from _range(value, where, "integer", low, high)

    return look


def _decimal(low: float, high: float) -> Callable[[Any, Path], Faults]:
    def look(value: Any, where: Path) -> Faults:
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not math.isfinite(value):
            yield from _type(value, where, "a decimal")
        else:
            yield from _range(value, where, "decimal", low, high)

    return look


def _range(value: float, where: Path, kind: str, low: float | None, high: float | None) -> Faults:
    words = {"path": bracketed(where), "kind": kind, "value": value}
    if low is not None and value < low:
        words |= {"side": "below", "bound": "minimum", "short": "min", "sign": ">=", "limit": low}
        yield fault("chat-range", *where, **words)
    if high is not None and value > high:
        words |= {"side": "above", "bound": "maximum", "short": "max", "sign": "<=", "limit": high}
        yield fault("chat-range", *where, **words)


def _too_long(rule: str, value: str, where: Path) -> Faults:
    yield fault(rule, *where, path=bracketed(where), length=len(value))


# Messages ------------------------------------------------------------------------------------


def _messages(value: Any, where: Path) -> Faults:
    if not isinstance(value, list):
        yield from _type(value, where, "an array of objects")
        return
    if not value:
        yield fault("chat-messages-empty", *where)
    for i, message in enumerate(value):
        if not isinstance(message, dict):
            yield from _type(message, (*where, i), "an object")
            continue
        role = message.get("role")
        if role is None:
            yield from _missing(*where, i, "role")
        elif role not in ROLES:
            yield from _value(role, (*where, i, "role"), ROLES)
        yield from _content(message.get("content"), (*where, i, "content"))
        if role == "assistant" and message.get("tool_calls") is not None:
            yield from _tool_calls(message["tool_calls"], (*where, i, "tool_calls"))
        elif role == "tool" and message.get("tool_call_id") is not None:
            yield from _id(message["tool_call_id"], (*where, i, "tool_call_id"))


def _content(content: Any, where: Path) -> Faults:
    if content is None or isinstance(content, str):
        return
    if not isinstance(content, list):
        yield from _type(content, where, "one of a string or array of objects")
        return
    for j, part in enumerate(content):
        if not isinstance(part, dict):
            yield from _type(part, (*where, j), "an object")
        elif part.get("type") is None:
            yield from _missing(*where, j, "type")
        elif part["type"] not in _PART_TYPES:
            yield from _value(part["type"], (*where, j, "type"), _PART_TYPES)
        elif part["type"] == "text":
            if part.get("text") is None:
                yield from _missing(*where, j, "text")
            else:
                yield from _string(part["text"], (*where, j, "text"))


def _id(value: Any, where: Path) -> Faults:
    yield from _string(value, where)
    if isinstance(value, str) and len(value) > _MAX_ID:
        yield from _too_long("chat-tool-call-id-length", value, where)


def _tool_calls(value: Any, where: Path) -> Faults:
    if not isinstance(value, list):
        yield from _type(value, where, "an array of objects")
        return
    if not value:
        yield fault("chat-tool-calls-empty", *where, path=bracketed(where))
    for j, call in enumerate(value):
        if not isinstance(call, dict):
            yield from _type(call, (*where, j), "an object")
            continue
        if call.get("id") is None:
            yield from _missing(*where, j, "id")
        else:
            yield from _id(call["id"], (*where, j, "id"))
        if call.get("type") is None:
            yield from _missing(*where, j, "type")
        elif call["type"] not in _TOOL_TYPES:
            yield from _value(call["type"], (*where, j, "type"), _TOOL_TYPES)
        if call.get("type") != "custom":
            yield from _called_function(call.get("function"), (*where, j, "function"))


def _called_function(function: Any, where: Path) -> Faults:
    if function is None:
        yield from _missing(*where)
    elif not isinstance(function, dict):
        yield from _object(function, where)
    else:
        if function.get("name") is None:
            yield from _missing(*where, "name")
        else:
            yield from _string(function["name"], (*where, "name"))
        arguments, place = function.get("arguments"), (*where, "arguments")
        if "arguments" not in function:
            yield from _missing(*place)
        elif not isinstance(arguments, str):
            yield fault("chat-arguments", *place, path=bracketed(place), got=kind_of(arguments))


# Tools -----------------------------------------------------------------------------------------


def _tools(value: Any, where: Path) -> Faults:
    if not isinstance(value, list):
        yield from _type(value, where, "an array of objects")
        return
    if not value:
        yield fault("chat-tools-empty", *where)
    if len(value) > _MAX_TOOLS:
        yield fault("chat-tools-count", *where, n=len(value))
    for k, tool in enumerate(value):
        if not isinstance(tool, dict):
            yield from _type(tool, (*where, k), "an object")
        elif tool.get("type") is None:
            yield from _missing(*where, k, "type")
        elif tool["type"] not in _TOOL_TYPES:
            yield from _value(tool["type"], (*where, k, "type"), _TOOL_TYPES)
        elif tool["type"] == "function":
            yield from _function(tool.get("function"), (*where, k, "function"))


def _function(function: Any, where: Path) -> Faults:
    if function is None:
        yield from _missing(*where)
        return
    if not isinstance(function, dict):
        yield from _object(function, where)
        return
    if function.get("name") is None:
        yield from _missing(*where, "name")
    else:
        yield from _name(function["name"], (*where, "name"))
    description = function.get("description")
    if description is not None:
        yield from _string(description, (*where, "description"))
    if isinstance(description, str) and len(description) > _MAX_DESCRIPTION:
        yield from _too_long("chat-description-length", description, (*where, "description"))
    if function.get("strict") is not None:
        yield from _boolean(function["strict"], (*where, "strict"))


def _name(name: Any, where: Path) -> Faults:
    if not isinstance(name, str):
        yield from _string(name, where)
    elif not name:
        yield fault("chat-name-empty", *where, path=bracketed(where))
    else:
        if not _NAME.fullmatch(name):
            yield fault("chat-name-pattern", *where, path=bracketed(where))
        if len(name) > _MAX_NAME:
            yield from _too_long("chat-name-length", name, where)


def _tool_choice(value: Any, where: Path) -> Faults:
    if isinstance(value, str):
        yield from _value(value, where, _CHOICES)
    elif not isinstance(value, dict):
        yield from _type(value, where, f"one of one of {_listed(_CHOICES, 'or')} or object")
    elif value.get("type") not in ("allowed_tools", "custom"):
        if "type" not in value:
            yield fault("chat-tool-choice-untyped", *where)
        if not isinstance(value.get("function"), dict):
            yield from _missing(*where, "function")
        elif not isinstance(value["function"].get("name"), str):
            yield from _missing(*where, "function", "name")


def _response_format(value: Any, where: Path) -> Faults:
    yield from _object(value, where)
    if isinstance(value, dict):
        if value.get("type") is None:
            yield from _missing(*where, "type")
        else:
            yield from _value(value["type"], (*where, "type"), _FORMATS)


# All -------------------------------------------------------------------------------------------

FIELDS: dict[str, Callable[[Any, Path], Faults]] = {
    "messages": _messages,
    "functions": _anything,
    "function_call": _anything,
    "tools": _tools,
    "tool_choice": _tool_choice,
    "parallel_tool_calls": _boolean,
    "max_completion_tokens": _integer(1),
    "n": _integer(1, 8),
    "temperature": _decimal(0, 2),
    "top_p": _decimal(0, 1),
    "presence_penalty": _decimal(-2, 2),
    "frequency_penalty": _decimal(-2, 2),
    "logprobs": _boolean,
    "top_logprobs": _integer(0),
    "user": _string,
    "seed": _integer(),
    "moderation": _object,
    "safety_identifier": _string,
    "prompt_cache_options": _object,
    "prompt_cache_key": _string,
    "prompt_cache_retention": _anything,
    "response_format": _response_format,
    "service_tier": _one_of(*_TIERS),
    "max_tokens": _integer(1),
    "reasoning_effort": _anything,
    "logit_bias": _object,
    "stop": _anything,
    "stream": _boolean,
    "stream_options": _object,
    "store": _boolean,
    "metadata": _metadata,
    "prediction": _object,
    "verbosity": _one_of(*_LEVELS),
    # Known to the SDK, and to some models only.
    "audio": _anything,
    "modalities": _anything,
    "web_search_options": _anything,
}
"""The fields of a request and their checks, in the vendor's order of reporting."""


@check(
    "openai-chat",
    "chat-body-object",
    "chat-model",
    "chat-missing",
    "chat-unknown-parameter",
    "chat-type",
    "chat-value",
    "chat-range",
    "chat-messages-empty",
    "chat-tool-calls-empty",
    "chat-arguments",
    "chat-tool-call-id-length",
    "chat-tools-empty",
    "chat-tools-count",
    "chat-name-empty",
    "chat-name-pattern",
    "chat-name-length",
    "chat-description-length",
    "chat-tool-choice-untyped",
    first=True,
)
def fields(body: Any) -> Faults:
    """What is required, then unknown fields, then every known field in the vendor's order."""
    if not isinstance(body, dict):
        yield fault("chat-body-object", got=kind_of(body))
        return
    model = body.get("model")
    if model is None or model == "":
        yield fault("chat-model", "model")
    else:
        yield from _string(model, ("model",))
    if "messages" not in body:
        yield from _missing("messages")
    for key in body:
        if key not in FIELDS and key != "model":
            yield fault("chat-unknown-parameter", key, path=key, help=_spelling_help(key, body))
    for key, look in FIELDS.items():
        if key in body and (body[key] is not None or key == "messages"):
            yield from look(body[key], (key,))


def _spelling_help(key: str, body: JSON) -> str:
    """The vendor names known fields that are two letters away at most, nearest first."""
    near = sorted(
        (distance, known)
        for known in FIELDS
        if known not in body
        and abs(len(known) - len(key)) <= 2
        and (distance := _edit_distance(key, known)) <= 2
    )
    return f" Did you mean {_alternatives([known for _, known in near])}?" if near else ""


def _alternatives(names: list[str]) -> str:
    return f"'{names[0]}'" if len(names) == 1 else _listed(names, "or")


def _edit_distance(a: str, b: str) -> int:
    """The Levenshtein distance."""
    row = list(range(len(b) + 1))
    for i, one in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, other in enumerate(b, 1):
            cost = before + (one != other)
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, cost)
    return row[-1]
