"""One life of a connection: from the start of its transport to the end of it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import anyio

from mcplab._mcp_private import import_jsonschema
from mcplab.connection.errors import ConnectionFailed
from mcplab.connection.wire import Tap, Wire

if TYPE_CHECKING:
    from mcplab.connection.transports import Way

__all__ = ["Life"]

# How long to wait for a server's end. A child process has 4.5 s: to leave by itself, then
# after SIGTERM; then it is killed. In memory only a tool that still runs can hold it up.
_END_SECONDS = {"stdio": 5.0, "http": 2.0, "memory": 1.0}


class Life:
    """An open client of the SDK. Everything here runs in the background loop.

    The SDK's contexts must be left by the task that entered them. So one task of its own
    holds them open until `close` is called or the server is gone.

    Attributes:
        client: the `mcp.Client`, once `open` has returned.
        cause: what ended this life, when it was neither `close` nor the end of the stream.
    """

    client: Any

    def __init__(self, name: str, way: Way, wire: Wire, *, mode: str, timeout: float) -> None:
        self._name, self._way, self._wire = name, way, wire
        self._mode, self._timeout = mode, timeout
        self._scope = anyio.CancelScope()
        self._stop, self._ready, self._ended = anyio.Event(), anyio.Event(), anyio.Event()
        self._first_frame = len(wire.frames)
        self.cause: BaseException | None = None

    @property
    def over(self) -> bool:
        """Nothing can be asked any more."""
        return self._stop.is_set() or self._ended.is_set()

    async def open(self) -> None:
        """Start the transport and agree on a version of the protocol.

        Raises:
            ConnectionFailed: the server cannot be started or reached, or it does not answer.
        """
        self._task = asyncio.create_task(self._hold())
        try:
            with anyio.move_on_after(self._timeout) as limit:
                await self._ready.wait()
        finally:
            if not self._ready.is_set():  # out of time, or interrupted
                self._scope.cancel()
        if limit.cancelled_caught:
            raise await self.failure(f"it did not answer within {self._timeout:g} s.")
        if self._ended.is_set():
            raise await self.failure(_why_not_opened(self.cause))

    async def _hold(self) -> None:
        try:
            from mcp import Client
            from mcp_types import Implementation

            from mcplab import __version__

            import_jsonschema()
            with self._scope:
                client = Client(
                    Tap(self._way.transport(self._wire), self._wire, self._stop.set),
                    mode=self._mode,
                    read_timeout_seconds=self._timeout,
                    client_info=Implementation(name="mcplab", version=__version__),
                )
                async with client as self.client:
                    self._ready.set()
                    await self._stop.wait()
        except Exception as error:
            self.cause = _innermost(error)
        finally:
            self._ended.set()
            self._ready.set()

    def end(self) -> None:
        """Begin to end this life; a child process is ended too."""
        self._stop.set()

    async def close(self) -> None:
        """End this life and wait until the server is gone, but not for ever."""
        self.end()
        with anyio.move_on_after(_END_SECONDS[self._way.kind]):
            await self._ended.wait()

    async def failure(self, reason: str) -> ConnectionFailed:
        """The error that says why there is no connection; ends this life first."""
        await self.close()
        return ConnectionFailed(f"No connection to “{self._name}”: {reason}{self.details()}")

    def details(self) -> str:
        """What a person may want to know of a failure, on lines of its own.

        A model must not see it: there are paths in it, and what the server printed.
        """
        lines = [f"The server: {self._way.where}"]
        strays = [frame for frame in self._wire.frames[self._first_frame :] if not frame.message]
        if strays:
            lines.append(
                f"On its standard output {strays[0].note}. "
                "That stream is for the protocol only: print to sys.stderr instead."
            )
        errors = self._way.log().splitlines()[-15:] if self._way.kind == "stdio" else []
        if errors:
            lines += ["Its error output ends with:", *(f"    {line}" for line in errors)]
        return "".join(f"\n{line}" for line in lines)


def _innermost(error: BaseException) -> BaseException:
    """The first real error in a group of errors."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _why_not_opened(cause: BaseException | None) -> str:
    import httpx2
    from mcp import MCPError
    from mcp_types import CONNECTION_CLOSED

    match cause:
        case None:
            return "the server ended."
        case FileNotFoundError():
            return "there is no such program."
        case PermissionError():
            return "this program may not be run."
        case httpx2.ConnectError():
            return "nobody listens there. Is the server running, and is the port right?"
        case MCPError() if cause.code == CONNECTION_CLOSED:
            return "it ended before it answered."
        case MCPError():
            return f"it did not answer as an MCP server does (“{cause}”)."
        case _:
            return f"{type(cause).__name__}: {cause}."
