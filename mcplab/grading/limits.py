"""Run a learner's function with a time limit, inside the kernel.

The function runs in a thread of its own while the caller waits. When the time is up an
exception is raised *inside* that thread. Compared with an alarm signal this works on
Windows and away from the main thread (JupyterLab can run cells in other threads), and
the kernel comes back even if the function is stuck in C code: the thread is then left
behind. This is a help for honest mistakes; it is no protection from hostile code.
"""

from __future__ import annotations

import contextlib
import contextvars
import ctypes
import threading
import time
from collections.abc import Callable
from typing import Any


class StopRun(BaseException):
    """Raised inside a run that must end.

    Not an `Exception`: a learner's ``except Exception`` in a loop must not catch it.
    """


class TimeUp(Exception):
    """The function did not come back in time.

    Attributes:
        left_behind: it could not be stopped either and still runs.
    """

    def __init__(self, seconds: float, left_behind: bool) -> None:
        super().__init__(f"no answer within {seconds:g} seconds")
        self.left_behind = left_behind


def limited(function: Callable[[], Any], seconds: float) -> Any:
    """`function()`, or `TimeUp` after that many seconds of wall time.

    Output that the function prints still goes to the cell that runs the check.

    Raises:
        TimeUp: it took longer.
        BaseException: whatever the function raised, with its traceback.
    """
    outcome: dict[str, Any] = {}

    def work() -> None:
        try:
            outcome["value"] = function()
        except BaseException as error:
            outcome["error"] = error

    def quietly() -> None:
        with contextlib.suppress(StopRun):  # one that came just after the end
            context.run(work)

    context = contextvars.copy_context()  # the kernel finds the cell of an output by context
    thread = threading.Thread(target=quietly, daemon=True, name="mcplab-check")
    try:
        thread.start()
        thread.join(seconds)
    except BaseException:  # the learner pressed "interrupt"
        _stop(thread)
        raise
    if thread.is_alive():
        _stop(thread)
        raise TimeUp(seconds, thread.is_alive())
    if "error" in outcome:
        raise outcome["error"]
    return outcome["value"]


def _stop(thread: threading.Thread) -> None:
    """Raise `StopRun` in the thread, again and again for a second, then let it be."""
    give_up = time.monotonic() + 1.0
    while thread.is_alive() and time.monotonic() < give_up:
        ident = ctypes.c_ulong(thread.ident or 0)  # 0 is no thread: it has not begun
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, ctypes.py_object(StopRun))
        thread.join(0.05)
