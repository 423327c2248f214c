"""Traces as HTML that stands alone: in a saved notebook, an export, or a file.

Everything that comes from a payload is escaped. Without the style sheet (GitHub removes it)
a page is still tables and foldable sections that can be read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from itertools import zip_longest

from mcplab.messages import JSON
from mcplab.trace import Step, Trace
from mcplab.views.payload import payload, printable, shortened
from mcplab.views.reading import (
    NAMES,
    NUMBERS,
    came,
    duration,
    known_messages,
    message_growth,
    message_row,
    messages_of,
    plural,
    sent,
)
from mcplab.views.text import growth_text, messages_text, part_words, summary

__all__ = [
    "Shown",
    "growth_html",
    "messages_html",
    "messages_table",
    "show_growth",
    "show_html",
    "side_by_side",
    "style",
    "trace_html",
]


PAGE_LIMIT = 1_000_000  # characters
NARROW = 44  # characters; payloads stand in columns here


@dataclass(frozen=True, slots=True)
class Shown:
    """Something to look at: HTML in a notebook, `text` everywhere else."""

    html: str
    text: str = ""

    def _repr_html_(self) -> str:
        return self.html

    def __repr__(self) -> str:
        return self.text or "(HTML: show it in a notebook)"


def show_html(html: str, text: str = "") -> Shown:
    """`html` as the value of a notebook cell; `text` stands in where HTML cannot be shown."""
    return Shown(html, text)


@cache
def style(name: str = "page.css") -> str:
    """A style sheet of the views, with the common colours before it."""
    here = files("mcplab.views")
    return "".join(here.joinpath(one).read_text("utf-8") for one in ("style.css", name))


def _page(body: str) -> str:
    return f'<style>{style()}</style><div class="mcplab mcplab-page">{body}</div>'


def _text(text: str, room: int = 4000) -> str:
    shown = printable(text[:room])
    return escape(shown if len(text) <= room else f"{shown}…")


# A trace ------------------------------------------------------------------------------


def trace_html(trace: Trace) -> str:
    """A trace as a table of steps; each payload unfolds.

    Of a very long trace only the first payloads are in the page (about `PAGE_LIMIT`
    characters), so that a saved notebook stays of a size that can be opened.
    """
    rows, room = [], PAGE_LIMIT
    for index, step in enumerate(trace):
        rows.append(_step_row(trace.steps[:index], step, with_payloads=room > 0))
        room -= len(rows[-1])
    question = f"<caption>{_text(trace.question)}</caption>" if trace.question else ""
    head = _head("Step", "Round", "Sent", "Came back", "Time", "Tokens")
    outcome = f" {_text(trace.outcome)}" if trace.outcome else ""
    more = "" if room > 0 else " The last payloads are not in this page; the trace has them."
    return _page(
        f'<table class="steps">{question}{head}<tbody>{"".join(rows)}</tbody></table>'
        f"<p>{escape(summary(trace))}.{outcome}{more}</p>"
    )


def _head(*names: str) -> str:
    return (
        "<thead><tr>" + "".join(f'<th scope="col">{name}</th>' for name in names) + "</tr></thead>"
    )


def _step_row(before: Sequence[Step], step: Step, *, with_payloads: bool) -> str:
    number = NUMBERS[step.kind]
    known = known_messages(before, step.out or {})
    out, into = (step.out, step.into) if with_payloads else (None, None)
    wrong = ' class="wrong"' if step.error else ""
    back = ("✗ " if step.error else "") + shortened(came(step), 160)
    return (
        f'<tr data-step="{number}">'
        f'<th scope="row"><span class="badge">{number}</span> {NAMES[step.kind]}</th>'
        f"<td>{step.round or ''}</td>"
        f"<td>{_fold(shortened(sent(step), 160), out, known)}</td>"
        f"<td{wrong}>{_fold(back, into)}</td>"
        f"<td>{duration(step.seconds)}</td>"
        f"<td>{step.usage.total if step.usage else ''}</td></tr>"
    )


def _fold(words: str, content: JSON | None, known: int | None = None) -> str:
    """`words`, which unfold to the payload."""
    if content is None:
        return escape(words)
    return f"<details><summary>{escape(words)}</summary>{_pre(content, known)}</details>"


def _pre(content: object, known: int | None = None) -> str:
    """A payload as preformatted text, new messages marked."""
    shown = payload(content, known, NARROW)
    lines = escape(shown.text).split("\n")
    if shown.new:
        first, last = shown.new
        lines[first] = f"<mark>{lines[first]}"
        lines[last] = f"{lines[last]}</mark>"
    more = f"\n… cut; the whole has {shown.size:,} characters" if shown.cut else ""
    # It scrolls, so the keyboard must reach it.
    return f'<pre tabindex="0" dir="ltr">{chr(10).join(lines)}{more}</pre>'


# Messages -----------------------------------------------------------------------------


def growth_html(trace: Trace | Sequence[Step]) -> str:
    """How the message list grew: a table with a bar for the size of each request."""
    rows = message_growth(trace)
    widest = max((row.characters + row.tools for row in rows), default=1) or 1
    cells = []
    for row in rows:
        bar = "".join(
            f'<span class="{name}" style="width:{100 * size / widest:.1f}%"></span>'
            for name, size in (("messages", row.characters), ("tools", row.tools))
        )
        tokens = (row.usage.input, row.usage.output) if row.usage else ("", "")
        numbers = (row.messages, row.characters, row.tools, *tokens)
        cells.append(
            f'<tr><th scope="row">{row.round}</th>'
            + "".join(f"<td>{one:,}</td>" if one != "" else "<td></td>" for one in numbers)
            + f'<td><div class="bar" aria-hidden="true">{bar}</div></td></tr>'
        )
    head = _head("Round", "Messages", "Characters", "Tool list", "Tokens in", "Tokens out", "Size")
    return _page(
        f'<table class="growth"><caption>What each model request carried</caption>{head}'
        f"<tbody>{''.join(cells)}</tbody></table>"
        '<p class="key"><span class="messages"></span> messages (characters) '
        '<span class="tools"></span> tool list, sent again in every round</p>'
    )


def show_growth(trace: Trace | Sequence[Step]) -> Shown:
    """`growth_html` and `growth_text` as one value for a notebook cell."""
    return Shown(growth_html(trace), growth_text(trace))


def messages_html(messages: Sequence[JSON], *, known: int | None = None) -> str:
    """Messages as a table: who, what, how long; those after the first `known` are marked."""
    rows = []
    for index, message in enumerate(messages):
        row = message_row(message)
        parts = "".join(f'<div class="{p.kind}">{_text(part_words(p))}</div>' for p in row.parts)
        new = ' class="new"' if known is not None and index >= known else ""
        rows.append(
            f'<tr{new}><td>{index + 1}</td><th scope="row">{_text(row.role)}</th>'
            f"<td>{parts}</td><td>{row.size:,}</td></tr>"
        )
    head = _head("No.", "Who", "What", "Characters")
    return _page(f'<table class="messages">{head}<tbody>{"".join(rows)}</tbody></table>')


def messages_table(messages: Sequence[JSON], *, known: int | None = None) -> Shown:
    """`messages_html` and `messages_text` as one value for a notebook cell.

    Args:
        messages: wire messages of either dialect, such as ``state.messages``.
        known: how many of them are not new.
    """
    return Shown(messages_html(messages, known=known), messages_text(messages, known=known))


# Two dialects -------------------------------------------------------------------------


def side_by_side(left: Trace, right: Trace) -> Shown:
    """The model requests of two runs, round by round: what was new, and the reply.

    Made for the same question in two dialects, where the runs do the same.
    """
    pairs = list(zip_longest(_model_steps(left), _model_steps(right)))
    rows = "".join(_round_rows(pairs, index) for index in range(len(pairs)))
    head = _head("Round", *(escape(_dialect_of(trace)) for trace in (left, right)))
    html = _page(
        '<table class="sides"><caption>The same run in two dialects: '
        f"what was new in each request, and what came back</caption>{head}"
        f"<tbody>{rows}</tbody></table>"
    )
    text = "\n\n".join(f"{_dialect_of(trace)}\n{growth_text(trace)}" for trace in (left, right))
    return Shown(html, text)


_Pair = tuple[Step | None, Step | None]


def _model_steps(trace: Trace) -> list[Step]:
    return [step for step in trace if step.kind in ("ask", "return")]


def _dialect_of(trace: Trace) -> str:
    return next((step.dialect for step in _model_steps(trace)), "no model request")


def _round_rows(pairs: Sequence[_Pair], index: int) -> str:
    step = next(one for one in pairs[index] if one is not None)
    sent_cells, reply_cells = [], []
    for side, one in enumerate(pairs[index]):
        before = [past for pair in pairs[:index] if (past := pair[side]) is not None]
        sent_cells.append(f"<td>{_new_messages(before, one) if one else ''}</td>")
        reply_cells.append(f"<td>{_reply(one) if one else ''}</td>")
    number = NUMBERS[step.kind]
    return (
        f'<tr data-step="{number}"><th scope="rowgroup" rowspan="2">'
        f'<span class="badge">{number}</span> {index + 1}</th>{"".join(sent_cells)}</tr>'
        f'<tr data-step="{number}">{"".join(reply_cells)}</tr>'
    )


def _new_messages(before: Sequence[Step], step: Step) -> str:
    messages = messages_of(step.out)
    known = known_messages(before, step.out or {}) or 0
    words = f"sent {plural(len(messages), 'message')}, {len(messages) - known} of them new"
    return f'<p class="what">{words}</p>{_pre(messages[known:])}'


def _reply(step: Step) -> str:
    wrong = " wrong" if step.error else ""
    return f'<p class="what{wrong}">came back: {escape(shortened(came(step), 200))}</p>' + (
        _pre(step.into) if step.into is not None else ""
    )
