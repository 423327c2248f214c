"""A run on fake ends: replies from a list, tools that answer from a table, and a gate."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any

import anyio.to_thread

from mcplab import loop
from mcplab.dialects import ANTHROPIC, Dialect
from mcplab.drivers import Exchange, Setup
from mcplab.messages import JSON, Reply, Tool, ToolCall, ToolResult, Usage
from mcplab.stepper import Stepper
from mcplab.trace import Trace

QUESTION = "What is 12 times 30?"
MULTIPLY = Tool("multiply", "Multiply two numbers.", annotations={"readOnlyHint": True})
FILE = Tool("file", "File a form.")  # not marked read-only


@dataclass
class Gate:
    """Holds whoever comes through it until `open` is called; `reached` says that one is there."""

    reached: threading.Event = field(default_factory=threading.Event)
    opened: threading.Event = field(default_factory=threading.Event)

    async def through(self) -> None:
        self.reached.set()
        await anyio.to_thread.run_sync(self.opened.wait, abandon_on_cancel=True)

    def open(self) -> None:
        self.opened.set()


@dataclass
class FakeEndpoint:
    replies: list[Reply]
    dialect: Dialect = ANTHROPIC
    gate: Gate | None = None
    asked: int = 0

    async def ask_exchange(self, body: JSON) -> Exchange:
        self.asked += 1
        if self.gate:
            await self.gate.through()
        turn = sum(message["role"] == "assistant" for message in body["messages"])
        into = self.dialect.write_response(
            self.replies[turn], model="m", response_id=f"r{turn}", created=1
        )
        return Exchange(body, into, into, self.dialect.name, 1.0, 0.02)


@dataclass
class FakeTools:
    answers: dict[str, Any]
    tools: tuple[Tool, ...] = (MULTIPLY, FILE)
    structured: Any = None
    called: list[str] = field(default_factory=list)

    async def list_exchange(self) -> Exchange:
        into = {"result": {"tools": [{"name": tool.name} for tool in self.tools]}}
        return Exchange({"method": "tools/list"}, into, self.tools, "mcp", 1.0, 0.001)

    async def call_exchange(self, call: ToolCall) -> Exchange:
        self.called.append(call.name)
        blocks = ({"type": "text", "text": str(self.answers[call.name])},)
        out = {"method": "tools/call", "params": {"name": call.name, "arguments": call.arguments}}
        into: JSON = {"result": {"content": list(blocks), "isError": False}}
        if self.structured is not None:
            into["result"]["structuredContent"] = self.structured
        return Exchange(out, into, ToolResult(call.id, blocks), "mcp", 1.0, 0.002)


def asks(*calls: ToolCall) -> Reply:
    return Reply("", calls, "tool_use", Usage(100, 10))


MULTIPLIES = asks(ToolCall("id_1", "multiply", {"a": 12, "b": 30}))
ANSWERS = Reply("12 × 30 = 360", usage=Usage(120, 12))


@dataclass
class FakeRun:
    stepper: Stepper
    endpoint: FakeEndpoint
    tools: FakeTools


def fake_run(
    replies: list[Reply] | None = None,
    answers: dict[str, Any] | None = None,
    *,
    question: str = QUESTION,
    gate: Gate | None = None,
    **options: Any,
) -> FakeRun:
    """The multiplication of the lessons, unless told otherwise."""
    endpoint = FakeEndpoint(replies or [MULTIPLIES, ANSWERS], gate=gate)
    tools = FakeTools(answers or {"multiply": 360, "file": "filed"})
    state = loop.start(question, dialect=endpoint.dialect, model="mock-fake")
    ready = Setup(state, endpoint, tools, Trace(question), **options)
    return FakeRun(Stepper.from_setup(ready, "fake model"), endpoint, tools)
