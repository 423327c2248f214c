"""Traces as plain text: for a terminal, a log, a test, a mail."""

from __future__ import annotations

from collections.abc import Sequence

from mcplab.messages import JSON
from mcplab.trace import Step, Trace
from mcplab.views.payload import printable, shortened
from mcplab.views.reading import (
    NAMES,
    NUMBERS,
    MessageRow,
    Part,
    came,
    duration,
    message_growth,
    message_row,
    plural,
    sent,
)

__all__ = ["columns", "growth_text", "messages_text", "part_words", "summary", "trace_text"]


def trace_text(trace: Trace) -> str:
    """A trace as a table of steps, one line each, with the question and the outcome."""
    rows: list[tuple[str, ...]] = [("step", "round", "sent", "came back", "time", "tokens")]
    rows += [_row(step) for step in trace]
    head = [f"question: {shortened(trace.question, 200)}"] if trace.question else []
    tail = [f"outcome: {shortened(trace.outcome, 300)}"] if trace.outcome else []
    return "\n".join([*head, columns(rows, right=(1, 4, 5)), summary(trace), *tail])


def summary(trace: Trace | Sequence[Step]) -> str:
    """What a run cost, in a line: ``2 model calls, 1 tool call, 412 tokens, 24 ms``."""
    steps = list(trace)
    asked = sum(step.kind in ("ask", "return") for step in steps)
    called = sum(step.kind == "call" for step in steps)
    tokens = sum(step.usage.total for step in steps if step.usage)
    facts = [plural(asked, "model call"), plural(called, "tool call")]
    if tokens:
        facts.append(plural(tokens, "token"))
    return ", ".join([*facts, duration(sum(step.seconds for step in steps))])


def _row(step: Step) -> tuple[str, ...]:
    return (
        f"{NUMBERS[step.kind]} {NAMES[step.kind].lower()}",
        str(step.round) if step.round else "",
        shortened(sent(step), 40),
        ("✗ " if step.error else "") + shortened(came(step), 50),
        duration(step.seconds),
        str(step.usage.total) if step.usage else "",
    )


def growth_text(trace: Trace | Sequence[Step]) -> str:
    """How the message list grew, one line for each model request."""
    rows: list[tuple[str, ...]] = [
        ("round", "messages", "characters", "tool list", "tokens in", "tokens out")
    ]
    for row in message_growth(trace):
        usage = (str(row.usage.input), str(row.usage.output)) if row.usage else ("", "")
        counts = (row.round, row.messages, row.characters, row.tools)
        rows.append((*(str(count) for count in counts), *usage))
    return columns(rows, right=(0, 1, 2, 3, 4, 5))


def messages_text(messages: Sequence[JSON], *, known: int | None = None) -> str:
    """Messages as a table: who, what, how long. ``+`` marks those after the first `known`."""
    rows = [("", "who", "what", "characters")]
    for index, message in enumerate(messages):
        row = message_row(message)
        mark = "+" if known is not None and index >= known else ""
        rows.append((mark, shortened(row.role, 12), _row_words(row), str(row.size)))
    return columns(rows, right=(3,))


def _row_words(row: MessageRow) -> str:
    return shortened("; ".join(part_words(part) for part in row.parts), 64)


def part_words(part: Part) -> str:
    """A part of a message in words, with the id by which request and result belong together."""
    of = f" [{printable(part.id)}]" if part.id else ""
    match part.kind:
        case "call":
            return f"asks for {part.text}{of}"
        case "result":
            return f"result{of}: {part.text}"
        case "error":
            return f"error{of}: {part.text}"
        case _:
            return part.text


def columns(rows: Sequence[Sequence[str]], *, right: Sequence[int] = ()) -> str:
    """Rows as aligned columns, the first row underlined. `right`: columns aligned right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        "  ".join(
            cell.rjust(width) if column in right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return "\n".join([lines[0], "  ".join("─" * width for width in widths), *lines[1:]])
