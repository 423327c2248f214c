"""The main job, whole: real SDKs, mock provider, reading model, real MCP servers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anyio
import pytest

import mcplab
from mcplab.cli import _CASES
from mcplab.dialects.base import parse_arguments

CLIENTS: list[Callable[[], Any]] = [
    mcplab.anthropic_client,
    mcplab.async_anthropic_client,
    mcplab.openai_client,
    mcplab.async_openai_client,
]
ALL_CLIENTS = pytest.mark.parametrize("client", CLIENTS, ids=lambda c: c.__name__)
SYSTEM = "You help with expenses."


def asks(trace: mcplab.Trace) -> list[mcplab.Step]:
    return [step for step in trace if step.kind in ("ask", "return")]


def calls_by_round(trace: mcplab.Trace) -> list[set[str]]:
    rounds: dict[int, set[str]] = {}
    for step in trace:
        if step.kind == "call":
            assert step.out is not None
            rounds.setdefault(step.round, set()).add(step.out["params"]["name"])
    return list(rounds.values())


@ALL_CLIENTS
def test_one_question_goes_through_four_steps(client: Callable[[], Any]) -> None:
    with mcplab.connect("calculator") as tools:
        run = mcplab.run_sync(_CASES["calculator"], client=client(), tools=tools)
    assert [step.kind for step in run.trace] == ["list", "ask", "call", "return"]
    assert "12 × 30 = 360" in run.answer
    assert len(run.state.messages) == 4
    assert run.reason == "The model answered."
    assert run.state.usage.input > 0


@ALL_CLIENTS
def test_the_expense_case_takes_four_rounds_two_calls_in_the_first(
    client: Callable[[], Any],
) -> None:
    with mcplab.connect("expenses") as tools:
        run = mcplab.run_sync(_CASES["expenses"], client=client(), tools=tools, system=SYSTEM)
    assert calls_by_round(run.trace) == [
        {"lookup_expense", "lookup_policy"},
        {"compute_excess"},
        {"file_supplement"},
    ]
    sent = [len(step.out["messages"]) for step in asks(run.trace) if step.out]
    openai = run.state.dialect.name == "openai-chat"
    assert sent == ([2, 5, 7, 9] if openai else [1, 3, 5, 7])
    assert all(step.usage and step.usage.input for step in asks(run.trace))


def test_both_dialects_come_to_the_same_answer() -> None:
    with mcplab.connect("expenses") as tools:
        answers = {
            mcplab.run_sync(_CASES["expenses"], client=client(), tools=tools).answer
            for client in CLIENTS
        }
    assert len(answers) == 1


def test_a_person_who_says_no_keeps_the_supplement_from_being_filed() -> None:
    asked = []

    def no(call: Any, tool: Any) -> bool:
        asked.append(call.name)
        return False

    with mcplab.connect("expenses") as tools:
        run = mcplab.run_sync(
            _CASES["expenses"], client=mcplab.anthropic_client(), tools=tools, approve=no
        )
        frames = [f.message for f in tools.frames if f.direction == "->"]
    assert asked
    assert set(asked) == {"file_supplement"}
    called = {f["params"]["name"] for f in frames if f.get("method") == "tools/call"}
    assert "file_supplement" not in called
    assert "declined" in run.answer


def test_the_async_driver_does_the_same() -> None:
    async def go() -> mcplab.Run:
        with mcplab.connect("calculator") as tools:
            return await mcplab.run(
                _CASES["calculator"], client=mcplab.async_openai_client(), tools=tools
            )

    assert "12 × 30 = 360" in anyio.run(go).answer


def test_functions_are_tools_like_any_other() -> None:
    def weather(city: str) -> str:
        """Tell the weather of a city. Use it when somebody asks about rain or sun."""
        return f"It rains in {city}."

    run = mcplab.run_sync(
        "What is the weather in Oslo?", client=mcplab.anthropic_client(), tools=[weather]
    )
    assert "It rains in Oslo." in run.answer


def test_a_learners_own_loop_is_recorded_with_the_frames_of_its_calls() -> None:
    client = mcplab.openai_client()
    with mcplab.connect("calculator") as tools:
        trace = mcplab.watch(client, tools)
        listed = [
            {
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": tool.input_schema,
                },
            }
            for tool in tools.tools
        ]
        messages: list[Any] = [{"role": "user", "content": _CASES["calculator"]}]
        while True:
            reply = client.chat.completions.create(
                model=mcplab.model_name(client), messages=messages, tools=listed
            ).choices[0]
            messages.append(reply.message)
            if reply.finish_reason != "tool_calls":
                break
            for call in reply.message.tool_calls or ():
                arguments = parse_arguments(call.function.arguments)
                result = tools.call(call.function.name, arguments)
                messages.append({"role": "tool", "tool_call_id": call.id, "content": result.text})
    assert [step.kind for step in trace] == ["list", "ask", "call", "return"]
    assert [step.dialect for step in trace] == ["mcp", "openai-chat", "mcp", "openai-chat"]
    assert trace[2].out is not None
    assert trace[2].out["method"] == "tools/call"
