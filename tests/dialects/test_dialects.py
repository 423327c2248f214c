"""The dialects against the vendors' own types and against hand-written wire examples."""

from __future__ import annotations

import json
from typing import Any

import anthropic.types
import expense_case as case
import openai.types.chat
import pytest
from pydantic import TypeAdapter

from mcplab import dialects
from mcplab.dialects import ANTHROPIC, OPENAI_CHAT, Dialect
from mcplab.errors import McplabError
from mcplab.loop import State, advance, start
from mcplab.messages import Message, Reply, Tool, ToolCall, ToolChoice, ToolResult, Usage
from mcplab.provider import validate

BOTH = pytest.mark.parametrize("dialect", [ANTHROPIC, OPENAI_CHAT], ids=lambda d: d.name)
TOOL = Tool("weather", "Weather of a city.", {"type": "object", "properties": {}})
CHOICES = [
    ToolChoice("auto"),
    ToolChoice("any"),
    ToolChoice("tool", "weather"),
    ToolChoice("none"),
    ToolChoice("any", parallel=False),
]


def text(words: str) -> tuple[dict[str, Any], ...]:
    return ({"type": "text", "text": words},)


def go_through(dialect: Dialect, replies: list[dict[str, Any]]) -> tuple[State, list[int]]:
    """The expense case through the loop; also how many messages each request carried."""
    state = start(
        case.QUESTION, dialect=dialect, model="some-model", tools=[TOOL], system=case.SYSTEM
    )
    sent = []
    for reply, results in zip(replies, [*case.RESULTS, []], strict=True):
        sent.append(len(state.request()["messages"]))
        state = advance(state, reply)
        if state.action == "call":
            answers = [
                ToolResult(call.id, text(words))
                for call, words in zip(state.calls, results, strict=True)
            ]
            state = advance(state, answers)
    return state, sent


def test_openai_messages_of_the_expense_case_grow_2_5_7_9() -> None:
    state, sent = go_through(OPENAI_CHAT, case.openai_replies())
    assert sent == [2, 5, 7, 9]
    assert list(state.messages[:-1]) == case.OPENAI_LAST_REQUEST_MESSAGES


def test_anthropic_messages_of_the_expense_case_grow_1_3_5_7() -> None:
    state, sent = go_through(ANTHROPIC, case.anthropic_replies())
    assert sent == [1, 3, 5, 7]
    assert list(state.messages[:-1]) == case.ANTHROPIC_LAST_REQUEST_MESSAGES
    assert state.request()["system"] == case.SYSTEM


@pytest.mark.parametrize(
    ("message", "type_"),
    [(m, anthropic.types.MessageParam) for m in case.ANTHROPIC_LAST_REQUEST_MESSAGES]
    + [
        (m, openai.types.chat.ChatCompletionMessageParam) for m in case.OPENAI_LAST_REQUEST_MESSAGES
    ],
)
def test_the_hand_written_messages_are_what_the_sdk_types_say(message: Any, type_: Any) -> None:
    TypeAdapter(type_).validate_python(message)


@pytest.mark.parametrize("reply", case.anthropic_replies())
def test_the_hand_written_anthropic_replies_are_sdk_messages(reply: dict[str, Any]) -> None:
    anthropic.types.Message.model_validate(reply)


@pytest.mark.parametrize("reply", case.openai_replies())
def test_the_hand_written_openai_replies_are_sdk_completions(reply: dict[str, Any]) -> None:
    openai.types.chat.ChatCompletion.model_validate(reply)


@BOTH
@pytest.mark.parametrize("choice", CHOICES)
def test_requests_fit_the_sdk_types_and_come_back_the_same(
    dialect: Dialect, choice: ToolChoice
) -> None:
    strict = Tool("weather", "Weather.", {"type": "object", "properties": {}}, strict=True)
    body = dialect.request(
        model="m",
        messages=dialect.opening("Hello?", "Be kind."),
        tools=[TOOL, strict],
        tool_choice=choice,
        system="Be kind.",
    )
    params: Any = (
        anthropic.types.message_create_params.MessageCreateParamsNonStreaming
        if dialect is ANTHROPIC
        else openai.types.chat.completion_create_params.CompletionCreateParamsNonStreaming
    )
    TypeAdapter(params).validate_python(body)
    request = dialect.read_request(body)
    assert request.messages == (Message("system", "Be kind."), Message("user", "Hello?"))
    assert request.tools == (TOOL, strict)
    assert request.tool_choice == choice
    assert request.max_tokens == 1024


@BOTH
@pytest.mark.parametrize(
    "reply",
    [
        Reply("Just words.", usage=Usage(3, 4)),
        Reply("", (ToolCall("id_1", "weather", {"city": "Oslo"}, '{"city": "Oslo"}'),), "tool_use"),
        Reply(
            "Words and two calls.",
            (
                ToolCall("id_1", "weather", {"city": "Zürich"}, '{"city": "Zürich"}'),
                ToolCall("id_2", "weather", {}, "{}"),
            ),
            "tool_use",
        ),
        Reply("Cut o", stop="length"),
        Reply("I will not.", stop="refusal"),
    ],
)
def test_a_reply_written_by_the_provider_is_read_back_the_same(
    dialect: Dialect, reply: Reply
) -> None:
    body = dialect.write_response(reply, model="m", response_id="r_1", created=1)
    sdk_type = anthropic.types.Message if dialect is ANTHROPIC else openai.types.chat.ChatCompletion
    sdk_type.model_validate(body)
    assert dialect.read_reply(json.loads(json.dumps(body))) == reply


@BOTH
def test_text_beside_tool_requests_is_kept_in_the_history(dialect: Dialect) -> None:
    reply = Reply("I look it up.", (ToolCall("id_1", "weather", {}, "{}"),), "tool_use")
    body = dialect.write_response(reply, model="m", response_id="r_1", created=1)
    kept = dialect.read_request({"model": "m", "messages": [dialect.assistant_message(body)]})
    assert kept.messages == (Message("assistant", "I look it up.", calls=reply.calls),)


@BOTH
def test_every_id_is_answered_in_order_and_an_error_is_an_answer(dialect: Dialect) -> None:
    results = [
        ToolResult("id_1", text("fine")),
        ToolResult("id_2", text("no such city"), is_error=True),
        ToolResult("id_3", (), is_error=True),
    ]
    messages = list(dialect.result_messages(results))
    (read,) = dialect.read_request({"model": "m", "messages": messages}).messages
    assert [(r.call_id, r.is_error) for r in read.results] == [
        ("id_1", False),
        ("id_2", True),
        ("id_3", True),
    ]
    assert "no such city" in read.results[1].text
    assert read.results[2].text, "a failure without words is given words"


def test_openai_arguments_are_a_string_on_the_wire() -> None:
    reply = Reply("", (ToolCall("id_1", "weather", {"city": "Oslo"}),), "tool_use")
    body = OPENAI_CHAT.write_response(reply, model="m", response_id="r", created=1)
    arguments = body["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"]
    assert arguments == '{"city": "Oslo"}'


@pytest.mark.parametrize("raw", ['{"city": ', "[1]", "", "null", "NaN"])
def test_illegal_arguments_are_kept_as_text_and_not_as_a_dict(raw: str) -> None:
    body = case.openai_replies()[1]
    body["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"] = raw
    (call,) = OPENAI_CHAT.read_reply(body).calls
    assert call.arguments is None
    assert call.raw == raw


@BOTH
def test_a_tool_without_parameters_as_mcp_allows_it_is_accepted_by_the_vendor(
    dialect: Dialect,
) -> None:
    bare = Tool("clock", "The time.", {"type": "object"})
    body = dialect.request(model="m", messages=dialect.opening("Hello?"), tools=[bare])
    assert validate(body, dialect.name) is None


def test_an_input_nested_deeper_than_python_recurses_is_read() -> None:
    deep: Any = {}
    for _ in range(50_000):
        deep = {"a": deep}
    body = case.anthropic_replies()[1]
    body["content"][0]["input"] = deep
    (call,) = ANTHROPIC.read_reply(body).calls
    assert call.arguments is deep


BLOCKS = [
    {"type": "image", "data": "QUJD", "mimeType": "image/png"},
    {"type": "audio", "data": "QUJD", "mimeType": "audio/wav"},
    {"type": "resource_link", "uri": "file:///a", "name": "a"},
    {"type": "resource", "resource": {"uri": "file:///a", "text": "inside"}},
    {"type": "resource", "resource": {"uri": "file:///b", "blob": "QUJD"}},
]


@BOTH
@pytest.mark.parametrize("block", BLOCKS)
def test_no_known_content_block_is_dropped(dialect: Dialect, block: dict[str, Any]) -> None:
    messages = dialect.result_messages([ToolResult("id_1", (block,))])
    type_: Any = (
        anthropic.types.MessageParam
        if dialect is ANTHROPIC
        else openai.types.chat.ChatCompletionMessageParam
    )
    TypeAdapter(type_).validate_python(messages[0])
    sent = json.dumps(messages)
    assert any(sign in sent for sign in ("QUJD", "base64 characters", "file:///a"))


@BOTH
def test_an_unknown_content_block_is_warned_about_and_passed_on_raw(dialect: Dialect) -> None:
    block = {"type": "hologram", "beam": "blue"}
    with pytest.warns(UserWarning, match="hologram"):
        messages = dialect.result_messages([ToolResult("id_1", (block,))])
    assert "beam" in json.dumps(messages)


@BOTH
def test_structured_content_without_text_still_reaches_the_model(dialect: Dialect) -> None:
    messages = dialect.result_messages([ToolResult("id_1", structured={"result": 3})])
    (read,) = dialect.read_request({"model": "m", "messages": list(messages)}).messages
    assert json.loads(read.results[0].text) == {"result": 3}


def test_an_unknown_dialect_is_named_together_with_the_known_ones() -> None:
    with pytest.raises(McplabError, match=r"'gemini'.*anthropic, openai-chat"):
        dialects.get("gemini")
