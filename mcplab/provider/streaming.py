"""A finished response, cut into the events of a stream.

The mock model has its whole answer at once, so a stream is made from the response that
would be sent without ``stream``: the SDK's accumulated result is that response again.
Pieces are cut without regard for words, numbers or the escapes of JSON text, as on the real
wire. The order of events follows the SDKs' types and their accumulators.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from mcplab.messages import JSON

__all__ = ["anthropic_events", "chat_events"]

_PIECE = 7
"""Characters in a piece: short, and no divisor of anything."""


def _pieces(text: str) -> Iterator[str]:
    for start in range(0, len(text), _PIECE):
        yield text[start : start + _PIECE]


def _dumps(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _named(event: JSON) -> bytes:
    return f"event: {event['type']}\ndata: {_dumps(event)}\n\n".encode()


def anthropic_events(response: JSON) -> Iterator[bytes]:
    """The server-sent events of a Messages response."""
    usage = {**response["usage"], "output_tokens": 1}
    empty = {**response, "content": [], "stop_reason": None, "usage": usage}
    yield _named({"type": "message_start", "message": empty})
    for index, block in enumerate(response["content"]):
        yield from _block_events(index, block)
    end = {"stop_reason": response["stop_reason"], "stop_sequence": response["stop_sequence"]}
    yield _named({"type": "message_delta", "delta": end, "usage": response["usage"]})
    yield _named({"type": "message_stop"})


def _block_events(index: int, block: JSON) -> Iterator[bytes]:
    if block["type"] == "text":
        start, kind, key = {**block, "text": ""}, "text_delta", "text"
        pieces = _pieces(block["text"])
    else:
        start, kind, key = {**block, "input": {}}, "input_json_delta", "partial_json"
        # The first piece is empty on the real wire, too.
        pieces = iter(("", *_pieces(_dumps(block["input"]))))
    yield _named({"type": "content_block_start", "index": index, "content_block": start})
    if index == 0:
        yield _named({"type": "ping"})
    for piece in pieces:
        delta = {"type": kind, key: piece}
        yield _named({"type": "content_block_delta", "index": index, "delta": delta})
    yield _named({"type": "content_block_stop", "index": index})


def chat_events(response: JSON, *, include_usage: bool) -> Iterator[bytes]:
    """The server-sent events of a Chat Completions response."""
    choice = response["choices"][0]
    head = {key: response[key] for key in ("id", "created", "model")}
    head["object"] = "chat.completion.chunk"
    rest = {"usage": None} if include_usage else {}

    def chunk(delta: JSON, finish_reason: str | None = None) -> bytes:
        part = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish_reason}
        return _data({**head, "choices": [part], **rest})

    for delta in _chat_deltas(choice["message"]):
        yield chunk(delta)
    yield chunk({}, choice["finish_reason"])
    if include_usage:
        yield _data({**head, "choices": [], "usage": response["usage"]})
    yield b"data: [DONE]\n\n"


def _data(chunk: JSON) -> bytes:
    return f"data: {_dumps(chunk)}\n\n".encode()


def _chat_deltas(message: JSON) -> Iterator[JSON]:
    text, calls = message.get("content"), message.get("tool_calls") or ()
    content = None if text is None else ""
    yield {"role": "assistant", "content": content, "refusal": message.get("refusal")}
    for piece in _pieces(text or ""):
        yield {"content": piece}
    for index, call in enumerate(calls):
        start = {**call["function"], "arguments": ""}
        yield {"tool_calls": [{"index": index, **call, "function": start}]}
        for piece in _pieces(call["function"]["arguments"]):
            yield {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}
