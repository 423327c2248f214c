"""`validate` never raises, takes what is right, and refuses every broken pairing."""

from __future__ import annotations

import copy
import json
from datetime import date
from typing import Any

import pytest
from bodies import (
    assistant,
    call,
    calling,
    chat_body,
    chat_rounds,
    messages_body,
    result,
    rounds,
    text,
    tool_message,
    use,
    user,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcplab.provider import WireError, validate
from mcplab.provider.fields_anthropic import BLOCK_TAGS
from mcplab.provider.fields_anthropic import FIELDS as MESSAGES_FIELDS
from mcplab.provider.fields_chat import FIELDS as CHAT_FIELDS

# The same examples every time: a failure here is a failure everywhere.
FUZZ = settings(
    deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)

DAYS = (None, date(2024, 1, 1), date(2025, 3, 1), date(2025, 12, 1), date(2026, 5, 1))
MODELS = (None, "claude-opus-4-5", "claude-opus-4-8", "claude-fable-5-1", "gpt-4o", "gpt-5.6-terra")

WORDS = st.sampled_from(
    sorted(
        {
            *MESSAGES_FIELDS,
            *CHAT_FIELDS,
            *BLOCK_TAGS,
            *("role", "content", "type", "text", "id", "name", "input", "input_schema", "enabled"),
            *("function", "arguments", "parameters", "properties", "items", "required", "strict"),
            *("tool_use_id", "tool_call_id", "is_error", "budget_tokens", "anyOf", "", "auto"),
            *("user", "assistant", "system", "tool", "developer", "object", "array", "toolu_1"),
        }
    )
)
SCALARS = (
    st.none() | st.booleans() | st.integers(-2, 130) | st.floats() | WORDS | st.text(max_size=3)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(WORDS | st.text(max_size=2), inner, max_size=6)
    ),
    max_leaves=30,
)


@settings(FUZZ, max_examples=200)
@given(st.sampled_from(("anthropic", "openai-chat")), VALUES, st.sampled_from(DAYS))
def test_validate_never_raises_on_any_value(dialect: str, body: Any, day: date | None) -> None:
    for model in MODELS:
        error = validate(body, dialect, model, day)
        assert error is None or (isinstance(error, WireError) and error.message)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """All places in a JSON value."""
    inner: Any = ()
    if isinstance(value, dict):
        inner = value.items()
    elif isinstance(value, list):
        inner = enumerate(value)
    return [path, *(p for key, one in inner for p in places(one, (*path, key)))]


RICH = messages_body(
    *rounds(1),
    user([text("x"), {"type": "image", "source": {"type": "url", "url": "u"}}]),
    assistant([{"type": "thinking", "thinking": "hm", "signature": "s"}, use()]),
    user([result(content=[text("3")], is_error=True), text("so?")]),
    system=[text("Be brief.")],
    tool_choice={"type": "auto", "disable_parallel_tool_use": True},
    thinking={"type": "enabled", "budget_tokens": 32},
    metadata={"user_id": "u"},
    stop_sequences=["x"],
    temperature=0.5,
    stream=False,
)
RICH_CHAT = chat_body(
    {"role": "system", "content": "Be brief."},
    *chat_rounds(1),
    user([text("x"), {"type": "image_url", "image_url": {"url": "u"}}]),
    calling(call(), call("call_2"), content="Let me see."),
    tool_message(),
    tool_message("call_2", [text("3")]),
    tool_choice={"type": "function", "function": {"name": "add"}},
    parallel_tool_calls=False,
    temperature=1,
    stream_options={"include_usage": True},
    metadata={"k": "v"},
)


@pytest.mark.parametrize(("dialect", "rich"), [("anthropic", RICH), ("openai-chat", RICH_CHAT)])
def test_a_request_with_everything_in_it_is_taken(dialect: str, rich: Any) -> None:
    assert validate(rich, dialect) is None


@settings(FUZZ, max_examples=300)
@given(st.data())
def test_validate_never_raises_when_one_place_holds_something_else(data: Any) -> None:
    dialect, rich = data.draw(st.sampled_from((("anthropic", RICH), ("openai-chat", RICH_CHAT))))
    body = copy.deepcopy(rich)
    place = data.draw(st.sampled_from(places(body)[1:]))
    target = body
    for step in place[:-1]:
        target = target[step]
    if data.draw(st.booleans()):
        target[place[-1]] = data.draw(VALUES)
    else:
        del target[place[-1]]
    for day in DAYS:
        validate(body, dialect, data.draw(st.sampled_from(MODELS)), day)


# Pairing ---------------------------------------------------------------------------------------


@st.composite
def conversations(draw: Any) -> list[list[str]]:
    """The ids of the requests of each round: 1 to 6 rounds of 1 to 4 requests."""
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=6))
    return [[f"call_{i}_{j}" for j in range(size)] for i, size in enumerate(sizes)]


def anthropic_talk(plan: list[list[str]], words: bool) -> list[dict[str, Any]]:
    talk: list[dict[str, Any]] = [user("question")]
    for ids in plan:
        talk.append(assistant([*([text("Let me see.")] if words else []), *map(use, ids)]))
        talk.append(user([*map(result, reversed(ids)), *([text("Go on.")] if words else [])]))
    return talk


def chat_talk(plan: list[list[str]], words: bool) -> list[dict[str, Any]]:
    talk: list[dict[str, Any]] = [user("question")]
    for ids in plan:
        talk.append(calling(*map(call, ids), content="Let me see." if words else None))
        talk += map(tool_message, reversed(ids))
        talk += [assistant("So."), user("Go on.")] if words else []
    return talk


@settings(FUZZ, max_examples=50)
@given(conversations(), st.booleans())
def test_valid_conversations_are_taken(plan: list[list[str]], words: bool) -> None:
    assert validate(messages_body(*anthropic_talk(plan, words)), "anthropic") is None
    assert validate(chat_body(*chat_talk(plan, words)), "openai-chat") is None


def answer_of(talk: list[dict[str, Any]], i: int) -> int:
    """The index of the message with the results of round i."""
    return [
        n for n, m in enumerate(talk) if m["role"] == "user" and isinstance(m["content"], list)
    ][i]


ANTHROPIC_BREAKS = {
    "a result is left out": lambda results, j: results.pop(j),
    "a result has another id": lambda results, j: results[j].update(tool_use_id="call_other"),
    "a result comes twice": lambda results, j: results.insert(j, dict(results[j])),
    "a word comes before a result": lambda results, j: results.insert(j, text("Here.")),
    "one result too many": lambda results, j: results.insert(0, result("call_other")),
}


@settings(FUZZ, max_examples=120)
@given(conversations(), st.booleans(), st.sampled_from(sorted(ANTHROPIC_BREAKS)), st.data())
def test_every_broken_pairing_is_refused_by_anthropic(
    plan: list[list[str]], words: bool, kind: str, data: Any
) -> None:
    talk = copy.deepcopy(anthropic_talk(plan, words))
    i = data.draw(st.integers(0, len(plan) - 1))
    j = data.draw(st.integers(0, len(plan[i]) - 1))
    ANTHROPIC_BREAKS[kind](talk[answer_of(talk, i)]["content"], j)
    error = validate(messages_body(*talk), "anthropic")
    assert error is not None, kind
    assert error.rule_id.startswith(
        ("anthropic-tool-result", "anthropic-tool-use", "anthropic-user")
    )


@settings(FUZZ, max_examples=80)
@given(conversations(), st.booleans(), st.data())
def test_a_lost_or_repeated_message_is_refused_by_anthropic(
    plan: list[list[str]], words: bool, data: Any
) -> None:
    talk = anthropic_talk(plan, words)
    i = data.draw(st.integers(1, len(talk) - 1))
    lost = validate(messages_body(*talk[:i], *talk[i + 1 :]), "anthropic")
    twice = validate(messages_body(*talk[: i + 1], *talk[i:]), "anthropic")
    assert lost is not None
    assert twice is not None


@settings(FUZZ, max_examples=80)
@given(
    conversations(),
    st.booleans(),
    st.sampled_from(("left out", "another id", "a word before", "moved to the front")),
    st.data(),
)
def test_every_broken_pairing_is_refused_by_openai(
    plan: list[list[str]], words: bool, kind: str, data: Any
) -> None:
    talk = copy.deepcopy(chat_talk(plan, words))
    i = data.draw(st.sampled_from([n for n, m in enumerate(talk) if m["role"] == "tool"]))
    if kind == "left out":
        del talk[i]
    elif kind == "another id":
        talk[i]["tool_call_id"] = "call_other"
    elif kind == "a word before":
        talk.insert(i, user("wait"))
    else:
        talk.insert(0, talk.pop(i))
    error = validate(chat_body(*talk), "openai-chat")
    assert error is not None
    assert error.rule_id.startswith("chat-tool")


# Size ------------------------------------------------------------------------------------------


class Counted(dict[str, Any]):
    """A message that counts how often it is read."""

    reads = 0

    def __getitem__(self, key: str) -> Any:
        Counted.reads += 1
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        Counted.reads += 1
        return super().get(key, default)


def reads_of(n: int) -> int:
    Counted.reads = 0
    body = messages_body(*rounds(n), user())
    body["messages"] = [Counted(message) for message in body["messages"]]
    assert validate(body, "anthropic") is None
    chat = chat_body(*chat_rounds(n), user())
    chat["messages"] = [Counted(message) for message in chat["messages"]]
    assert validate(chat, "openai-chat") is None
    return Counted.reads


def test_the_work_grows_in_proportion_to_the_history() -> None:
    small, large = reads_of(20), reads_of(200)
    assert large < 11 * small


@pytest.mark.parametrize("dialect", ["anthropic", "openai-chat"])
def test_deep_nesting_is_judged_without_recursion(dialect: str) -> None:
    schema: Any = {"type": "object", "properties": {}}
    for _ in range(5_000):
        schema = {"type": "object", "properties": {"a": schema}}
    tools = [{"name": "deep", "input_schema": schema}]
    if dialect == "anthropic":
        assert validate({**messages_body(), "tools": tools}, dialect) is None
    else:
        function = {"name": "deep", "parameters": schema}
        body = {**chat_body(), "tools": [{"type": "function", "function": function}]}
        assert validate(body, dialect) is None
        assert json.dumps(chat_body())
