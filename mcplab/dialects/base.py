"""What a dialect is: the same conversation, written the way one vendor wants it.

A dialect holds no state and does no IO. It has two halves, used from the two ends of
the wire: the *host* half writes requests and reads replies (the loop uses it); the
*provider* half reads requests and writes replies (the mock vendor endpoint uses it).
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from mcplab.messages import JSON, Message, Reply, Tool, ToolCall, ToolChoice, ToolResult

__all__ = ["Dialect", "Request", "block_as_text", "parse_arguments", "result_blocks"]


@dataclass(frozen=True, slots=True)
class Request:
    """A model request in neutral form, as the provider read it from the wire body."""

    messages: tuple[Message, ...]
    tools: tuple[Tool, ...]
    tool_choice: ToolChoice
    model: str
    max_tokens: int | None = None


class Dialect(Protocol):
    """One vendor's wire format. Implementations are frozen and can be shared freely."""

    @property
    def name(self) -> str:
        """``"anthropic"`` or ``"openai-chat"``."""

    # The host's half -----------------------------------------------------------------

    def opening(self, question: str, system: str | None = None) -> tuple[JSON, ...]:
        """The first wire messages of a conversation."""

    def request(
        self,
        *,
        model: str,
        messages: Sequence[JSON],
        tools: Sequence[Tool] = (),
        tool_choice: ToolChoice | None = None,
        system: str | None = None,
        max_tokens: int = 1024,
    ) -> JSON:
        """The body of a model request. `messages` are wire messages, sent as they are."""

    def read_reply(self, response: JSON) -> Reply:
        """The neutral form of a response body.

        Raises:
            KeyError, IndexError, TypeError: the body is not a response of this dialect.
        """

    def assistant_message(self, response: JSON) -> JSON:
        """The reply as the message to append to the history, kept as it was."""

    def result_messages(self, results: Sequence[ToolResult]) -> tuple[JSON, ...]:
        """The message or messages that carry tool results back to the model."""

    # The provider's half ---------------------------------------------------------------

    def read_request(self, body: JSON) -> Request:
        """The neutral form of a request body that `mcplab.provider.validate` accepted."""

    def write_response(self, reply: Reply, *, model: str, response_id: str, created: int) -> JSON:
        """The response body for `reply`. `created` is in Unix seconds."""


def parse_arguments(raw: str) -> JSON | None:
    """The arguments object in `raw`, or ``None`` when `raw` is not a JSON object."""
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def arguments_text(call: ToolCall) -> str:
    """The arguments as JSON text: what the model wrote, else the parsed form written out."""
    return call.raw or json.dumps(call.arguments or {}, ensure_ascii=False)


def result_blocks(result: ToolResult) -> tuple[JSON, ...]:
    """The content blocks of a result, never empty where words are needed.

    A server may send only ``structuredContent``, and a failure may come without a word.
    Both get a text block, since a model that is shown nothing tends to invent something.
    """
    if result.content:
        return result.content
    if result.structured is not None:
        return ({"type": "text", "text": json.dumps(result.structured, ensure_ascii=False)},)
    if result.is_error:
        return ({"type": "text", "text": "The tool failed and gave no reason."},)
    return ()


def block_as_text(block: JSON) -> str:
    """A content block in words, for a place that can only carry text.

    Nothing is dropped silently: what cannot be carried is named with its kind and size.
    An unknown kind also raises a Python warning and is shown in its raw form.
    """
    kind = block.get("type")
    if kind == "text":
        return str(block.get("text", ""))
    if kind in ("image", "audio"):
        size = len(str(block.get("data", "")))
        mime = block.get("mimeType", "unknown type")
        return f"[{kind}, {mime}, {size} base64 characters, not shown as text]"
    if kind == "resource_link":
        return f"[resource link: {block.get('name', '')} {block.get('uri', '')}]"
    if kind == "resource":
        return _resource_as_text(block.get("resource"))
    warnings.warn(
        f"unknown content block kind {kind!r}: passed on to the model as raw JSON", stacklevel=2
    )
    return f"[unknown content block: {json.dumps(block, ensure_ascii=False, default=str)}]"


def _resource_as_text(resource: Any) -> str:
    if not isinstance(resource, dict):
        return "[embedded resource without content]"
    if "text" in resource:
        return f"[resource {resource.get('uri', '')}]\n{resource['text']}"
    size = len(str(resource.get("blob", "")))
    return f"[resource {resource.get('uri', '')}, {size} base64 characters]"
