"""The recorder on the vendors' SDKs, over a transport that answers from a list."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anthropic
import anyio
import httpx2
import openai
import pytest

import mcplab
from mcplab.dialects import ANTHROPIC, OPENAI_CHAT
from mcplab.errors import McplabError
from mcplab.messages import Reply, ToolCall, Usage
from mcplab.recorder import record, watch

KEY = "sk-test-abcdefghijklmnopqrstuvwxyz"
CALLS = (ToolCall("id_1", "add", {"a": 1, "b": 2}), ToolCall("id_2", "clock", {}))
REPLIES = [
    Reply("Two things.", CALLS, "tool_use", Usage(20, 5)),
    Reply("It is 3 at noon.", (), "end", Usage(40, 6)),
]


def transport(dialect: Any) -> httpx2.MockTransport:
    """Answers with REPLIES, by the number of assistant messages in the request."""

    def answer(request: httpx2.Request) -> httpx2.Response:
        body = json.loads(request.content)
        done = sum(message["role"] == "assistant" for message in body["messages"])
        wire = dialect.write_response(REPLIES[done], model="m", response_id="r", created=1)
        return httpx2.Response(200, json=wire)

    return httpx2.MockTransport(answer)


def anthropic_loop(client: anthropic.Anthropic, connection: Any = None) -> str:
    """A loop as a learner writes it, on the plain SDK."""
    messages: list[Any] = [{"role": "user", "content": "1 + 2, and the time?"}]
    while True:
        reply = client.messages.create(model="m", max_tokens=9, messages=messages)
        messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason != "tool_use":
            return reply.content[0].text  # type: ignore[union-attr]
        results = [
            {"type": "tool_result", "tool_use_id": block.id, "content": f"result of {block.name}"}
            for block in reply.content
            if block.type == "tool_use"
        ]
        messages.append({"role": "user", "content": results})


def anthropic_client() -> anthropic.Anthropic:
    http = httpx2.Client(transport=transport(ANTHROPIC))
    return anthropic.Anthropic(api_key=KEY, base_url="http://127.0.0.1:1", http_client=http)


def openai_client() -> openai.OpenAI:
    http = httpx2.Client(transport=transport(OPENAI_CHAT))
    return openai.OpenAI(api_key=KEY, base_url="http://127.0.0.1:1", http_client=http)


def kinds(trace: mcplab.Trace) -> list[str]:
    return [step.kind for step in trace]


def test_a_watched_client_leaves_ask_two_calls_and_return() -> None:
    client = anthropic_client()
    trace = watch(client)
    assert anthropic_loop(client) == "It is 3 at noon."
    assert kinds(trace) == ["ask", "call", "call", "return"]
    ask, first, second, last = trace
    assert (ask.ids, first.ids, second.ids, last.ids) == (
        ("id_1", "id_2"),
        ("id_1",),
        ("id_2",),
        (),
    )
    assert first.out == {"name": "add", "arguments": {"a": 1, "b": 2}}
    assert first.into == {
        "content": [{"type": "text", "text": "result of add"}],
        "isError": False,
    }
    assert (ask.round, first.round, last.round) == (1, 1, 2)
    assert trace.usage == Usage(60, 11)
    assert trace.question == "1 + 2, and the time?"


def test_record_hears_every_client_in_the_block_and_none_after_it(tmp_path: Path) -> None:
    inside, outside = openai_client(), openai_client()
    ask = [{"role": "user", "content": "Hello?"}]
    with record(tmp_path / "run.jsonl") as trace:
        inside.chat.completions.create(model="m", messages=ask)  # type: ignore[arg-type]
    outside.chat.completions.create(model="m", messages=ask)  # type: ignore[arg-type]
    assert kinds(trace) == ["ask"]
    assert trace[0].out == {"model": "m", "messages": ask}
    assert mcplab.Trace.load(tmp_path / "run.jsonl").steps == trace.steps


def test_an_async_client_is_recorded_too() -> None:
    http = httpx2.AsyncClient(transport=transport(OPENAI_CHAT))
    client = openai.AsyncOpenAI(api_key=KEY, base_url="http://127.0.0.1:1", http_client=http)
    trace = watch(client)

    async def ask() -> None:
        await client.chat.completions.create(
            model="m", messages=[{"role": "user", "content": "Hello?"}]
        )

    anyio.run(ask)
    assert kinds(trace) == ["ask"]
    assert trace[0].ids == ("id_1", "id_2")


def test_a_refused_request_is_a_step_with_the_vendors_words() -> None:
    def refuse(_: httpx2.Request) -> httpx2.Response:
        error = {"type": "invalid_request_error", "message": "no such thing"}
        return httpx2.Response(400, json={"type": "error", "error": error})

    http = httpx2.Client(transport=httpx2.MockTransport(refuse))
    client = anthropic.Anthropic(api_key=KEY, base_url="http://127.0.0.1:1", http_client=http)
    trace = watch(client)
    with pytest.raises(anthropic.BadRequestError):
        anthropic_loop(client)
    assert trace[0].error == "refused (400): no such thing"
    assert trace[0].into is not None


def test_a_request_that_nobody_answers_is_a_step_too() -> None:
    def fall(_: httpx2.Request) -> httpx2.Response:
        raise httpx2.ConnectError("nobody there")

    http = httpx2.Client(transport=httpx2.MockTransport(fall))
    client = anthropic.Anthropic(
        api_key=KEY, base_url="http://127.0.0.1:1", http_client=http, max_retries=0
    )
    trace = watch(client)
    with pytest.raises(anthropic.APIConnectionError):
        anthropic_loop(client)
    assert trace[0].error == "not answered: ConnectError"


def test_a_stream_reaches_the_program_whole_and_is_recorded_at_its_end() -> None:
    chunks = [
        {"choices": [{"index": 0, "delta": {"content": word}, "finish_reason": None}]}
        for word in ("Hel", "lo")
    ]
    head = {"id": "r", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    sse = "".join(f"data: {json.dumps(head | chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"

    def answer(_: httpx2.Request) -> httpx2.Response:
        def pieces() -> Iterator[bytes]:
            yield from (sse[i : i + 7].encode() for i in range(0, len(sse), 7))

        return httpx2.Response(200, headers={"content-type": "text/event-stream"}, content=pieces())

    http = httpx2.Client(transport=httpx2.MockTransport(answer))
    client = openai.OpenAI(api_key=KEY, base_url="http://127.0.0.1:1", http_client=http)
    trace = watch(client)
    stream = client.chat.completions.create(
        model="m", messages=[{"role": "user", "content": "Hello?"}], stream=True
    )
    with stream:
        assert "".join(c.choices[0].delta.content or "" for c in stream) == "Hello"
    assert kinds(trace) == ["ask"]
    assert trace[0].into == {"stream": [head | chunk for chunk in chunks] + ["[DONE]"]}


def test_frames_of_a_connection_stand_for_the_calls_they_carried() -> None:
    def frame(direction: str, moment: float, **message: Any) -> SimpleNamespace:
        return SimpleNamespace(direction=direction, time=moment, message=message)

    call = {"name": "add", "arguments": {"a": 1, "b": 2}}
    connection = SimpleNamespace(
        frames=[
            frame("->", 1.0, id=1, method="tools/list"),
            frame("<-", 1.5, id=1, result={"tools": []}),
            frame("->", 2.0, id=2, method="tools/call", params=call),
            frame("<-", 2.25, id=2, result={"content": []}),
        ]
    )
    client = anthropic_client()
    trace = watch(client, connection)
    anthropic_loop(client)
    assert kinds(trace) == ["list", "ask", "call", "call", "return"]
    # `add` ran on the connection before this loop asked for it, so it is not this call.
    assert [step.dialect for step in trace if step.kind == "call"] == ["function", "function"]


def test_the_key_is_not_in_the_saved_trace(tmp_path: Path) -> None:
    with record(tmp_path / "run.jsonl"):
        anthropic_loop(anthropic_client())
    assert KEY not in (tmp_path / "run.jsonl").read_text()


def test_something_else_than_a_client_is_refused_in_words() -> None:
    with pytest.raises(McplabError, match="not a client"):
        watch("a client")
