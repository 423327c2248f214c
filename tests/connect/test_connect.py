"""One server, three transports: what a connection gives, and that it stays open."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest

import mcplab
from mcplab.connection import Connection, ConnectionFailed, HttpHost, connect
from mcplab.messages import ToolCall
from mcplab.servers import calculator

LOOKUP = {"expense_id": "E-1042"}


@pytest.fixture(scope="module", params=["memory", "stdio", "http"])
def expenses(request: pytest.FixtureRequest) -> Iterator[Connection]:
    with connect("expenses", transport=request.param) as connection:
        yield connection


def test_the_tools_are_listed_as_soon_as_the_connection_is_open(expenses: Connection) -> None:
    assert [tool.name for tool in expenses.tools] == [
        "lookup_expense",
        "lookup_policy",
        "compute_excess",
        "file_supplement",
    ]
    lookup = expenses.tools[0]
    assert lookup.annotations["readOnlyHint"] is True
    assert lookup.input_schema["required"] == ["expense_id"]
    assert "expense" in lookup.description


def test_the_same_call_gives_the_same_result_on_every_transport(expenses: Connection) -> None:
    result = expenses.call("lookup_expense", LOOKUP)
    assert not result.is_error
    assert result.structured is not None
    assert result.structured["amount"] == "480.00"
    assert '"amount": "480.00"' in result.text


def test_the_exchange_is_what_crossed_the_wire(expenses: Connection) -> None:
    exchange = asyncio.run(
        expenses.call_exchange(ToolCall("toolu_1", "lookup_expense", dict(LOOKUP)))
    )
    assert exchange.into is not None
    assert exchange.out["method"] == "tools/call"
    assert exchange.out["params"]["arguments"] == LOOKUP
    assert exchange.into["id"] == exchange.out["id"]
    assert exchange.into["result"]["structuredContent"]["amount"] == "480.00"
    assert [frame.message for frame in expenses.frames[-2:]] == [exchange.out, exchange.into]
    assert exchange.value.call_id == "toolu_1"
    assert exchange.value.content == tuple(exchange.into["result"]["content"])
    assert (exchange.dialect, exchange.error) == ("mcp", None)
    assert exchange.seconds > 0


def test_listing_again_is_one_more_exchange(expenses: Connection) -> None:
    exchange = asyncio.run(expenses.list_exchange())
    assert exchange.into is not None
    assert exchange.out["method"] == "tools/list"
    assert len(exchange.into["result"]["tools"]) == 4
    assert exchange.value == expenses.tools == expenses.list_tools()


def test_no_call_lists_the_tools_by_itself(expenses: Connection) -> None:
    before = len(expenses.frames)
    expenses.call("lookup_expense", LOOKUP)
    assert [frame.direction for frame in expenses.frames[before:]] == ["->", "<-"]


def test_headers_are_recorded_over_http_only(expenses: Connection) -> None:
    expenses.call("lookup_expense", LOOKUP)
    sent, came = expenses.frames[-2:]
    if expenses.transport == "http":
        assert sent.headers is not None
        assert came.headers is not None
        assert sent.headers["mcp-protocol-version"] == "2026-07-28"
        assert sent.headers["mcp-method"] == "tools/call"
        assert sent.headers["mcp-name"] == "lookup_expense"
        assert came.headers["content-type"] == "application/json"
        assert came.status == 200
    else:
        assert (sent.headers, came.headers, came.status) == (None, None, None)


def test_an_unknown_tool_and_bad_arguments_are_results_with_words(expenses: Connection) -> None:
    unknown = expenses.call("lookup_weather")
    assert unknown.is_error
    assert "Unknown tool: lookup_weather" in unknown.text
    bad = expenses.call("lookup_expense", {"expense_id": 7})
    assert bad.is_error
    assert "expense_id" in bad.text


def test_plain_code_works_while_an_event_loop_runs(expenses: Connection) -> None:
    async def cell() -> str:
        return expenses.call("lookup_expense", LOOKUP).text

    assert "480.00" in asyncio.run(cell())


def test_a_connection_can_be_awaited_in_one_loop_after_the_other(expenses: Connection) -> None:
    for _ in range(2):
        result = asyncio.run(expenses.acall("lookup_expense", LOOKUP))
        assert "480.00" in result.text


def test_parallel_calls_do_not_mix_up_their_results(expenses: Connection) -> None:
    limits = ["100.00", "200.00", "300.00", "400.00"]

    async def all_at_once() -> list[Any]:
        calls = [
            ToolCall(limit, "compute_excess", {"amount": "480.00", "limit": limit})
            for limit in limits
        ]
        return await asyncio.gather(*(expenses.call_exchange(call) for call in calls))

    exchanges = asyncio.run(all_at_once())
    assert [exchange.value.call_id for exchange in exchanges] == limits
    assert [exchange.value.structured["excess"] for exchange in exchanges] == [
        "380.00",
        "280.00",
        "180.00",
        "80.00",
    ]
    for exchange in exchanges:
        assert exchange.out["params"]["arguments"]["limit"] == exchange.value.call_id


def test_what_the_server_says_of_itself(expenses: Connection) -> None:
    assert expenses.server_info == {"name": "expenses", "version": "1.0"}
    assert "invented" in expenses.instructions
    assert expenses.protocol_version == "2026-07-28"
    assert repr(expenses) == (f"<connection to expenses over {expenses.transport}: 4 tools, open>")


def test_the_legacy_handshake_can_be_chosen() -> None:
    with connect(calculator, mode="legacy") as old:
        assert old.protocol_version == "2025-11-25"
        methods = [frame.message.get("method") for frame in old.frames if frame.direction == "->"]
        assert methods == ["initialize", "notifications/initialized", "tools/list"]
        assert old.call("add", {"a": 1, "b": 2}).text == "3"


def test_an_object_a_module_and_a_url_are_targets_too() -> None:
    host = HttpHost(calculator.server)
    try:
        for target in (calculator.server, calculator, host.url):
            with connect(target) as tools:
                assert tools.call("multiply", {"a": 12, "b": 30}).text == "360"
        assert host.url.startswith("http://127.0.0.1:")
    finally:
        host.stop()


@pytest.mark.parametrize("transport", ["memory", "http"])
def test_a_learners_file_can_run_inside_this_process_too(
    tmp_path: Path, transport: Literal["memory", "http"]
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from mcp.server.mcpserver import MCPServer\n"
        "mine = MCPServer('mine', log_level='WARNING')\n"
        "mine.add_tool(lambda: 'hello', name='greet')\n"
    )
    with connect(file, transport=transport) as tools:
        assert tools.name == "mine"
        assert tools.call("greet").text == "hello"
    file.write_text("import nothing_of_that_name\n")
    with pytest.raises(ConnectionFailed, match="No module named 'nothing_of_that_name'"):
        connect(file, transport=transport)
    file.write_text("server = 'not one'\n")
    with pytest.raises(ConnectionFailed, match="one MCPServer object at its top level"):
        connect(file, transport=transport)


def test_two_connections_at_once_keep_their_frames_apart() -> None:
    with connect("calculator") as one, connect("calculator", transport="http") as two:
        assert one.call("add", {"a": 1, "b": 2}).text == "3"
        assert two.call("multiply", {"a": 2, "b": 3}).text == "6"
        assert [frame.message["params"]["name"] for frame in one.frames[-2:-1]] == ["add"]
        assert [frame.message["params"]["name"] for frame in two.frames[-2:-1]] == ["multiply"]


def test_closing_twice_is_fine_and_a_call_afterwards_says_what_to_do() -> None:
    tools = connect("calculator")
    tools.close()
    tools.close()
    assert tools.closed
    assert "closed" in repr(tools)
    with pytest.raises(ConnectionFailed, match=r"is closed.*connect\(\)"):
        tools.call("add", {"a": 1, "b": 2})


def test_an_async_with_block_closes_it() -> None:
    async def use() -> Connection:
        async with connect("calculator") as tools:
            assert (await tools.acall("add", {"a": 1, "b": 2})).text == "3"
            return tools

    assert asyncio.run(use()).closed


def test_the_package_is_the_function_too() -> None:
    with mcplab.connect("calculator") as tools:
        assert tools.name == "calculator"


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("nowhere.py", r"no file .*nowhere\.py"),
        (["no-such-program-here"], "no such program"),
        ("calculater", "name of a mock server .calculator, expenses"),
        (print, "pass them as tools="),
        ([print], "pass them as tools="),
        ([], "is no server"),
        (["cat"], "did not answer as an MCP server does"),
        ("http://example.com/mcp", "another machine"),
        ("http://127.0.0.1:9/mcp", "nobody listens there"),
        ("http://ann:secret@127.0.0.1:9/mcp", "must not hold a user name"),
    ],
)
def test_a_target_that_is_none_says_what_is_wrong(target: Any, words: str) -> None:
    with pytest.raises(ConnectionFailed, match=words):
        connect(target)


def test_a_mode_that_is_none_says_which_there_are() -> None:
    with pytest.raises(ConnectionFailed, match="mode must be 'legacy', 'auto'"):
        connect("calculator", mode="2099-01-01")


def test_a_transport_that_does_not_fit_the_target_is_refused() -> None:
    with pytest.raises(ConnectionFailed, match="For stdio give its file"):
        connect(calculator.server, transport="stdio")
    with pytest.raises(ConnectionFailed, match="over http, not over memory"):
        connect("http://127.0.0.1:9/mcp", transport="memory")
