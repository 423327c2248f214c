"""Connections to MCP servers: live, recorded, over memory, stdio and Streamable HTTP.

```python
import mcplab

with mcplab.connect("calculator") as tools:
    tools.call("multiply", {"a": 12, "b": 30}).text      # "360"
    tools.frames                                         # what crossed the wire
```

From the outside in: `connection` is what a user holds, `link` keeps the server reachable,
`life` is one open client of the SDK, `wire` records the frames. `targets` finds the way to
a server, `transports` are the three ways.
"""

from __future__ import annotations

from mcplab.connection.connection import Connection, connect
from mcplab.connection.errors import ConnectionFailed, ProtocolError, ServerDied, ToolTimeout
from mcplab.connection.http_host import HttpHost
from mcplab.connection.targets import shipped
from mcplab.connection.wire import Frame

__all__ = [
    "Connection",
    "ConnectionFailed",
    "Frame",
    "HttpHost",
    "ProtocolError",
    "ServerDied",
    "ToolTimeout",
    "connect",
    "shipped",
]
