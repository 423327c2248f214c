"""The main job as a new user does it: `mcplab lab`, lesson 01, exercise 01, the curve."""

from __future__ import annotations

import pytest
from conftest import Lab, NotebookPage, open_notebook
from playwright.sync_api import Locator, Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


def opened(page: Page, course: Lab, name: str) -> NotebookPage:
    """A notebook of the course, open in JupyterLab."""
    page.set_viewport_size({"width": 1300, "height": 1800})
    # A workspace of its own: else the tabs of the test before are opened again.
    workspace = name.replace("/", "-")
    address = f"{course.url}/lab/workspaces/{workspace}/tree/{name}.ipynb"
    return open_notebook(page, f"{address}?token={course.token}")


def run_from_menu(notebook: NotebookPage) -> None:
    """Run all cells as a person does, and wait."""
    page = notebook.page
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    notebook.page.wait_for_timeout(1000)  # the indicator says idle until the kernel has heard
    notebook.wait_until_idle()


def scrolled_to(notebook: NotebookPage, selector: str) -> Locator:
    """The first match, scrolled to; JupyterLab draws only the cells in view."""
    found = notebook.page.locator(selector).first
    panel = notebook.page.locator(".jp-WindowedPanel-outer").first
    for place in range(40):
        if found.count() and found.is_visible():
            found.scroll_into_view_if_needed()
            return found
        panel.evaluate("(panel, place) => { panel.scrollTop = place * 700 }", place)
        notebook.page.wait_for_timeout(200)
    raise AssertionError(f"nothing matches {selector}")


def test_lesson_01_steps_through_the_loop_and_shows_the_vendors_refusals(
    page: Page, course: Lab
) -> None:
    notebook = opened(page, course, "notebooks/01_one_question_four_steps")
    run_from_menu(notebook)
    stepper = scrolled_to(notebook, ".mcplab-stepper")
    messages = stepper.locator(".messages li")
    for grown in (1, 2, 3, 4):
        stepper.get_by_role("button", name="Next").click()
        expect(messages).to_have_count(grown)
    expect(stepper.locator(".answer")).to_contain_text("12 × 30 = 360")
    stepper.scroll_into_view_if_needed()
    notebook.shot("lesson-01-stepper")
    scrolled_to(notebook, "text=`tool_use` ids were found without `tool_result` blocks")
    notebook.shot("lesson-01-refusals")
    assert not page.locator(".jp-RenderedText[data-mime-type*=stderr]").count()


@pytest.mark.parametrize(
    ("folder", "status"), [("exercises", "not attempted"), ("solutions", "correct")]
)
def test_exercise_01_is_graded_at_once(page: Page, course: Lab, folder: str, status: str) -> None:
    notebook = opened(page, course, f"{folder}/exercise_01_three_messages")
    run_from_menu(notebook)
    outcome = scrolled_to(notebook, ".jp-OutputArea [data-status]")
    expect(outcome).to_have_attribute("data-status", status)
    notebook.shot(f"exercise-01-{folder}")


def test_lesson_02_compares_the_dialects(page: Page, course: Lab) -> None:
    notebook = opened(page, course, "notebooks/02_the_expense_case")
    run_from_menu(notebook)
    scrolled_to(notebook, "text=[2, 5, 7, 9]")
    scrolled_to(notebook, "text=[1, 3, 5, 7]")
    notebook.shot("lesson-02")


def test_lesson_03_draws_the_curve(page: Page, course: Lab) -> None:
    notebook = opened(page, course, "notebooks/03_too_many_tools")
    run_from_menu(notebook)
    picture = scrolled_to(notebook, ".jp-RenderedImage img")
    expect(picture).to_be_visible()
    notebook.shot("lesson-03")
