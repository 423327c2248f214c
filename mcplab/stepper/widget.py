"""The stepper in a notebook: a widget over `mcplab.stepper.driver`.

The browser sends what was clicked, with a number; Python answers that number at once and
sends a picture of the run whenever something changed. Only steps that the browser has not
seen are in it. `widget.js` draws the picture. Nothing here waits.
"""

from __future__ import annotations

from html import escape
from importlib.resources import files
from threading import Lock
from typing import Any
from uuid import uuid4

import anywidget

from mcplab.stepper.driver import Stepper
from mcplab.stepper.view import snapshot
from mcplab.trace import Trace
from mcplab.views.html import trace_html
from mcplab.views.text import summary, trace_text

__all__ = ["StepperWidget"]

_HERE = files("mcplab.stepper")
_COLOURS = files("mcplab.views").joinpath("style.css")


class StepperWidget(anywidget.AnyWidget):
    """Shows a stepper. In a notebook, end a cell with it; the cell is over at once.

    JupyterLab does not save the state of widgets, so a transcript is shown below the widget:
    plain HTML that follows every step and stays in the saved notebook.

    Attributes:
        stepper: the run behind it; `stepper.trace` is what was recorded.
    """

    _esm = _HERE.joinpath("widget.js").read_text("utf-8")
    _css = "".join(one.read_text("utf-8") for one in (_COLOURS, _HERE.joinpath("widget.css")))

    def __init__(self, stepper: Stepper) -> None:
        super().__init__()
        self.stepper = stepper
        self._sending = Lock()  # clicks and the background thread both send
        self._sent_of: Trace | None = None  # which run the browser knows, …
        self._sent = 0  # … and how many of its steps
        self._transcript_id = f"mcplab-{uuid4().hex}"
        self._displayed = False
        self.on_msg(self._on_click)
        stepper.on_change(self._on_change)

    def _on_click(self, _: Any, message: dict[str, Any], __: Any) -> None:
        """Answer a message of the browser: ``{"id": 3, "do": "next", "at": 7}``."""
        at, do, stepper = message.get("at"), message.get("do"), self.stepper
        refused: str | None = None
        match do:
            case "next":
                refused = stepper.start_next(at=at)
            case "run" | "decline":
                refused = stepper.start_next(at=at, approve=do == "run")
            case "end":
                refused = stepper.start_run_to_end(at=at)
            case "restart":
                refused = stepper.restart(at=at)
            case "cancel":
                stepper.cancel()
            case "show":  # from a new view, or one that missed something
                self._send_view(everything=True)
            case _:
                refused = f"This widget cannot do {do!r}."
        self.send({"answers": message.get("id"), "refused": refused})

    def _on_change(self) -> None:
        self._send_view()
        if self._displayed and not self.stepper.busy:
            _display(self._transcript(), display_id=self._transcript_id, update=True)

    def _send_view(self, *, everything: bool = False) -> None:
        # The picture is taken inside the lock: what is sent last is what is true now.
        with self._sending:
            if everything or self._sent_of is not self.stepper.trace:
                self._sent_of, self._sent = self.stepper.trace, 0
            view = snapshot(self.stepper, self._sent)
            self._sent += len(view["steps"])
            self.send({"view": view})

    def _transcript(self) -> dict[str, str]:
        trace = self.stepper.trace
        words = f"Transcript: {_so_far(trace)}"
        html = f"<details><summary>{escape(words)}</summary>{trace_html(trace)}</details>"
        return {"text/html": html, "text/plain": f"{words}\n{trace_text(trace)}"}

    def __repr__(self) -> str:
        return (
            f"Stepper: {self.stepper.trace.question!r}, {_so_far(self.stepper.trace)}.\n"
            "It is shown in Jupyter. In a terminal, use `mcplab demo`, or\n"
            "mcplab.stepper.step_in_terminal(widget.stepper)."
        )

    def _ipython_display_(self) -> None:
        bundle = self._repr_mimebundle_()
        if bundle is not None:
            _display(bundle[0], metadata=bundle[1])
        _display(self._transcript(), display_id=self._transcript_id)
        self._displayed = True


def _display(bundle: dict[str, Any], **options: Any) -> None:
    from IPython.display import display

    display(bundle, raw=True, **options)  # type: ignore[no-untyped-call]


def _so_far(trace: Trace) -> str:
    if not trace.steps:
        return "no step done yet"
    return f"{summary(trace)}. {trace.outcome}".strip()
