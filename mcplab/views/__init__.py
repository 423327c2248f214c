"""Views of a trace: tables, growth, two dialects side by side, a sequence diagram.

They read traces and nothing else. `trace_text` and `trace_html` are what a `Trace` shows by
itself; the functions that give a `Shown` are for the last line of a notebook cell.
"""

from __future__ import annotations

from mcplab.views.html import (
    Shown,
    growth_html,
    messages_html,
    messages_table,
    show_growth,
    show_html,
    side_by_side,
    trace_html,
)
from mcplab.views.reading import Growth, message_growth
from mcplab.views.sequence import sequence, sequence_svg
from mcplab.views.text import growth_text, messages_text, trace_text

__all__ = [
    "Growth",
    "Shown",
    "growth_html",
    "growth_text",
    "message_growth",
    "messages_html",
    "messages_table",
    "messages_text",
    "sequence",
    "sequence_svg",
    "show_growth",
    "show_html",
    "side_by_side",
    "trace_html",
    "trace_text",
]
