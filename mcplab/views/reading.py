"""What a trace says, in words and rows: the part that all views share.

A trace can come from a broken program, whose messages are in no known form. Nothing here
raises because of that: what is not understood is shown as JSON.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from mcplab import dialects
from mcplab.messages import JSON, Reply, Usage
from mcplab.trace import Step, StepKind, Trace
from mcplab.views.payload import compact, shortened

__all__ = [
    "NAMES",
    "NUMBERS",
    "Growth",
    "MessageRow",
    "Part",
    "call_words",
    "came",
    "duration",
    "known_messages",
    "message_growth",
    "message_row",
    "messages_of",
    "plural",
    "reply_of",
    "sent",
]

NUMBERS: dict[StepKind, int] = {"list": 1, "ask": 2, "call": 3, "return": 4}
NAMES: dict[StepKind, str] = {"list": "List", "ask": "Ask", "call": "Call", "return": "Return"}

_MODEL_STEPS = ("ask", "return")


def plural(count: int, one: str) -> str:
    """``1 message``, ``3 messages``, ``1,234 tokens``."""
    return f"{count:,} {one}" if count == 1 else f"{count:,} {one}s"


def duration(seconds: float) -> str:
    """Seconds in the unit that suits: ``0.4 ms``, ``12 ms``, ``3.4 s``."""
    if seconds >= 1:
        return f"{seconds:.1f} s"
    milliseconds = seconds * 1000
    return f"{milliseconds:.0f} ms" if milliseconds >= 1 else f"{milliseconds:.1f} ms"


# One step in words --------------------------------------------------------------------


def sent(step: Step) -> str:
    """What went out, in a few words."""
    if step.kind == "list":
        return "tools/list"
    if step.kind == "call":
        return call_words(*_call_of(step.out))
    body = step.out or {}
    tools = body.get("tools")
    counts = [plural(len(messages_of(body)), "message")]
    if isinstance(tools, list):
        counts.append(plural(len(tools), "tool"))
    return ", ".join(counts)


def came(step: Step) -> str:
    """What came back, in a few words; of a failure the reason."""
    if step.error is not None:
        return step.error
    if step.kind == "list":
        names = [str(tool.get("name")) for tool in _tools_of(step.into)]
        shown = ", ".join(names[:8]) + (", …" if len(names) > 8 else "")
        return f"{plural(len(names), 'tool')}: {shown}" if names else "no tools"
    if step.kind == "call":
        return _result_words(step.into)
    reply = reply_of(step)
    if reply is None:
        return "a reply in a form that is not known" if step.into else "nothing"
    if not reply.calls:
        return shortened(reply.text, 200) or "an empty answer"
    if len(reply.calls) > 1:
        return "asks for " + ", ".join(shortened(call.name, 60) for call in reply.calls)
    (call,) = reply.calls
    return "asks for " + call_words(
        call.name, call.raw if call.arguments is None else call.arguments
    )


def call_words(name: str, arguments: Any) -> str:
    """A tool request as a person would write it: ``multiply(a=12, b=30)``."""
    if isinstance(arguments, dict):
        inside = ", ".join(f"{key}={compact(value)}" for key, value in arguments.items())
    else:
        inside = "" if arguments is None else str(arguments)
    return f"{shortened(name, 60)}({shortened(inside, 120)})"


def reply_of(step: Step) -> Reply | None:
    """What the model answered in a model step, or ``None``."""
    if step.kind not in _MODEL_STEPS or step.into is None or step.error is not None:
        return None
    try:
        return dialects.get(step.dialect).read_reply(step.into)
    except Exception:  # a reply of whatever form
        return None


def _tools_of(into: JSON | None) -> list[JSON]:
    inner = (into or {}).get("result", into) or {}
    tools = inner.get("tools") if isinstance(inner, dict) else None
    return [tool for tool in tools if isinstance(tool, dict)] if isinstance(tools, list) else []


def _call_of(out: JSON | None) -> tuple[str, Any]:
    """Name and arguments in an MCP frame (``params``) or a plain call."""
    params = (out or {}).get("params", out)
    params = params if isinstance(params, dict) else {}
    return str(params.get("name", "?")), params.get("arguments")


def _result_words(into: JSON | None) -> str:
    if into is None:
        return "nothing"
    inner = into.get("result", into)
    content = inner.get("content") if isinstance(inner, dict) else None
    if not isinstance(content, list):
        return shortened(compact(inner), 200)
    return shortened(" ".join(_block_words(block) for block in content), 200) or "an empty result"


def _block_words(block: Any) -> str:
    if not isinstance(block, dict):
        return str(block)
    if block.get("type") == "text":
        return str(block.get("text", ""))
    return f"[{block.get('type', 'unknown')}]"


# Messages -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a message: ``text``, ``call``, ``result``, ``error`` or ``other``."""

    kind: str
    text: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class MessageRow:
    """A wire message for a table.

    Attributes:
        role: as on the wire.
        parts: what it consists of, in order.
        size: characters of the message as compact JSON.
    """

    role: str
    parts: tuple[Part, ...]
    size: int


def messages_of(body: JSON | None) -> list[JSON]:
    """The wire messages of a model request; none when it is not one."""
    messages = (body or {}).get("messages")
    return messages if isinstance(messages, list) else []


def message_row(message: Any) -> MessageRow:
    """Read a wire message of either dialect."""
    size = len(compact(message))
    if not isinstance(message, dict):
        return MessageRow("?", (Part("other", compact(message)),), size)
    parts = tuple(_parts(message)) or (Part("other", "(empty)"),)
    return MessageRow(str(message.get("role", "?")), parts, size)


def _parts(message: JSON) -> Iterator[Part]:
    content = message.get("content")
    if message.get("role") == "tool":
        yield Part("result", _words(content), str(message.get("tool_call_id", "")))
        return
    blocks = content if isinstance(content, list) else [content]
    for block in blocks:
        if isinstance(block, str):
            yield Part("text", block)
        elif isinstance(block, dict):
            yield _block_part(block)
    calls = message.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict):
            words = call_words(str(function.get("name")), function.get("arguments"))
            yield Part("call", words, str(call.get("id", "")))
        else:
            yield Part("other", compact(call))


def _block_part(block: JSON) -> Part:
    kind = block.get("type")
    if kind == "text":
        return Part("text", str(block.get("text", "")))
    if kind == "tool_use":
        words = call_words(str(block.get("name")), block.get("input"))
        return Part("call", words, str(block.get("id", "")))
    if kind == "tool_result":
        result = "error" if block.get("is_error") else "result"
        return Part(result, _words(block.get("content")), str(block.get("tool_use_id", "")))
    return Part("other", compact(block))


def _words(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(_block_words(block) for block in content)
    return content if isinstance(content, str) else compact(content)


def known_messages(steps: Sequence[Step], body: JSON) -> int | None:
    """How many messages of `body` the model was sent before; ``None`` at the first request.

    They are counted as far as they are equal: whoever edits the past sends it anew.
    """
    asked = [step for step in steps if step.kind in _MODEL_STEPS]
    if not asked:
        return None
    known = 0
    for old, new in zip(messages_of(asked[-1].out), messages_of(body), strict=False):
        if old is not new and old != new:
            break
        known += 1
    return known


@dataclass(frozen=True, slots=True)
class Growth:
    """One model request of a run: what it carried, and what it cost.

    Attributes:
        round: 1 for the first model call.
        messages: number of messages sent.
        characters: size of these messages as compact JSON.
        tools: size of the tool list in the same request, sent again each time.
        usage: tokens that the vendor counted, or ``None``.
    """

    round: int
    messages: int
    characters: int
    tools: int
    usage: Usage | None


def message_growth(trace: Trace | Sequence[Step]) -> tuple[Growth, ...]:
    """How the message list grew, one row for each model request."""
    sizes: dict[int, int] = {}  # the requests of a run share their messages: count each once
    return tuple(_growth(step, sizes) for step in trace if step.kind in _MODEL_STEPS)


def _growth(step: Step, sizes: dict[int, int]) -> Growth:
    body = step.out or {}
    messages = messages_of(body)
    for part in (*messages, body.get("tools")):
        if part and id(part) not in sizes:
            sizes[id(part)] = len(compact(part))
    return Growth(
        round=step.round,
        messages=len(messages),
        characters=sum(sizes.get(id(message), 2) for message in messages),
        tools=sizes.get(id(body.get("tools")), 0),
        usage=step.usage,
    )
