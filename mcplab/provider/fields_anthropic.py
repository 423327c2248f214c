"""The fields of a Messages request (``POST /v1/messages``): are they there, of their type?

The order is the vendor's, as it was measured (see the source of the rule
``anthropic-field-type``): every known field in an order of its own, then the fields that it
does not know. Whatever is in the body, these functions only look; they never raise.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

from mcplab.messages import JSON
from mcplab.provider.checks import Faults, Path, check, dotted, fault

__all__ = ["BLOCK_KEYS", "BLOCK_TAGS", "FIELDS", "RESULT_TAGS", "TOOL_KEYS", "TOOL_TAGS", "fields"]

TOOL_TAGS = (
    "bash_20250124",
    "browser_toolset_20260801",
    "code_execution_20250522",
    "code_execution_20250825",
    "code_execution_20260120",
    "code_execution_20260521",
    "computer_toolset_20260801",
    "custom",
    "memory_20250818",
    "text_editor_20250124",
    "text_editor_20250429",
    "text_editor_20250728",
    "tool_search_tool_bm25",
    "tool_search_tool_bm25_20251119",
    "tool_search_tool_regex",
    "tool_search_tool_regex_20251119",
    "web_fetch_20250910",
    "web_fetch_20260209",
    "web_fetch_20260309",
    "web_fetch_20260318",
    "web_search_20250305",
    "web_search_20260209",
    "web_search_20260318",
)
"""The kinds of tools, from the types of the `anthropic` package 2.14; a test compares."""

BLOCK_TAGS = (
    "bash_code_execution_tool_result",
    "code_execution_tool_result",
    "container_upload",
    "document",
    "image",
    "redacted_thinking",
    "search_result",
    "server_tool_use",
    "text",
    "text_editor_code_execution_tool_result",
    "thinking",
    "tool_result",
    "tool_search_tool_result",
    "tool_use",
    "web_fetch_tool_result",
    "web_search_tool_result",
)
"""The kinds of content blocks, from the types of the `anthropic` package 2.14."""

RESULT_TAGS = ("browser_state", "document", "image", "search_result", "text", "tool_reference")
_CHOICE_TAGS = ("auto", "any", "tool", "none")
_THINKING_TAGS = ("adaptive", "disabled", "enabled")
# Beta block kinds that stand in no list above but that people send back as they got them.
_BETA_BLOCK = re.compile(r"[a-z_]+_tool_result|mcp_tool_use|compaction|fallback")

TOOL_KEYS = frozenset(
    (
        "allowed_callers",
        "cache_control",
        "defer_loading",
        "description",
        "eager_input_streaming",
        "input_examples",
        "input_schema",
        "name",
        "strict",
        "type",
    )
)
BLOCK_KEYS = {
    "text": frozenset(("cache_control", "citations", "text", "type")),
    "tool_use": frozenset(
        ("cache_control", "caller", "id", "input", "name", "toolset_name", "type")
    ),
    "tool_result": frozenset(
        ("cache_control", "content", "is_error", "tool_use_id", "toolset_name", "type")
    ),
    "thinking": frozenset(("signature", "thinking", "type")),
}
_MESSAGE_KEYS = frozenset(("role", "content"))
_SYSTEM_KEYS = frozenset(("role", "content", "output_config"))

_ID = re.compile(r"[a-zA-Z0-9_-]+")
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
_NAME_64 = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def _type(where: Path, expected: str, path: str = "") -> Faults:
    yield fault("anthropic-field-type", *where, path=path or dotted(where), expected=expected)


def _missing(where: Path, path: str = "") -> Faults:
    yield fault("anthropic-field-required", *where, path=path or dotted(where))


def _tag(where: Path, tag: object, tags: tuple[str, ...]) -> Faults:
    words = ", ".join(f"'{one}'" for one in tags)
    yield fault("anthropic-unknown-tag", *where, path=dotted(where), tag=tag, tags=words)


def _extra(where: Path, given: JSON, allowed: frozenset[str], inner: Path = ()) -> Faults:
    for key in given:
        if key not in allowed:
            path = dotted((*where, *inner, key))
            yield fault("anthropic-extra-field", *where, key, path=path)


def _string(value: Any, where: Path) -> Faults:
    if not isinstance(value, str):
        yield from _type(where, "a valid string")


def _boolean(value: Any, where: Path) -> Faults:
    if not isinstance(value, bool):
        yield from _type(where, "a valid boolean")


def _integer(value: Any, where: Path) -> Faults:
    if type(value) is not int:
        yield from _type(where, "a valid integer")


def _object(value: Any, where: Path) -> Faults:
    if not isinstance(value, dict):
        yield from _type(where, "an object")


def _shape(value: Any, where: Path) -> Faults:
    if not isinstance(value, dict):
        yield fault("anthropic-field-shape", *where, path=dotted(where))


def _unit(value: Any, where: Path) -> Faults:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        yield from _type(where, "a valid number")
    elif not 0 <= value <= 1:
        yield fault("anthropic-out-of-range", *where, path=dotted(where), limit="range: 0..1")


def _model(value: Any, where: Path) -> Faults:
    yield from _string(value, where)
    if value == "":
        yield fault("anthropic-string-empty", *where, path=dotted(where))


def _max_tokens(value: Any, where: Path) -> Faults:
    yield from _integer(value, where)
    if type(value) is int and value < 0:
        limit = "must be greater than or equal to 0"
        yield fault("anthropic-out-of-range", *where, path=dotted(where), limit=limit)


def _metadata(value: Any, where: Path) -> Faults:
    yield from _shape(value, where)
    if isinstance(value, dict):
        yield from _extra(where, value, frozenset(("user_id",)))
        if value.get("user_id") is not None:
            yield from _string(value["user_id"], (*where, "user_id"))


def _strings(value: Any, where: Path) -> Faults:
    if not isinstance(value, list):
        yield from _type(where, "a valid array")
        return
    for index, one in enumerate(value):
        yield from _string(one, (*where, index))


def _service_tier(value: Any, where: Path) -> Faults:
    if value not in ("auto", "standard_only"):
        yield from _type(where, "'auto' or 'standard_only'")


def _tool_choice(value: Any, where: Path) -> Faults:
    if not isinstance(value, dict):
        yield from _type(where, "an object")
    elif "type" not in value:
        yield from _missing((*where, "type"))
    elif value["type"] not in _CHOICE_TAGS:
        yield from _tag(where, value["type"], _CHOICE_TAGS)
    else:
        if value["type"] == "tool":
            path = dotted((*where, "tool", "name"))
            if "name" not in value:
                yield from _missing((*where, "name"), path)
            elif not isinstance(value["name"], str):
                yield from _type((*where, "name"), "a valid string", path)
        if "disable_parallel_tool_use" in value:
            yield from _boolean(
                value["disable_parallel_tool_use"], (*where, "disable_parallel_tool_use")
            )


def _thinking(value: Any, where: Path) -> Faults:
    if not isinstance(value, dict):
        yield from _type(where, "an object")
    elif "type" not in value:
        yield from _missing((*where, "type"))
    elif value["type"] not in _THINKING_TAGS:
        yield from _tag(where, value["type"], _THINKING_TAGS)
    elif value["type"] == "enabled":
        path = dotted((*where, "enabled", "budget_tokens"))
        if "budget_tokens" not in value:
            yield from _missing((*where, "budget_tokens"), path)
        elif type(value["budget_tokens"]) is not int:
            yield from _type((*where, "budget_tokens"), "a valid integer", path)


def _system(value: Any, where: Path) -> Faults:
    if isinstance(value, str):
        return
    if not isinstance(value, list):
        yield from _type(where, "a valid array")
        return
    for index, block in enumerate(value):
        text = isinstance(block, dict) and block.get("type") == "text"
        if not (text and isinstance(block.get("text"), str)):
            yield from _shape(None, (*where, index))


def _tools(value: Any, where: Path) -> Faults:
    if not isinstance(value, list):
        yield from _type(where, "a valid array")
        return
    for k, tool in enumerate(value):
        if not isinstance(tool, dict):
            yield from _type((*where, k), "an object")
        elif tool.get("type") not in (None, *TOOL_TAGS):
            yield from _tag((*where, k), tool["type"], TOOL_TAGS)
        elif tool.get("type") in (None, "custom"):
            yield from _custom_tool(tool, k)


def _custom_tool(tool: JSON, k: int) -> Faults:
    name, path = tool.get("name"), f"tools.{k}.custom.name"
    where = ("tools", k, "name")
    if "name" not in tool:
        yield from _missing(where, path)
    elif not isinstance(name, str):
        yield from _type(where, "a valid string", path)
    elif not name:
        yield fault("anthropic-string-empty", *where, path=path)
    else:
        if not _NAME.fullmatch(name):
            yield fault("anthropic-tool-name-pattern", *where, k=k)
        if not _NAME_64.fullmatch(name):
            yield fault("anthropic-tool-name-pattern-64", *where, k=k)
    if not isinstance(tool.get("description", ""), str):
        yield fault("anthropic-tool-description", "tools", k, "description", k=k)
    yield from _input_schema(tool, k)
    if not tool.keys() <= TOOL_KEYS:
        yield from _extra(("tools", k), tool, TOOL_KEYS, ("custom",))


def _input_schema(tool: JSON, k: int) -> Faults:
    where, schema = ("tools", k, "input_schema"), tool.get("input_schema")
    if "input_schema" not in tool:
        yield fault("anthropic-input-schema", *where, k=k)
    elif not isinstance(schema, dict):
        yield from _type(where, "an object", f"tools.{k}.custom.input_schema")
    elif "type" not in schema:
        yield fault("anthropic-input-schema-type", *where, k=k)
    elif schema["type"] != "object":
        yield fault("anthropic-input-schema-object", *where, "type", k=k)


def _messages(value: Any, where: Path) -> Faults:
    if not isinstance(value, list):
        yield from _type(where, "a valid array")
        return
    if not value:
        yield fault("anthropic-messages-empty", *where)
    for i, message in enumerate(value):
        if not isinstance(message, dict):
            yield from _type((*where, i), "an object")
            continue
        if _is_usual(message):
            continue
        role = message.get("role")
        if "role" not in message:
            yield from _missing((*where, i, "role"))
        elif role not in ("user", "assistant", "system"):
            yield fault("anthropic-unknown-role", *where, i, "role", role=role)
        yield from _content(message, (*where, i))
        keys = _SYSTEM_KEYS if role == "system" else _MESSAGE_KEYS
        if not message.keys() <= keys:
            yield from _extra((*where, i), message, keys)


def _is_usual(message: JSON) -> bool:
    """Is it a message of the usual form? Most are, and then nothing has to be looked at closely."""
    content = message.get("content")
    if len(message) != 2 or message.get("role") not in ("user", "assistant"):
        return False
    return isinstance(content, str) or (
        isinstance(content, list) and all(map(_is_usual_block, content))
    )


def _is_usual_block(block: Any) -> bool:
    if not isinstance(block, dict):
        return False
    kind = block.get("type")
    if kind == "text":
        return len(block) == 2 and isinstance(block.get("text"), str)
    if kind == "tool_use":
        usual = isinstance(block.get("name"), str) and isinstance(block.get("input"), dict)
        return usual and len(block) == 4 and _is_id(block.get("id"))
    usual = kind == "tool_result" and isinstance(block.get("content"), str)
    return usual and len(block) == 3 and _is_id(block.get("tool_use_id"))


def _is_id(value: Any) -> bool:
    return isinstance(value, str) and _ID.fullmatch(value) is not None


def _content(message: JSON, where: Path) -> Faults:
    content = message.get("content")
    if isinstance(content, list):
        for j, block in enumerate(content):
            yield from _block(block, (*where, "content", j), BLOCK_TAGS)
    elif "content" not in message:
        yield from _missing((*where, "content"))
    elif not isinstance(content, str):
        yield from _type((*where, "content"), "a valid array")


def _block(block: Any, where: Path, tags: tuple[str, ...]) -> Faults:
    if not isinstance(block, dict):
        yield from _type(where, "an object")
        return
    kind = block.get("type")
    if "type" not in block:
        yield from _missing((*where, "type"))
    elif not isinstance(kind, str) or not (kind in tags or _BETA_BLOCK.fullmatch(kind)):
        yield from _tag(where, kind, tags)
    else:
        if kind in _BLOCK_FIELDS:
            yield from _BLOCK_FIELDS[kind](block, where)
        if kind in BLOCK_KEYS and not block.keys() <= BLOCK_KEYS[kind]:
            yield from _extra(where, block, BLOCK_KEYS[kind], (kind,))


def _text_fields(block: JSON, where: Path) -> Faults:
    if not isinstance(block.get("text"), str):
        yield from _inner_string(block, where, "text")


def _inner_string(block: JSON, where: Path, key: str) -> Faults:
    path = dotted((*where, block["type"], key))
    if key not in block:
        yield from _missing((*where, key), path)
    elif not isinstance(block[key], str):
        yield from _type((*where, key), "a valid string", path)


def _id_field(block: JSON, where: Path, key: str) -> Faults:
    value = block.get(key)
    if not isinstance(value, str):
        yield from _inner_string(block, where, key)
    elif not _ID.fullmatch(value):
        path = dotted((*where, block["type"], key))
        yield fault("anthropic-tool-use-id", *where, key, path=path)


def _tool_use_fields(block: JSON, where: Path) -> Faults:
    yield from _id_field(block, where, "id")
    if not isinstance(block.get("name"), str):
        yield from _inner_string(block, where, "name")
    if not isinstance(block.get("input"), dict):
        path = dotted((*where, "tool_use", "input"))
        yield fault("anthropic-tool-use-input", *where, "input", path=path)


def _tool_result_fields(block: JSON, where: Path) -> Faults:
    yield from _id_field(block, where, "tool_use_id")
    content = block.get("content", "")
    inner = (*where, "tool_result", "content")
    if isinstance(content, list):
        for index, one in enumerate(content):
            yield from _result_block(one, (*where, "content", index), (*inner, index))
    elif not isinstance(content, str):
        yield from _type((*where, "content"), "a valid array", dotted(inner))
    if not isinstance(block.get("is_error", False), bool):
        path = dotted((*where, "tool_result", "is_error"))
        yield from _type((*where, "is_error"), "a valid boolean", path)


def _result_block(block: Any, where: Path, inner: Path) -> Faults:
    if not isinstance(block, dict):
        yield from _type(where, "an object", dotted(inner))
    elif "type" not in block:
        yield from _missing((*where, "type"), dotted((*inner, "type")))
    elif block["type"] not in RESULT_TAGS:
        words = ", ".join(f"'{one}'" for one in RESULT_TAGS)
        path = dotted(inner)
        yield fault("anthropic-unknown-tag", *where, path=path, tag=block["type"], tags=words)
    elif block["type"] == "text" and not isinstance(block.get("text"), str):
        path = dotted((*inner, "text", "text"))
        if "text" not in block:
            yield from _missing((*where, "text"), path)
        else:
            yield from _type((*where, "text"), "a valid string", path)


def _thinking_fields(block: JSON, where: Path) -> Faults:
    yield from _inner_string(block, where, "thinking")
    yield from _inner_string(block, where, "signature")


_BLOCK_FIELDS: dict[str, Callable[[JSON, Path], Faults]] = {
    "text": _text_fields,
    "tool_use": _tool_use_fields,
    "tool_result": _tool_result_fields,
    "thinking": _thinking_fields,
}


def _anything(value: Any, where: Path) -> Faults:
    yield from ()


FIELDS: dict[str, Callable[[Any, Path], Faults]] = {
    "model": _model,
    "tool_choice": _tool_choice,
    "tools": _tools,
    "messages": _messages,
    "system": _system,
    "thinking": _thinking,
    "output_config": _shape,
    "cache_control": _object,
    "max_tokens": _max_tokens,
    "metadata": _metadata,
    "stop_sequences": _strings,
    "temperature": _unit,
    "service_tier": _service_tier,
    "top_k": _integer,
    "top_p": _unit,
    "stream": _boolean,
    "container": _anything,
    "inference_geo": _string,
    "diagnostics": _anything,
    "speed": _anything,
    "user_profile_id": _anything,
    "workspace_id": _anything,
}
"""The fields of a request and their checks, in the vendor's order of reporting."""

_REQUIRED = {
    "model": "anthropic-field-required",
    "messages": "anthropic-field-required",
    "max_tokens": "anthropic-max-tokens",
}
_NULLABLE = frozenset(("cache_control", "container", "inference_geo", "metadata", "stop_sequences"))


@check(
    "anthropic",
    "anthropic-body-object",
    "anthropic-field-required",
    "anthropic-field-type",
    "anthropic-field-shape",
    "anthropic-string-empty",
    "anthropic-out-of-range",
    "anthropic-unknown-tag",
    "anthropic-tool-name-pattern",
    "anthropic-tool-name-pattern-64",
    "anthropic-tool-description",
    "anthropic-input-schema",
    "anthropic-input-schema-type",
    "anthropic-input-schema-object",
    "anthropic-messages-empty",
    "anthropic-unknown-role",
    "anthropic-tool-use-id",
    "anthropic-tool-use-input",
    "anthropic-max-tokens",
    "anthropic-extra-field",
    first=True,
)
def fields(body: Any) -> Faults:
    """Every known field, in the vendor's order; then the fields that it does not know."""
    if not isinstance(body, dict):
        yield fault("anthropic-body-object")
        return
    for key, look in FIELDS.items():
        if key not in body:
            if key in _REQUIRED:
                yield fault(_REQUIRED[key], key, path=key)
        elif body[key] is not None or key not in _NULLABLE:
            yield from look(body[key], (key,))
    for key in body:
        if key not in FIELDS:
            yield fault("anthropic-extra-field", key, path=key)
