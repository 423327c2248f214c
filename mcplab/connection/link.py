"""A server and the way to it, opened again when the server was gone.

Everything here runs in the background loop; `Connection` is the face of it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import anyio

from mcplab.connection.errors import ConnectionFailed, ProtocolError, ServerDied, ToolTimeout
from mcplab.connection.life import Life
from mcplab.connection.wire import Pair, Wire
from mcplab.drivers import Exchange
from mcplab.errors import McplabError
from mcplab.messages import JSON, Tool, ToolCall, ToolResult

if TYPE_CHECKING:
    from mcplab.connection.transports import Way

__all__ = ["Link", "Outcome", "close_all"]

Outcome = tuple[Exchange, McplabError | None]
"""What was exchanged, and the error for those who want an exception."""

_KNOWN_KINDS = frozenset({"text", "image", "audio", "resource_link", "resource"})
_MOST_PAGES = 100  # of a list of tools
_open: set[Link] = set()


class Link:
    """Keeps one server reachable, and turns what can go wrong into words.

    Attributes:
        name: what the server is called in error messages.
        wire: the record of all frames.
        tools: the tools as they were listed last.
        restarts: how many times the server was gone and was reached again.
        closed: `close` was called.
        process: the id of the process that the link belongs to.
    """

    def __init__(self, name: str, way: Way, *, mode: str, timeout: float) -> None:
        self.name, self.way, self.mode, self.timeout = name, way, mode, timeout
        self.wire = Wire(http=way.kind == "http")
        self.tools: tuple[Tool, ...] = ()
        self.restarts = -1
        self.closed = False
        self.process = os.getpid()
        self._life: Life | None = None
        self._opening = anyio.Lock()

    @property
    def client(self) -> Any:
        """The SDK's `mcp.Client`, or ``None`` while there is no connection."""
        return None if self._life is None or self._life.over else self._life.client

    async def open(self) -> Life:
        """The life to send requests on: the present one, or a new one if that is over.

        Raises:
            ConnectionFailed: there is no way to the server, or `close` was called.
        """
        async with self._opening:
            if self.closed:
                raise ConnectionFailed("This connection is closed. Open a new one with connect().")
            if self._life is None or self._life.over:
                _open.add(self)
                self._life = await self._new_life()
                self.restarts += 1
            return self._life

    async def _new_life(self) -> Life:
        life = Life(self.name, self.way, self.wire, mode=self.mode, timeout=self.timeout)
        await life.open()
        try:
            # Listed at once; else the SDK would do it unasked, after the first call.
            await self._list(life)
        except Exception as error:
            raise await life.failure(f"it does not list its tools: {error}.") from None
        except BaseException:  # interrupted
            life.end()
            raise
        return life

    async def close(self) -> None:
        """End the connection, for good."""
        self.closed = True
        if self._life is not None:
            await self._life.close()
        self.way.stop()
        _open.discard(self)

    async def list(self) -> Outcome:
        """Ask for the tools. Of several pages, the exchange shows the last one."""
        pair = Pair("tools/list")
        problem = await self._ask(pair, self._list, "the list of tools", self.timeout)
        value = None if problem else self.tools
        return _exchange(pair, {}, value, _words(problem)), problem

    async def call(self, call: ToolCall, seconds: float) -> Outcome:
        """Run a tool. What goes wrong gives a result too, with `is_error` and the reason."""
        pair = Pair("tools/call")

        async def send(life: Life) -> None:
            await life.client.call_tool(call.name, call.arguments, read_timeout_seconds=seconds)

        problem = await self._ask(pair, send, f"the tool “{call.name}”", seconds)
        error = _words(problem)
        if kind := _unknown_kind(pair):
            # The SDK rejects it. We keep it as it came and say so.
            problem, error = None, f"The result has a content block of unknown kind “{kind}”."
        if problem:
            timed_out = isinstance(problem, ToolTimeout)
            # The model gets the first line only: the details are for a person.
            words = {"type": "text", "text": str(problem).partition("\n")[0]}
            result = ToolResult(call.id, (words,), is_error=True, timed_out=timed_out)
        else:
            result = _result(call, pair)
        parameters = {"name": call.name, "arguments": call.arguments}
        return _exchange(pair, parameters, result, error), problem

    async def _ask(
        self,
        pair: Pair,
        send: Callable[[Life], Awaitable[None]],
        what: str,
        seconds: float,
    ) -> McplabError | None:
        try:
            life = await self.open()
        except McplabError as error:
            return error
        try:
            with pair.follow():
                await send(life)
        except Exception as error:
            return await self._explain(error, life, pair, what, seconds)
        return None

    async def _list(self, life: Life) -> None:
        from mcp import MCPError
        from mcp_types import METHOD_NOT_FOUND

        tools: list[Tool] = []
        cursor = None
        try:
            for _ in range(_MOST_PAGES):
                page = await life.client.list_tools(cursor=cursor, cache_mode="refresh")
                tools += [_tool(tool) for tool in page.tools]
                cursor = page.next_cursor
                if cursor is None:
                    break
        except MCPError as error:
            if error.code != METHOD_NOT_FOUND:  # a server may have no tools at all
                raise
        self.tools = tuple(tools)

    async def _explain(
        self, error: Exception, life: Life, pair: Pair, what: str, seconds: float
    ) -> McplabError:
        from mcp import MCPError
        from mcp_types import CONNECTION_CLOSED, REQUEST_TIMEOUT
        from pydantic import ValidationError

        if not isinstance(error, MCPError):
            if pair.out is None:
                return McplabError(f"The arguments of {what} cannot be sent as JSON: {error}")
            fault = (
                "it has not the form of a result.\n" if isinstance(error, ValidationError) else ""
            )
            return ProtocolError(f"The answer from {what} breaks the protocol: {fault}{error}")
        if error.code == REQUEST_TIMEOUT and pair.into is None:
            return ToolTimeout(
                f"No answer from {what} within {seconds:g} s. "
                "The call was cancelled; the connection can still be used."
            )
        if error.code == CONNECTION_CLOSED:
            pair.into = None  # over HTTP the SDK makes one up
            return await self._explain_end(life, what)
        return ProtocolError(
            f"The server refused {what} with JSON-RPC error {error.code}: {error.message}",
            error.code,
        )

    async def _explain_end(self, life: Life, what: str) -> McplabError:
        import httpx2

        await life.close()
        if self.closed:
            return ConnectionFailed(f"The connection was closed while {what} was running.")
        if isinstance(life.cause, httpx2.ConnectError):
            return ConnectionFailed(
                f"“{self.name}” was not reached, so {what} did not run: nobody listens there. "
                f"The next call tries again.{life.details()}"
            )
        return ServerDied(
            f"“{self.name}” was gone before the answer from {what} came; how far it got is not "
            f"known. The next call starts it again.{life.details()}"
        )


async def close_all() -> None:
    """End every connection of this process."""
    async with anyio.create_task_group() as tasks:
        for link in tuple(_open):
            if link.process == os.getpid():
                tasks.start_soon(link.close)


def _exchange(pair: Pair, parameters: JSON, value: Any, error: str | None) -> Exchange:
    unsent: JSON = {"jsonrpc": "2.0", "method": pair.method, "params": parameters}
    return Exchange(
        out=pair.out.message if pair.out else unsent,
        into=pair.into.message if pair.into else None,
        value=value,
        dialect="mcp",
        started=pair.started,
        seconds=time.perf_counter() - pair.clock,
        error=error,
    )


def _words(problem: McplabError | None) -> str | None:
    return None if problem is None else str(problem)


def _tool(tool: Any) -> Tool:
    annotations = tool.annotations
    return Tool(
        tool.name,
        tool.description or "",
        tool.input_schema,
        annotations.model_dump(by_alias=True, exclude_none=True) if annotations else {},
    )


def _answer(pair: Pair) -> JSON:
    result = pair.into.message.get("result") if pair.into else None
    return result if isinstance(result, dict) else {}


def _blocks(pair: Pair) -> tuple[JSON, ...]:
    content = _answer(pair).get("content")
    return tuple(block for block in content if isinstance(block, dict)) if content else ()


def _unknown_kind(pair: Pair) -> str | None:
    kinds = (str(block.get("type")) for block in _blocks(pair))
    return next((kind for kind in kinds if kind not in _KNOWN_KINDS), None)


def _result(call: ToolCall, pair: Pair) -> ToolResult:
    """The result as it came over the wire, not as the SDK understood it."""
    answer = _answer(pair)
    return ToolResult(
        call.id,
        _blocks(pair),
        is_error=bool(answer.get("isError")),
        structured=answer.get("structuredContent"),
    )
