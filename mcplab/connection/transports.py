"""The three ways to a server: in memory, a child process (stdio), Streamable HTTP.

`transport(wire)` makes a fresh transport of the SDK each time, so that a connection can be
opened again; `log()` is what the server wrote beside the protocol; `stop()` lets go of what
the way itself holds.
"""

from __future__ import annotations

import logging
import os
import tempfile
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import IO, TYPE_CHECKING, Any, Literal, Protocol, TextIO, cast

from mcplab._mcp_private import memory_transport
from mcplab._portal import THREAD_NAME
from mcplab.connection.http_host import THREAD_NAME as HTTP_THREAD_NAME
from mcplab.connection.http_host import HttpHost

if TYPE_CHECKING:
    from mcplab.connection.wire import Wire

__all__ = ["Http", "Kind", "Memory", "Stdio", "Way", "keep_logs"]

Kind = Literal["memory", "stdio", "http"]
Transport = AbstractAsyncContextManager[tuple[Any, Any]]

# The SDK's own limit, 1 MiB, is less than a large tool result.
_LARGEST_EVENT = 64 * 2**20
_LONGEST_LOG = 20_000  # bytes


class Way(Protocol):
    """How to reach one server."""

    kind: Kind
    where: str

    def transport(self, wire: Wire) -> Transport: ...

    def log(self) -> str: ...

    def stop(self) -> None: ...


class Memory:
    """A server object of this process, without any pipe or port."""

    kind: Kind = "memory"

    def __init__(self, server: Any) -> None:
        self.server = server
        self.where = "in memory"

    def transport(self, wire: Wire) -> Transport:
        return memory_transport(self.server)  # type: ignore[no-any-return]

    def log(self) -> str:
        return "\n".join(_kept_lines)

    def stop(self) -> None: ...


class Stdio:
    """A child process; its error output goes to a file, so that it can be shown."""

    kind: Kind = "stdio"

    def __init__(self, command: Sequence[str]) -> None:
        self.command = list(command)
        self.where = " ".join(self.command)
        self._errors: IO[bytes] | None = None
        self._log = ""

    def transport(self, wire: Wire) -> Transport:
        from mcp.client.stdio import StdioServerParameters, stdio_client

        self.stop()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed by stop()
        program, *arguments = self.command
        parameters = StdioServerParameters(command=program, args=arguments)
        return stdio_client(parameters, errlog=cast(TextIO, self._errors))

    def log(self) -> str:
        if self._errors is not None:
            # The child shares the position in the file: leave it at the end.
            size = self._errors.seek(0, os.SEEK_END)
            self._errors.seek(max(0, size - _LONGEST_LOG))
            self._log = self._errors.read().decode("utf-8", "replace").strip()
        return self._log

    def stop(self) -> None:
        if self._errors is not None:
            self.log()
            self._errors.close()
            self._errors = None


class Http:
    """A server that listens somewhere on this machine; `host` is it, if we started it."""

    kind: Kind = "http"

    def __init__(self, url: str, host: HttpHost | None = None) -> None:
        self.where = url
        self._host = host

    @asynccontextmanager
    async def transport(self, wire: Wire) -> AsyncIterator[tuple[Any, Any]]:
        import httpx2
        from mcp.client.streamable_http import streamable_http_client

        async with (
            httpx2.AsyncClient(
                event_hooks={"request": [wire.on_request], "response": [wire.on_response]},
                # A tool may think for minutes before its stream carries anything.
                timeout=httpx2.Timeout(30.0, read=None),
                # No proxy of the environment: it would carry the call off this machine.
                trust_env=False,
            ) as client,
            streamable_http_client(
                self.where, http_client=client, max_sse_event_size=_LARGEST_EVENT
            ) as streams,
        ):
            yield streams

    def log(self) -> str:
        return "\n".join(_kept_lines) if self._host else ""

    def stop(self) -> None:
        if self._host is not None:
            self._host.stop(patience=0)


_kept_lines: deque[str] = deque(maxlen=200)


class _KeepLines(logging.Handler):
    """Keeps log lines of our background threads, which would appear in some notebook cell."""

    def emit(self, record: logging.LogRecord) -> None:
        if record.threadName in (THREAD_NAME, HTTP_THREAD_NAME):
            _kept_lines.extend(self.format(record).splitlines())
        else:
            logging.getLogger().callHandlers(record)


_keeper = _KeepLines()


def keep_logs() -> None:
    """Keep what the SDK and the HTTP server log in the background, for `log()`.

    What the same packages log in other threads, for the learner's own code, passes.
    """
    for name in ("mcp", "uvicorn", "httpx2", "httpcore2", "asyncio"):
        logger = logging.getLogger(name)
        if _keeper not in logger.handlers:
            logger.addHandler(_keeper)
            logger.propagate = False
