"""Of two faults the one is reported that the vendor reports: pairs that were measured."""

from __future__ import annotations

from typing import Any

import pytest
from bodies import assistant, chat_body, messages_body, system, user, without

from mcplab.provider import validate

DELETED: Any = object()

ANTHROPIC = [
    ({"model": 7, "tool_choice": 7}, "model: Input should be a valid string"),
    ({"tool_choice": 7, "tools": "x"}, "tool_choice: Input should be an object"),
    ({"tools": "x", "messages": "x"}, "tools: Input should be a valid array"),
    ({"messages": "x", "system": 7}, "messages: Input should be a valid array"),
    ({"system": 7, "thinking": "x"}, "system: Input should be a valid array"),
    ({"thinking": "x", "output_config": "x"}, "thinking: Input should be an object"),
    (
        {"output_config": "x", "cache_control": "x"},
        "output_config: Input does not match the expected shape.",
    ),
    ({"cache_control": "x", "max_tokens": "x"}, "cache_control: Input should be an object"),
    ({"max_tokens": "x", "metadata": "x"}, "max_tokens: Input should be a valid integer"),
    (
        {"metadata": "x", "stop_sequences": "x"},
        "metadata: Input does not match the expected shape.",
    ),
    ({"stop_sequences": "x", "temperature": "x"}, "stop_sequences: Input should be a valid array"),
    ({"temperature": "x", "service_tier": 7}, "temperature: Input should be a valid number"),
    (
        {"service_tier": 7, "top_k": "x"},
        "service_tier: Input should be 'auto' or 'standard_only'",
    ),
    ({"top_k": "x", "top_p": "x"}, "top_k: Input should be a valid integer"),
    ({"top_p": "x", "stream": "x"}, "top_p: Input should be a valid number"),
    # A known field before an unknown one, an unknown one before the conversation.
    ({"inference_geo": 7, "nonsense": 1}, "inference_geo: Input should be a valid string"),
    ({"model": DELETED, "nonsense": 1}, "model: Field required"),
    ({"messages": [user([])], "temperature": "x"}, "temperature: Input should be a valid number"),
    ({"messages": [user([])], "nonsense": 1}, "nonsense: Extra inputs are not permitted"),
    (
        {"messages": [{**user(), "bogus": 1}], "nonsense": 1},
        "messages.0.bogus: Extra inputs are not permitted",
    ),
    (
        {"messages": [user(), system(""), {"role": "bogus", "content": "x"}]},
        'messages: Unexpected role "bogus". Allowed roles are "user" or "assistant"',
    ),
    (
        {"messages": [user(), system(""), user()]},
        "messages.1: system content must contain at least one block",
    ),
]

CHAT = [
    ({"model": DELETED, "nonsense": 1}, "you must provide a model parameter"),
    ({"messages": DELETED, "nonsense": 1}, "Missing required parameter: 'messages'."),
    ({"nonsense": 1, "n": "x"}, "Unknown parameter: 'nonsense'."),
    ({"nonsense": 1, "messages": []}, "Unknown parameter: 'nonsense'."),
    (
        {"messages": "x", "tools": "x"},
        "Invalid type for 'messages': expected an array of objects, but got a string instead.",
    ),
    (
        {"tools": "x", "parallel_tool_calls": {}},
        "Invalid type for 'tools': expected an array of objects, but got a string instead.",
    ),
    (
        {"seed": 1.5, "service_tier": "bogus"},
        "Invalid type for 'seed': expected an integer, but got a decimal number instead.",
    ),
    (
        {"stream": "x", "store": "x"},
        "Invalid type for 'stream': expected a boolean, but got a string instead.",
    ),
    (
        {"n": 0, "metadata": "x"},
        "Invalid 'n': integer below minimum value. Expected a value >= 1, but got 0 instead.",
    ),
    # That a message has no content is reported last of all.
    (
        {"messages": [{"role": "user"}, user(7)]},
        "Invalid type for 'messages[1].content': expected one of a string or array of objects, "
        "but got an integer instead.",
    ),
    (
        {"messages": [{"role": "user"}, {"role": "bogus", "content": "x"}]},
        "Invalid value: 'bogus'. Supported values are: 'system', 'assistant', 'user', 'function', "
        "'tool', and 'developer'.",
    ),
    (
        {"messages": [{"role": "user"}, assistant()]},
        "Invalid value for 'content': expected a string, got null.",
    ),
]


def changed(body: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    deleted = [key for key, value in changes.items() if value is DELETED]
    # The later of two keys is sent first: the order of the body must not matter.
    return without({**dict(reversed(changes.items())), **body, **changes}, *deleted)


@pytest.mark.parametrize(("changes", "message"), ANTHROPIC)
def test_anthropic_reports_the_earlier_of_two_faults(changes: Any, message: str) -> None:
    error = validate(changed(messages_body(), changes), "anthropic")
    assert error is not None
    assert error.message == message


@pytest.mark.parametrize(("changes", "message"), CHAT)
def test_openai_reports_the_earlier_of_two_faults(changes: Any, message: str) -> None:
    error = validate(changed(chat_body(), changes), "openai-chat")
    assert error is not None
    assert error.message == message


def test_a_changed_id_is_reported_as_the_result_that_answers_nothing() -> None:
    from bodies import result, use

    body = messages_body(user(), assistant([use("toolu_1")]), user([result("toolu_2")]))
    error = validate(body, "anthropic")
    assert error is not None
    assert error.rule_id == "anthropic-tool-result-orphan"
