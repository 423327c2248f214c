"""What can go wrong: each gets clear words, nothing hangs, and the connection goes on."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest
from connect_support import SERVERS, eventually, gone
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from mcplab.connection import (
    Connection,
    ConnectionFailed,
    HttpHost,
    ProtocolError,
    ServerDied,
    ToolTimeout,
    connect,
    connection,
)
from mcplab.drivers import Exchange
from mcplab.errors import McplabError
from mcplab.messages import ToolCall


def exchange_of(tools: Connection, name: str) -> Exchange:
    return asyncio.run(tools.call_exchange(ToolCall("call_1", name, {})))


# The server dies -------------------------------------------------------------------------


def test_a_server_that_dies_at_start_is_quoted() -> None:
    with pytest.raises(ConnectionFailed) as caught:
        connect(SERVERS / "dies_at_start.py")
    first, *details = str(caught.value).splitlines()
    assert first == "No connection to “dies_at_start”: it ended before it answered."
    assert details[-1].strip() == "ValueError: the settings file is missing"
    assert any("'Starting up ...'" in line and "sys.stderr" in line for line in details)


def test_a_server_that_does_not_answer_at_start_is_given_up_and_ended() -> None:
    with pytest.raises(ConnectionFailed, match=r"did not answer within 0\.3 s"):
        connect(SERVERS / "never_answers.py", timeout=0.3)


def test_an_interrupt_while_the_server_starts_ends_the_server(tmp_path: Path) -> None:
    marker = tmp_path / "started"
    server = tmp_path / "slow_start.py"
    server.write_text(
        f"import os, sys\nopen({str(marker)!r}, 'w').write(str(os.getpid()))\nsys.stdin.read()\n"
    )

    def interrupt_when_it_runs() -> None:
        eventually(lambda: marker.exists() and bool(marker.read_text()))
        signal.pthread_kill(main, signal.SIGINT)

    main = threading.main_thread().ident or 0
    threading.Thread(target=interrupt_when_it_runs).start()
    with pytest.raises(KeyboardInterrupt):
        connect(server)
    assert eventually(lambda: gone(int(marker.read_text())))


def test_a_server_that_dies_in_mid_call_is_quoted_and_started_again(odd: Connection) -> None:
    first_pid = odd.call("pid").text
    with pytest.raises(ServerDied) as caught:
        odd.call("die")
    first, *details = str(caught.value).splitlines()
    assert first == (
        "“odd” was gone before the answer from the tool “die” came; how far it got is not known. "
        "The next call starts it again."
    )
    assert details[-1].strip() == "Traceback: the disk is on fire"
    assert "server gone" in repr(odd)
    assert odd.call("pid").text != first_pid
    assert odd.restarts == 1
    assert "restarted 1×" in repr(odd)


def test_a_death_is_an_answer_and_keeps_paths_from_the_model(odd: Connection) -> None:
    exchange = exchange_of(odd, "die")
    assert exchange.value.is_error
    assert exchange.value.call_id == "call_1"
    assert exchange.value.text.startswith("“odd” was gone before the answer")
    assert sys.executable not in exchange.value.text
    assert "Traceback" not in exchange.value.text
    assert exchange.error is not None
    assert "Traceback: the disk is on fire" in exchange.error
    assert exchange.out["params"]["name"] == "die"
    assert exchange.into is None
    assert not exchange_of(odd, "pid").value.is_error


def test_all_calls_that_were_running_get_an_answer_when_the_server_dies(odd: Connection) -> None:
    async def go() -> list[Exchange]:
        names = ("hang", "hang", "die")
        return await asyncio.gather(*(odd.call_exchange(ToolCall(n, n, {})) for n in names))

    assert all(e.value.is_error and "was gone" in e.value.text for e in asyncio.run(go()))
    assert odd.call("pid").text
    assert odd.restarts == 1


def test_a_server_killed_between_two_calls_is_started_again(odd: Connection) -> None:
    pid = int(odd.call("pid").text)
    os.kill(pid, signal.SIGKILL)
    assert eventually(lambda: odd.client is None)
    assert odd.call("pid").text != str(pid)


def test_a_server_that_cannot_be_started_again_gives_an_error_result(odd: Connection) -> None:
    odd._link.way.command = [sys.executable, str(SERVERS / "dies_at_start.py")]
    assert exchange_of(odd, "die").value.is_error
    again = exchange_of(odd, "pid")
    assert again.value.is_error
    assert again.value.text == "No connection to “odd”: it ended before it answered."
    assert again.out == {
        "jsonrpc": "2.0",
        "method": "tools/call",
        "params": {"name": "pid", "arguments": {}},
    }
    listing = asyncio.run(odd.list_exchange())
    assert listing.value is None
    assert listing.error is not None


def test_an_http_server_that_went_away_is_named_and_reached_again_when_it_is_back() -> None:
    server = MCPServer("here", log_level="WARNING")
    server.add_tool(lambda: "pong", name="ping")
    host = HttpHost(server)
    with connect(host.url, name="here") as tools:
        assert tools.call("ping").text == "pong"
        host.stop()
        with pytest.raises(ConnectionFailed, match="nobody listens there") as caught:
            tools.call("ping")
        assert host.url in str(caught.value)
        assert exchange_of(tools, "ping").value.is_error
        back = HttpHost(server)
        tools._link.way.where = back.url
        assert tools.call("ping").text == "pong"
        assert tools.restarts == 1
        back.stop()


# The tool hangs --------------------------------------------------------------------------


def test_a_tool_that_hangs_is_cancelled_and_the_connection_goes_on(odd: Connection) -> None:
    with pytest.raises(ToolTimeout, match=r"No answer from the tool “hang” within 0\.2 s"):
        odd.call("hang", timeout=0.2)
    assert odd.frames[-1].message["method"] == "notifications/cancelled"
    assert odd.call("pid").text
    assert "got notifications/cancelled" in odd.log
    assert odd.restarts == 0


def test_a_hang_is_an_answer_that_says_it_timed_out() -> None:
    command = [sys.executable, str(SERVERS / "odd.py")]
    with connect(command, name="odd", timeout=0.5) as tools:
        exchange = exchange_of(tools, "hang")
    assert exchange.value.timed_out
    assert exchange.value.is_error
    assert exchange.into is None
    assert exchange.error == exchange.value.text


def test_cancelling_an_awaited_call_cancels_it_on_the_server(odd: Connection) -> None:
    async def go() -> None:
        with anyio.move_on_after(0.2):
            await odd.call_exchange(ToolCall("1", "hang", {}))

    asyncio.run(go())
    assert eventually(lambda: "got notifications/cancelled" in odd.log)
    assert odd.call("pid").text


def test_an_interrupt_cancels_the_call_and_the_connection_goes_on(odd: Connection) -> None:
    def interrupt_when_the_call_is_out() -> None:
        eventually(lambda: odd.frames[-1].message.get("method") == "tools/call")
        signal.pthread_kill(main, signal.SIGINT)

    main = threading.main_thread().ident or 0
    threading.Thread(target=interrupt_when_the_call_is_out).start()
    with pytest.raises(KeyboardInterrupt):
        odd.call("hang")
    assert eventually(lambda: "got notifications/cancelled" in odd.log)
    assert odd.call("pid").text
    assert odd.restarts == 0


@pytest.fixture(scope="module")
def slow_server() -> MCPServer:
    server = MCPServer("slow", log_level="WARNING")
    server.released = threading.Event()
    server.cancelled = threading.Event()

    @server.tool()
    def wait_in_a_thread() -> str:
        server.released.wait(30)
        return "late"

    @server.tool()
    async def wait_in_the_loop() -> str:
        server.released.wait(30)
        return "late"

    @server.tool()
    async def wait_politely() -> str:
        try:
            await anyio.sleep(30)
        except BaseException:
            server.cancelled.set()
            raise
        return "late"

    @server.tool()
    def ping() -> str:
        return "pong"

    return server


def test_a_plain_function_that_hangs_blocks_neither_calls_nor_closing(
    slow_server: MCPServer,
) -> None:
    slow_server.released.clear()
    with connect(slow_server) as tools:
        with pytest.raises(ToolTimeout):
            tools.call("wait_in_a_thread", timeout=0.2)
        assert tools.call("ping").text == "pong"
    slow_server.released.set()


def test_an_async_tool_that_blocks_the_loop_is_named_as_the_mistake_that_it_is(
    slow_server: MCPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "_GRACE", 0.3)
    slow_server.released.clear()
    with connect(slow_server) as tools:
        with pytest.raises(ToolTimeout, match="must not call blocking code"):
            tools.call("wait_in_the_loop", timeout=0.2)
        slow_server.released.set()
        monkeypatch.undo()
        assert tools.call("ping").text == "pong"


def test_over_http_a_cancelled_call_closes_its_stream_and_the_record_says_so(
    slow_server: MCPServer,
) -> None:
    slow_server.cancelled.clear()
    with connect(slow_server, transport="http") as tools:
        with pytest.raises(ToolTimeout):
            tools.call("wait_politely", timeout=0.3)
        assert slow_server.cancelled.wait(10)
        cancel = tools.frames[-1]
        assert cancel.message["method"] == "notifications/cancelled"
        assert cancel.note.startswith("not sent")
        assert tools.call("ping").text == "pong"


# The tool fails, or answers oddly --------------------------------------------------------


@pytest.fixture(scope="module", params=["memory", "http"])
def failing(request: pytest.FixtureRequest) -> Iterator[Connection]:
    server = MCPServer("failing", log_level="WARNING")

    @server.tool()
    def crash() -> str:
        raise KeyError("a secret detail")

    @server.tool()
    def refuse() -> str:
        raise ToolError("The booking is closed. Book before noon.")

    @server.tool()
    def big() -> str:
        return "x" * 5_000_000

    with connect(server, transport=request.param) as tools:
        yield tools


def test_a_tool_that_crashes_is_an_error_result_and_its_traceback_is_in_the_log(
    failing: Connection, capfd: pytest.CaptureFixture[str]
) -> None:
    result = failing.call("crash")
    assert result.is_error
    assert result.text == "Error executing tool crash"
    assert "KeyError: 'a secret detail'" in failing.log
    assert capfd.readouterr() == ("", "")


def test_a_tool_that_refuses_says_why(failing: Connection) -> None:
    result = failing.call("refuse")
    assert result.is_error
    assert "Book before noon." in result.text


def test_five_megabytes_arrive_whole_and_are_recorded(failing: Connection) -> None:
    assert len(failing.call("big").text) == 5_000_000
    recorded = failing.frames[-1].message["result"]["content"][0]["text"]
    assert len(recorded) == 5_000_000


def test_five_megabytes_arrive_over_stdio_too(odd: Connection) -> None:
    assert len(odd.call("big").text) == 5_000_000


def test_a_content_block_of_an_unknown_kind_is_kept_and_warned_about(odd: Connection) -> None:
    with pytest.warns(UserWarning, match="unknown kind “hologram”") as caught:
        result = odd.call("hologram")
    assert caught[0].filename == __file__
    assert result.content[1] == {"type": "hologram", "beam": "blue"}
    assert not result.is_error
    exchange = exchange_of(odd, "hologram")
    assert exchange.value.content == result.content
    assert exchange.error == "The result has a content block of unknown kind “hologram”."


@pytest.mark.parametrize(
    ("tool", "words"),
    [
        ("refuse", "refused the tool “refuse” with JSON-RPC error -32602: no such luck"),
        ("nonsense", "has not the form of a result"),
        ("wrong_shape", "'count' is a required property"),
    ],
)
def test_an_answer_against_the_protocol_is_an_error_with_words(
    odd: Connection, tool: str, words: str
) -> None:
    with pytest.raises(ProtocolError, match=words) as caught:
        odd.call(tool)
    assert caught.value.code == (-32602 if tool == "refuse" else None)
    exchange = exchange_of(odd, tool)
    assert exchange.value.is_error
    assert words in exchange.value.text
    assert exchange.into is not None
    assert odd.call("pid").text


def test_a_line_that_is_not_json_rpc_is_recorded_and_does_no_harm(
    odd: Connection, capfd: pytest.CaptureFixture[str]
) -> None:
    assert odd.call("chatter").text
    stray = odd.frames[-2]
    assert stray.message == {}
    assert "'just a debug line'" in stray.note
    assert capfd.readouterr() == ("", "")


def test_arguments_that_are_no_json_are_refused_before_anything_is_sent(odd: Connection) -> None:
    frames = len(odd.frames)
    for arguments in ({"when": object()}, ["a", "list"]):
        with pytest.raises(McplabError, match="cannot be sent as JSON"):
            odd.call("pid", arguments)  # type: ignore[arg-type]
    assert len(odd.frames) == frames


# What is left over -----------------------------------------------------------------------


def test_closing_ends_the_child_process(odd: Connection) -> None:
    pid = int(odd.call("pid").text)
    odd.close()
    assert gone(pid)


def test_closing_during_a_call_gives_the_call_an_answer(odd: Connection) -> None:
    async def go() -> Exchange:
        call = asyncio.create_task(odd.call_exchange(ToolCall("1", "hang", {})))
        await asyncio.to_thread(
            eventually, lambda: odd.frames[-1].message.get("method") == "tools/call"
        )
        await odd.aclose()
        return await call

    exchange = asyncio.run(go())
    assert exchange.value.is_error
    assert exchange.value.text == "The connection was closed while the tool “hang” was running."


def test_a_connection_that_nobody_refers_to_ends_its_server() -> None:
    tools = connect([sys.executable, str(SERVERS / "odd.py")])
    pid = int(tools.call("pid").text)
    del tools
    gc.collect()
    assert eventually(lambda: gone(pid))
