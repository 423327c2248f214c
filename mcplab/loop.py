"""The tool loop, sans IO: a state says what to do next, `advance` says what follows.

    list ──▶ ask ──▶ call ──▶ return ──▶ done
                      ▲          │
                      └──────────┘   (the model may ask for more: another round)

Nothing here opens a socket, starts a task or waits. A driver (`mcplab.drivers`, or the
stepper) looks at `State.action`, does that one thing, and hands what came back to
`advance`. States are immutable: going back is taking the earlier state, and two branches
are two states with a common past.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from mcplab.dialects import Dialect
from mcplab.errors import McplabError
from mcplab.messages import JSON, Reply, Tool, ToolCall, ToolChoice, ToolResult, Usage

__all__ = ["Action", "LoopError", "State", "advance", "start", "stop"]

Action = Literal["list", "ask", "call", "return", "done", "stopped"]


class LoopError(McplabError):
    """The loop was driven in a way that makes no sense."""


@dataclass(frozen=True, slots=True)
class State:
    """Where a run stands: what was said so far, and what is to be done next.

    Attributes:
        action: the next thing to do; ``done`` and ``stopped`` are the two ends.
        messages: the conversation as wire messages of `dialect`.
        calls: the model's tool requests that wait to be run (when `action` is ``call``).
        made: every tool request that was run so far.
        round: model calls so far.
        timeouts: tool calls so far that ran out of time.
        answer: the model's last text.
        reason: why the run ended, in a sentence.
    """

    dialect: Dialect
    model: str
    action: Action
    messages: tuple[JSON, ...]
    tools: tuple[Tool, ...] = ()
    system: str | None = None
    tool_choice: ToolChoice | None = None
    max_tokens: int = 1024
    calls: tuple[ToolCall, ...] = ()
    made: tuple[ToolCall, ...] = ()
    round: int = 0
    timeouts: int = 0
    usage: Usage = Usage()
    answer: str = ""
    reason: str = ""

    @property
    def over(self) -> bool:
        """There is nothing more to do."""
        return self.action in ("done", "stopped")

    def request(self) -> JSON:
        """The body of the next model request."""
        return self.dialect.request(
            model=self.model,
            messages=self.messages,
            tools=self.tools,
            tool_choice=self.tool_choice,
            system=self.system,
            max_tokens=self.max_tokens,
        )


def start(
    question: str,
    *,
    dialect: Dialect,
    model: str,
    tools: Sequence[Tool] | None = None,
    system: str | None = None,
    tool_choice: ToolChoice | None = None,
    max_tokens: int = 1024,
) -> State:
    """The first state. Without `tools` the first action is to list them."""
    return State(
        dialect=dialect,
        model=model,
        action="list" if tools is None else "ask",
        messages=dialect.opening(question, system),
        tools=tuple(tools or ()),
        system=system,
        tool_choice=tool_choice,
        max_tokens=max_tokens,
    )


def advance(state: State, came_back: Any) -> State:
    """The state that follows when `state.action` was done.

    Args:
        state: a state that is not over.
        came_back: for ``list`` the tools (``Sequence[Tool]``), for ``ask`` and ``return``
            the response body, for ``call`` one `ToolResult` for each of `state.calls`.

    Raises:
        LoopError: the run is over.
    """
    match state.action:
        case "list":
            return replace(state, action="ask", tools=tuple(came_back))
        case "ask" | "return":
            return _after_reply(state, came_back)
        case "call":
            return _after_results(state, came_back)
        case _:
            raise LoopError(f"The run is over ({state.reason}) Start a new one to go on.")


def stop(state: State, reason: str) -> State:
    """The same state, ended early. `reason` is a sentence for the reader."""
    return replace(state, action="stopped", reason=reason)


def _after_reply(state: State, response: JSON) -> State:
    try:
        reply = state.dialect.read_reply(response)
        message = state.dialect.assistant_message(response)
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        return stop(
            state, f"What came back is not a reply in the {state.dialect.name} form: {error!r}."
        )
    state = replace(
        state,
        messages=(*state.messages, message),
        round=state.round + 1,
        usage=state.usage + reply.usage,
        answer=reply.text,
    )
    # The stop signal is the switch. Text can stand beside tool requests, and a list of
    # requests without the signal is not a reason to run them.
    match reply.stop:
        case "tool_use":
            return _after_request(state, reply.calls)
        case "pause":
            return replace(state, action="return")
        case "length":
            return stop(state, f"The reply was cut off at {state.max_tokens} output tokens.")
        case "refusal":
            return stop(state, "The model refused to answer.")
        case _:
            return replace(state, action="done", reason=_why_done(reply))


def _after_request(state: State, calls: tuple[ToolCall, ...]) -> State:
    if not calls:
        return stop(state, "The model stopped for tools but asked for none.")
    ids = [call.id for call in calls]
    if len(set(ids)) < len(ids):
        twice = next(one for one in ids if ids.count(one) > 1)
        return stop(state, f"The model used the id {twice!r} twice: its results would be mixed up.")
    return replace(state, action="call", calls=calls)


def _after_results(state: State, results: Sequence[ToolResult]) -> State:
    return replace(
        state,
        action="return",
        messages=(*state.messages, *state.dialect.result_messages(results)),
        calls=(),
        made=(*state.made, *state.calls),
        timeouts=state.timeouts + sum(result.timed_out for result in results),
    )


def _why_done(reply: Reply) -> str:
    if reply.calls:
        return "The model answered. It also listed tool requests, but did not stop for them."
    return "The model answered."
