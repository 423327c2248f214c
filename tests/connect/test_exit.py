"""No process is left over, however the interpreter ends, and nothing keeps it from ending."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

from connect_support import SERVERS, eventually, gone

CONNECT = f"""
import os, sys, time
import mcplab
tools = mcplab.connect([sys.executable, {str(SERVERS / "odd.py")!r}])
pid = tools.call("pid").text
print(pid, flush=True)
"""


def start(script: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_killed_interpreter_leaves_no_server_behind() -> None:
    with start(CONNECT + "sys.stdin.read()") as process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        assert not gone(pid)
        os.kill(process.pid, signal.SIGKILL)
        assert eventually(lambda: gone(pid))


def test_neither_a_fork_nor_a_hanging_tool_keeps_the_interpreter_from_a_clean_exit() -> None:
    script = (
        CONNECT
        + """
child = os.fork()
if child == 0:
    try:
        tools.call("pid")
    except mcplab.McplabError as error:
        print("child:", error, flush=True)
    with mcplab.connect("calculator") as own:
        print("child:", own.call("add", {"a": 1, "b": 2}).text, flush=True)
    tools.close()
    sys.exit()
os.waitpid(child, 0)
print("same server:", tools.call("pid").text == pid)

from mcp.server.mcpserver import MCPServer
server = MCPServer("hangs", log_level="WARNING")

@server.tool()
def hang() -> str:
    time.sleep(1000)

for transport in ("memory", "http"):
    try:
        mcplab.connect(server, transport=transport).call("hang", timeout=0.2)
    except mcplab.McplabError as error:
        print(error)
"""
    )
    with start(script) as process:
        out, err = process.communicate(timeout=60)
    pid, forked, added, same, *hung = out.splitlines()
    assert err == ""
    assert forked.startswith("child: This connection belongs to the process")
    assert added == "child: 3"
    assert same == "same server: True"
    assert len(hung) == 2
    assert all(line.startswith("No answer from the tool “hang” within 0.2 s.") for line in hung)
    assert process.returncode == 0
    assert gone(int(pid))
