"""The stepper: a tool loop that stops at each of its four steps.

`Stepper` is the run without a display; `step` shows it in a notebook, `step_in_terminal` in
a terminal. All faces show the same picture of the same object.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Unpack

from mcplab.stepper.driver import Moment, Stepper, StepperError

if TYPE_CHECKING:
    from mcplab.drivers import RunOptions
    from mcplab.stepper.terminal import step_in_terminal
    from mcplab.stepper.view import snapshot
    from mcplab.stepper.widget import StepperWidget

__all__ = [
    "Moment",
    "Stepper",
    "StepperError",
    "StepperWidget",
    "snapshot",
    "step",
    "step_in_terminal",
]

_HOMES = {"StepperWidget": "widget", "snapshot": "view", "step_in_terminal": "terminal"}


def step(question: str, **options: Unpack[RunOptions]) -> StepperWidget:
    """Go through the tool loop for `question` step by step, in a notebook.

    Args:
        question: what the user asks.
        options: see `mcplab.drivers.RunOptions`; `client` and `tools` at least.

    Returns:
        A widget. As the last line of a cell it is shown, and the cell is over at once.

    Raises:
        McplabError: `client` or `tools` is something else than `RunOptions` says.
    """
    from mcplab.stepper.widget import StepperWidget

    return StepperWidget(Stepper(question, **options))


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'mcplab.stepper' has no attribute {name!r}")
    return getattr(import_module(f"mcplab.stepper.{_HOMES[name]}"), name)
