"""Builders of request bodies for the tests: short, and changed by keyword."""

from __future__ import annotations

import copy
from typing import Any

JSON = dict[str, Any]

MODEL = "mock-reading"


def system(text: str) -> JSON:
    """A system message."""
    return {"role": "system", "content": text}


def user(content: Any = "hi") -> JSON:
    """A user message."""
    return {"role": "user", "content": content}


def assistant(content: Any = "hello") -> JSON:
    """An assistant message."""
    return {"role": "assistant", "content": content}


def text(words: str) -> JSON:
    """A text block, or a text part."""
    return {"type": "text", "text": words}


def without(message: JSON, *keys: str) -> JSON:
    """The same without some keys."""
    return {key: value for key, value in message.items() if key not in keys}


# Anthropic -------------------------------------------------------------------------------------


def use(id: str = "toolu_1", name: str = "add", **changes: Any) -> JSON:
    """A tool_use block."""
    return {"type": "tool_use", "id": id, "name": name, "input": {"a": 1}, **changes}


def result(id: str = "toolu_1", content: Any = "3", **changes: Any) -> JSON:
    """A tool_result block."""
    return {"type": "tool_result", "tool_use_id": id, "content": content, **changes}


def schema(**changes: Any) -> JSON:
    """A schema with one number."""
    return {"type": "object", "properties": {"a": {"type": "number"}}, **changes}


def tool(name: str = "add", **changes: Any) -> JSON:
    """A tool of a Messages request."""
    return {"name": name, "description": "Add.", "input_schema": schema(), **changes}


def messages_body(*messages: Any, **changes: Any) -> JSON:
    """A Messages request with one tool."""
    body = {
        "model": MODEL,
        "max_tokens": 64,
        "messages": list(messages or (user(),)),
        "tools": [tool()],
    }
    return copy.deepcopy({**body, **changes})


def rounds(n: int, start: int = 0) -> list[JSON]:
    """`n` rounds of a conversation: question, request, result, answer."""
    talk: list[JSON] = []
    for i in range(start, start + n):
        talk += [user(f"question {i}"), assistant([text("Let me see."), use(f"toolu_r{i}")])]
        talk += [user([result(f"toolu_r{i}")]), assistant(f"answer {i}")]
    return talk


def parallel(*ids: str) -> JSON:
    """An assistant message with several requests."""
    return assistant([use(id) for id in ids])


# OpenAI ----------------------------------------------------------------------------------------


def call(
    id: str = "call_1", name: str = "add", arguments: Any = '{"a": 1}', **changes: Any
) -> JSON:
    """An entry of tool_calls."""
    function = {"name": name, "arguments": arguments}
    return {"id": id, "type": "function", "function": function, **changes}


def calling(*calls: JSON, content: Any = None) -> JSON:
    """An assistant message with tool_calls."""
    return {"role": "assistant", "content": content, "tool_calls": list(calls or (call(),))}


def tool_message(id: str = "call_1", content: Any = "3") -> JSON:
    """A tool message."""
    return {"role": "tool", "tool_call_id": id, "content": content}


def function(name: Any = "add", **changes: Any) -> JSON:
    """A tool of a Chat Completions request."""
    inner = {"name": name, "description": "Add.", "parameters": schema(), **changes}
    return {"type": "function", "function": inner}


def chat_body(*messages: Any, **changes: Any) -> JSON:
    """A Chat Completions request with one function."""
    body = {"model": MODEL, "messages": list(messages or (user(),)), "tools": [function()]}
    return copy.deepcopy({**body, **changes})


def chat_rounds(n: int) -> list[JSON]:
    """`n` rounds of a conversation: question, call, result, answer."""
    talk: list[JSON] = []
    for i in range(n):
        talk += [user(f"question {i}"), calling(call(f"call_r{i}"), content="Let me see.")]
        talk += [tool_message(f"call_r{i}"), assistant(f"answer {i}")]
    return talk


def strict(parameters: JSON, name: str = "add") -> JSON:
    """A strict function of a Chat Completions request."""
    return function(name, strict=True, parameters=parameters)


def closed(**properties: Any) -> JSON:
    """A schema as strict functions need it."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
