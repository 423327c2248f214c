"""The Python half of the widget, without a browser; and the other half in node."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from fake_run import ANSWERS, FakeRun, Gate, asks, fake_run
from test_stepper_driver import wait_for_idle

import mcplab
from mcplab.messages import ToolCall
from mcplab.stepper import StepperWidget

HERE = Path(__file__).parent


class Browser:
    """Stands in for the browser: clicks, and keeps what the widget sent."""

    def __init__(self, run: FakeRun) -> None:
        self.run = run
        self.widget = StepperWidget(run.stepper)
        self.sent: list[dict[str, Any]] = []
        self.widget.send = lambda message, buffers=None: self.sent.append(message)
        self.clicks = 0

    def click(self, do: str, at: int | None = None) -> dict[str, Any]:
        """Send a click and give its answer; wait for the work that it began."""
        done = wait_for_idle(self.run.stepper)
        self.clicks += 1
        position = self.run.stepper.position if at is None else at
        self.widget._handle_custom_msg({"id": self.clicks, "do": do, "at": position}, [])
        answer = next(one for one in reversed(self.sent) if one.get("answers") == self.clicks)
        if answer["refused"] is None and do in ("next", "end", "run", "decline"):
            done.wait()
        return answer

    @property
    def views(self) -> list[dict[str, Any]]:
        return [message["view"] for message in self.sent if "view" in message]


def test_a_click_is_answered_at_once_with_its_number() -> None:
    gate = Gate()
    browser = Browser(fake_run(gate=gate))
    browser.click("next")
    browser.widget._handle_custom_msg(
        {"id": 9, "do": "next", "at": browser.run.stepper.position}, []
    )
    gate.reached.wait()
    assert browser.sent[-1] == {"answers": 9, "refused": None}
    assert browser.views[-1]["busy"]
    done = wait_for_idle(browser.run.stepper)
    gate.open()
    done.wait()
    assert not browser.views[-1]["busy"]


def test_each_click_sends_only_what_is_new() -> None:
    browser = Browser(fake_run())
    for _ in range(4):
        browser.click("next")
    assert [view["first"] for view in browser.views if view["steps"]] == [0, 1, 2, 3]
    assert browser.views[-1]["answer"] == "12 × 30 = 360"


def test_a_new_view_gets_everything() -> None:
    browser = Browser(fake_run())
    browser.click("end")
    browser.click("show")
    assert (browser.views[-1]["first"], len(browser.views[-1]["steps"])) == (0, 4)


def test_a_double_click_performs_one_step() -> None:
    browser = Browser(fake_run())
    seen = browser.run.stepper.position
    assert browser.click("next", at=seen)["refused"] is None
    assert "moved on" in browser.click("next", at=seen)["refused"]
    assert len(browser.run.stepper.trace) == 1


def test_restart_sends_the_new_run_from_its_beginning() -> None:
    browser = Browser(fake_run())
    browser.click("next")
    browser.click("restart")
    assert (browser.views[-1]["first"], browser.views[-1]["steps"]) == (0, [])
    before = len(browser.views)
    browser.click("next")
    new = [step["kind"] for view in browser.views[before:] for step in view["steps"]]
    assert new == ["list"]


def test_a_writing_step_runs_or_is_declined_by_a_click() -> None:
    writes = asks(ToolCall("id_1", "file", {}))
    for do, called in (("run", ["file"]), ("decline", [])):
        browser = Browser(fake_run([writes, ANSWERS]))
        browser.click("end")
        assert browser.views[-1]["approval"]
        assert "may change something" in browser.click("next")["refused"]
        browser.click(do)
        assert browser.run.tools.called == called


def test_cancel_ends_a_step_that_hangs() -> None:
    gate = Gate()
    browser = Browser(fake_run(gate=gate))
    browser.click("next")
    browser.run.stepper.start_next()
    gate.reached.wait()
    done = wait_for_idle(browser.run.stepper)
    browser.click("cancel")
    done.wait()
    assert browser.views[-1]["stopped"]
    gate.open()


def test_an_unknown_message_is_refused_in_words() -> None:
    assert "explode" in Browser(fake_run()).click("explode")["refused"]


def test_two_steppers_do_not_disturb_each_other() -> None:
    first, second = Browser(fake_run()), Browser(fake_run(question="And 2 times 3?"))
    first.click("next")
    second.click("end")
    assert (len(first.run.stepper.trace), len(second.run.stepper.trace)) == (1, 4)
    assert first.views[-1]["question"] != second.views[-1]["question"]


def test_outside_jupyter_it_says_what_to_do() -> None:
    widget = StepperWidget(fake_run().stepper)
    assert "mcplab demo" in repr(widget)
    bundle = widget._repr_mimebundle_()
    assert bundle is not None
    assert bundle[0]["text/plain"] == repr(widget)


def test_the_transcript_follows_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[dict[str, str], dict[str, Any]]] = []
    monkeypatch.setattr(
        "mcplab.stepper.widget._display", lambda data, **options: shown.append((data, options))
    )
    browser = Browser(fake_run())
    browser.widget._ipython_display_()
    browser.click("end")
    display_id = shown[1][1]["display_id"]
    assert "application/vnd.jupyter.widget-view+json" in shown[0][0]
    assert shown[-1][1] == {"display_id": display_id, "update": True}
    assert "12 × 30 = 360" in shown[-1][0]["text/html"]
    assert "The model answered." in shown[-1][0]["text/plain"]


def test_step_gives_a_widget_over_a_stepper() -> None:
    widget = mcplab.step("Hello?", client=mcplab.anthropic_client(), tools=[])
    assert widget.stepper.state.action == "list"


def test_the_front_end_is_one_module_that_fetches_nothing_and_writes_no_html() -> None:
    code = StepperWidget._esm
    for banned in ("import ", "fetch(", "innerHTML", "outerHTML", "insertAdjacentHTML", "eval("):
        assert banned not in code
    assert "url(" not in StepperWidget._css
    assert "@import" not in StepperWidget._css


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_pure_functions_of_the_front_end() -> None:
    done = subprocess.run(
        ["node", "--test", str(HERE / "widget.test.mjs")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
