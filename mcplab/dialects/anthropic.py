"""Anthropic Messages (``POST /v1/messages``).

A tool request is a ``tool_use`` block with an ``input`` *object*; all results of a round
go back as ``tool_result`` blocks at the start of *one* user message. The system prompt is
a field of its own. Shapes follow the types of the `anthropic` package, 2.14
(``anthropic/types/message_param.py``, ``tool_param.py``, ``tool_choice_param.py``).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from mcplab.dialects.base import Request, block_as_text, result_blocks
from mcplab.messages import (
    JSON,
    Message,
    Reply,
    StopReason,
    Tool,
    ToolCall,
    ToolChoice,
    ToolResult,
    Usage,
)

__all__ = ["ANTHROPIC", "AnthropicMessages"]

_STOP: dict[str, StopReason] = {
    "tool_use": "tool_use",
    "end_turn": "end",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "stop_sequence": "stop_sequence",
    "refusal": "refusal",
    "pause_turn": "pause",
}
_STOP_ON_WIRE: dict[StopReason, str] = {
    "tool_use": "tool_use",
    "end": "end_turn",
    "length": "max_tokens",
    "stop_sequence": "stop_sequence",
    "refusal": "refusal",
    "pause": "pause_turn",
}


@dataclass(frozen=True, slots=True)
class AnthropicMessages:
    """The dialect of ``anthropic.Anthropic().messages``; see `mcplab.dialects.base.Dialect`."""

    name: str = "anthropic"

    def opening(self, question: str, system: str | None = None) -> tuple[JSON, ...]:
        """One user message; the system prompt is not a message here."""
        return ({"role": "user", "content": question},)

    def request(
        self,
        *,
        model: str,
        messages: Sequence[JSON],
        tools: Sequence[Tool] = (),
        tool_choice: ToolChoice | None = None,
        system: str | None = None,
        max_tokens: int = 1024,
    ) -> JSON:
        """The request body; empty parts are left out."""
        body: JSON = {"model": model, "max_tokens": max_tokens, "messages": list(messages)}
        if system:
            body["system"] = system
        if tools:
            body["tools"] = [_write_tool(tool) for tool in tools]
        if tool_choice is not None:
            body["tool_choice"] = _write_choice(tool_choice)
        return body

    def read_reply(self, response: JSON) -> Reply:
        """Text blocks joined, ``tool_use`` blocks as calls, ``stop_reason`` as `stop`."""
        blocks: list[JSON] = response["content"]
        usage = response.get("usage") or {}
        return Reply(
            text="".join(b["text"] for b in blocks if b["type"] == "text"),
            calls=tuple(_read_call(b) for b in blocks if b["type"] == "tool_use"),
            stop=_STOP.get(response.get("stop_reason") or "", "end"),
            usage=Usage(usage.get("input_tokens") or 0, usage.get("output_tokens") or 0),
        )

    def assistant_message(self, response: JSON) -> JSON:
        """All content blocks, text beside tool requests included."""
        return {"role": "assistant", "content": response["content"]}

    def result_messages(self, results: Sequence[ToolResult]) -> tuple[JSON, ...]:
        """One user message that starts with a ``tool_result`` block for every result."""
        return ({"role": "user", "content": [_write_result(result) for result in results]},)

    def read_request(self, body: JSON) -> Request:
        """See `Dialect.read_request`; system blocks and content blocks become text."""
        messages: list[Message] = []
        if system := _text_of(body.get("system") or ""):
            messages.append(Message("system", system))
        for wire in body["messages"]:
            messages.extend(_read_message(wire))
        return Request(
            messages=tuple(messages),
            tools=tuple(_read_tool(tool) for tool in body.get("tools") or ()),
            tool_choice=_read_choice(body.get("tool_choice")),
            model=body["model"],
            max_tokens=body.get("max_tokens"),
        )

    def write_response(self, reply: Reply, *, model: str, response_id: str, created: int) -> JSON:
        """A ``message`` object. Anthropic's carries no creation time, so `created` is unused."""
        content: list[JSON] = [{"type": "text", "text": reply.text}] if reply.text else []
        content.extend(_write_call(call) for call in reply.calls)
        return {
            "id": response_id,
            "type": "message",
            "role": "assistant",
            "model": model,
            "content": content,
            "stop_reason": _STOP_ON_WIRE[reply.stop],
            "stop_sequence": None,
            "usage": {
                "input_tokens": reply.usage.input,
                "cache_creation_input_tokens": 0,
                "cache_read_input_tokens": 0,
                "output_tokens": reply.usage.output,
            },
        }


ANTHROPIC = AnthropicMessages()


def _write_tool(tool: Tool) -> JSON:
    wire: JSON = {"name": tool.name, "input_schema": tool.input_schema}
    if tool.description:
        wire["description"] = tool.description
    if tool.strict:
        wire["strict"] = True
    return wire


def _read_tool(wire: JSON) -> Tool:
    return Tool(
        name=wire["name"],
        description=wire.get("description") or "",
        input_schema=wire.get("input_schema") or {"type": "object"},
        strict=bool(wire.get("strict")),
    )


def _write_choice(choice: ToolChoice) -> JSON:
    wire: JSON = {"type": choice.mode}
    if choice.mode == "tool":
        wire["name"] = choice.name
    if not choice.parallel and choice.mode != "none":
        wire["disable_parallel_tool_use"] = True
    return wire


def _read_choice(wire: JSON | None) -> ToolChoice:
    if wire is None:
        return ToolChoice()
    return ToolChoice(
        wire["type"], wire.get("name"), parallel=not wire.get("disable_parallel_tool_use")
    )


def _write_call(call: ToolCall) -> JSON:
    # `input` is an object on this wire: arguments that were not one cannot be written.
    return {"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments or {}}


def _read_call(block: JSON) -> ToolCall:
    arguments = block["input"] if isinstance(block["input"], dict) else None
    try:
        raw = json.dumps(block["input"], ensure_ascii=False)
    except RecursionError:
        raw = ""  # nested too deep to write out; `arguments` still holds it
    return ToolCall(block["id"], block["name"], arguments, raw)


def _write_result(result: ToolResult) -> JSON:
    wire: JSON = {"type": "tool_result", "tool_use_id": result.call_id}
    blocks = [_write_block(block) for block in result_blocks(result)]
    only_text = len(blocks) == 1 and blocks[0]["type"] == "text"
    wire["content"] = blocks[0]["text"] if only_text else blocks
    if result.is_error:
        wire["is_error"] = True
    return wire


def _write_block(block: JSON) -> JSON:
    if block.get("type") == "image" and "data" in block and "mimeType" in block:
        source = {"type": "base64", "media_type": block["mimeType"], "data": block["data"]}
        return {"type": "image", "source": source}
    return {"type": "text", "text": block_as_text(block)}


def _read_message(wire: JSON) -> Iterator[Message]:
    content = wire["content"]
    if wire["role"] == "assistant":
        blocks = [] if isinstance(content, str) else content
        calls = tuple(_read_call(b) for b in blocks if b.get("type") == "tool_use")
        yield Message("assistant", _text_of(content), calls=calls)
        return
    if not isinstance(content, str):
        results = tuple(_read_result(b) for b in content if b.get("type") == "tool_result")
        if results:
            yield Message("tool", results=results)
    if text := _text_of(content):
        # Newer models accept `system` in the middle of a conversation (SystemMessageParam).
        yield Message("system" if wire["role"] == "system" else "user", text)


def _read_result(block: JSON) -> ToolResult:
    content = block.get("content") or ()
    if isinstance(content, str):
        content = ({"type": "text", "text": content},)
    return ToolResult(block["tool_use_id"], tuple(content), bool(block.get("is_error")))


def _text_of(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(str(b["text"]) for b in content if b.get("type") == "text")
