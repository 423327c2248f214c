"""The stepper in a terminal."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from fake_run import ANSWERS, MULTIPLIES, FakeRun, asks, fake_run

from mcplab.messages import Reply, ToolCall
from mcplab.stepper import step_in_terminal

WRITES = asks(ToolCall("id_1", "file", {"form": "A"}))


class Terminal(io.StringIO):
    """A terminal with colours, unless told otherwise."""

    def isatty(self) -> bool:
        return True


def keys(*pressed: str) -> Callable[[str], str]:
    """Somebody who presses these keys and then is gone (end of input)."""
    left = iter(pressed)

    def read(prompt: str) -> str:
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    return read


def shown(run: FakeRun, *pressed: str, auto: bool = False) -> str:
    out = io.StringIO()
    step_in_terminal(run.stepper, auto=auto, input=keys(*pressed), out=out)
    return out.getvalue()


def test_enter_goes_through_the_four_steps() -> None:
    run = fake_run()
    text = shown(run, "", "", "", "", "q")
    titles = [line.strip("─ ") for line in text.splitlines() if line.startswith("──")]
    assert [title.partition(":")[0] for title in titles] == [
        "1 list",
        "2 ask, round 1",
        "3 call, round 1",
        "4 return, round 2",
    ]
    assert run.stepper.state.action == "done"


def test_the_pending_payload_stands_before_its_answer() -> None:
    text = shown(fake_run(), auto=True)
    assert text.index('"method": "tools/call"') < text.index("came back after 2 ms: 360")


def test_the_messages_grow_to_four_and_the_answer_comes_last() -> None:
    text = shown(fake_run(), auto=True)
    assert [f"messages: {count} " in text for count in (1, 2, 3, 4)] == [False, True, True, True]
    assert text.rstrip().endswith("12 × 30 = 360\nThe model answered.")
    assert "tokens so far: 220 in, 22 out" in text


def test_auto_asks_nothing() -> None:
    run = fake_run([WRITES, ANSWERS])
    text = shown(run, auto=True)
    assert "may change something. It runs, since nobody is asked." in text
    assert run.tools.called == ["file"]


def test_e_runs_to_the_end() -> None:
    run = fake_run()
    shown(run, "e")
    assert run.stepper.state.action == "done"


def test_e_stops_before_a_tool_that_writes() -> None:
    run = fake_run([WRITES, ANSWERS])
    text = shown(run, "e", "", "q")
    assert run.tools.called == []
    assert "Run it, or decline it?" in text
    assert "There is no key '' here" in text


@pytest.mark.parametrize(("key", "called"), [("y", ["file"]), ("d", [])])
def test_a_writing_tool_runs_on_y_and_is_declined_on_d(key: str, called: list[str]) -> None:
    run = fake_run([WRITES, ANSWERS])
    shown(run, "e", key, "e")
    assert run.tools.called == called
    assert run.stepper.state.action == "done"


def test_r_restarts_in_the_middle_and_at_the_end() -> None:
    run = fake_run()
    text = shown(run, "", "r", "e", "r", "q")
    assert text.count("── 1 list") == 3
    assert run.stepper.state.action == "list"


def test_q_and_the_end_of_input_leave_the_run_where_it_is() -> None:
    for pressed in (("", "q"), ("",)):
        run = fake_run()
        shown(run, *pressed)
        assert run.stepper.state.action == "ask"


def test_an_interrupt_at_the_prompt_quits() -> None:
    def interrupted(prompt: str) -> str:
        raise KeyboardInterrupt

    run = fake_run()
    assert step_in_terminal(run.stepper, input=interrupted, out=io.StringIO()).action == "list"


def test_help_names_the_keys_and_an_unknown_key_is_told() -> None:
    text = shown(fake_run(), "?", "x", "q")
    assert "run to the end" in text
    assert "There is no key 'x' here." in text


def test_p_prints_the_whole_payload() -> None:
    long = {f"argument_{number}": number for number in range(60)}
    run = fake_run([asks(ToolCall("id_1", "multiply", long)), ANSWERS])
    assert "argument_59" not in shown(run, "", "", "q").rpartition("about to be sent")[2]
    assert "argument_59" in shown(run, "p", "q").rpartition("about to be sent")[2]


def test_colours_are_for_terminals_without_no_color(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    out = Terminal()
    step_in_terminal(fake_run().stepper, auto=True, out=out)
    assert "\x1b[" in out.getvalue()
    monkeypatch.setenv("NO_COLOR", "1")
    plain = Terminal()
    step_in_terminal(fake_run().stepper, auto=True, out=plain)
    assert "\x1b[" not in plain.getvalue()


def test_no_control_code_of_a_payload_reaches_the_terminal() -> None:
    evil = "\x1b]0;title\x07 \x9b31m \u202e \ud800 \r"
    run = fake_run([MULTIPLIES, Reply(evil)], {"multiply": evil}, question=evil)
    text = shown(run, auto=True)
    assert not set(text) & set("\x1b\x07\x9b\u202e\ud800\r")
    assert "\\u001b]0;title" in text


def test_a_terminal_that_knows_only_ascii_shows_the_rest_as_question_marks() -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii")
    step_in_terminal(fake_run().stepper, auto=True, out=out)
    assert b"12 ? 30 = 360" in raw.getvalue()
