"""What can go wrong between a host and a server.

```
McplabError
├── ConnectionFailed    there is no connection: it could not be opened, or it is closed
├── ServerDied          the server went away while a call was running
├── ToolTimeout         the server did not answer in time; the call was cancelled
└── ProtocolError       the server answered, but refused the request or broke the protocol
```

A tool that *ran* and failed is none of these: that is a result with `is_error`.
"""

from __future__ import annotations

from mcplab.errors import McplabError

__all__ = ["ConnectionFailed", "ProtocolError", "ServerDied", "ToolTimeout"]


class ConnectionFailed(McplabError):
    """There is no connection: it could not be opened, or it is closed."""


class ServerDied(McplabError):
    """The server went away while a call was running."""


class ToolTimeout(McplabError):
    """The server did not answer in time; the call was cancelled."""


class ProtocolError(McplabError):
    """The server answered with a JSON-RPC error, or with something that is no answer.

    Attributes:
        code: the JSON-RPC error code, or ``None`` when the answer itself was malformed.
    """

    def __init__(self, message: str, code: int | None = None) -> None:
        super().__init__(message)
        self.code = code
