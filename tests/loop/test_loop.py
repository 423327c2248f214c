"""The state machine and its guards, without any IO."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest

from mcplab import guards
from mcplab.dialects import ANTHROPIC, OPENAI_CHAT
from mcplab.loop import LoopError, State, advance, start, stop
from mcplab.messages import Reply, StopReason, Tool, ToolCall, ToolResult, Usage

TOOL = Tool("clock", "The time.")
CALL = ToolCall("id_1", "clock", {}, "{}")


def reply(
    *calls: ToolCall, text: str = "", stop: StopReason | None = None, usage: Usage = Usage(10, 1)
) -> dict[str, Any]:
    why = stop or ("tool_use" if calls else "end")
    body = Reply(text, calls, why, usage)
    return OPENAI_CHAT.write_response(body, model="m", response_id="r", created=1)


def asked() -> State:
    return start("What time is it?", dialect=OPENAI_CHAT, model="m", tools=[TOOL])


def answered(state: State) -> State:
    """Every pending request answered with the same words."""
    block = {"type": "text", "text": "noon"}
    return advance(state, [ToolResult(call.id, (block,)) for call in state.calls])


def test_a_turn_with_one_tool_goes_through_list_ask_call_return_done() -> None:
    state = start("What time is it?", dialect=OPENAI_CHAT, model="m")
    actions = [state.action]
    for came_back in ([TOOL], reply(CALL), [ToolResult("id_1")], reply(text="Noon.")):
        state = advance(state, came_back)
        actions.append(state.action)
    assert actions == ["list", "ask", "call", "return", "done"]
    assert (state.round, state.answer, len(state.messages)) == (2, "Noon.", 4)


def test_going_back_is_taking_the_earlier_state() -> None:
    before = asked()
    messages = before.messages
    after = advance(before, reply(CALL))
    assert before.messages == messages
    assert advance(before, reply(CALL)) == after
    with pytest.raises(FrozenInstanceError):
        before.round = 7  # type: ignore[misc]


def test_two_branches_share_their_past() -> None:
    state = answered(advance(asked(), reply(CALL)))
    left, right = advance(state, reply(text="Noon.")), advance(state, reply(text="Late."))
    assert all(a is b for a, b in zip(left.messages[:-1], right.messages[:-1], strict=True))


def test_the_stop_signal_and_not_the_list_of_requests_is_the_switch() -> None:
    state = advance(asked(), reply(CALL, text="Done.", stop="end"))
    assert state.action == "done"
    assert "did not stop for them" in state.reason


@pytest.mark.parametrize(
    ("came_back", "words"),
    [
        (reply(stop="tool_use"), "asked for none"),
        (reply(CALL, CALL), "'id_1' twice"),
        (reply(text="Half a wo", stop="length"), "cut off at 1024"),
        (reply(text="No.", stop="refusal"), "refused"),
        ({"choices": []}, "not a reply"),
        ({}, "not a reply"),
        ({"choices": [{"message": None}]}, "not a reply"),
        ([], "not a reply"),
    ],
)
def test_a_reply_that_cannot_be_followed_stops_and_says_why(came_back: Any, words: str) -> None:
    state = advance(asked(), came_back)
    assert state.action == "stopped"
    assert words in state.reason


def test_a_paused_turn_is_asked_again_with_what_it_said_so_far() -> None:
    body = ANTHROPIC.write_response(
        Reply("Searching …", stop="pause"), model="m", response_id="r", created=1
    )
    state = advance(start("Find it.", dialect=ANTHROPIC, model="m", tools=[]), body)
    assert (state.action, len(state.messages)) == ("return", 2)


def test_a_run_that_is_over_cannot_be_advanced() -> None:
    over = stop(asked(), "Enough.")
    with pytest.raises(LoopError, match="Enough"):
        advance(over, {})


def go_on_for_ever(guard: guards.Guard, usage: Usage = Usage(10, 1)) -> State:
    """A model that asks for the same tool again and again, held by one guard."""
    state = asked()
    for _ in range(100):
        if reason := guard(state):
            return stop(state, reason)
        if state.action == "call":
            state = answered(state)
        else:
            state = advance(state, reply(CALL, usage=usage))
    raise AssertionError("the guard did not stop it")


def test_the_round_guard_stops_before_the_next_model_call() -> None:
    state = go_on_for_ever(guards.rounds(4))
    assert state.round == 4
    assert "4 model calls" in state.reason


def test_the_token_guard_counts_input_and_output() -> None:
    state = go_on_for_ever(guards.tokens(30), Usage(10, 1))
    assert state.usage == Usage(30, 3)
    assert "33 tokens used, 30 allowed" in state.reason


def test_the_cost_guard_multiplies_tokens_by_the_price() -> None:
    state = go_on_for_ever(guards.cost(0.0001, guards.Price(input=3, output=15)), Usage(10, 2))
    assert state.round == 2  # a round costs 10 × 3 + 2 × 15 = 60 millionths
    assert "0.0001 spent" in state.reason


def test_the_repeat_guard_allows_the_limit_and_not_one_more() -> None:
    state = go_on_for_ever(guards.repeats(3))
    assert len(state.made) == 3
    assert "clock was called 3 times with the same arguments" in state.reason


def test_other_arguments_are_no_repeat() -> None:
    state = advance(answered(advance(asked(), reply(CALL))), reply(replace(CALL, raw='{"a": 1}')))
    assert guards.repeats(1)(state) is None


def test_the_time_guard_counts_tools_that_ran_out_of_time() -> None:
    state = advance(asked(), reply(CALL))
    state = advance(state, [ToolResult("id_1", is_error=True, timed_out=True)])
    assert guards.timeouts(2)(state) is None
    assert "ran out of time once" in str(guards.timeouts(1)(state))


def test_cancel_stops_before_the_next_action() -> None:
    cancel = guards.Cancel()
    assert cancel(asked()) is None
    cancel.cancel()
    assert "Cancelled" in str(cancel(asked()))


def test_the_first_objection_is_the_verdict() -> None:
    own: guards.Guard = lambda state: "Because I say so."  # noqa: E731
    assert guards.verdict([guards.rounds(5), own], asked()) == "Because I say so."
    assert guards.verdict(guards.DEFAULT_GUARDS, asked()) is None
