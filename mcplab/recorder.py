"""Record what a program sends to a model, without changing what the program does.

`watch(client)` records one SDK client from now on; `with record() as trace:` records every
SDK client that is used inside the block. Both listen where the SDK hands a request to its
HTTP client, so the payloads are those of the wire.

Tool calls do not pass there. They are read from the next model request, which carries
the results; if a connection is given too, its JSON-RPC frames stand in the trace instead.
"""

from __future__ import annotations

import inspect
import json
import os
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

import httpx2

from mcplab.dialects import ANTHROPIC, OPENAI_CHAT, Dialect
from mcplab.endpoints import dialect_of
from mcplab.messages import JSON, Message, Reply, ToolCall, ToolResult
from mcplab.trace import Step, Trace

__all__ = ["record", "watch"]

_DIALECT_OF_PATH: dict[str, Dialect] = {"/messages": ANTHROPIC, "/chat/completions": OPENAI_CHAT}


def watch(client: Any, connection: Any = None) -> Trace:
    """Record everything that `client` sends from now on.

    Args:
        client: an `anthropic` or `openai` client, sync or async, mock or live.
        connection: the `mcplab.connect` connection on which the program calls tools, if any.

    Returns:
        The trace; it grows while the client is used.

    Raises:
        McplabError: `client` is not a client of the `anthropic` or `openai` package.
    """
    dialect_of(client)
    recording = _Recording(Trace(), connection)
    # Both SDKs keep their HTTP client under this name; there is no public way to it.
    http = client._client
    http.send = _recorded(http.send, recording)
    return recording.trace


@contextmanager
def record(to: str | os.PathLike[str] | None = None, *, connection: Any = None) -> Iterator[Trace]:
    """Record every `anthropic` and `openai` client that is used inside the block.

    Args:
        to: save the trace in this file at the end of the block, also when the block fails.
        connection: the `mcplab.connect` connection on which the program calls tools, if any.

    Raises:
        TraceError: `to` cannot be written.
    """
    recording = _Recording(Trace(), connection)
    originals = {one: one.send for one in (httpx2.Client, httpx2.AsyncClient)}
    try:
        for one, send in originals.items():
            setattr(one, "send", _recorded(send, recording))  # noqa: B010 (mypy: a method)
        yield recording.trace
    finally:
        for one, send in originals.items():
            setattr(one, "send", send)  # noqa: B010
        if to is not None:
            recording.trace.save(to)


def _recorded(send: Callable[..., Any], recording: _Recording) -> Callable[..., Any]:
    """`send` of an httpx2 client, sync or async, with `recording` listening."""

    def begin(args: tuple[Any, ...]) -> _Sent | None:
        # A method patched on the class gets the client first, one on the instance does not.
        request = next(arg for arg in args if isinstance(arg, httpx2.Request))
        return recording.begin(request)

    if inspect.iscoroutinefunction(send):

        @wraps(send)
        async def send_async(*args: Any, **kwargs: Any) -> Any:
            sent = begin(args)
            try:
                response = await send(*args, **kwargs)
            except BaseException as problem:
                recording.failed(sent, problem)
                raise
            return recording.answered(sent, response)

        return send_async

    @wraps(send)
    def send_sync(*args: Any, **kwargs: Any) -> Any:
        sent = begin(args)
        try:
            response = send(*args, **kwargs)
        except BaseException as problem:
            recording.failed(sent, problem)
            raise
        return recording.answered(sent, response)

    return send_sync


@dataclass(frozen=True, slots=True)
class _Sent:
    """A model request on its way."""

    dialect: Dialect
    body: JSON
    round: int
    started: float
    clock: float
    has_results: bool


@dataclass(slots=True)
class _Recording:
    """Turns requests and responses into the steps of a trace."""

    trace: Trace
    connection: Any
    round: int = 0
    frames_read: int = 0
    last_end: float = field(default_factory=time.time)

    def begin(self, request: Any) -> _Sent | None:
        """Note a request, if it is one to a model, with the tool calls that led to it."""
        ends = _DIALECT_OF_PATH.items()
        dialect = next((d for end, d in ends if request.url.path.endswith(end)), None)
        body = _json_object(request.content) if dialect else None
        if dialect is None or body is None:
            return None
        calls, results = _calls_and_results(dialect, body)
        self._add_steps_before(calls, results)
        self.trace.question = self.trace.question or _question(dialect, body)
        self.round += 1
        clock = time.perf_counter()
        return _Sent(dialect, body, self.round, time.time(), clock, bool(results))

    def answered(self, sent: _Sent | None, response: Any) -> Any:
        """Record the response, now or, if it is a stream, when it ends; give it back."""
        if sent is None:
            return response
        if response.is_closed:
            self._add(sent, _json_object(response.content), response.status_code)
        else:
            response.stream = _Tee(response.stream, lambda raw: self._streamed(sent, response, raw))
        return response

    def failed(self, sent: _Sent | None, problem: BaseException) -> None:
        """Record a request that was not answered at all."""
        if sent is not None:
            self._add(sent, None, None, f"not answered: {type(problem).__name__}")

    def _streamed(self, sent: _Sent, response: httpx2.Response, raw: bytes) -> None:
        """Record a response that the program read piece by piece."""
        # A response of our own undoes the content encoding.
        whole = httpx2.Response(response.status_code, headers=response.headers, content=raw)
        into = _json_object(whole.content) or {"stream": _events(whole.text)}
        self._add(sent, into, response.status_code)

    def _add(
        self, sent: _Sent, into: JSON | None, status: int | None, error: str | None = None
    ) -> None:
        if error is None and status is not None and status >= 400:
            error = f"refused ({status}): {_error_message(into)}"
        reply = _reply(sent.dialect, into) if error is None else Reply()
        self.trace.add(
            Step(
                kind="return" if sent.has_results else "ask",
                round=sent.round,
                out=sent.body,
                into=into,
                dialect=sent.dialect.name,
                ids=tuple(call.id for call in reply.calls),
                started=sent.started,
                seconds=time.perf_counter() - sent.clock,
                usage=reply.usage if reply.usage.total else None,
                error=error,
            )
        )
        self.last_end = time.time()

    def _add_steps_before(
        self, calls: tuple[ToolCall, ...], results: dict[str, ToolResult]
    ) -> None:
        exchanges = self._new_exchanges()
        for out, into, started, seconds in [e for e in exchanges if _method(e[0]) == "tools/list"]:
            self.trace.add(Step("list", self.round, out, into, "mcp", (), started, seconds))
        for call in calls:
            on_wire = next((e for e in exchanges if _is_call(e[0], call)), None)
            if on_wire is not None:
                exchanges.remove(on_wire)
                out, into, started, seconds = on_wire
                self.trace.add(
                    Step("call", self.round, out, into, "mcp", (call.id,), started, seconds)
                )
            elif call.id in results:
                self.trace.add(self._read_from_history(call, results[call.id]))

    def _read_from_history(self, call: ToolCall, result: ToolResult) -> Step:
        return Step(
            kind="call",
            round=self.round,
            out={"name": call.name, "arguments": call.arguments},
            into={"content": list(result.content), "isError": result.is_error},
            dialect="function",
            ids=(call.id,),
            started=self.last_end,
            error=result.text if result.is_error else None,
        )

    def _new_exchanges(self) -> list[tuple[JSON, JSON | None, float, float]]:
        """Requests of the connection since the last model call, with their responses."""
        if self.connection is None:
            return []
        frames = self.connection.frames[self.frames_read :]
        self.frames_read += len(frames)
        answers = {f.message.get("id"): f for f in frames if f.direction == "<-"}
        exchanges: list[tuple[JSON, JSON | None, float, float]] = []
        for frame in frames:
            if frame.direction == "->" and "method" in frame.message and "id" in frame.message:
                answer = answers.get(frame.message["id"])
                into = answer.message if answer else None
                seconds = answer.time - frame.time if answer else 0.0
                exchanges.append((frame.message, into, frame.time, seconds))
        return exchanges


class _Tee(httpx2.SyncByteStream, httpx2.AsyncByteStream):
    """A response stream that keeps a copy and hands it over once, at its end."""

    def __init__(self, stream: Any, at_end: Callable[[bytes], None]) -> None:
        self._stream, self._at_end, self._kept = stream, at_end, bytearray()
        self._over = False

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._stream:
            self._kept += chunk
            yield chunk

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._stream:
            self._kept += chunk
            yield chunk

    def close(self) -> None:
        self._stream.close()
        self._end()

    async def aclose(self) -> None:
        await self._stream.aclose()
        self._end()

    def _end(self) -> None:
        if not self._over:
            self._over = True
            self._at_end(bytes(self._kept))


def _json_object(data: bytes) -> JSON | None:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _events(text: str) -> list[JSON | str]:
    """The data of server-sent events, in order; what is not JSON stays text."""
    data = [line[5:].strip() for line in text.splitlines() if line.startswith("data:")]
    return [_json_object(event.encode()) or event for event in data]


def _history(dialect: Dialect, body: JSON) -> tuple[Message, ...]:
    try:
        return dialect.read_request(body).messages
    except (KeyError, IndexError, TypeError, AttributeError):
        return ()  # a broken request is recorded as it is; the vendor will say what is wrong


def _calls_and_results(
    dialect: Dialect, body: JSON
) -> tuple[tuple[ToolCall, ...], dict[str, ToolResult]]:
    """The tool requests that this body answers, and the answers by id."""
    calls: tuple[ToolCall, ...] = ()
    results: dict[str, ToolResult] = {}
    for message in _history(dialect, body):
        if message.role == "assistant":
            calls, results = message.calls, {}
        results |= {result.call_id: result for result in message.results}
    return calls, results


def _question(dialect: Dialect, body: JSON) -> str:
    return next((m.text for m in _history(dialect, body) if m.role == "user"), "")


def _reply(dialect: Dialect, into: JSON | None) -> Reply:
    try:
        return dialect.read_reply(into) if into is not None else Reply()
    except (KeyError, IndexError, TypeError, AttributeError):
        return Reply()  # a stream, or a form that the dialect does not know


def _error_message(into: JSON | None) -> str:
    error = (into or {}).get("error")
    return str(error.get("message")) if isinstance(error, dict) else "no reason given"


def _method(frame: JSON) -> str:
    return str(frame.get("method"))


def _is_call(frame: JSON, call: ToolCall) -> bool:
    params = frame.get("params") or {}
    same = params.get("name") == call.name and (params.get("arguments") or {}) == call.arguments
    return _method(frame) == "tools/call" and same
