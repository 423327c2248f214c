r"""Payloads as text that is safe to show, whatever is in them.

JSON is laid out so that a person can read it: what is short stays on one line. Characters
that a screen would obey or hide instead of show (terminal codes, text direction marks, lone
surrogates) are written as JSON writes them, ``\u001b``; so are keys and tokens left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mcplab.trace import redact

__all__ = ["Payload", "compact", "payload", "printable", "shortened"]

WIDTH = 84  # what fits into a line of so many characters is written on one line
DEEPEST = 60  # levels of nesting that are shown
LIMIT = 60_000  # characters of a payload that are shown

# Control characters but tab and newline, soft hyphen, zero-width and direction marks,
# surrogates without their other half, and the invisible "tag" characters.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)


def printable(text: str) -> str:
    r"""`text` with what cannot be seen written as ``\uXXXX``, and without keys and tokens."""
    return _HIDDEN.sub(lambda found: json.dumps(found.group())[1:-1], redact(text))


def shortened(text: str, room: int) -> str:
    """`text` as one printable line of at most `room` characters."""
    line = " ".join(printable(text[: 8 * room]).split())
    return line if len(line) <= room else line[: room - 1].rstrip() + "…"


def compact(value: Any) -> str:
    """`value` as JSON on one line, as it counts on the wire; ``…`` where it is too deep."""
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (RecursionError, ValueError):
        return "…"


@dataclass(frozen=True, slots=True)
class Payload:
    """A payload as a person reads it.

    Attributes:
        text: laid-out JSON, cut after `LIMIT` characters.
        size: characters of the whole payload as compact JSON.
        cut: there is more than `text` shows.
        new: first and last line (counted from 0) of the messages that were not sent before.
    """

    text: str
    size: int
    cut: bool = False
    new: tuple[int, int] | None = None


def payload(value: Any, known: int | None = None, width: int = WIDTH) -> Payload:
    """Lay out `value`.

    Args:
        value: any JSON value.
        known: of a model request: how many of its messages were sent before.
        width: what fits into a line of so many characters is written on one line.
    """
    lines: list[str] = []
    new: list[int] = []
    room, cut = LIMIT, False
    for line, is_new in _lines(value, width, known=known):
        cut = len(line) > room
        lines.append(line[:room])
        if is_new:
            new.append(len(lines) - 1)
        room -= len(line) + 1
        if cut or room <= 0:
            cut = True
            break
    text = "\n".join(lines)
    size = len(compact(value))
    return Payload(text, size, cut, (new[0], new[-1]) if new else None)


def _lines(
    value: Any,
    width: int,
    depth: int = 0,
    before: str = "",
    after: str = "",
    known: int | None = None,
    new: bool = False,
) -> Iterator[tuple[str, bool]]:
    """The lines of `value`, made one by one so that a cut payload costs only what is shown."""
    before = "  " * depth + before
    if _fits(value, width - len(before)) >= 0 or not isinstance(value, dict | list):
        yield before + _flat(value) + after, new
        return
    if depth == DEEPEST:
        yield f'{before}"… nested deeper than {DEEPEST} levels"{after}', new
        return
    opening, closing = "[]" if isinstance(value, list) else "{}"
    yield before + opening, new
    for index, (name, item) in enumerate(_entries(value)):
        comma = "," if index < len(value) - 1 else ""
        is_new = new or (isinstance(value, list) and known is not None and index >= known)
        inside = known if depth == 0 and name == '"messages": ' else None
        yield from _lines(item, width, depth + 1, name, comma, inside, is_new)
    yield "  " * depth + closing + after, new


def _entries(value: dict[str, Any] | list[Any]) -> Iterator[tuple[str, Any]]:
    if isinstance(value, list):
        yield from (("", item) for item in value)
        return
    for key, item in value.items():
        if isinstance(item, str):  # a secret is known by the name that it has
            ((key, item),) = redact({key: item}).items()
        yield _flat(key) + ": ", item


def _flat(value: Any) -> str:
    return printable(json.dumps(redact(value), ensure_ascii=False, default=str))


def _fits(value: Any, room: int) -> int:
    """How much of `room` characters is left beside `value`; negative: it gets lines of its own.

    A list of objects always does. It stops as soon as the room is used up.
    """
    if isinstance(value, str):
        return room - len(value) - 2
    if not isinstance(value, dict | list):
        return room - 5
    items: Iterator[Any]
    if isinstance(value, dict):
        room -= sum(len(str(key)) + 4 for key in value)
        items = iter(value.values())
    else:
        items = iter(value)
    for item in items:
        if room < 0 or (isinstance(value, list) and isinstance(item, dict | list)):
            return -1
        room = _fits(item, room - 2)
    return room - 2
