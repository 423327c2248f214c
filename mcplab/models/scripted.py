"""`ScriptedModel`: replies that were written beforehand. It decides nothing, and says so."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeAlias

from mcplab.errors import McplabError
from mcplab.messages import Message, Reply, Tool, ToolCall, ToolChoice

Line: TypeAlias = "Reply | str | ToolCall | Sequence[str | ToolCall]"
_AUTO = ToolChoice()


class ScriptExhausted(McplabError):
    """The conversation went on after the script's last reply."""


@dataclass(frozen=True, slots=True, init=False, repr=False)
class ScriptedModel:
    """A model that recites a script: for tests, and for showing one certain sequence.

    Which reply comes next is the number of assistant messages in the conversation, so it is
    still a pure function: go back a step, and the same reply comes again.

    Attributes:
        replies: the script, one `Reply` a model call.

    Example:
        >>> from mcplab.messages import ToolCall
        >>> model = ScriptedModel([ToolCall("", "add", {"a": 1, "b": 2}), "It is 3."])
        >>> model.name
        'scripted'
    """

    replies: tuple[Reply, ...]
    name: ClassVar[str] = "scripted"

    def __init__(self, replies: Iterable[Line]) -> None:
        """Take the script.

        Args:
            replies: for each model call a `Reply`, a text, a `ToolCall`, or a list of texts
                and calls that are said together. A call without an id gets one.

        Raises:
            TypeError: an entry is none of these.
        """
        made = tuple(_reply(line, turn) for turn, line in enumerate(replies))
        object.__setattr__(self, "replies", made)

    def __call__(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool],
        tool_choice: ToolChoice = _AUTO,
        seed: int = 0,
    ) -> Reply:
        """The reply that the script has for this turn; tools, tool_choice and seed are not read.

        Raises:
            ScriptExhausted: there is no reply left.
        """
        turn = sum(message.role == "assistant" for message in messages)
        if turn >= len(self.replies):
            raise ScriptExhausted(
                f"The script has {len(self.replies)} replies, but the conversation asks for reply "
                f"number {turn + 1}. Add a reply to the end of ScriptedModel([...]), for example a "
                "text without tool calls, so that the loop ends."
            )
        return self.replies[turn]

    def __repr__(self) -> str:
        return f"<ScriptedModel: {len(self.replies)} scripted replies, nothing is decided>"


def _reply(line: Any, turn: int) -> Reply:
    if isinstance(line, Reply):
        reply = line
    elif isinstance(line, str):
        reply = Reply(text=line)
    else:
        parts = [line] if isinstance(line, ToolCall) else line
        if not isinstance(parts, list | tuple) or not all(
            isinstance(p, str | ToolCall) for p in parts
        ):
            raise TypeError(
                f"Entry {turn + 1} of the script is {line!r}; write a Reply, a text, a ToolCall, "
                "or a list of texts and ToolCalls."
            )
        texts = [p for p in parts if isinstance(p, str)]
        calls = tuple(p for p in parts if isinstance(p, ToolCall))
        reply = Reply("\n".join(texts), calls, "tool_use" if calls else "end")
    return replace(reply, calls=tuple(_with_id(c, turn, i) for i, c in enumerate(reply.calls)))


def _with_id(call: ToolCall, turn: int, place: int) -> ToolCall:
    digest = hashlib.sha256(f"{turn}/{place}/{call.name}".encode()).hexdigest()
    raw = call.raw or json.dumps(call.arguments or {}, ensure_ascii=False)
    return replace(call, id=call.id or f"call_{digest[:20]}", raw=raw)
