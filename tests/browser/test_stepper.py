"""The stepper in a real JupyterLab: clicks, keys, a dead kernel, a reopened notebook."""

from __future__ import annotations

import os
import signal

import pytest
from conftest import Lab, NotebookPage, open_notebook
from playwright.sync_api import Locator, Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

CALCULATOR = """\
import mcplab
tools = mcplab.connect("calculator")
stepper = mcplab.step("What is 12 times 30?", client=mcplab.anthropic_client(), tools=tools)
stepper
"""
EXPENSES = """\
import mcplab
tools = mcplab.connect("expenses")
mcplab.step(
    "My hotel expense E-1042 was rejected. I am at job level L3. Look up the expense and the "
    "hotel policy, compute the excess, and file a supplement request.",
    client=mcplab.openai_client(), tools=tools, system="You help with expenses.",
)
"""
# Hands out what must not be obeyed, and hangs when it is asked to.
HOSTILE = """\
import asyncio, mcplab
from mcplab.messages import ToolCall
from mcplab.models import ScriptedModel

EVIL = "<img src=x onerror='window.hacked=1'><script>window.hacked=1</script>\\x1b[31m\\u202e"

async def slow(seconds: float) -> str:
    "Wait."
    await asyncio.sleep(seconds)
    return EVIL

model = ScriptedModel([ToolCall("", "slow", {"seconds": 0}), ToolCall("", "slow", {"seconds": 600}),
                       EVIL])
stepper = mcplab.step(EVIL, client=mcplab.anthropic_client(model), tools=[slow])
stepper
"""


def shown_in(notebook: NotebookPage, index: int) -> Locator:
    """Run a cell and give its stepper."""
    stepper = notebook.run_cell(index).locator(".mcplab-stepper")
    stepper.locator(".record").first.wait_for()
    return stepper


def button(stepper: Locator, name: str) -> Locator:
    return stepper.get_by_role("button", name=name)


def expect_steps(stepper: Locator, count: int) -> None:
    expect(stepper.locator(".record:not(.pending)")).to_have_count(count)


def test_four_clicks_go_through_the_four_steps(page: Page, lab: Lab) -> None:
    page.set_viewport_size({"width": 1280, "height": 1600})
    notebook = open_notebook(page, lab.notebook("four-steps", CALCULATOR, "stepper.stepper.trace"))
    stepper = shown_in(notebook, 0)
    notebook.wait_until_idle()  # the cell is over at once; nothing waits in the kernel
    expect(stepper.locator(".question")).to_have_text("What is 12 times 30?")
    expect(stepper.locator(".tag")).to_contain_text("no language model")
    notebook.shot("stepper-0", stepper)
    rail, messages = stepper.locator(".rail li"), stepper.locator(".messages li")
    for clicks, grown in enumerate([1, 2, 3, 4], 1):
        expect(rail.nth(clicks - 1)).to_have_attribute("aria-current", "step")
        expect(stepper.locator(".pane.pending h4")).to_contain_text("About to be sent")
        button(stepper, "Next").click()
        expect_steps(stepper, clicks)
        expect(messages).to_have_count(grown)
        notebook.shot(f"stepper-{clicks}", stepper)
    expect(stepper.locator(".answer")).to_contain_text("12 × 30 = 360")
    expect(stepper.locator(".outcome")).to_contain_text("The model answered.")
    expect(button(stepper, "Done")).to_have_attribute("aria-disabled", "true")
    notebook.use_theme("JupyterLab Dark")
    notebook.shot("stepper-dark", stepper)
    notebook.shot("stepper-in-lab")
    notebook.use_theme("JupyterLab Light")
    table = notebook.run_cell(1).locator(".mcplab-page table.steps")
    expect(table.locator("tbody tr")).to_have_count(4)


def test_the_expense_case_runs_to_a_decision_and_to_the_end(page: Page, lab: Lab) -> None:
    page.set_viewport_size({"width": 1280, "height": 2400})
    notebook = open_notebook(page, lab.notebook("expenses", EXPENSES))
    stepper = shown_in(notebook, 0)
    button(stepper, "Run to end").click()
    decision = stepper.locator(".decision")
    expect(decision).to_contain_text("file_supplement")
    expect_steps(stepper, 7)
    notebook.shot("stepper-decision", stepper)
    button(decision, "Run it").click()
    expect_steps(stepper, 8)
    button(stepper, "Next").click()
    expect(stepper.locator(".answer")).to_be_visible()
    expect(stepper.locator(".messages .head")).to_contain_text("2 in round 1, 5 in round 2")
    notebook.shot("stepper-expenses", stepper)
    button(stepper, "Restart").click()
    expect_steps(stepper, 0)


def test_it_can_be_used_by_keyboard_and_no_key_leaks_to_the_notebook(page: Page, lab: Lab) -> None:
    notebook = open_notebook(page, lab.notebook("keys", CALCULATOR))
    stepper = shown_in(notebook, 0)
    cells = page.locator(".jp-Notebook .jp-Cell")
    before = cells.count()
    button(stepper, "Next").focus()
    for key in ("a", "b", "d", "d", "m", "y"):
        page.keyboard.press(key)
    page.keyboard.press("n")
    expect_steps(stepper, 1)
    assert cells.count() == before
    page.keyboard.press("Enter")  # the button itself still works
    expect_steps(stepper, 2)
    expect(button(stepper, "Next")).to_be_focused()
    page.keyboard.press("1")
    expect(stepper.locator(".looking")).to_contain_text("1 List")
    expect(stepper.get_by_role("status")).to_contain_text("Showing step 1 List")
    page.keyboard.press("4")
    expect(stepper.get_by_role("status")).to_contain_text("Step 4 was not done yet")
    page.keyboard.press("0")
    expect(stepper.locator(".looking")).to_be_hidden()
    page.keyboard.press("Tab")
    expect(button(stepper, "Run to end")).to_be_focused()
    page.keyboard.press("e")
    expect_steps(stepper, 4)
    expect(stepper.get_by_role("status")).to_contain_text("The model answered.")
    page.keyboard.press("r")
    expect_steps(stepper, 0)
    expect(stepper.get_by_role("status")).to_contain_text("Next: step 1")
    assert cells.count() == before
    # Outside of the widget the keys are the notebook's again.
    notebook.cell(1).locator(".jp-InputPrompt").click()
    page.keyboard.press("b")
    expect(cells).to_have_count(before + 1)


def test_earlier_steps_can_be_looked_at(page: Page, lab: Lab) -> None:
    notebook = open_notebook(page, lab.notebook("earlier", CALCULATOR))
    stepper = shown_in(notebook, 0)
    button(stepper, "Run to end").click()
    expect_steps(stepper, 4)
    stepper.locator(".record").nth(1).click()
    expect(stepper.locator(".pane h4")).to_have_text(["Sent", "Came back"])
    expect(stepper.locator(".pane").nth(1)).to_contain_text('"stop_reason": "tool_use"')
    expect(stepper.locator(".record").nth(1)).to_be_focused()
    button(stepper, "Back to now").click()
    expect(stepper.locator(".pane").nth(1)).to_contain_text('"stop_reason": "end_turn"')


def test_hostile_payloads_are_text_and_a_hanging_tool_can_be_cancelled(
    page: Page, lab: Lab
) -> None:
    notebook = open_notebook(page, lab.notebook("hostile", HOSTILE))
    stepper = shown_in(notebook, 0)
    expect(stepper.locator(".question")).to_contain_text("<img src=x")
    for steps in (1, 2):
        button(stepper, "Next").click()
        expect_steps(stepper, steps)
    button(stepper, "Run it").click()
    expect_steps(stepper, 3)
    button(stepper, "Next").click()
    expect_steps(stepper, 4)
    button(stepper, "Run it").click()
    button(stepper, "Cancel").click()
    expect(stepper.locator(".outcome")).to_contain_text("Cancelled")
    expect(stepper.locator(".pane").nth(1)).to_contain_text("Nothing came back.")
    notebook.cell(0).locator(".jp-OutputArea summary").first.click()
    assert stepper.locator("img, script").count() == 0
    assert page.evaluate("window.hacked") is None
    assert "\x1b" not in page.content()


def test_a_kernel_that_does_not_answer_gets_one_click_only(page: Page, lab: Lab) -> None:
    notebook = open_notebook(page, lab.notebook("stuck", CALCULATOR, "import os; os.getpid()"))
    stepper = shown_in(notebook, 0)
    output = notebook.run_cell(1).locator(".jp-OutputArea-output")
    kernel = int(output.inner_text())
    notice, step = stepper.locator(".notice"), button(stepper, "Next")
    os.kill(kernel, signal.SIGSTOP)
    try:
        step.click()
        step.click(force=True)  # Playwright would wait for the button
        step.dblclick(force=True)
        expect(notice).to_contain_text("The kernel has not answered yet")
    finally:
        os.kill(kernel, signal.SIGCONT)
    expect_steps(stepper, 1)
    expect(notice).to_be_hidden()
    step.click()
    expect_steps(stepper, 2)


def test_clicks_count_once_while_a_cell_runs(page: Page, lab: Lab) -> None:
    notebook = open_notebook(
        page, lab.notebook("running", CALCULATOR, "import time; time.sleep(5)")
    )
    stepper = shown_in(notebook, 0)
    cell = notebook.run_cell(1)
    expect(cell.locator(".jp-InputPrompt")).to_contain_text("*")
    button(stepper, "Next").click()
    expect_steps(stepper, 1)  # now, or when the cell has ended
    button(stepper, "Next").click()
    expect_steps(stepper, 2)
    notebook.wait_until_idle()
    expect_steps(stepper, 2)


def test_two_steppers_stand_on_one_page(page: Page, lab: Lab) -> None:
    other = 'mcplab.step("What is 2 plus 3?", client=mcplab.openai_client(), tools=tools)'
    notebook = open_notebook(page, lab.notebook("two", CALCULATOR, other))
    first, second = shown_in(notebook, 0), shown_in(notebook, 1)
    button(first, "Next").click()
    button(second, "Run to end").click()
    expect_steps(first, 1)
    expect_steps(second, 4)
    expect(second.locator(".answer")).to_contain_text("5")


def test_a_stepper_shown_twice_stays_the_same(page: Page, lab: Lab) -> None:
    notebook = open_notebook(page, lab.notebook("twice", CALCULATOR, "stepper"))
    first = shown_in(notebook, 0)
    button(first, "Next").click()
    expect_steps(first, 1)
    second = shown_in(notebook, 1)
    expect_steps(second, 1)
    button(second, "Next").click()
    expect_steps(first, 2)
    expect_steps(second, 2)


def test_a_restarted_kernel_is_told_in_words(page: Page, lab: Lab) -> None:
    notebook = open_notebook(page, lab.notebook("restarted", CALCULATOR))
    stepper = shown_in(notebook, 0)
    button(stepper, "Next").click()
    expect_steps(stepper, 1)
    page.get_by_role("menuitem", name="Kernel").click()
    page.locator(".lm-Menu-itemLabel").get_by_text("Restart Kernel…", exact=True).click()
    page.locator(".jp-Dialog .jp-mod-accept").click()
    expect(stepper.locator(".notice")).to_contain_text("Run the cell again")
    expect(button(stepper, "Next")).to_have_attribute("aria-disabled", "true")
    expect_steps(stepper, 1)  # the last state stays to be seen
    notebook.shot("stepper-restarted", stepper)
    notebook.wait_until_idle()
    again = shown_in(notebook, 0)
    expect(again.locator(".notice")).to_be_hidden()
    button(again, "Next").click()
    expect_steps(again, 1)


def test_a_reopened_notebook_still_shows_the_transcript(page: Page, lab: Lab) -> None:
    url = lab.notebook("reopened", CALCULATOR)
    notebook = open_notebook(page, url)
    stepper = shown_in(notebook, 0)
    button(stepper, "Run to end").click()
    expect_steps(stepper, 4)
    transcript = notebook.cell(0).locator("details", has_text="Transcript").first
    expect(transcript).to_contain_text("The model answered.")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+s")
    expect(page.locator(".jp-mod-dirty")).to_have_count(0)
    saved = (lab.folder / "reopened.ipynb").read_text()
    assert "12 × 30 = 360" in saved
    page.get_by_role("menuitem", name="Kernel").click()
    page.get_by_role("menuitem", name="Shut Down Kernel", exact=True).click()
    page.locator(".jp-KernelName", has_text="No Kernel").wait_for()
    page.goto("about:blank")
    page.goto(url)
    transcript = page.locator(".jp-Notebook details", has_text="Transcript").first
    transcript.locator("summary").first.click()
    expect(transcript.locator("table.steps tbody tr")).to_have_count(4)
    expect(transcript).to_contain_text("12 × 30 = 360")


@pytest.mark.parametrize("width", [360, 620, 1100])
def test_it_fits_into_narrow_and_wide_places(page: Page, lab: Lab, width: int) -> None:
    page.set_viewport_size({"width": 1500, "height": 2600})
    notebook = open_notebook(page, lab.notebook(f"width-{width}", CALCULATOR))
    stepper = shown_in(notebook, 0)
    stepper.evaluate(f"e => {{ e.style.boxSizing = 'border-box'; e.style.width = '{width}px' }}")
    button(stepper, "Run to end").click()
    expect_steps(stepper, 4)
    assert stepper.evaluate("e => e.scrollWidth <= e.clientWidth")
    small = stepper.evaluate(
        "e => [...e.querySelectorAll('button')].filter(b => b.offsetParent && b.offsetHeight < 24)"
        ".length"
    )
    assert small == 0
    notebook.shot(f"stepper-{width}", stepper)
