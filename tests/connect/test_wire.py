"""The record of the wire: what it keeps and what it never keeps."""

from __future__ import annotations

import asyncio

import httpx2

from mcplab.connection.wire import Frame, Pair, Wire

LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


def test_credentials_and_cookies_are_never_kept() -> None:
    wire = Wire(http=True)
    wire.sent(LIST)
    secret = {"Authorization": "Bearer abc", "Cookie": "a=b", "Proxy-Authorization": "Basic x"}
    request = httpx2.Request("POST", "http://127.0.0.1/mcp", json=LIST, headers=secret)
    asyncio.run(wire.on_request(request))
    response = httpx2.Response(200, headers={"Set-Cookie": "a=b", "X-Kind": "fine"})
    response.request = request
    asyncio.run(wire.on_response(response))
    wire.received({"jsonrpc": "2.0", "id": 1, "result": {}})
    sent, came = wire.frames
    assert sent.headers is not None
    assert sent.headers["host"] == "127.0.0.1"
    assert not {"authorization", "cookie", "proxy-authorization"} & set(sent.headers)
    assert came.headers == {"x-kind": "fine"}
    assert came.status == 200


def test_a_pair_takes_the_answer_with_its_id_and_no_other() -> None:
    wire = Wire()
    one, two = Pair("tools/list"), Pair("tools/list")
    for number, pair in enumerate((one, two), 1):
        with pair.follow():
            wire.sent({"jsonrpc": "2.0", "id": number, "method": "tools/list"})
    wire.received({"jsonrpc": "2.0", "id": 2, "result": {"tools": []}})
    wire.received({"jsonrpc": "2.0", "method": "notifications/message", "params": {}})
    wire.received({"jsonrpc": "2.0", "id": 1, "error": {"code": -32603, "message": "no"}})
    assert one.into is wire.frames[-1]
    assert two.into is wire.frames[2]


def test_a_request_of_another_method_or_outside_the_block_is_not_followed() -> None:
    wire, pair = Wire(), Pair("tools/call")
    with pair.follow():
        wire.sent(LIST)
    wire.sent({"jsonrpc": "2.0", "id": 2, "method": "tools/call"})
    assert pair.out is None


def test_a_frame_reads_as_one_line() -> None:
    assert str(Frame("->", LIST, 0.0)) == ('-> {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}')
    long = str(Frame("<-", {"text": "x" * 1000}, 0.0, note="cut"))
    assert len(long) < 600
    assert long.endswith("…  (cut)")
