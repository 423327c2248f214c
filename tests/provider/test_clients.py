"""The vendors' own clients on the mock: answers, exceptions, notes, and the environment."""

from __future__ import annotations

import asyncio
import inspect
import traceback
from collections.abc import Callable
from typing import Any

import anthropic
import openai
import pytest
from bodies import assistant, calling, chat_body, function, messages_body, tool, use, user
from models_for_tests import SeenModel, broken, echo, two_calls

import mcplab
from mcplab import McplabError

MAKERS = {
    "anthropic": mcplab.anthropic_client,
    "async anthropic": mcplab.async_anthropic_client,
    "openai": mcplab.openai_client,
    "async openai": mcplab.async_openai_client,
}
KINDS = sorted(MAKERS)
CLASSES = {
    "anthropic": anthropic.Anthropic,
    "async anthropic": anthropic.AsyncAnthropic,
    "openai": openai.OpenAI,
    "async openai": openai.AsyncOpenAI,
}


def finish(value: Any) -> Any:
    """The value, also of a coroutine."""

    async def wait() -> Any:
        return await value

    return asyncio.run(wait()) if inspect.isawaitable(value) else value


def body_for(client: Any, *messages: Any, **changes: Any) -> dict[str, Any]:
    make = messages_body if "anthropic" in type(client).__module__ else chat_body
    return make(*messages, **{"model": mcplab.model_name(client), **changes})


def create(client: Any, *messages: Any, **changes: Any) -> Any:
    """One request by any of the four clients."""
    vendor = "anthropic" in type(client).__module__
    resource = client.messages if vendor else client.chat.completions
    return finish(resource.create(**body_for(client, *messages, **changes)))


def text_of(response: Any) -> str:
    if isinstance(response, anthropic.types.Message):
        return "".join(block.text for block in response.content if block.type == "text")
    return str(response.choices[0].message.content)


def refusal(client: Any, *messages: Any, **changes: Any) -> Any:
    with pytest.raises((anthropic.APIStatusError, openai.APIStatusError)) as caught:
        create(client, *messages, **changes)
    return caught.value


# Answers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_client_is_the_vendors_own_class_and_answers(kind: str) -> None:
    client = MAKERS[kind](echo)
    assert type(client) is CLASSES[kind]
    assert text_of(create(client, user("Hello."))) == "You said: Hello."


@pytest.mark.parametrize("kind", KINDS)
def test_the_default_is_the_reading_model(kind: str) -> None:
    client = MAKERS[kind]()
    assert mcplab.model_name(client) == "mock-reading"
    assert create(client, user("Hello.")).model == "mock-reading"


def test_a_whole_round_goes_through_the_sdk_of_anthropic() -> None:
    client = mcplab.anthropic_client(two_calls)
    body = body_for(client, user("q"))
    reply = client.messages.create(**body)
    assert reply.stop_reason == "tool_use"
    results = [
        {"type": "tool_result", "tool_use_id": block.id, "content": str(block.input["a"])}
        for block in reply.content
        if block.type == "tool_use"
    ]
    body["messages"] += [{"role": "assistant", "content": reply.content}, user(results)]
    last = client.messages.create(**body)
    assert text_of(last) == "Done: 1, 2"
    assert last.usage.input_tokens > reply.usage.input_tokens


def test_a_whole_round_goes_through_the_sdk_of_openai() -> None:
    client = mcplab.openai_client(two_calls)
    body = body_for(client, user("q"))
    message = client.chat.completions.create(**body).choices[0].message
    assert message.tool_calls is not None
    body["messages"].append(message)
    for call in message.tool_calls:
        assert call.type == "function"
        body["messages"].append(
            {"role": "tool", "tool_call_id": call.id, "content": call.function.arguments}
        )
    last = client.chat.completions.create(**body)
    assert text_of(last).startswith('Done: {"a": 1')


def test_what_the_sdk_gives_can_be_sent_back_with_all_its_fields() -> None:
    client = mcplab.openai_client(echo)
    message = create(client, user("q")).choices[0].message.model_dump()
    assert "annotations" in message
    assert text_of(create(client, user("q"), message, user("again"))) == "You said: again"
    other = mcplab.anthropic_client(echo)
    block = create(other, user("q")).content[0].model_dump()
    assert text_of(create(other, user("q"), assistant([block]), user("again"))) == (
        "You said: again"
    )


def test_many_requests_at_once_get_answers_of_their_own() -> None:
    client = mcplab.async_anthropic_client(echo)

    async def ask(n: int) -> str:
        return text_of(await client.messages.create(**body_for(client, user(f"question {n}"))))

    async def all_of_them() -> list[str]:
        return await asyncio.gather(*(ask(n) for n in range(50)))

    answers = asyncio.run(all_of_them())
    assert answers == [f"You said: question {n}" for n in range(50)]


def test_raw_responses_and_options_work() -> None:
    client = mcplab.anthropic_client(echo)
    body = body_for(client, user("q"))
    raw = client.with_options(timeout=3).messages.with_raw_response.create(**body)
    assert raw.headers["x-mcplab"] == "simulated"
    assert raw.parse().id == client.messages.create(**body).id
    assert raw.request_id == raw.headers["request-id"]


@pytest.mark.parametrize("kind", ["anthropic", "openai"])
def test_models_can_be_listed(kind: str) -> None:
    client: Any = MAKERS[kind](echo)
    assert [model.id for model in client.models.list()] == ["mock-echo"]
    assert client.models.retrieve("mock-echo").id == "mock-echo"


def test_a_model_that_is_no_function_is_refused_at_once() -> None:
    with pytest.raises(McplabError, match="A model is a function of"):
        mcplab.anthropic_client("claude-opus-4-5")  # type: ignore[arg-type]


# Streams ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [echo, two_calls])
def test_a_stream_of_anthropic_adds_up_to_the_plain_response(model: Any) -> None:
    client = mcplab.anthropic_client(model)
    body = body_for(client, user("größer " * 9))
    plain = client.messages.create(**body)
    with client.messages.stream(**body) as stream:
        streamed = stream.get_final_message()
    assert streamed.model_dump() == plain.model_dump()
    events = [event.type for event in client.messages.create(**body, stream=True)]
    assert events[:3] == ["message_start", "content_block_start", "content_block_delta"]
    assert events[-3:] == ["content_block_stop", "message_delta", "message_stop"]


@pytest.mark.parametrize("model", [echo, two_calls])
def test_a_stream_of_openai_adds_up_to_the_plain_response(model: Any) -> None:
    client = mcplab.openai_client(model)
    body = body_for(client, user("größer " * 9))
    plain = client.chat.completions.create(**body)
    with client.chat.completions.stream(**body, stream_options={"include_usage": True}) as stream:
        streamed = stream.get_final_completion()
    assert streamed.id == plain.id
    assert streamed.usage == plain.usage
    ours, theirs = plain.choices[0].message, streamed.choices[0].message
    assert (theirs.content, theirs.role) == (ours.content, ours.role)
    given = [call.function for call in ours.tool_calls or ()]
    got = [call.function for call in theirs.tool_calls or ()]
    assert [(f.name, f.arguments) for f in got] == [(f.name, f.arguments) for f in given]
    assert streamed.choices[0].finish_reason == plain.choices[0].finish_reason


def test_async_streams_work_too() -> None:
    async def read() -> tuple[str, str]:
        first = mcplab.async_anthropic_client(echo)
        async with first.messages.stream(**body_for(first, user("one"))) as stream:
            one = await stream.get_final_text()
        second = mcplab.async_openai_client(echo)
        parts = await second.chat.completions.create(**body_for(second, user("two")), stream=True)
        two = "".join([part.choices[0].delta.content or "" async for part in parts])
        return one, two

    assert asyncio.run(read()) == ("You said: one", "You said: two")


def test_a_refused_stream_raises_like_a_plain_request() -> None:
    client = mcplab.anthropic_client(echo)
    with pytest.raises(anthropic.BadRequestError) as caught:
        client.messages.create(**body_for(client, user([])), stream=True)
    assert caught.value.__notes__


# Exceptions ------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["anthropic", "async anthropic"])
def test_a_refusal_is_the_exception_of_anthropic(kind: str) -> None:
    error = refusal(MAKERS[kind](echo), user("q"), assistant([use()]), user("what?"))
    assert type(error) is anthropic.BadRequestError
    assert error.status_code == 400
    assert error.type == "invalid_request_error"
    assert error.body["request_id"] == error.request_id
    assert error.request_id.startswith("req_01")
    assert "`tool_use` ids were found without" in error.body["error"]["message"]
    assert str(error) == f"Error code: 400 - {error.body}"


@pytest.mark.parametrize("kind", ["openai", "async openai"])
def test_a_refusal_is_the_exception_of_openai(kind: str) -> None:
    error = refusal(MAKERS[kind](echo), tools=[function("a" * 65)])
    assert type(error) is openai.BadRequestError
    assert error.status_code == 400
    assert error.code == "string_above_max_length"
    assert error.param == "tools[0].function.name"
    assert error.type == "invalid_request_error"
    assert error.request_id.startswith("req_")
    assert error.body["message"].startswith("Invalid 'tools[0].function.name'")


@pytest.mark.parametrize("kind", KINDS)
def test_an_unknown_model_is_not_found(kind: str) -> None:
    error = refusal(MAKERS[kind](echo), model="llama-9")
    assert type(error) in (anthropic.NotFoundError, openai.NotFoundError)
    assert "mock-echo" in error.__notes__[-1]


@pytest.mark.parametrize("kind", KINDS)
def test_a_failing_model_is_a_server_error_and_is_asked_once(kind: str) -> None:
    asked = []

    def failing(*args: Any) -> Any:
        asked.append(args)
        raise ValueError("no such luck")

    error = refusal(MAKERS[kind](failing))
    assert type(error) in (anthropic.InternalServerError, openai.InternalServerError)
    assert "ValueError: no such luck" in str(error)
    assert len(asked) == 1


def test_the_name_of_a_failing_function_is_told() -> None:
    assert "the model mock-broken failed" in str(refusal(mcplab.openai_client(broken)))


# Notes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_notes_say_which_part_broke_which_rule_and_what_to_do(kind: str) -> None:
    request = assistant([use()]) if "anthropic" in kind else calling()
    error = refusal(MAKERS[kind](echo), user("q"), request, user("what?"))
    notes = "\n".join(error.__notes__)
    assert "breaks a rule" in notes
    assert "unanswered" in notes
    assert "It holds: " in notes
    assert "What to do: Answer every" in notes
    shown = "".join(traceback.format_exception(error))
    assert shown.rstrip().endswith(error.__notes__[-1])


@pytest.mark.parametrize("kind", KINDS)
def test_notes_can_be_left_out_and_change_nothing_on_the_wire(kind: str) -> None:
    bare = refusal(MAKERS[kind](echo, explain=False), messages=[])
    noted = refusal(MAKERS[kind](echo), messages=[])
    assert not hasattr(bare, "__notes__")
    assert noted.__notes__
    assert (str(bare), bare.body, bare.request_id) == (str(noted), noted.body, noted.request_id)
    assert bare.response.content == noted.response.content


@pytest.mark.parametrize("kind", KINDS)
def test_notes_are_there_on_a_copy_of_the_client(kind: str) -> None:
    client = MAKERS[kind](echo).with_options(timeout=3).copy(max_retries=0)
    assert type(client) is CLASSES[kind]
    assert refusal(client, messages=[]).__notes__


def test_a_long_part_is_shown_in_short() -> None:
    error = refusal(mcplab.anthropic_client(echo), tools=[tool("x y", description="d" * 9000)])
    assert max(map(len, error.__notes__)) < 400


def test_inferred_words_are_called_so() -> None:
    from mcplab.provider import validate
    from mcplab.provider.explain import notes_on

    error = validate([], "anthropic")
    assert error is not None
    assert any("not the vendor's" in note for note in notes_on(error, []))


# Environment -----------------------------------------------------------------------------------

SECRET = "sk-very-secret-0123456789"


@pytest.fixture
def hostile_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything in the environment that a real client reads."""
    for name in (
        *("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_WEBHOOK_SIGNING_KEY"),
        *("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"),
        "OPENAI_WEBHOOK_SECRET",
    ):
        monkeypatch.setenv(name, SECRET)
    for name in ("ANTHROPIC_BASE_URL", "OPENAI_BASE_URL"):
        monkeypatch.setenv(name, f"http://{SECRET}.example/v1")
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://{SECRET}.example:3128")
    headers = f"X-Secret: {SECRET}\nAuthorization: Bearer {SECRET}\nx-api-key: {SECRET}"
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", headers)
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", headers)
    monkeypatch.delenv("MCPLAB_LIVE", raising=False)


@pytest.mark.usefixtures("hostile_environment")
@pytest.mark.parametrize("copy", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_of_the_environment_reaches_a_mock_client(kind: str, copy: bool) -> None:
    model = SeenModel()
    client = MAKERS[kind](model)
    if copy:
        client = client.with_options(max_retries=1)
    error = refusal(client, messages=[])
    sent = [*error.request.headers.items(), ("url", str(error.request.url))]
    assert not [one for one in sent if SECRET in str(one)]
    assert str(error.request.url).startswith("http://mock-seen.mcplab.invalid/v1/")
    assert SECRET not in str(vars(client))
    assert text_of(create(client, user("q"))) == "noted"


@pytest.mark.usefixtures("hostile_environment")
@pytest.mark.parametrize("kind", KINDS)
def test_no_key_stands_in_the_text_of_an_error(kind: str) -> None:
    for error in (refusal(MAKERS[kind](echo), messages=[]), refusal(MAKERS[kind](broken))):
        shown = "".join(traceback.format_exception(error))
        assert SECRET not in shown
        assert "mock-key" not in shown


def test_making_a_client_opens_nothing_and_asks_nothing() -> None:
    model = SeenModel()
    makers: list[Callable[..., Any]] = list(MAKERS.values())
    for make in makers:
        make(model)
    assert model.asked == []
