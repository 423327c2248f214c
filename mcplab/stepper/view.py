"""What the stepper shows, as plain data: the widget and the terminal render the same."""

from __future__ import annotations

from typing import Any

from mcplab.loop import State
from mcplab.messages import Usage
from mcplab.stepper.driver import Stepper
from mcplab.trace import Step, StepKind
from mcplab.views.payload import payload, printable, shortened
from mcplab.views.reading import (
    NAMES,
    NUMBERS,
    Part,
    call_words,
    came,
    duration,
    known_messages,
    message_row,
    messages_of,
    plural,
    sent,
)

__all__ = ["HINTS", "action_words", "snapshot"]

JSON = dict[str, Any]

HINTS: dict[StepKind, str] = {
    "list": "Which tools are there?",
    "ask": "The question and the tools go to the model.",
    "call": "The tools that the model asked for are run.",
    "return": "The results go to the model. It answers, or asks for more.",
}
_NEXT: dict[str, str] = {
    "list": "list the tools",
    "ask": "ask the model",
    "call": "call the tool",
    "return": "return the results",
}
_WIDTH = 60  # characters of a payload line; two payloads stand side by side
_MESSAGE_ROOM = 600  # characters of a message part in the table


def snapshot(stepper: Stepper, since: int = 0) -> JSON:
    """Everything that is to be seen now; only JSON values.

    Args:
        stepper: any stepper; it is not changed, and may be at work.
        since: leave out this many of the first steps (the reader has them already).

    Returns:
        The whole picture, with the keys

        - ``position``: changes with every action and restart;
        - ``question``, ``model``, ``dialect``, ``source`` (who answers, honestly);
        - ``rail``: the four steps, with ``state`` ``done``, ``current`` or ``todo``;
        - ``first`` and ``steps``: the recorded steps from number ``first`` on;
        - ``pending``: the payload that is about to be sent, or ``None`` when the run is over;
        - ``approval``: the pending tool requests that may change something;
        - ``messages``: the conversation so far; ``new`` since the last model request;
        - ``growth``: how many messages each model request carried;
        - ``round``, ``tokens``, ``busy``, ``over``, ``stopped``, ``outcome``, ``answer``.
    """
    busy, state, steps = stepper.busy, stepper.state, stepper.steps
    known = known_messages(steps, {"messages": list(state.messages)}) or 0
    return {
        "position": stepper.position,
        "question": printable(stepper.trace.question),
        "model": printable(state.model),
        "dialect": state.dialect.name,
        "source": stepper.source,
        "rail": _rail(state, steps),
        "first": since,
        "steps": [_step(steps, index) for index in range(since, len(steps))],
        "pending": None if state.over else _pending(stepper, state, steps),
        "approval": [_call(call.id, call.name, call.arguments) for call in stepper.needs_approval],
        "messages": [
            _message(message, is_new=bool(known) and index >= known)
            for index, message in enumerate(state.messages)
        ],
        "growth": [
            {"round": step.round, "messages": len(messages_of(step.out))}
            for step in steps
            if step.kind in ("ask", "return")
        ],
        "round": state.round,
        "tokens": _tokens(state.usage),
        "busy": busy,
        "over": state.over,
        "stopped": state.action == "stopped",
        "outcome": printable(state.reason),
        "answer": printable(state.answer) if state.action == "done" else "",
    }


def action_words(state: State) -> str:
    """What the next action does, in a few words: ``call the tool multiply``."""
    if state.action != "call":
        return _NEXT.get(state.action, "")
    names = [shortened(call.name, 40) for call in state.calls]
    return f"call {names[0]}" if len(names) == 1 else f"call {len(names)} tools at once"


def _rail(state: State, steps: list[Step]) -> list[JSON]:
    counts = {kind: sum(step.kind == kind for step in steps) for kind in NUMBERS}
    return [
        {
            "kind": kind,
            "number": number,
            "name": NAMES[kind],
            "hint": HINTS[kind],
            "count": counts[kind],
            "state": "current" if kind == state.action else ("done" if counts[kind] else "todo"),
        }
        for kind, number in NUMBERS.items()
    ]


def _step(steps: list[Step], index: int) -> JSON:
    step = steps[index]
    return {
        "index": index,
        "kind": step.kind,
        "number": NUMBERS[step.kind],
        "name": NAMES[step.kind],
        "round": step.round,
        "sent": sent(step),
        "came": shortened(came(step), 300),
        "duration": duration(step.seconds),
        "tokens": None if step.usage is None else _tokens(step.usage),
        "error": None if step.error is None else shortened(step.error, 1000),
        "dialect": step.dialect,
        "ids": [printable(one) for one in step.ids],
        "out": _payload(step.out, known_messages(steps[:index], step.out or {})),
        "in": None if step.into is None else _payload(step.into),
    }


def _pending(stepper: Stepper, state: State, steps: list[Step]) -> JSON:
    body = stepper.pending
    kind: Any = state.action
    return {
        "kind": kind,
        "number": NUMBERS[kind],
        "name": NAMES[kind],
        "words": action_words(state),
        "round": state.round + (kind in ("ask", "return")),
        "sent": _pending_words(state),
        "out": _payload(body, known_messages(steps, body)),
    }


def _pending_words(state: State) -> list[str]:
    if state.action == "call":
        return [
            call_words(call.name, call.raw if call.arguments is None else call.arguments)
            for call in state.calls
        ]
    if state.action == "list":
        return ["tools/list"]
    return [f"{plural(len(state.messages), 'message')}, {plural(len(state.tools), 'tool')}"]


def _call(id_: str, name: str, arguments: Any) -> JSON:
    return {"id": printable(id_), "words": call_words(name, arguments)}


def _message(message: Any, *, is_new: bool) -> JSON:
    row = message_row(message)
    parts = [
        {"kind": part.kind, "text": _part_text(part), "id": printable(part.id)}
        for part in row.parts
    ]
    return {"role": printable(row.role), "parts": parts, "size": row.size, "new": is_new}


def _part_text(part: Part) -> str:
    if part.kind != "text":  # the layout of a result's JSON would only fill the screen
        return shortened(part.text, _MESSAGE_ROOM)
    shown = printable(part.text[:_MESSAGE_ROOM])
    return shown if len(part.text) <= _MESSAGE_ROOM else f"{shown}…"


def _tokens(usage: Usage) -> JSON:
    return {"input": usage.input, "output": usage.output, "total": usage.total}


def _payload(value: Any, known: int | None = None) -> JSON:
    shown = payload(value, known, _WIDTH)
    return {"text": shown.text, "size": shown.size, "cut": shown.cut, "new": shown.new}
