"""OpenAI Chat Completions (``POST /v1/chat/completions``), also spoken by many other servers.

A tool request is an entry of ``tool_calls`` whose ``arguments`` is a JSON *string*; every
result is a ``role: tool`` message of its own; the system prompt is the first message.
Shapes follow the types of the `openai` package, 3.57 (``openai/types/chat/``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mcplab.dialects.base import (
    Request,
    arguments_text,
    block_as_text,
    parse_arguments,
    result_blocks,
)
from mcplab.messages import (
    JSON,
    ChoiceMode,
    Message,
    Reply,
    Role,
    StopReason,
    Tool,
    ToolCall,
    ToolChoice,
    ToolResult,
    Usage,
)

__all__ = ["ERROR_PREFIX", "OPENAI_CHAT", "OpenAIChat"]

ERROR_PREFIX = "Error: "
"""Chat Completions has no error flag for results, so a failure has to say so in its text."""

_STOP: dict[str, StopReason] = {
    "tool_calls": "tool_use",
    "function_call": "tool_use",
    "stop": "end",
    "length": "length",
    "content_filter": "refusal",
}
_STOP_ON_WIRE: dict[StopReason, str] = {
    "tool_use": "tool_calls",
    "end": "stop",
    "stop_sequence": "stop",
    "pause": "stop",
    "length": "length",
    "refusal": "content_filter",
}
_ROLES: dict[str, Role] = {"system": "system", "developer": "system", "user": "user"}
_CHOICES: dict[str, ChoiceMode] = {"auto": "auto", "required": "any", "none": "none"}


@dataclass(frozen=True, slots=True)
class OpenAIChat:
    """The dialect of ``openai.OpenAI().chat.completions``; see `mcplab.dialects.base.Dialect`."""

    name: str = "openai-chat"

    def opening(self, question: str, system: str | None = None) -> tuple[JSON, ...]:
        """The system message, if there is a system prompt, and the user message."""
        first = ({"role": "system", "content": system},) if system else ()
        return (*first, {"role": "user", "content": question})

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
        """The request body; empty parts are left out. `system` is in `opening` already."""
        body: JSON = {
            "model": model,
            "max_completion_tokens": max_tokens,
            "messages": list(messages),
        }
        if tools:
            body["tools"] = [_write_tool(tool) for tool in tools]
        if tool_choice is not None:
            body["tool_choice"] = _write_choice(tool_choice)
            if not tool_choice.parallel:
                body["parallel_tool_calls"] = False
        return body

    def read_reply(self, response: JSON) -> Reply:
        """The first choice: content as text, ``tool_calls`` as calls, ``finish_reason``."""
        choice = response["choices"][0]
        message = choice["message"]
        usage = response.get("usage") or {}
        return Reply(
            text=message.get("content") or message.get("refusal") or "",
            calls=tuple(_read_call(call) for call in message.get("tool_calls") or ()),
            stop=_STOP.get(choice.get("finish_reason") or "", "end"),
            usage=Usage(usage.get("prompt_tokens") or 0, usage.get("completion_tokens") or 0),
        )

    def assistant_message(self, response: JSON) -> JSON:
        """The message of the first choice. Null fields other than ``content`` are left out,

        because compatible servers refuse some of those that their own replies contain.
        """
        message = response["choices"][0]["message"]
        kept = {key: value for key, value in message.items() if value is not None}
        return {"role": "assistant", "content": None, **kept}

    def result_messages(self, results: Sequence[ToolResult]) -> tuple[JSON, ...]:
        """One ``role: tool`` message for every result."""
        return tuple(_write_result(result) for result in results)

    def read_request(self, body: JSON) -> Request:
        """See `Dialect.read_request`; tool messages in a row become one neutral message."""
        messages: list[Message] = []
        for wire in body["messages"]:
            message = _read_message(wire)
            if message.role == "tool" and messages and messages[-1].role == "tool":
                message = Message("tool", results=messages.pop().results + message.results)
            messages.append(message)
        parallel = body.get("parallel_tool_calls") is not False
        return Request(
            messages=tuple(messages),
            tools=tuple(_read_tool(tool) for tool in body.get("tools") or ()),
            tool_choice=_read_choice(body.get("tool_choice"), parallel),
            model=body["model"],
            max_tokens=body.get("max_completion_tokens") or body.get("max_tokens"),
        )

    def write_response(self, reply: Reply, *, model: str, response_id: str, created: int) -> JSON:
        """A ``chat.completion`` object with one choice."""
        message: JSON = {"role": "assistant", "content": reply.text or None, "refusal": None}
        if reply.calls:
            message["tool_calls"] = [_write_call(call) for call in reply.calls]
        choice = {
            "index": 0,
            "message": message,
            "logprobs": None,
            "finish_reason": _STOP_ON_WIRE[reply.stop],
        }
        return {
            "id": response_id,
            "object": "chat.completion",
            "created": created,
            "model": model,
            "choices": [choice],
            "usage": {
                "prompt_tokens": reply.usage.input,
                "completion_tokens": reply.usage.output,
                "total_tokens": reply.usage.total,
            },
        }


OPENAI_CHAT = OpenAIChat()


def _write_tool(tool: Tool) -> JSON:
    # An MCP tool without parameters may leave `properties` out; OpenAI refuses that.
    function: JSON = {"name": tool.name, "parameters": {"properties": {}, **tool.input_schema}}
    if tool.description:
        function["description"] = tool.description
    if tool.strict:
        function["strict"] = True
    return {"type": "function", "function": function}


def _read_tool(wire: JSON) -> Tool:
    function = wire["function"]
    return Tool(
        name=function["name"],
        description=function.get("description") or "",
        input_schema=function.get("parameters") or {"type": "object", "properties": {}},
        strict=bool(function.get("strict")),
    )


def _write_choice(choice: ToolChoice) -> Any:
    if choice.mode == "tool":
        return {"type": "function", "function": {"name": choice.name}}
    return "required" if choice.mode == "any" else choice.mode


def _read_choice(wire: Any, parallel: bool) -> ToolChoice:
    if isinstance(wire, dict):
        return ToolChoice("tool", wire["function"]["name"], parallel)
    return ToolChoice(_CHOICES.get(wire, "auto"), None, parallel)


def _write_call(call: ToolCall) -> JSON:
    function = {"name": call.name, "arguments": arguments_text(call)}
    return {"id": call.id, "type": "function", "function": function}


def _read_call(wire: JSON) -> ToolCall:
    raw = wire["function"]["arguments"]
    return ToolCall(wire["id"], wire["function"]["name"], parse_arguments(raw), raw)


def _write_result(result: ToolResult) -> JSON:
    text = "\n".join(block_as_text(block) for block in result_blocks(result))
    if result.is_error and not text.startswith(ERROR_PREFIX):
        text = ERROR_PREFIX + text
    return {"role": "tool", "tool_call_id": result.call_id, "content": text}


def _read_message(wire: JSON) -> Message:
    text = _text_of(wire.get("content"))
    if wire["role"] == "assistant":
        calls = tuple(_read_call(call) for call in wire.get("tool_calls") or ())
        return Message("assistant", text, calls=calls)
    if wire["role"] == "tool":
        content = ({"type": "text", "text": text},) if text else ()
        is_error = text.startswith(ERROR_PREFIX)
        return Message("tool", results=(ToolResult(wire["tool_call_id"], content, is_error),))
    return Message(_ROLES.get(wire["role"], "user"), text)


def _text_of(content: Any) -> str:
    if content is None or isinstance(content, str):
        return content or ""
    return "\n".join(str(part["text"]) for part in content if part.get("type") == "text")
