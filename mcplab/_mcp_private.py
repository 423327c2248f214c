"""What mcplab needs of the `mcp` package beyond its public names, in one place.

`tests/connect/test_mcp_private.py` fails when a new release moves any of it.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

__all__ = ["import_jsonschema", "memory_transport"]


def memory_transport(server: Any) -> Any:
    """The in-memory transport that carries real JSON-RPC frames.

    ``mcp.Client(server)`` would not do: in the modern protocol it calls the server
    directly, and then there are no frames to look at.
    """
    from mcp.client._memory import InMemoryTransport

    return InMemoryTransport(server)


def import_jsonschema() -> None:
    """Import `jsonschema` without the seconds that its largest format check takes.

    The SDK imports `jsonschema` when the first result with an output schema arrives. Beside
    JupyterLab that import compiles a grammar for international addresses (2 to 5 s), which
    the SDK never uses: it checks no formats. So that one optional package is hidden from
    `jsonschema` while it is imported.
    """
    if "jsonschema" in sys.modules or "rfc3987_syntax" in sys.modules:
        return
    sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]
    try:
        import_module("jsonschema")
    finally:
        del sys.modules["rfc3987_syntax"]
