"""The words that every part shares: tools, calls, results, messages, replies.

These are the *neutral* forms, independent of any vendor. `mcplab.dialects` turns
them into a vendor's wire JSON and back. The loop itself keeps the wire messages as
they were sent; the neutral forms are what a mock model reads and what a tool answers.

All values are immutable dataclasses whose fields are JSON-like (``dict``, ``list``,
``str``, numbers, ``bool``, ``None``), so a value can be stored, compared and shared
between states without copies.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

JSON = dict[str, Any]

Role = Literal["system", "user", "assistant", "tool"]
ChoiceMode = Literal["auto", "any", "tool", "none"]
StopReason = Literal["tool_use", "end", "length", "stop_sequence", "refusal", "pause"]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool descriptor: what a server lists, and all that a model ever sees of a tool.

    The four fields of MCP's ``tools/list`` (``inputSchema`` on the wire) plus `strict`,
    which only model vendors know. `annotations` are hints for the host
    (``readOnlyHint``, ``idempotentHint``, …); no vendor forwards them to the model.
    """

    name: str
    description: str = ""
    input_schema: JSON = field(default_factory=lambda: {"type": "object", "properties": {}})
    annotations: JSON = field(default_factory=dict)
    strict: bool = False


@dataclass(frozen=True, slots=True)
class ToolChoice:
    """How free the model is: ``auto``, ``any`` (some tool), ``tool`` (this one), ``none``.

    `parallel` is ``False`` when the request asks for one call at the most
    (Anthropic ``disable_parallel_tool_use``, OpenAI ``parallel_tool_calls: false``).
    """

    mode: ChoiceMode = "auto"
    name: str | None = None
    parallel: bool = True


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A request by the model to run a tool. The model only *asks*; the host runs.

    Attributes:
        id: the request id; the result must carry it back unchanged.
        name: the tool's name, exactly as the model wrote it (it may not exist).
        arguments: the parsed arguments, or ``None`` when they are not a JSON object.
        raw: the arguments as the model wrote them (JSON text). OpenAI sends text, which
            can be illegal JSON; for Anthropic it is the serialised ``input``.
    """

    id: str
    name: str
    arguments: JSON | None
    raw: str = ""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The answer to one `ToolCall`. A failure is an answer too (`is_error`).

    Attributes:
        call_id: the id of the request that this answers.
        content: MCP content blocks (``{"type": "text", "text": …}``, image, audio,
            resource_link, resource, or a kind we do not know), as they came.
        is_error: the tool ran (or was refused) and failed; the model may correct itself.
        structured: MCP's ``structuredContent``, when the server sent it.
        timed_out: the host gave up waiting (so `is_error` is true as well).
    """

    call_id: str
    content: tuple[JSON, ...] = ()
    is_error: bool = False
    structured: JSON | None = None
    timed_out: bool = False

    @property
    def text(self) -> str:
        """The text blocks joined by newlines ("" when there is none)."""
        return "\n".join(str(b.get("text", "")) for b in self.content if b.get("type") == "text")


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of the conversation in neutral form.

    ``system``/``user`` use `text`; ``assistant`` uses `text` and `calls` (both may be
    there at once); ``tool`` holds `results`, all those that the host returned together.
    """

    role: Role
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    results: tuple[ToolResult, ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one model call, or of several added up. Units: tokens."""

    input: int = 0
    output: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(self.input + other.input, self.output + other.output)

    @property
    def total(self) -> int:
        """Input plus output tokens."""
        return self.input + self.output


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answers: text, tool calls, or both, and why it stopped.

    `stop` is the loop's switch: only ``"tool_use"`` means "run these calls and come back".
    `usage` is what the vendor reported, zero when it reported nothing.
    """

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    stop: StopReason = "end"
    usage: Usage = Usage()


class Model(Protocol):
    """A model is a pure function: the same request and seed give the same reply.

    Because it keeps nothing between calls, going back, editing a message and branching
    need no support from the model: ask it again with the other messages.
    """

    def __call__(
        self,
        messages: tuple[Message, ...],
        tools: tuple[Tool, ...],
        tool_choice: ToolChoice,
        seed: int,
    ) -> Reply: ...
