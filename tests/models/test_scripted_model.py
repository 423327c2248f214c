"""`ScriptedModel` recites, says so, and stays a pure function."""

from __future__ import annotations

import pytest

from mcplab.errors import McplabError
from mcplab.messages import Message, Reply, ToolCall
from mcplab.models import ScriptedModel, ScriptExhausted

QUESTION = Message("user", "What is 1 plus 2?")
CALL = ToolCall("", "add", {"a": 1, "b": 2})


def test_it_gives_the_reply_of_the_turn() -> None:
    model = ScriptedModel([CALL, "It is 3."])
    first = model([QUESTION], ())
    assert (first.calls[0].name, first.stop) == ("add", "tool_use")
    second = model([QUESTION, Message("assistant", "", first.calls)], ())
    assert (second.text, second.stop) == ("It is 3.", "end")


def test_going_back_gives_the_same_reply_again() -> None:
    model = ScriptedModel([CALL, "It is 3."])
    first = model([QUESTION], ())
    model([QUESTION, Message("assistant", "", first.calls)], ())
    assert model([QUESTION], (), seed=7) == first


def test_text_and_calls_can_be_said_together() -> None:
    reply = ScriptedModel([["Let me add.", CALL, CALL]])([QUESTION], ())
    assert (reply.text, len(reply.calls), reply.stop) == ("Let me add.", 2, "tool_use")


def test_calls_without_an_id_get_one_that_is_unique_in_the_script() -> None:
    model = ScriptedModel([[CALL, CALL], CALL])
    ids = [call.id for reply in model.replies for call in reply.calls]
    assert len(set(ids)) == 3
    assert ScriptedModel([[CALL, CALL], CALL]).replies == model.replies


def test_a_written_reply_is_kept_as_it_is() -> None:
    reply = Reply("cut", (ToolCall("mine", "add", None, raw='{"a": 1'),), stop="length")
    assert ScriptedModel([reply])([QUESTION], ()) == reply


def test_the_arguments_are_written_as_json_when_the_text_is_left_out() -> None:
    assert ScriptedModel([CALL]).replies[0].calls[0].raw == '{"a": 1, "b": 2}'


def test_it_says_that_it_is_scripted() -> None:
    model = ScriptedModel(["hello"])
    assert model.name == "scripted"
    assert "scripted" in repr(model)


def test_the_end_of_the_script_is_a_clear_error() -> None:
    with pytest.raises(
        ScriptExhausted, match=r"has 1 replies.*reply number 2.*Add a reply"
    ) as caught:
        ScriptedModel(["hello"])([QUESTION, Message("assistant", "hello")], ())
    assert isinstance(caught.value, McplabError)


def test_an_entry_that_is_no_reply_is_named() -> None:
    with pytest.raises(TypeError, match="Entry 2 of the script is 3"):
        ScriptedModel(["hello", 3])  # type: ignore[list-item]
