"""A connection in a real ipykernel: across cells, interrupted, after a restart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from queue import Empty
from typing import Any

import pytest
from connect_support import SERVERS, eventually, gone
from jupyter_client.manager import KernelManager

ODD = str(SERVERS / "odd.py")
CONNECT = f"""
import sys, threading, mcplab
tools = mcplab.connect([sys.executable, {ODD!r}], name="odd")
"""


@dataclass
class Cell:
    """What running a cell showed."""

    stdout: str = ""
    stderr: str = ""
    value: str = ""
    error: str = ""


class Kernel:
    """A kernel that runs one cell after the other."""

    def __init__(self) -> None:
        self.manager = KernelManager()
        self.manager.start_kernel()
        self.client: Any = None
        self.attach()

    def attach(self) -> None:
        if self.client is not None:
            self.client.stop_channels()
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=60)

    def run(self, code: str, *, interrupt_at: str = "") -> Cell:
        """Run a cell; interrupt it once it has printed `interrupt_at`."""
        cell, request = Cell(), self.client.execute(code)
        while True:
            try:
                message = self.client.get_iopub_msg(timeout=60)
            except Empty:
                pytest.fail(f"the kernel said nothing for a minute; so far: {cell}")
            if message["parent_header"].get("msg_id") != request:
                continue
            content = message["content"]
            match message["msg_type"]:
                case "stream":
                    setattr(cell, content["name"], getattr(cell, content["name"]) + content["text"])
                    if interrupt_at and interrupt_at in cell.stdout:
                        interrupt_at = ""
                        self.manager.interrupt_kernel()
                case "execute_result":
                    cell.value = content["data"]["text/plain"].strip("'")
                case "error":
                    cell.error = "\n".join(content["traceback"])
                case "status" if content["execution_state"] == "idle":
                    return cell

    def restart(self) -> None:
        self.manager.restart_kernel()
        self.attach()

    def stop(self) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel()
        self.manager.cleanup_resources()


@pytest.fixture(scope="module")
def kernel() -> Iterator[Kernel]:
    kernel = Kernel()
    yield kernel
    if kernel.manager.is_alive():
        kernel.stop()


def test_no_cell_shows_what_a_server_logs_and_two_servers_live_side_by_side(
    kernel: Kernel,
) -> None:
    server = """
import mcplab
from mcp.server.mcpserver import MCPServer
server = MCPServer("logs at every level", log_level="DEBUG")

@server.tool()
def crash() -> str:
    raise ValueError("inside")

a = mcplab.connect(server)
b = mcplab.connect(server, transport="http")
"""
    assert kernel.run(server) == Cell()
    assert kernel.run("a.call('crash').text").value == "Error executing tool crash"
    assert kernel.run("b.call('crash').text") == Cell(value="Error executing tool crash")
    assert "ValueError: inside" in kernel.run("print(a.log)").stdout
    assert kernel.run("a.close(); b.close()") == Cell()


def test_a_connection_lives_across_cells_interrupts_and_restarts(kernel: Kernel) -> None:
    assert kernel.run(CONNECT) == Cell()
    first = kernel.run("tools.call('pid').text").value
    assert first.isdigit()
    assert kernel.run("(await tools.acall('pid')).text").value == first

    hang = """
def tell():
    while tools.frames[-1].message.get("method") != "tools/call":
        pass
    print("the call is out", flush=True)

threading.Thread(target=tell).start()
tools.call("hang")
"""
    assert "KeyboardInterrupt" in kernel.run(hang, interrupt_at="the call is out").error
    assert kernel.run("tools.call('pid').text").value == first
    assert "got notifications/cancelled" in kernel.run("print(tools.log)").stdout

    died = kernel.run("tools.call('die')").error
    assert died.startswith("ServerDied: “odd” was gone before the answer")
    assert "Traceback: the disk is on fire" in died
    assert "connection.py" not in died
    second = kernel.run("tools.call('pid').text").value
    assert second != first

    kernel.restart()
    assert eventually(lambda: gone(int(second)))
    assert "NameError" in kernel.run("tools.call('pid')").error
    assert kernel.run(CONNECT) == Cell()
    third = kernel.run("tools.call('pid').text").value

    kernel.stop()
    assert eventually(lambda: gone(int(third)))
