"""`connect`, and the `Connection` that it gives."""

from __future__ import annotations

import os
import warnings
import weakref
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any, Self, TypeVar, TypeVarTuple

from mcplab import _portal
from mcplab.connection.errors import ConnectionFailed, ToolTimeout
from mcplab.connection.link import Link, close_all
from mcplab.connection.targets import way_to
from mcplab.connection.transports import Kind, keep_logs
from mcplab.connection.wire import Frame
from mcplab.drivers import Exchange
from mcplab.errors import McplabError
from mcplab.messages import JSON, Tool, ToolCall, ToolResult

__all__ = ["Connection", "connect"]

T = TypeVar("T")
Args = TypeVarTuple("Args")

_GRACE = 5.0  # seconds between the time limit of a call and giving up on the loop itself


def connect(
    target: Any,
    *,
    name: str | None = None,
    mode: str = "auto",
    timeout: float = 30.0,
    transport: Kind | None = None,
) -> Connection:
    """Open a live, recorded connection to an MCP server.

    It stays open until `close`, or until the interpreter exits; it works from plain code
    and with ``await``, in a script and across notebook cells.

    Args:
        target: which server. The name of a mock server (``"calculator"``, ``"expenses"``),
            an `MCPServer` object or a module that has one, the path of a ``.py`` file, a
            command (``["node", "server.js"]``), or a URL on this machine
            (``"http://127.0.0.1:8000/mcp"``).
        name: what to call the connection; by default the server's name.
        mode: how to agree on the protocol version: ``"auto"``, ``"legacy"`` (the
            `initialize` handshake), or a version such as ``"2026-07-28"``.
        timeout: seconds to wait for the server to start, and for each answer.
        transport: ``"memory"`` (the default for objects, modules and mock servers),
            ``"stdio"`` (the default for files) or ``"http"`` (served in the background, on
            a free port of 127.0.0.1, until the connection is closed).

    Raises:
        ConnectionFailed: the server cannot be started or reached, or it does not answer.
    """
    keep_logs()
    _portal.before_exit(close_all)
    way, own_name = way_to(target, transport)
    connection = Connection(Link(name or own_name, way, mode=mode, timeout=timeout))
    try:
        connection.open()
    except BaseException:
        connection.close()
        raise
    return connection


class Connection:
    """A live connection to an MCP server; `connect` makes it.

    If the server dies, the next call starts it again (see `restarts`).
    """

    def __init__(self, link: Link) -> None:
        self._link = link
        # A connection that nobody refers to any more, such as that of a cell run twice.
        weakref.finalize(self, _discard, link).atexit = False

    @property
    def name(self) -> str:
        """What the connection is called."""
        return self._link.name

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The server's tools, as they were listed last: when the connection was opened."""
        return self._link.tools

    @property
    def frames(self) -> list[Frame]:
        """Every frame that crossed the wire so far, in both directions."""
        return self._link.wire.frames

    @property
    def transport(self) -> Kind:
        """``"memory"``, ``"stdio"`` or ``"http"``."""
        return self._link.way.kind

    @property
    def where(self) -> str:
        """The URL or the command of the server."""
        return self._link.way.where

    @property
    def restarts(self) -> int:
        """How many times the server was gone and was reached again."""
        return max(0, self._link.restarts)

    @property
    def closed(self) -> bool:
        """`close` was called."""
        return self._link.closed

    @property
    def client(self) -> Any:
        """The SDK's `mcp.Client` under this connection; ``None`` when it is not open.

        It belongs to the background loop: use it with `mcplab._portal.call`.
        """
        return self._link.client

    @property
    def protocol_version(self) -> str:
        """The protocol version that both sides agreed on; "" when it is not open."""
        return str(self.client.protocol_version) if self.client else ""

    @property
    def server_info(self) -> JSON:
        """What the server says that it is: ``name``, ``version``, … No ground for trust."""
        info = self.client.server_info if self.client else None
        return info.model_dump(by_alias=True, exclude_none=True) if info else {}

    @property
    def instructions(self) -> str:
        """What the server tells the host about its use, or ""."""
        return (self.client.instructions if self.client else None) or ""

    @property
    def log(self) -> str:
        """What the server wrote beside the protocol, as far as we see it.

        Of a child process its error output; of servers in this process what they logged.
        """
        return self._link.way.log()

    def open(self) -> None:
        """Reach the server now, rather than with the next call.

        Raises:
            ConnectionFailed: the server cannot be started or reached, or it was closed.
        """
        self._wait(self._link.open, seconds=self._link.timeout)

    def list_tools(self) -> tuple[Tool, ...]:
        """Ask the server for its tools again (`tools` is what it said before).

        Raises:
            McplabError: as for `call`.
        """
        _, problem = self._wait(self._link.list, seconds=self._link.timeout)
        if problem:
            raise problem
        return self.tools

    def call(
        self, name: str, arguments: JSON | None = None, *, timeout: float | None = None
    ) -> ToolResult:
        """Run a tool and wait for its result. An interrupt cancels the call.

        Args:
            name: the tool's name.
            arguments: the arguments, by name.
            timeout: seconds to wait for this call, instead of the connection's `timeout`.

        Returns:
            The result; a tool that failed gives one with `is_error`. Its `call_id` is the
            id of the JSON-RPC request.

        Raises:
            ToolTimeout: no answer in time. The connection can still be used.
            ServerDied: the server went away. The next call starts it again.
            ProtocolError: the server refused the request, or its answer is malformed.
            ConnectionFailed: the server cannot be reached, or the connection is closed.
        """
        seconds = self._link.timeout if timeout is None else timeout
        call = ToolCall("", name, arguments or {})
        return _returned(*self._wait(self._link.call, call, seconds, seconds=seconds))

    async def acall(
        self,
        name: str,
        arguments: JSON | None = None,
        *,
        timeout: float | None = None,  # noqa: ASYNC109 - the same words as for `call`
    ) -> ToolResult:
        """`call` for async code, in any asyncio loop."""
        seconds = self._link.timeout if timeout is None else timeout
        call = ToolCall("", name, arguments or {})
        return _returned(*await self._await(self._link.call, call, seconds, seconds=seconds))

    async def list_exchange(self) -> Exchange:
        """List the tools, and give what crossed the wire. Errors are in `Exchange.error`."""
        exchange, _ = await self._await(self._link.list, seconds=self._link.timeout)
        return exchange

    async def call_exchange(self, call: ToolCall) -> Exchange:
        """Run a tool, and give what crossed the wire. Whatever fails gives a result too."""
        seconds = self._link.timeout
        exchange, _ = await self._await(self._link.call, call, seconds, seconds=seconds)
        return exchange

    def close(self) -> None:
        """Close the connection and end the server, if it is ours. Closing twice is fine."""
        if not self.closed and self._link.process == os.getpid():
            with suppress(TimeoutError):
                _portal.call(self._link.close, patience=10.0)

    async def aclose(self) -> None:
        """`close` for async code."""
        if not self.closed and self._link.process == os.getpid():
            with suppress(TimeoutError):
                await _portal.acall(self._link.close, patience=10.0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        state = "closed" if self.closed else "open" if self.client else "server gone"
        again = f", restarted {self.restarts}×" if self.restarts else ""
        return (
            f"<connection to {self.name} over {self.transport}: {len(self.tools)} tools, "
            f"{state}{again}>"
        )

    def _wait(self, function: Callable[[*Args], Awaitable[T]], *args: *Args, seconds: float) -> T:
        patience = self._patience(seconds)
        try:
            return _portal.call(function, *args, patience=patience)
        except TimeoutError:
            raise _blocked(patience) from None

    async def _await(
        self, function: Callable[[*Args], Awaitable[T]], *args: *Args, seconds: float
    ) -> T:
        patience = self._patience(seconds)
        try:
            return await _portal.acall(function, *args, patience=patience)
        except TimeoutError:
            raise _blocked(patience) from None

    def _patience(self, seconds: float) -> float:
        """How long the background loop may take for something limited to `seconds`."""
        if self._link.process != os.getpid():
            raise ConnectionFailed(
                "This connection belongs to the process that this one was forked from. "
                "Open one here: mcplab.connect(...)."
            )
        opening = 0.0 if self._link.client else 2 * self._link.timeout
        return seconds + opening + _GRACE


def _returned(exchange: Exchange, problem: McplabError | None) -> ToolResult:
    if problem:
        raise problem
    if exchange.error:
        warnings.warn(exchange.error, stacklevel=3)
    result: ToolResult = exchange.value
    return replace(result, call_id=str(exchange.out.get("id", "")))


def _blocked(patience: float) -> ToolTimeout:
    return ToolTimeout(
        f"No answer within {patience:g} s, and the time limit of the call did not work: the "
        "server blocks the event loop. A tool that is an `async def` must not call blocking "
        "code such as time.sleep; make it a plain `def`. Restart the kernel to go on."
    )


def _discard(link: Link) -> None:
    if not link.closed and link.process == os.getpid():
        _portal.submit(link.close)
