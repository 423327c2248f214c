"""The vendors' wire formats, one module each."""

from __future__ import annotations

from mcplab.dialects.anthropic import ANTHROPIC
from mcplab.dialects.base import Dialect, Request
from mcplab.dialects.openai_chat import OPENAI_CHAT
from mcplab.errors import McplabError

__all__ = ["ANTHROPIC", "OPENAI_CHAT", "Dialect", "Request", "get"]

_BY_NAME: dict[str, Dialect] = {d.name: d for d in (ANTHROPIC, OPENAI_CHAT)}


def get(name: str) -> Dialect:
    """The dialect of that name.

    Raises:
        McplabError: there is no such dialect; the message lists those that there are.
    """
    try:
        return _BY_NAME[name]
    except KeyError:
        known = ", ".join(_BY_NAME)
        raise McplabError(f"There is no dialect {name!r}. Use one of: {known}.") from None
