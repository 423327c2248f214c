"""The stepper in a terminal: the same picture as the widget's, in text.

It works over ssh and in a pipe. Colours are used on a terminal only, and never when
`NO_COLOR` is set. Nothing from a payload can reach the terminal as a control code.
"""

from __future__ import annotations

import builtins
import os
import sys
from collections.abc import Callable
from threading import Timer
from typing import Any, TextIO

from mcplab.loop import State
from mcplab.stepper.driver import Stepper
from mcplab.stepper.view import snapshot
from mcplab.views.text import messages_text

__all__ = ["step_in_terminal"]

JSON = dict[str, Any]

_LINES = 24  # of a payload; `p` prints the rest
_COLOURS = {1: "34", 2: "35", 3: "33", 4: "36", "wrong": "31", "good": "32", "soft": "2"}
_HELP = """\
  Enter  perform the next step       e  run to the end
  r      restart                     p  print the pending payload whole
  q      quit                        ?  this help"""
_DECIDE = "  y      run it                      d  decline it"


def step_in_terminal(
    stepper: Stepper,
    *,
    auto: bool = False,
    input: Callable[[str], str] = builtins.input,
    out: TextIO | None = None,
) -> State:
    """Go through a run in the terminal, one step a key.

    Args:
        stepper: the run.
        auto: do not ask: go through to the end, tools that may change something included.
        input: asks the person; as the built-in.
        out: where to print, by default standard output.

    Returns:
        The state in which the person left the run, or in which it ended.
    """
    return _Face(stepper, auto, input, out or sys.stdout).go()


class _Face:
    def __init__(
        self, stepper: Stepper, auto: bool, ask: Callable[[str], str], out: TextIO
    ) -> None:
        self.stepper, self.auto, self.ask, self.out = stepper, auto, ask, out
        self.colours = out.isatty() and not os.environ.get("NO_COLOR")
        self.shown = 0  # steps that are printed already
        self.rushing = False  # to the end, or to the next decision

    def go(self) -> State:
        self._opening()
        while True:
            view = snapshot(self.stepper, self.shown)
            self._new_steps(view)
            if view["over"]:
                self._outcome(view)
                if self.auto or not self._again():
                    return self.stepper.state
            elif self.auto or (self.rushing and not view["approval"]):
                self._pending(view)
                self._next(approve=True if view["approval"] else None)
            else:
                self.rushing = False
                self._pending(view)
                if not self._act(view):
                    return self.stepper.state

    # What the person does -----------------------------------------------------------------

    def _act(self, view: JSON) -> bool:
        """Ask until something happens; ``False`` when the person quits."""
        deciding = bool(view["approval"])
        keys = "[y] run it  [d] decline" if deciding else "[Enter] next  [e] run to end"
        while True:
            match self._key(f"{keys}  [r] restart  [q] quit  [?] help > "):
                case "" if not deciding:
                    self._next()
                    return True
                case "e" if not deciding:
                    self.rushing = True
                    self._next()
                    return True
                case "y" | "d" as answer if deciding:
                    self._next(approve=answer == "y")
                    return True
                case "r":
                    self._restart()
                    return True
                case "q":
                    return False
                case "p":
                    self._print(view["pending"]["out"]["text"])
                case "?":
                    self._print(f"{_HELP}\n{_DECIDE}" if deciding else _HELP)
                case other:
                    self._print(f"There is no key {other[:20]!r} here. ? shows the keys.")

    def _next(self, approve: bool | None = None) -> None:
        patience = Timer(2.0, self._print, ("… no answer yet; Ctrl-C gives up", "soft"))
        patience.daemon = True
        patience.start()
        try:
            self.stepper.next(approve=approve)
        finally:
            patience.cancel()

    def _again(self) -> bool:
        while True:
            match self._key("[r] restart  [q] quit > "):
                case "r":
                    self._restart()
                    return True
                case "q" | "":
                    return False

    def _restart(self) -> None:
        self.stepper.restart()
        self.shown, self.rushing = 0, False
        self._opening()

    def _key(self, prompt: str) -> str:
        try:
            return self.ask(prompt).strip().lower()
        except (EOFError, KeyboardInterrupt):
            self._print()
            return "q"

    # What the person sees -----------------------------------------------------------------

    def _opening(self) -> None:
        view = snapshot(self.stepper)
        source = f"{view['source']} · " if view["source"] else ""
        self._print()
        self._print(view["question"], bold=True)
        self._print(f"{source}{view['model']} · {view['dialect']}", "soft")

    def _new_steps(self, view: JSON) -> None:
        for step in view["steps"]:
            tokens = f", {step['tokens']['total']} tokens" if step["tokens"] else ""
            failed = step["error"] is not None
            self._print(
                f"came back after {step['duration']}{tokens}: "
                f"{'✗ ' if failed else ''}{step['error'] or step['came']}",
                "wrong" if failed else step["number"],
            )
            if step["in"] is not None:
                self._payload(step["in"], whole_key=False)
        if view["steps"] and view["steps"][-1]["kind"] != "list":
            self._messages(view)
        self.shown = view["first"] + len(view["steps"])

    def _messages(self, view: JSON) -> None:
        known = sum(not message["new"] for message in view["messages"])
        self._print()
        self._print(f"messages: {len(view['messages'])} (+ is new to the model)", bold=True)
        self._print(messages_text(self.stepper.state.messages, known=known))
        tokens = view["tokens"]
        self._print(f"tokens so far: {tokens['input']} in, {tokens['output']} out", "soft")

    def _pending(self, view: JSON) -> None:
        pending = view["pending"]
        round_ = f", round {pending['round']}" if pending["round"] else ""
        title = f" {pending['number']} {pending['name'].lower()}{round_}: {pending['words']} "
        self._print()
        self._print(f"──{title}".ljust(78, "─"), pending["number"], bold=True)
        self._print("about to be sent:")
        self._payload(pending["out"], whole_key=not self.auto)
        if view["approval"]:
            calls = ", ".join(call["words"] for call in view["approval"])
            what = "It runs, since nobody is asked." if self.auto else "Run it, or decline it?"
            self._print(f"{calls} may change something. {what}", "wrong")

    def _payload(self, payload: JSON, *, whole_key: bool) -> None:
        lines = payload["text"].split("\n")
        first, last = payload["new"] or (1, 0)
        start = 0 if last < _LINES else first - 2  # what is new must be in sight
        if start:
            self._print(f"  … {start} lines that were sent before", "soft")
        for index, line in enumerate(lines[start : start + _LINES], start):
            mark = "+" if first <= index <= last else " "
            self._print(f"{mark} {line[:400]}")
        if len(lines) > start + _LINES or payload["cut"]:
            how = "; p prints it whole" if whole_key else ""
            self._print(f"  … {payload['size']:,} characters in all{how}", "soft")

    def _outcome(self, view: JSON) -> None:
        self._print()
        if view["answer"]:
            self._print(view["answer"], "good", bold=True)
        self._print(view["outcome"], "wrong" if view["stopped"] else "soft")

    def _print(self, text: str = "", colour: str | int = "", *, bold: bool = False) -> None:
        codes = [_COLOURS[colour]] if colour else []
        if bold:
            codes.append("1")
        if self.colours and codes:
            text = f"\x1b[{';'.join(codes)}m{text}\x1b[0m"
        encoding = self.out.encoding or "utf-8"  # a terminal may know fewer letters than we use
        print(text.encode(encoding, "replace").decode(encoding), file=self.out, flush=True)
