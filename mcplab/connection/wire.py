"""The wire, recorded: every JSON-RPC frame that goes to a server or comes from it.

The recorder sits between the SDK's client and the transport, so it is the same for memory,
stdio and HTTP. Over HTTP it also keeps the headers, which are not part of the frame.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Self

from mcplab.messages import JSON

if TYPE_CHECKING:
    import httpx2

__all__ = ["Frame", "Pair", "Tap", "Wire"]

_NEVER_KEPT = frozenset({"authorization", "proxy-authorization", "cookie", "set-cookie"})
_PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion"


@dataclass(frozen=True, slots=True)
class Frame:
    """One JSON-RPC message on the wire.

    Attributes:
        direction: ``"->"`` to the server, ``"<-"`` from the server.
        message: the message, as on the wire.
        time: Unix time in seconds.
        headers: over HTTP, the headers of the request or response that carried the frame
            (without credentials and cookies); ``None`` over other transports.
        status: over HTTP, the status of the response that carried the frame.
        note: what the frame alone does not show, in a sentence.
    """

    direction: Literal["->", "<-"]
    message: JSON
    time: float
    headers: dict[str, str] | None = None
    status: int | None = None
    note: str = ""

    def __str__(self) -> str:
        text = json.dumps(self.message, ensure_ascii=False)
        line = f"{self.direction} {text if len(text) <= 500 else text[:500] + ' …'}"
        return f"{line}  ({self.note})" if self.note else line


@dataclass(slots=True)
class Pair:
    """A request and the answer with the same JSON-RPC id, filled in as they cross the wire.

    Attributes:
        method: the method of the request.
        started: Unix time in seconds, when this was made.
        clock: the same moment on the clock that durations are measured with.
    """

    method: str
    out: Frame | None = None
    into: Frame | None = None
    started: float = field(default_factory=time.time)
    clock: float = field(default_factory=time.perf_counter)

    @contextmanager
    def follow(self) -> Iterator[None]:
        """Catch the request of this method that is sent inside the ``with`` block."""
        token = _followed.set(self)
        try:
            yield
        finally:
            _followed.reset(token)


_followed: ContextVar[Pair | None] = ContextVar("mcplab_followed_request", default=None)


@dataclass(slots=True)
class Wire:
    """The frames of one connection, over all the times that it was opened.

    Attributes:
        http: the frames travel by HTTP.
        frames: every frame, in the order in which it passed.
    """

    http: bool = False
    frames: list[Frame] = field(default_factory=list)
    _modern: bool = False
    _waiting: dict[Any, Pair] = field(default_factory=dict)
    _requests: dict[Any, dict[str, str]] = field(default_factory=dict)
    _responses: dict[Any, tuple[int, dict[str, str]]] = field(default_factory=dict)

    def sent(self, message: JSON) -> None:
        """Record a frame to the server."""
        if "id" in message:
            params = message.get("params") or {}
            self._modern = _PROTOCOL_VERSION in (params.get("_meta") or {})
        headers: dict[str, str] | None = None
        if self.http:  # filled in by `on_request`, a moment later
            headers = self._requests[_key(message)] = {}
        frame = Frame("->", message, time.time(), headers, note=self._note(message))
        self.frames.append(frame)
        pair = _followed.get()
        if pair is not None and message.get("method") == pair.method:
            pair.out, pair.into = frame, None
            self._waiting[message["id"]] = pair

    def received(self, message: JSON) -> None:
        """Record a frame from the server."""
        if "method" in message:  # a notification, or a request of the server
            self.frames.append(Frame("<-", message, time.time(), {} if self.http else None))
            return
        status, headers = self._responses.pop(message.get("id"), (None, None))
        frame = Frame("<-", message, time.time(), headers, status)
        self.frames.append(frame)
        if pair := self._waiting.pop(message.get("id"), None):
            pair.into = frame

    def unreadable(self, problem: Exception) -> None:
        """Record that the server wrote something that is not JSON-RPC."""
        errors: list[Any] = getattr(problem, "errors", list)()
        text = str(errors[0].get("input", "")) if errors else str(problem)
        note = f"the server wrote this, which is not JSON-RPC: {text[:200]!r}"
        self.frames.append(Frame("<-", {}, time.time(), note=note))

    async def on_request(self, request: httpx2.Request) -> None:
        """Event hook of the HTTP client: keep the headers of a request."""
        headers = self._requests.pop(_key_of(request), None)
        if headers is not None:
            headers.update(_kept(request.headers))

    async def on_response(self, response: httpx2.Response) -> None:
        """Event hook of the HTTP client: keep the headers of a response for its frame."""
        self._responses[_key_of(response.request)] = (
            response.status_code,
            _kept(response.headers),
        )

    def _note(self, message: JSON) -> str:
        if self.http and self._modern and message.get("method") == "notifications/cancelled":
            return "not sent: over HTTP the client closes the stream of the request instead"
        return ""


def _key(message: JSON) -> Any:
    """What a frame and the HTTP request that carries it have in common."""
    return message.get("id", message.get("method"))


def _key_of(request: httpx2.Request) -> Any:
    try:
        return _key(json.loads(request.content))
    except ValueError:  # GET and DELETE carry no frame
        return None


def _kept(headers: httpx2.Headers) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name not in _NEVER_KEPT}


class Tap:
    """A transport with the recorder in it; it yields the two streams that a client wants."""

    def __init__(
        self,
        transport: AbstractAsyncContextManager[tuple[Any, Any]],
        wire: Wire,
        on_end: Callable[[], None],
    ) -> None:
        """`on_end` is called when nothing more can come from the server."""
        self._transport, self._wire, self._on_end = transport, wire, on_end

    async def __aenter__(self) -> tuple[_Reader, _Writer]:
        read, write = await self._transport.__aenter__()
        return _Reader(read, self._wire, self._on_end), _Writer(write, self._wire)

    async def __aexit__(self, *error: Any) -> bool | None:
        return await self._transport.__aexit__(*error)


class _Stream:
    """What both ends have in common: they close what they wrap."""

    def __init__(self, inner: Any, wire: Wire) -> None:
        self._inner, self._wire = inner, wire

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.aclose()


class _Reader(_Stream):
    def __init__(self, inner: Any, wire: Wire, on_end: Callable[[], None]) -> None:
        super().__init__(inner, wire)
        self._on_end = on_end

    @property
    def last_context(self) -> Any:
        """Context variables of the sender; the SDK looks for them here."""
        return getattr(self._inner, "last_context", None)

    async def receive(self) -> Any:
        import anyio

        try:
            item = await self._inner.receive()
        except (anyio.EndOfStream, anyio.ClosedResourceError):
            self._on_end()
            raise
        if isinstance(item, Exception):
            self._wire.unreadable(item)
        else:
            self._wire.received(_as_json(item.message))
        return item

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Any:
        import anyio

        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None


class _Writer(_Stream):
    async def send(self, item: Any) -> None:
        # Recorded first: over memory the answer can be back before `send` returns.
        self._wire.sent(_as_json(item.message))
        await self._inner.send(item)


def _as_json(message: Any) -> JSON:
    """The message as the SDK's own transports write it."""
    dumped: JSON = message.model_dump(by_alias=True, mode="json", exclude_unset=True)
    return dumped
