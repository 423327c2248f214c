"""The stepper without a display."""

from __future__ import annotations

import signal
import threading
from typing import Any

import pytest
from fake_run import ANSWERS, FILE, Gate, asks, fake_run

import mcplab
from mcplab.errors import McplabError
from mcplab.guards import rounds
from mcplab.messages import ToolCall
from mcplab.stepper import Stepper, StepperError

WRITES = asks(ToolCall("id_1", "file", {"form": "A"}))


def test_each_next_performs_exactly_one_action() -> None:
    run = fake_run()
    kinds = []
    while not run.stepper.state.over:
        kinds.append(run.stepper.state.action)
        run.stepper.next()
        assert len(run.stepper.trace) == len(kinds)
    assert kinds == ["list", "ask", "call", "return"]
    assert (run.endpoint.asked, run.tools.called) == (2, ["multiply"])
    assert run.stepper.state.answer == "12 × 30 = 360"
    assert run.stepper.trace.outcome == run.stepper.state.reason


def test_parallel_calls_of_one_reply_are_one_stop() -> None:
    both = asks(ToolCall("x", "multiply", {"a": 1}), ToolCall("y", "multiply", {"a": 2}))
    run = fake_run([both, ANSWERS])
    for _ in range(3):
        run.stepper.next()
    assert [step.ids for step in run.stepper.trace[2:]] == [("x",), ("y",)]
    assert run.stepper.state.action == "return"
    assert len(run.stepper.history) == 4


def test_pending_is_what_is_sent_next() -> None:
    run = fake_run()
    run.stepper.next()
    about_to_be_sent = run.stepper.pending
    run.stepper.next()
    assert run.stepper.trace[1].out == about_to_be_sent
    assert run.stepper.pending["calls"][0]["arguments"] == {"a": 12, "b": 30}


def test_nothing_is_pending_when_the_run_is_over() -> None:
    run = fake_run()
    run.stepper.run_to_end()
    assert run.stepper.pending == {}
    with pytest.raises(StepperError, match="over"):
        run.stepper.next()


def test_the_history_keeps_every_state_unchanged() -> None:
    run = fake_run()
    first = run.stepper.state
    run.stepper.run_to_end()
    actions = [moment.state.action for moment in run.stepper.history]
    assert actions == ["list", "ask", "call", "return", "done"]
    assert [moment.recorded for moment in run.stepper.history] == [0, 1, 2, 3, 4]
    assert run.stepper.history[0].state is first
    assert len(first.messages) == 1


def test_restart_begins_anew_and_leaves_the_old_trace_alone() -> None:
    run = fake_run()
    run.stepper.run_to_end()
    old = run.stepper.trace
    assert run.stepper.restart() is None
    assert (len(old), len(run.stepper.trace)) == (4, 0)
    assert run.stepper.state.action == "list"
    assert run.stepper.run_to_end().answer == "12 × 30 = 360"


def test_a_writing_tool_waits_for_a_decision() -> None:
    run = fake_run([WRITES, ANSWERS])
    run.stepper.run_to_end()
    assert run.stepper.state.action == "call"
    assert [call.name for call in run.stepper.needs_approval] == ["file"]
    with pytest.raises(StepperError, match="file may change something"):
        run.stepper.next()
    assert run.tools.called == []
    run.stepper.next(approve=True)
    assert run.tools.called == ["file"]


def test_a_declined_tool_is_answered_and_never_runs() -> None:
    run = fake_run([WRITES, ANSWERS])
    state = run.stepper.run_to_end(approve=False)
    assert run.tools.called == []
    assert state.action == "done"
    assert "declined" in str(state.messages[2])


def test_declining_touches_only_the_writing_calls() -> None:
    mixed = asks(ToolCall("x", "multiply", {}), ToolCall("y", "file", {}))
    run = fake_run([mixed, ANSWERS])
    run.stepper.run_to_end(approve=False)
    assert run.tools.called == ["multiply"]


def test_an_approve_function_decides_instead_of_the_face() -> None:
    asked: list[str] = []

    def approve(call: ToolCall, tool: Any) -> bool:
        asked.append(f"{call.name} {tool == FILE}")
        return True

    run = fake_run([WRITES, ANSWERS], approve=approve)
    assert run.stepper.run_to_end().action == "done"
    assert asked == ["file True"]


def test_guards_are_asked_before_each_action() -> None:
    run = fake_run(guards=(rounds(1),))
    state = run.stepper.run_to_end()
    assert state.action == "stopped"
    assert "round guard" in run.stepper.trace.outcome
    assert run.endpoint.asked == 1


def test_a_guard_that_fails_ends_the_run_with_a_sentence() -> None:
    def broken(state: Any) -> str | None:
        raise RuntimeError("no such limit")

    run = fake_run(guards=(broken,))
    assert run.stepper.next().reason == "Stopped by RuntimeError: no such limit"
    assert not run.stepper.busy


def test_a_second_start_while_busy_is_refused_and_not_queued() -> None:
    gate = Gate()
    run = fake_run(gate=gate)
    run.stepper.next()
    assert run.stepper.start_next() is None
    gate.reached.wait()
    assert run.stepper.busy
    assert "still being performed" in str(run.stepper.start_next())
    assert "still being performed" in str(run.stepper.restart())
    done = wait_for_idle(run.stepper)
    gate.open()
    done.wait()
    assert (run.endpoint.asked, len(run.stepper.trace)) == (1, 2)


def test_many_clicks_at_once_perform_one_action() -> None:
    gate = Gate()
    run = fake_run(gate=gate)
    run.stepper.next()
    start = threading.Barrier(8)
    answers: list[str | None] = []

    def click() -> None:
        start.wait()
        answers.append(run.stepper.start_next())

    clicks = [threading.Thread(target=click) for _ in range(8)]
    for thread in clicks:
        thread.start()
    for thread in clicks:
        thread.join()
    done = wait_for_idle(run.stepper)
    gate.open()
    done.wait()
    assert answers.count(None) == 1
    assert run.endpoint.asked == 1


def test_a_click_that_comes_late_sends_nothing() -> None:
    run = fake_run()
    seen = run.stepper.position
    run.stepper.next()
    assert "moved on" in str(run.stepper.start_next(at=seen))
    assert "moved on" in str(run.stepper.restart(at=seen))
    assert len(run.stepper.trace) == 1


def test_cancel_gives_up_the_action_and_keeps_the_trace() -> None:
    gate = Gate()
    run = fake_run(gate=gate)
    run.stepper.next()
    run.stepper.start_next()
    gate.reached.wait()
    done = wait_for_idle(run.stepper)
    run.stepper.cancel()
    done.wait()
    assert run.stepper.state.action == "stopped"
    assert "Cancelled" in run.stepper.trace.outcome
    assert [step.error is None for step in run.stepper.trace] == [True, False]
    gate.open()
    run.stepper.restart()
    assert run.stepper.run_to_end().action == "done"


def test_an_interrupt_ends_the_run_and_the_next_one_goes_on() -> None:
    gate = Gate()
    run = fake_run(gate=gate)
    run.stepper.next()

    def interrupt() -> None:
        gate.reached.wait()
        signal.raise_signal(signal.SIGINT)

    threading.Thread(target=interrupt).start()
    state = run.stepper.next()
    assert state.reason.startswith("You interrupted the run in the step “ask”.")
    assert run.stepper.trace[-1].error is not None
    gate.open()
    run.stepper.restart()
    assert run.stepper.run_to_end().action == "done"


def test_cancel_without_work_does_nothing() -> None:
    run = fake_run()
    run.stepper.cancel()
    assert run.stepper.run_to_end().action == "done"


def test_observers_hear_of_every_change_until_they_leave() -> None:
    run = fake_run()
    heard: list[tuple[int, bool]] = []
    leave = run.stepper.on_change(lambda: heard.append((len(run.stepper.trace), run.stepper.busy)))
    run.stepper.next()
    assert heard[-1] == (1, False)
    run.stepper.restart()
    assert heard[-1] == (0, False)
    count = len(heard)
    leave()
    run.stepper.next()
    assert len(heard) == count


def test_a_failing_observer_does_not_stop_the_run(caplog: pytest.LogCaptureFixture) -> None:
    run = fake_run()
    run.stepper.on_change(lambda: 1 / 0)  # type: ignore[arg-type, return-value]
    assert run.stepper.run_to_end().action == "done"
    assert "observer" in caplog.text


def test_start_next_calls_back_when_it_is_done() -> None:
    run = fake_run()
    done = threading.Event()
    assert run.stepper.start_next(done.set) is None
    done.wait()
    assert run.stepper.state.action == "ask"


def test_the_steps_before_a_run_in_the_same_trace_are_not_its_own() -> None:
    run = fake_run()
    run.stepper.next()
    earlier = run.stepper.trace
    again = Stepper.from_setup(run.stepper._ready)
    assert (len(earlier), len(again.steps)) == (1, 0)
    again.next()
    assert (len(earlier), len(again.steps)) == (2, 1)


def test_a_mock_says_that_it_is_one_and_a_real_client_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from mcplab.models import ScriptedModel

    mock = mcplab.openai_client()
    assert "no language model" in Stepper("?", client=mock, tools=[]).source
    scripted = mcplab.anthropic_client(ScriptedModel(["Hello."]))
    assert "written beforehand" in Stepper("?", client=scripted, tools=[]).source
    import openai

    real = openai.OpenAI(api_key="none", base_url="http://127.0.0.1:9/v1")
    assert Stepper("?", client=real, tools=[], model="local").source == "live model"


@pytest.mark.parametrize("make", [mcplab.anthropic_client, mcplab.openai_client])
def test_the_calculator_case_runs_with_the_real_parts(make: Any) -> None:
    with mcplab.connect("calculator") as tools:
        stepper = Stepper("What is 12 times 30?", client=make(), tools=tools)
        while not stepper.state.over:
            stepper.next()
    assert [step.kind for step in stepper.trace] == ["list", "ask", "call", "return"]
    assert "12 × 30 = 360" in stepper.state.answer
    assert len(stepper.state.messages) == 4


def test_a_wrong_client_is_named() -> None:
    with pytest.raises(McplabError, match="anthropic"):
        Stepper("?", client=object(), tools=[])


def wait_for_idle(stepper: Stepper) -> threading.Event:
    """An event that is set when the work that is going on has ended."""
    done = threading.Event()
    stepper.on_change(lambda: None if stepper.busy else done.set())
    return done
