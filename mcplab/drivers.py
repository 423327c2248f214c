"""Drivers: they do what a loop state asks for, on real clients and real tools.

`perform` does *one* action and records it; `run` and `run_sync` repeat it to the end, and
the stepper calls it once a click. All IO of the loop happens in this file's two seams:
an `Endpoint` (the model's side) and a `Toolbox` (the tools' side).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, Required, TypedDict, Unpack, cast

import anyio

from mcplab import loop
from mcplab.dialects import Dialect
from mcplab.guards import DEFAULT_GUARDS, Guard, verdict
from mcplab.loop import State
from mcplab.messages import JSON, Tool, ToolCall, ToolChoice, ToolResult
from mcplab.trace import Step, StepKind, Trace

__all__ = [
    "Approve",
    "Endpoint",
    "Exchange",
    "Run",
    "RunOptions",
    "Setup",
    "Toolbox",
    "declined_calls",
    "pending",
    "perform",
    "run",
    "run_sync",
    "setup",
    "unfinished",
]


@dataclass(frozen=True, slots=True)
class Exchange:
    """One thing sent and what came back, as it was on the wire.

    Attributes:
        out: the payload that was sent.
        into: the payload that came back, or ``None``.
        value: what the loop needs of it: ``tuple[Tool, ...]``, a `ToolResult`, or the
            response body; ``None`` when there is no usable answer.
        dialect: see `mcplab.trace.Step`.
        started: Unix time in seconds.
        seconds: duration.
        error: what went wrong, in a sentence.
    """

    out: JSON
    into: JSON | None
    value: Any
    dialect: str
    started: float
    seconds: float
    error: str | None = None


class Endpoint(Protocol):
    """The model's side. `mcplab.endpoints.endpoint` makes one from an SDK client."""

    @property
    def dialect(self) -> Dialect: ...

    async def ask_exchange(self, body: JSON) -> Exchange:
        """Send one model request. A refusal is an `Exchange` with an error, not raised."""


class Toolbox(Protocol):
    """The tools' side: an MCP connection or a list of functions."""

    async def list_exchange(self) -> Exchange:
        """List the tools."""

    async def call_exchange(self, call: ToolCall) -> Exchange:
        """Run one tool. Its failure is a `ToolResult` with `is_error`, not raised."""


Approve = Callable[[ToolCall, Tool], bool]
"""Asked before a tool that is not marked read-only runs: may it?"""


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run.

    Attributes:
        state: the last state; `state.messages` is the whole conversation.
        trace: every step, as on the wire.
    """

    state: State
    trace: Trace

    @property
    def answer(self) -> str:
        """The model's last text."""
        return self.state.answer

    @property
    def reason(self) -> str:
        """Why the run ended, in a sentence."""
        return self.state.reason

    def __str__(self) -> str:
        return f"{self.answer}\n({self.reason})" if self.answer else self.reason

    def _repr_html_(self) -> str:
        return self.trace._repr_html_()


async def perform(
    state: State,
    endpoint: Endpoint,
    toolbox: Toolbox,
    *,
    tool_seconds: float = 30.0,
    declined: frozenset[str] = frozenset(),
) -> tuple[State, tuple[Step, ...]]:
    """Do `state.action`, once, and say what followed.

    Args:
        state: a state that is not over.
        endpoint: where model requests go.
        toolbox: where tool requests go.
        tool_seconds: how long one tool may take.
        declined: ids of tool requests that a person refused; they are answered so.

    Returns:
        The next state, and the steps to record: one, or one for each tool call.
    """
    match state.action:
        case "list":
            exchange = await toolbox.list_exchange()
            step = _step("list", state.round, exchange)
        case "ask" | "return":
            exchange = await endpoint.ask_exchange(state.request())
            step = _model_step(state, exchange)
        case _:
            return await _perform_calls(state, toolbox, tool_seconds, declined)
    if exchange.value is None:
        reason = exchange.error or "Nothing came back."
        return loop.stop(state, reason), (step,)
    return loop.advance(state, exchange.value), (step,)


async def _perform_calls(
    state: State, toolbox: Toolbox, tool_seconds: float, declined: frozenset[str]
) -> tuple[State, tuple[Step, ...]]:
    """Run all requests of one reply at the same time; answer every one, in their order."""
    exchanges: list[Exchange | None] = [None] * len(state.calls)

    async def one(index: int, call: ToolCall) -> None:
        if call.id in declined:
            exchanges[index] = _answered(call, "The person declined this action. Nothing was done.")
        else:
            exchanges[index] = await _call_in_time(toolbox, call, tool_seconds)

    async with anyio.create_task_group() as tasks:
        for index, call in enumerate(state.calls):
            tasks.start_soon(one, index, call)
    done = [exchange for exchange in exchanges if exchange is not None]
    steps = (
        _step("call", state.round, exchange, (call.id,))
        for call, exchange in zip(state.calls, done, strict=True)
    )
    return loop.advance(state, [exchange.value for exchange in done]), tuple(steps)


async def _call_in_time(toolbox: Toolbox, call: ToolCall, tool_seconds: float) -> Exchange:
    if call.arguments is None:
        return _answered(call, f"The arguments are not a JSON object: {call.raw[:200]}")
    started, clock = time.time(), time.perf_counter()
    try:
        with anyio.move_on_after(tool_seconds):
            return await toolbox.call_exchange(call)
    except Exception as problem:
        # A toolbox answers for its tools; one that raises has a fault of its own.
        return _answered(call, f"The tool {call.name} failed with {type(problem).__name__}.")
    words = f"The tool {call.name} did not answer within {tool_seconds:g} s."
    seconds = time.perf_counter() - clock
    return _answered(call, words, started=started, seconds=seconds, timed_out=True)


def _answered(
    call: ToolCall,
    words: str,
    *,
    started: float = 0.0,
    seconds: float = 0.0,
    timed_out: bool = False,
) -> Exchange:
    """The host's own answer to a request that no tool answered."""
    result = ToolResult(call.id, ({"type": "text", "text": words},), True, timed_out=timed_out)
    out = {
        "name": call.name,
        "arguments": call.arguments if call.arguments is not None else call.raw,
    }
    return Exchange(out, None, result, "function", started or time.time(), seconds, words)


def _step(kind: StepKind, round_: int, exchange: Exchange, ids: tuple[str, ...] = ()) -> Step:
    return Step(
        kind=kind,
        round=round_,
        out=exchange.out,
        into=exchange.into,
        dialect=exchange.dialect,
        ids=ids,
        started=exchange.started,
        seconds=exchange.seconds,
        error=exchange.error,
    )


def _model_step(state: State, exchange: Exchange) -> Step:
    kind: StepKind = "ask" if state.action == "ask" else "return"
    step = _step(kind, state.round + 1, exchange)
    try:
        reply = state.dialect.read_reply(exchange.value)
    except (KeyError, IndexError, TypeError, AttributeError):
        return step
    return replace(step, ids=tuple(call.id for call in reply.calls), usage=reply.usage)


def declined_calls(state: State, approve: Approve | None) -> frozenset[str]:
    """The ids of pending requests that `approve` refuses; only writing tools are asked about.

    A tool that is not listed, or not marked ``readOnlyHint``, counts as writing.
    """
    if approve is None or state.action != "call":
        return frozenset()
    tools = {tool.name: tool for tool in state.tools}
    return frozenset(
        call.id
        for call in state.calls
        if not (tool := tools.get(call.name, Tool(call.name))).annotations.get("readOnlyHint")
        and not approve(call, tool)
    )


class RunOptions(TypedDict, total=False):
    """The options of a run, the same for `run`, `run_sync` and the stepper.

    Attributes:
        client: an `anthropic` or `openai` client, sync or async, mock or live (required).
        tools: a connection (`mcplab.connect`), or a list of Python functions.
        model: the model's name; by default `mcplab.model_name(client)`.
        system: the system prompt.
        tool_choice: how free the model is.
        guards: asked before every action; see `mcplab.guards`.
        approve: asked before a tool runs that is not marked read-only; ``False`` declines.
        tool_seconds: how long one tool may take, 30 by default.
        max_tokens: output tokens allowed for one reply, 1024 by default.
        trace: record into this trace; it keeps every step even if the run is interrupted.
    """

    client: Required[Any]
    tools: Any
    model: str
    system: str
    tool_choice: ToolChoice
    guards: Sequence[Guard]
    approve: Approve
    tool_seconds: float
    max_tokens: int
    trace: Trace


@dataclass(frozen=True, slots=True)
class Setup:
    """A run that has not begun: its first state and everything that drives it."""

    state: State
    endpoint: Endpoint
    toolbox: Toolbox
    trace: Trace
    guards: Sequence[Guard] = DEFAULT_GUARDS
    approve: Approve | None = None
    tool_seconds: float = 30.0

    async def perform(
        self, state: State, declined: frozenset[str]
    ) -> tuple[State, tuple[Step, ...]]:
        """`perform` with this run's endpoint, tools and limits."""
        return await perform(
            state,
            self.endpoint,
            self.toolbox,
            tool_seconds=self.tool_seconds,
            declined=declined,
        )


def setup(question: str, **options: Unpack[RunOptions]) -> Setup:
    """Everything that a run needs, from what a user gives.

    Raises:
        McplabError: `client` or `tools` is something else than `RunOptions` says.
    """
    from mcplab.endpoints import endpoint, toolbox
    from mcplab.live import model_name

    client = options["client"]
    model_side = endpoint(client)
    trace = options.get("trace", Trace())
    trace.question = question
    state = loop.start(
        question,
        dialect=model_side.dialect,
        model=options.get("model") or model_name(client),
        system=options.get("system"),
        tool_choice=options.get("tool_choice"),
        max_tokens=options.get("max_tokens", 1024),
    )
    return Setup(
        state,
        model_side,
        toolbox(options.get("tools", ())),
        trace,
        options.get("guards", DEFAULT_GUARDS),
        options.get("approve"),
        options.get("tool_seconds", 30.0),
    )


def pending(state: State) -> JSON:
    """What `state.action` is about to send, as far as it is known before it is sent."""
    if state.action == "list":
        return {"method": "tools/list"}
    if state.action == "call":
        return {
            "method": "tools/call",
            "calls": [
                {"id": call.id, "name": call.name, "arguments": call.arguments}
                if call.arguments is not None
                else {"id": call.id, "name": call.name, "arguments": call.raw}
                for call in state.calls
            ],
        }
    return {} if state.over else state.request()


def unfinished(state: State) -> Step:
    """The step that was begun and interrupted."""
    kinds: tuple[StepKind, ...] = ("list", "ask", "call", "return")
    kind = next(kind for kind in kinds if kind == state.action)
    return Step(
        kind=kind,
        round=state.round + (kind in ("ask", "return")),
        out=pending(state),
        into=None,
        dialect=state.dialect.name if kind in ("ask", "return") else "mcp",
        ids=tuple(call.id for call in state.calls),
        started=time.time(),
        error="interrupted before anything came back",
    )


_Todo = tuple[State, frozenset[str]]
_Done = tuple[State, tuple[Step, ...]]


def _drive(setup: Setup) -> Generator[_Todo, _Done, Run]:
    """A run without its IO: yields what to perform, is sent what followed, returns the run.

    What cannot go on because somebody interrupted it ends as a stopped state, not as an
    exception: the steps that were done are kept.
    """
    state, trace = setup.state, setup.trace
    while not state.over:
        if reason := verdict(setup.guards, state):
            state = loop.stop(state, reason)
            break
        try:
            state, steps = yield state, declined_calls(state, setup.approve)
        except KeyboardInterrupt:
            trace.add(unfinished(state))
            state = loop.stop(state, f"You interrupted the run in the step “{state.action}”.")
            break
        trace.steps.extend(steps)
    trace.outcome = state.reason
    return Run(state, trace)


async def run(question: str, **options: Unpack[RunOptions]) -> Run:
    """Ask `question` and go through the loop to its end; see `RunOptions`.

    Returns:
        The finished run. A run that was stopped says why in `Run.reason`.

    Raises:
        McplabError: `client` or `tools` is something else than `RunOptions` says.
    """
    ready = setup(question, **options)
    driving = _drive(ready)
    done: _Done | None = None
    while True:
        try:
            todo = driving.send(done) if done else next(driving)
        except StopIteration as end:
            return cast(Run, end.value)
        done = await ready.perform(*todo)


def run_sync(question: str, **options: Unpack[RunOptions]) -> Run:
    """`run` for plain code; it also works in a notebook cell, where a loop runs already.

    The work is done in the background, so an interrupt (Ctrl-C, or the kernel's stop
    button) ends the run at once, with the trace kept and `Run.reason` saying so.
    """
    from mcplab import _portal

    ready = setup(question, **options)
    driving = _drive(ready)
    done: _Done | None = None
    while True:
        try:
            todo = driving.send(done) if done else next(driving)
            try:
                done = _portal.call(ready.perform, *todo)
            except KeyboardInterrupt as interrupt:
                driving.throw(interrupt)
        except StopIteration as end:
            return cast(Run, end.value)
