"""What holds for every mock server that comes with mcplab."""

from __future__ import annotations

import ast
import socket
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path

import pytest

from mcplab.connection import Connection, ConnectionFailed, connect, shipped

ALL = pytest.mark.parametrize("name", shipped())


def file_of(name: str) -> Path:
    return Path(str(import_module(f"mcplab.servers.{name}").__file__))


@ALL
def test_it_says_that_it_is_a_mock(name: str) -> None:
    module = import_module(f"mcplab.servers.{name}")
    assert "mock" in str(module.__doc__)
    assert "mock" in module.server.instructions


@ALL
def test_it_can_be_copied_out_since_it_imports_nothing_of_mcplab(name: str) -> None:
    imported = set()
    for node in ast.walk(ast.parse(file_of(name).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            imported.add(str(node.module).partition(".")[0])
    assert imported <= {*sys.stdlib_module_names, "mcp", "mcp_types", "pydantic"}


@ALL
def test_every_tool_describes_itself_its_arguments_and_its_result(name: str) -> None:
    with connect(name) as tools:
        listed = tools.frames[-1].message["result"]["tools"]
    for tool in listed:
        assert len(tool["description"]) > 60
        assert tool["outputSchema"]["properties"]
        assert tool["inputSchema"]["properties"].keys() == set(tool["inputSchema"]["required"])


def connect_when_up(url: str, process: subprocess.Popen[str]) -> Connection:
    while True:
        try:
            return connect(url)
        except ConnectionFailed:
            assert process.poll() is None, process.communicate()[1]
            time.sleep(0.1)


def test_a_copy_runs_as_a_file_over_http_on_this_machine_only(tmp_path: Path) -> None:
    copy = tmp_path / "my_calculator.py"
    copy.write_bytes(file_of("calculator").read_bytes())
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    command = [sys.executable, str(copy), "--http", str(port)]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    try:
        with connect_when_up(f"http://127.0.0.1:{port}/mcp", process) as tools:
            assert tools.call("multiply", {"a": 12, "b": 30}).text == "360"
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection(("127.0.0.2", port))
            process.kill()
            process.wait()
            with pytest.raises(ConnectionFailed, match="nobody listens there"):
                tools.call("multiply", {"a": 12, "b": 30})
    finally:
        process.kill()
        process.communicate()
