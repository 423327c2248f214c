"""A server of this process, offered over Streamable HTTP on a free port of 127.0.0.1."""

from __future__ import annotations

import socket
import threading
from typing import Any

__all__ = ["THREAD_NAME", "HttpHost"]

THREAD_NAME = "mcplab http server"


class HttpHost:
    """Serves one `MCPServer` in the background until `stop` is called.

    It has a thread and an event loop of its own, as a server elsewhere would have: a tool
    that blocks it cannot block the client.

    Attributes:
        url: where the server answers, ``http://127.0.0.1:<port>/mcp``.
    """

    def __init__(self, server: Any) -> None:
        import uvicorn

        # The protocol is named because asyncio turns off Nagle's algorithm (40 ms a call)
        # only for sockets that say TCP.
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.bind(("127.0.0.1", 0))
        listener.listen()  # a client that comes before the server runs just waits
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
        config = uvicorn.Config(
            server.streamable_http_app(),
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(
            target=self._server.run,
            kwargs={"sockets": [listener]},
            name=THREAD_NAME,
            daemon=True,
        )
        self._thread.start()

    def stop(self, patience: float = 3.0) -> None:
        """Stop serving, and wait up to `patience` seconds for running calls to end."""
        self._server.should_exit = True
        self._thread.join(patience)
