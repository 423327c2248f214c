"""The endpoint as a function: paths, ids, usage, and what a model may do wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest
from bodies import (
    assistant,
    calling,
    chat_body,
    messages_body,
    result,
    text,
    tool,
    tool_message,
    use,
    user,
)
from models_for_tests import SeenModel, broken, echo, rude, two_calls

from mcplab.dialects import get
from mcplab.messages import Model, Reply, ToolCall, ToolChoice
from mcplab.models import ReadingModel, ScriptedModel
from mcplab.provider.endpoint import Answer, Provider, mock_name
from mcplab.provider.usage import estimate, estimate_tokens

PATHS = {"anthropic": "/v1/messages", "openai-chat": "/v1/chat/completions"}
BODIES = {"anthropic": messages_body, "openai-chat": chat_body}
DIALECTS = sorted(PATHS)


def post(dialect: str, body: Any, model: Model = echo, seed: int = 0) -> Answer:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Provider(model, mock_name(model), seed).respond("POST", PATHS[dialect], {}, raw)


def parsed(answer: Answer) -> Any:
    return json.loads(b"".join(answer.body))


def call_ids(answer: Answer, dialect: str) -> list[str]:
    return [call.id for call in get(dialect).read_reply(parsed(answer)).calls]


# Paths -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_request_is_answered_in_the_vendors_form(dialect: str) -> None:
    answer = post(dialect, BODIES[dialect](user("Hello.")))
    reply = get(dialect).read_reply(parsed(answer))
    assert answer.status == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-mcplab"] == "simulated"
    assert reply.text == "You said: Hello."
    assert reply.stop == "end"
    assert parsed(answer)["model"] == "mock-reading"


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_another_method_is_not_found(method: str) -> None:
    answer = Provider(echo, "mock-echo").respond(method, "/v1/messages", {}, b"")
    assert answer.status == 404
    assert parsed(answer)["error"] == {"type": "not_found_error", "message": "Not Found"}


def test_another_path_is_refused_in_the_style_of_the_vendor_that_was_meant() -> None:
    provider = Provider(echo, "mock-echo")
    openai = provider.respond("POST", "/v1/responses", {}, b"{}")
    anthropic = provider.respond("POST", "/v1/other", {"anthropic-version": "2023-06-01"}, b"{}")
    assert openai.status == anthropic.status == 404
    assert parsed(openai)["error"] == {
        "message": "Invalid URL (POST /v1/responses)",
        "type": "invalid_request_error",
        "param": None,
        "code": None,
    }
    assert parsed(anthropic)["type"] == "error"
    assert "POST /v1/messages" in (openai.error.fix if openai.error else "")


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    "raw", [b"", b"{", b"\xff\xfe", b'{"a": NaN}', b"[" * 100_000, b'{"model": "m"} x']
)
def test_what_is_not_json_is_a_400(dialect: str, raw: bytes) -> None:
    answer = post(dialect, raw)
    assert answer.status == 400
    message = parsed(answer)["error"]["message"]
    assert message.startswith(
        ("The request body is not valid JSON: ", "We could not parse the JSON body")
    )


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_broken_rule_is_a_400_with_a_request_id(dialect: str) -> None:
    answer = post(dialect, BODIES[dialect](messages=[]))
    assert answer.status == 400
    assert answer.error is not None
    assert answer.error.rule_id.endswith("messages-empty")
    assert answer.headers["x-should-retry"] == "false"
    if dialect == "anthropic":
        assert parsed(answer)["request_id"] == answer.headers["request-id"]
    else:
        assert answer.headers["x-request-id"].startswith("req_")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_unknown_model_is_a_404_that_names_the_right_one(dialect: str) -> None:
    answer = post(dialect, BODIES[dialect](model="llama-9"))
    assert answer.status == 404
    assert "llama-9" in parsed(answer)["error"]["message"]
    assert answer.error is not None
    assert "mock-echo" in answer.error.fix


@pytest.mark.parametrize(
    ("dialect", "model"),
    [("anthropic", "claude-opus-4-5"), ("openai-chat", "gpt-4o"), ("anthropic", "mock-other")],
)
def test_a_vendors_model_names_are_served_so_that_its_own_rules_can_be_tried(
    dialect: str, model: str
) -> None:
    answer = post(dialect, BODIES[dialect](model=model))
    assert answer.status == 200
    assert parsed(answer)["model"] == model


def test_models_are_listed_in_both_styles() -> None:
    provider = Provider(echo, "mock-echo")
    openai = parsed(provider.respond("GET", "/v1/models", {}, b""))
    anthropic = parsed(provider.respond("GET", "/v1/models", {"anthropic-version": "x"}, b""))
    one = parsed(provider.respond("GET", "/v1/models/mock-echo", {}, b""))
    none = provider.respond("GET", "/v1/models/llama-9", {}, b"")
    assert openai["object"] == "list"
    assert anthropic["has_more"] is False
    assert openai["data"][0]["id"] == anthropic["data"][0]["id"] == one["id"] == "mock-echo"
    assert none.status == 404


# Ids -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dialect", "prefix", "length"), [("anthropic", "toolu_01", 30), ("openai-chat", "call_", 29)]
)
def test_ids_are_in_the_vendors_style_and_differ(dialect: str, prefix: str, length: int) -> None:
    answer = post(dialect, BODIES[dialect](), two_calls)
    one, two = call_ids(answer, dialect)
    assert one != two
    for id_ in (one, two):
        assert id_.startswith(prefix)
        assert len(id_) == length
        assert id_.removeprefix(prefix).isalnum()
    start = {"anthropic": "msg_01", "openai-chat": "chatcmpl-"}[dialect]
    assert parsed(answer)["id"].startswith(start)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_same_request_and_seed_give_the_same_bytes(dialect: str) -> None:
    body = BODIES[dialect]()
    once, again = post(dialect, body, two_calls), post(dialect, body, two_calls)
    assert once == again


@pytest.mark.parametrize("dialect", DIALECTS)
def test_another_seed_or_another_request_gives_other_ids(dialect: str) -> None:
    make = BODIES[dialect]
    answers = [
        post(dialect, make(), two_calls),
        post(dialect, make(), two_calls, seed=1),
        post(dialect, make(user("hi!")), two_calls),
    ]
    ids = [id_ for answer in answers for id_ in call_ids(answer, dialect)]
    ids += [parsed(answer)["id"] for answer in answers]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_ids_of_the_models_of_mcplab_become_the_vendors(dialect: str) -> None:
    script = ScriptedModel([[ToolCall("", "add", {"a": 1}), ToolCall("", "add", {"a": 2})]])
    answer = post(dialect, BODIES[dialect](), script)
    prefix = {"anthropic": "toolu_01", "openai-chat": "call_"}[dialect]
    ids = call_ids(answer, dialect)
    assert len(set(ids)) == 2
    assert all(id_.startswith(prefix) and len(id_) > 26 for id_ in ids)


# What a model may do ---------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_models_mistakes_are_passed_on(dialect: str) -> None:
    calls = get(dialect).read_reply(parsed(post(dialect, BODIES[dialect](), rude))).calls
    assert [call.id for call in calls[:2]] == ["same", "same"]
    assert calls[0].name == "no_such_tool"
    assert calls[2].arguments == {"a": "not a number"}
    # On Anthropic's wire arguments are an object: half of one cannot be written.
    assert calls[1].arguments == ({} if dialect == "anthropic" else None)
    if dialect == "openai-chat":
        assert calls[1].raw == '{"a": 1'


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_model_that_raises_is_a_500_that_says_so(dialect: str) -> None:
    answer = post(dialect, BODIES[dialect](), broken)
    error = parsed(answer)["error"]
    assert answer.status == 500
    assert error["message"] == "mcplab: the model mock-broken failed: KeyError: 'missing'"
    assert error["type"] == ("api_error" if dialect == "anthropic" else "server_error")
    assert answer.headers["x-should-retry"] == "false"


def test_a_model_that_returns_something_else_is_told_what_to_return() -> None:
    model: Any = lambda messages, tools, tool_choice, seed: "hello"  # noqa: E731
    error = parsed(post("anthropic", messages_body(), model))["error"]
    assert error["message"].endswith("failed: TypeError: a model returns a Reply, not str")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_model_gets_the_request_in_neutral_form(dialect: str) -> None:
    model = SeenModel()
    if dialect == "anthropic":
        body = messages_body(
            user("q"),
            assistant([text("Let me see."), use()]),
            user([result()]),
            system="Be brief.",
            tool_choice={"type": "tool", "name": "add", "disable_parallel_tool_use": True},
        )
    else:
        body = chat_body(
            {"role": "system", "content": "Be brief."},
            user("q"),
            calling(content="Let me see."),
            tool_message(),
            tool_choice={"type": "function", "function": {"name": "add"}},
            parallel_tool_calls=False,
        )
    assert post(dialect, body, model, seed=7).status == 200
    [(messages, tools, choice, seed)] = model.asked
    assert [message.role for message in messages] == ["system", "user", "assistant", "tool"]
    assert messages[2].calls[0].arguments == {"a": 1}
    assert messages[3].results[0].text == "3"
    assert [one.name for one in tools] == ["add"]
    assert choice == ToolChoice("tool", "add", parallel=False)
    assert seed == 7


@pytest.mark.parametrize("mode", ["none", "any"])
def test_tool_choice_reaches_the_reading_model(mode: str) -> None:
    body = messages_body(
        user("Add 2 and 3."), tools=[tool(description="Add numbers.")], tool_choice={"type": mode}
    )
    reply = get("anthropic").read_reply(parsed(post("anthropic", body, ReadingModel())))
    assert bool(reply.calls) is (mode == "any")


# Names -----------------------------------------------------------------------------------------


def test_a_model_goes_by_its_name() -> None:
    class MyOwnModel:
        def __call__(self, *args: Any) -> Reply:
            return Reply()

    assert mock_name(ReadingModel()) == "mock-reading"
    assert mock_name(ScriptedModel([])) == "mock-scripted"
    assert mock_name(two_calls) == "mock-two-calls"
    assert mock_name(MyOwnModel()) == "mock-my-own"
    assert mock_name(SeenModel()) == "mock-seen"
    assert mock_name(lambda *args: Reply()) == "mock-lambda"


# Usage -----------------------------------------------------------------------------------------


def usage_of(dialect: str, body: Any, model: Model = echo) -> tuple[int, int]:
    usage = get(dialect).read_reply(parsed(post(dialect, body, model))).usage
    return usage.input, usage.output


@pytest.mark.parametrize(
    ("words", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("größe", 2), ("工具", 2)]
)
def test_a_token_is_four_bytes(words: str, tokens: int) -> None:
    assert estimate_tokens(words) == tokens


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_part_of_a_request_counts(dialect: str) -> None:
    make = BODIES[dialect]
    plain = usage_of(dialect, make(user("hi")))[0]
    grown = usage_of(dialect, make(user("hi" * 100)))[0]
    assert grown == plain + 49
    without_tools = {key: value for key, value in make(user("hi")).items() if key != "tools"}
    assert usage_of(dialect, without_tools)[0] < plain


def test_a_tool_costs_its_name_its_description_and_its_schema() -> None:
    def cost(**changes: Any) -> int:
        request = get("anthropic").read_request(messages_body(tools=[tool(**changes)]))
        return estimate(request, "anthropic").tools["add"]

    assert cost(description="Add." + "x" * 400) == cost(description="Add.") + 100
    assert cost(input_schema={"type": "object"}) < cost()


def test_requests_and_results_count_as_input_in_the_next_round() -> None:
    talk = [user("q"), assistant([use(input={"a": "x" * 400})]), user([result(content="y" * 400)])]
    first = usage_of("anthropic", messages_body(talk[0]))[0]
    last = usage_of("anthropic", messages_body(*talk))[0]
    assert 200 < last - first < 220


def test_the_vendors_own_tool_prompt_is_added_when_there_are_tools() -> None:
    def prompt(**changes: Any) -> int:
        request = get("anthropic").read_request(messages_body(**changes))
        return estimate(request, "anthropic").tool_prompt

    assert prompt() == 264
    assert prompt(tool_choice={"type": "any"}) == 340
    assert prompt(tools=[]) == 0


@pytest.mark.parametrize("dialect", DIALECTS)
def test_output_counts_texts_and_calls(dialect: str) -> None:
    _, silent = usage_of(dialect, BODIES[dialect](), lambda *args: Reply(""))
    _, calling_twice = usage_of(dialect, BODIES[dialect](), two_calls)
    assert silent == 1
    assert calling_twice > 10
