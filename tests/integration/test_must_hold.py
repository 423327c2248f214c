"""What goes wrong in a real run ends in a clear sentence, with the trace kept and no hang."""

from __future__ import annotations

import _thread
import threading
import time
import warnings
from pathlib import Path
from typing import Any

import pytest

import mcplab
from mcplab.guards import rounds
from mcplab.messages import Reply, ToolCall
from mcplab.models import ScriptedModel

SERVERS = Path(__file__).parents[1] / "connect" / "servers"
BOTH = pytest.mark.parametrize("client", [mcplab.anthropic_client, mcplab.openai_client])


def run(client: Any, *replies: Any, tools: Any, **options: Any) -> mcplab.Run:
    """A run with a model that follows a script."""
    return mcplab.run_sync("Go.", client=client(ScriptedModel(replies)), tools=tools, **options)


def call_step(run: mcplab.Run) -> mcplab.Step:
    return next(step for step in run.trace if step.kind == "call")


@BOTH
def test_an_unknown_tool_is_answered_and_the_run_goes_on(client: Any) -> None:
    with mcplab.connect("calculator") as tools:
        done = run(client, ToolCall("id_1", "cube", {"a": 2}), "I have no such tool.", tools=tools)
    assert done.answer == "I have no such tool."
    assert "cube" in str(call_step(done).error or call_step(done).into)


@BOTH
def test_an_id_used_twice_stops_the_run_in_words(client: Any) -> None:
    twice = [ToolCall("id_1", "add", {"a": 1, "b": 2}), ToolCall("id_1", "add", {"a": 3, "b": 4})]
    with mcplab.connect("calculator") as tools:
        done = run(client, twice, tools=tools)
    assert "'id_1' twice" in done.reason
    assert [step.kind for step in done.trace] == ["list", "ask"]


def test_illegal_json_in_the_arguments_is_answered_and_the_run_goes_on() -> None:
    bad = Reply("", (ToolCall("id_1", "add", None, '{"a": 1, '),), "tool_use")
    with mcplab.connect("calculator") as tools:
        done = run(mcplab.openai_client, bad, "Sorry.", tools=tools)
    assert done.answer == "Sorry."
    assert "not a JSON object" in str(call_step(done).error)


@BOTH
def test_a_model_that_never_stops_asking_is_held_by_a_guard(client: Any) -> None:
    again = [ToolCall(f"id_{n}", "add", {"a": n, "b": 1}) for n in range(9)]
    with mcplab.connect("calculator") as tools:
        done = run(client, *again, tools=tools, guards=(rounds(3),))
    assert done.state.action == "stopped"
    assert "3 model calls" in done.reason
    assert done.trace.outcome == done.reason


@BOTH
def test_a_model_function_that_raises_ends_the_run_and_names_the_fault(client: Any) -> None:
    def model(*_: Any) -> Reply:
        raise ValueError("my own mistake")

    with mcplab.connect("calculator") as tools:
        done = mcplab.run_sync("Go.", client=client(model), tools=tools)
    assert "my own mistake" in done.reason


def test_a_server_that_dies_at_the_start_is_one_sentence() -> None:
    with pytest.raises(mcplab.McplabError) as error:
        mcplab.connect(str(SERVERS / "dies_at_start.py"))
    assert "Traceback" not in str(error.value).splitlines()[0]


def test_a_server_that_dies_in_mid_call_is_an_answer_and_the_run_goes_on() -> None:
    with mcplab.connect(str(SERVERS / "odd.py")) as tools:
        done = run(mcplab.openai_client, ToolCall("id_1", "die", {}), "It died.", tools=tools)
    assert done.answer == "It died."
    assert call_step(done).error


def test_five_megabytes_and_an_unknown_kind_of_block_come_through() -> None:
    with mcplab.connect(str(SERVERS / "odd.py")) as tools, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the unknown kind warns, as it should
        calls = [ToolCall("id_1", "big", {}), ToolCall("id_2", "hologram", {})]
        done = run(mcplab.anthropic_client, calls, "Much.", tools=tools)
    assert done.answer == "Much."
    sent = done.state.messages[2]["content"]
    assert len(sent[0]["content"]) >= 5_000_000
    assert "hologram" in str(sent[1])


def test_an_interrupt_during_a_call_keeps_the_trace_and_the_connection() -> None:
    def interrupt(tools: Any) -> None:
        while not any(f.message.get("method") == "tools/call" for f in tools.frames):
            time.sleep(0.01)
        _thread.interrupt_main()

    with mcplab.connect(str(SERVERS / "odd.py")) as tools:
        threading.Thread(target=interrupt, args=(tools,)).start()
        trace = mcplab.Trace()
        done = run(
            mcplab.openai_client, ToolCall("id_1", "hang", {}), "Late.", tools=tools, trace=trace
        )
        assert "You interrupted the run in the step “call”" in done.reason
        assert [step.kind for step in trace] == ["list", "ask", "call"]
        assert trace[-1].error == "interrupted before anything came back"
        again = run(mcplab.openai_client, "Here I am.", tools=tools)
    assert again.answer == "Here I am."
