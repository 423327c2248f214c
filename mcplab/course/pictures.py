"""Two small pictures for the lessons, drawn as SVG by code (and as text where there is none)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from typing import Any

from mcplab.views import Shown
from mcplab.views.reading import message_row

_INK = "var(--jp-ui-font-color1, #222)"
_SOFT = "var(--jp-layout-color2, #eee)"
_MARK = "var(--jp-brand-color1, #1976d2)"
_FONT = "font-family:sans-serif;font-size:13px"
_COLOURS = {"system": "#8e8e8e", "user": "#1976d2", "assistant": "#7b1fa2", "tool": "#2e7d32"}


def four_steps() -> Shown:
    """The loop of four steps between model, host and server."""
    boxes = "".join(
        f'<rect x="{x}" y="10" width="120" height="180" rx="8" style="fill:{_SOFT}"/>'
        f'<text x="{x + 60}" y="32" text-anchor="middle" font-weight="bold">{name}</text>'
        f'<text x="{x + 60}" y="182" text-anchor="middle" font-size="11">{what}</text>'
        for x, name, what in (
            (10, "model", "reads and writes text"),
            (250, "host", "your program"),
            (490, "server", "runs the tools"),
        )
    )
    arrows = (
        (370, 490, 62, "1 list", "which tools are there?"),
        (250, 130, 88, "2 ask", "question + tools"),
        (370, 490, 122, "3 call", "run this one"),
        (250, 130, 150, "4 return", "… + the results"),
    )
    lines = "".join(
        f'<line x1="{x1}" y1="{y}" x2="{x2}" y2="{y}" marker-end="url(#tip)" '
        f'marker-start="url(#tip)" style="stroke:{_MARK};stroke-width:2"/>'
        f'<text x="{(x1 + x2) / 2}" y="{y - 6}" text-anchor="middle" font-weight="bold">{step}'
        f'</text><text x="{(x1 + x2) / 2}" y="{y + 13}" text-anchor="middle" font-size="10">'
        f"{what}</text>"
        for x1, x2, y, step, what in arrows
    )
    tip = (
        '<marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="6" markerHeight="6" '
        f'orient="auto-start-reverse"><path d="M0 0L10 5L0 10z" style="fill:{_MARK}"/></marker>'
    )
    text = (
        "model            host (your program)            server\n"
        "                      1 list    ──────────────▶ which tools are there?\n"
        "  ◀────────────────── 2 ask                     question + tools\n"
        "                      3 call    ──────────────▶ run this one\n"
        "  ◀────────────────── 4 return                  … + the results"
    )
    label = "The host lists tools, asks the model, calls the server, and returns the results."
    return Shown(_svg(620, 200, f"<defs>{tip}</defs>{boxes}{lines}", label), text)


def message_stack(messages: Sequence[Any]) -> Shown:
    """The messages of one request, one bar each, as long as its JSON."""
    rows = [_row(message) for message in messages]
    longest = max((size for *_, size in rows), default=1)
    bars = "".join(
        f'<rect x="130" y="{y}" width="{max(4, 300 * size / longest):.0f}" height="20" rx="3" '
        f'style="fill:{_COLOURS.get(role, "gray")}"/>'
        f'<text x="120" y="{y + 15}" text-anchor="end">{number}. {escape(role)}</text>'
        f'<text x="{140 + max(4, 300 * size / longest):.0f}" y="{y + 15}" font-size="11">'
        f"{escape(what)}, {size} characters</text>"
        for number, (role, what, size) in enumerate(rows, 1)
        for y in (6 + 26 * (number - 1),)
    )
    text = "\n".join(
        f"{number}. {role:<10} {what}, {size} characters"
        for number, (role, what, size) in enumerate(rows, 1)
    )
    label = f"{len(rows)} messages: " + ", ".join(role for role, *_ in rows)
    return Shown(_svg(720, 12 + 26 * len(rows), bars, label), text)


def _row(message: Any) -> tuple[str, str, int]:
    """Role, what is in it, and the size of a wire message in characters of JSON."""
    plain = json.loads(json.dumps(message, default=lambda sdk: sdk.model_dump(exclude_none=True)))
    row = message_row(plain)
    kinds = [part.kind for part in row.parts]
    words = (("text", "text"), ("call", "tool request"), ("result", "result"), ("error", "error"))
    parts = [_counted(kinds.count(kind), noun) for kind, noun in words if kind in kinds]
    return row.role, " + ".join(parts) or "nothing", row.size


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' if number != 1 else ''}"


def _svg(width: int, height: int, inside: str, label: str) -> str:
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        f'aria-label="{escape(label)}" xmlns="http://www.w3.org/2000/svg" '
        f'style="{_FONT};fill:{_INK};max-width:100%">{inside}</svg>'
    )
