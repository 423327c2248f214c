"""The drivers on fake endpoints and real functions: concurrency, failures, approval."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import anyio
import pytest

from mcplab import loop
from mcplab.dialects import ANTHROPIC, Dialect
from mcplab.drivers import Exchange, Run, Setup, Toolbox, _drive
from mcplab.endpoints import FunctionTools, toolbox
from mcplab.errors import McplabError
from mcplab.guards import DEFAULT_GUARDS, Guard, timeouts
from mcplab.messages import JSON, Reply, Tool, ToolCall
from mcplab.trace import Trace


@dataclass
class FakeEndpoint:
    """Answers from a list of replies, and remembers the bodies it was sent."""

    replies: list[Reply | str]
    dialect: Dialect = ANTHROPIC
    bodies: list[JSON] = field(default_factory=list)

    async def ask_exchange(self, body: JSON) -> Exchange:
        self.bodies.append(body)
        reply = self.replies[len(self.bodies) - 1]
        if isinstance(reply, str):
            return Exchange(body, None, None, "anthropic", 0.0, 0.0, reply)
        into = ANTHROPIC.write_response(reply, model="m", response_id="r", created=1)
        return Exchange(body, into, into, "anthropic", 0.0, 0.0)


def call(id_: str, name: str, **arguments: Any) -> ToolCall:
    return ToolCall(id_, name, arguments)


def asks(*calls: ToolCall) -> Reply:
    return Reply("", calls, "tool_use")


def go(
    replies: list[Reply | str],
    tools: Toolbox | list[Callable[..., Any]],
    *,
    guards: tuple[Guard, ...] = DEFAULT_GUARDS,
    approve: Any = None,
    tool_seconds: float = 5.0,
) -> tuple[Run, FakeEndpoint]:
    endpoint = FakeEndpoint(replies)
    state = loop.start("Go.", dialect=ANTHROPIC, model="m")
    setup = Setup(state, endpoint, toolbox(tools), Trace("Go."), guards, approve, tool_seconds)

    async def drive() -> Run:
        driving = _drive(setup)
        done: Any = None
        while True:
            try:
                done = await setup.perform(*(driving.send(done) if done else next(driving)))
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]

    return anyio.run(drive), endpoint


def results_sent(endpoint: FakeEndpoint, request: int = 1) -> dict[str, JSON]:
    """The tool results in a request, by id."""
    return {b["tool_use_id"]: b for b in endpoint.bodies[request]["messages"][-1]["content"]}


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def test_a_run_with_functions_records_list_ask_call_return() -> None:
    run, endpoint = go([asks(call("i", "add", a=1, b=2)), Reply("It is 3.")], [add])
    assert [step.kind for step in run.trace] == ["list", "ask", "call", "return"]
    assert [step.round for step in run.trace] == [0, 1, 1, 2]
    assert results_sent(endpoint)["i"]["content"] == "3"
    assert (run.answer, run.reason) == ("It is 3.", "The model answered.")
    assert run.trace.outcome == run.reason
    tool = endpoint.bodies[0]["tools"][0]
    assert (tool["name"], tool["description"]) == ("add", "Add two numbers.")
    assert tool["input_schema"]["required"] == ["a", "b"]


def test_requests_of_one_reply_run_at_the_same_time_and_keep_their_order() -> None:
    met = anyio.Event()

    async def first() -> str:
        """Waits for the second."""
        await met.wait()
        return "first"

    async def second() -> str:
        """Lets the first go on."""
        met.set()
        return "second"

    run, endpoint = go(
        [asks(call("i1", "first"), call("i2", "second")), Reply("ok")], [first, second]
    )
    sent = endpoint.bodies[1]["messages"][-1]["content"]
    assert [(b["tool_use_id"], b["content"]) for b in sent] == [("i1", "first"), ("i2", "second")]
    assert [step.ids for step in run.trace if step.kind == "call"] == [("i1",), ("i2",)]


def broken() -> str:
    """Always fails."""
    raise RuntimeError("secret path /home/ada")


def refuses() -> str:
    """Says why."""
    raise ValueError("only on weekdays")


def test_every_failure_of_a_tool_is_an_answer_and_the_good_one_arrives_too() -> None:
    requests = asks(
        call("good", "add", a=1, b=2),
        call("bad", "add", a="one", b=2),
        call("unknown", "subtract", a=1),
        call("broken", "broken"),
        call("refuses", "refuses"),
    )
    _, endpoint = go([requests, Reply("ok")], [add, broken, refuses])
    sent = results_sent(endpoint)
    assert "is_error" not in sent["good"]
    assert {id_ for id_, block in sent.items() if block.get("is_error")} == set(sent) - {"good"}
    assert "a:" in sent["bad"]["content"]
    assert "Known tools: add, broken, refuses" in sent["unknown"]["content"]
    assert sent["broken"]["content"] == "broken failed with RuntimeError."
    assert "only on weekdays" in sent["refuses"]["content"]


def test_arguments_that_are_no_object_are_answered_without_running_the_tool() -> None:
    ran = []

    def touch() -> None:
        """Leaves a mark."""
        ran.append(1)

    bad = ToolCall("i", "touch", None, '{"a": ')
    state = loop.start("Go.", dialect=ANTHROPIC, model="m", tools=[Tool("touch")])
    state = loop.replace(state, action="call", calls=(bad,))
    setup = Setup(state, FakeEndpoint([]), toolbox([touch]), Trace())
    after, (step,) = anyio.run(setup.perform, state, frozenset())
    assert not ran
    assert "not a JSON object" in str(step.error)
    assert after.action == "return"


async def hangs() -> str:
    """Never answers."""
    await anyio.sleep(60)
    return "late"


def test_a_tool_that_hangs_is_answered_and_then_the_time_guard_stops() -> None:
    began = time.monotonic()
    run, _ = go([asks(call("i", "hangs"))], [hangs], guards=(timeouts(1),), tool_seconds=0.05)
    assert time.monotonic() - began < 30
    assert "ran out of time once" in run.reason
    assert "did not answer within 0.05 s" in str(run.trace[-1].error)


def test_a_hanging_tool_does_not_cost_the_answer_of_the_one_beside_it() -> None:
    requests = asks(call("slow", "hangs"), call("good", "add", a=1, b=2))
    _, endpoint = go([requests, Reply("ok")], [hangs, add], tool_seconds=0.05)
    sent = results_sent(endpoint)
    assert sent["good"]["content"] == "3"
    assert sent["slow"]["is_error"]


def test_a_refusal_of_the_vendor_ends_the_run_in_words() -> None:
    run, _ = go(["The request was refused (400): bad"], [add])
    assert run.state.action == "stopped"
    assert run.reason == "The request was refused (400): bad"
    assert run.trace[-1].error == run.reason


class Notebook:
    """A toolbox with one tool that reads and one that writes."""

    def __init__(self) -> None:
        self.written: list[str] = []

    async def list_exchange(self) -> Exchange:
        tools = (Tool("read", annotations={"readOnlyHint": True}), Tool("write"))
        return Exchange({}, {}, tools, "mcp", 0.0, 0.0)

    async def call_exchange(self, call: ToolCall) -> Exchange:
        from mcplab.messages import ToolResult

        self.written.append(call.name)
        result = ToolResult(call.id, ({"type": "text", "text": "ok"},))
        return Exchange({}, {}, result, "mcp", 0.0, 0.0)


def test_only_the_tool_that_writes_needs_a_person_and_no_means_it_does_not_run() -> None:
    asked = []

    def approve(call: ToolCall, tool: Tool) -> bool:
        asked.append(tool.name)
        return False

    notebook = Notebook()
    requests = asks(call("r", "read"), call("w", "write"))
    _, endpoint = go([requests, Reply("ok")], notebook, approve=approve)
    assert (asked, notebook.written) == (["write"], ["read"])
    assert "declined" in results_sent(endpoint)["w"]["content"]


def test_a_toolbox_that_raises_is_answered_for() -> None:
    class Bad(Notebook):
        async def call_exchange(self, call: ToolCall) -> Exchange:
            raise KeyError("oops")

    _, endpoint = go([asks(call("r", "read")), Reply("ok")], Bad())
    assert results_sent(endpoint)["r"]["content"] == "The tool read failed with KeyError."


@pytest.mark.parametrize("tools", ["calculator.py", 7, [add, "x"]])
def test_something_that_is_no_tools_is_refused_in_words(tools: Any) -> None:
    with pytest.raises(McplabError, match="list of Python functions"):
        toolbox(tools)


def test_one_function_is_enough() -> None:
    assert toolbox(add) == FunctionTools((add,))
