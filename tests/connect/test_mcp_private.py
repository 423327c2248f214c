"""The private names of other packages that mcplab uses still do what it needs."""

from __future__ import annotations

import subprocess
import sys

import anyio

from mcplab._mcp_private import memory_transport
from mcplab.connection.wire import Tap, Wire
from mcplab.servers.calculator import server


def test_the_memory_transport_carries_json_rpc_frames() -> None:
    from mcp import Client

    wire = Wire()

    async def go() -> None:
        async with Client(Tap(memory_transport(server), wire, lambda: None)) as client:
            await client.list_tools()

    anyio.run(go)
    assert [frame.message.get("method") for frame in wire.frames] == [
        "server/discover",
        None,
        "tools/list",
        None,
    ]
    assert wire.frames[-1].message["result"]["tools"][0]["name"] == "add"


def test_jsonschema_is_imported_without_its_slow_format_check() -> None:
    script = """
import importlib.util, sys
from mcplab._mcp_private import import_jsonschema
import_jsonschema()
import jsonschema
jsonschema.validate({"n": 1}, {"type": "object", "required": ["n"]})
assert "rfc3987_syntax" not in sys.modules
assert importlib.util.find_spec("rfc3987_syntax"), "still there for who wants it"
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
