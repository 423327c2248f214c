"""How many tokens a request costs: an estimate, and what it is made of.

No vendor publishes its tokenizer in full, so tokens are estimated from the length of the
text: one token for every four bytes of UTF-8, rounded up for each part. That is near what
English text takes with the tokenizers of 2024 to 2026; code, numbers and other scripts
take more. What matters for the lessons holds exactly: *what* is counted. The whole
conversation is counted again in every request, and so is every tool: its name, its
description and its schema, whether it is used or not.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mcplab.dialects import Request
from mcplab.messages import Message, Reply, Tool, Usage

__all__ = ["Estimate", "estimate", "estimate_tokens"]

_BYTES_PER_TOKEN = 4
_TOKENS_PER_MESSAGE = 4
"""The marks around a message. OpenAI's cookbook counts 3 and 1 for the role of GPT-4."""

_TOOL_PROMPT = {("anthropic", False): 264, ("anthropic", True): 340}
"""The vendor's own system prompt for tools, by whether a tool is forced.

Anthropic's figures for Claude 3 Haiku, auto or none and any or tool
(https://docs.anthropic.com/en/docs/tool-use-pricing-and-tokens, the newest table that could
be cited). OpenAI publishes none, so nothing is added there.
"""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What the input of a request is made of, in tokens.

    Attributes:
        messages: the conversation: system prompt, texts, tool requests, results.
        tools: for each tool its name, description and schema.
        tool_prompt: the vendor's own words about tools, when there are any.
    """

    messages: int
    tools: dict[str, int]
    tool_prompt: int

    @property
    def total(self) -> int:
        """All input tokens."""
        return self.messages + sum(self.tools.values()) + self.tool_prompt


def estimate_tokens(text: str) -> int:
    """The tokens of a text, estimated from its length."""
    size = len(text) if text.isascii() else len(text.encode(errors="surrogatepass"))
    return -(-size // _BYTES_PER_TOKEN)


def estimate(request: Request, dialect: str) -> Estimate:
    """The input tokens of a request, item by item. An estimate, see the module."""
    forced = request.tool_choice.mode in ("any", "tool")
    return Estimate(
        messages=sum(map(_message_tokens, request.messages)),
        tools={tool.name: _tool_tokens(tool) for tool in request.tools},
        tool_prompt=_TOOL_PROMPT.get((dialect, forced), 0) if request.tools else 0,
    )


def usage_of(request: Request, reply: Reply, dialect: str) -> Usage:
    """The tokens of one model call, as the response reports them."""
    output = estimate_tokens(reply.text)
    for call in reply.calls:
        output += estimate_tokens(call.name) + estimate_tokens(call.raw or _json(call.arguments))
    return Usage(input=estimate(request, dialect).total, output=max(output, 1))


def _message_tokens(message: Message) -> int:
    tokens = _TOKENS_PER_MESSAGE + estimate_tokens(message.text)
    for call in message.calls:
        tokens += estimate_tokens(call.name) + estimate_tokens(call.raw or _json(call.arguments))
    for result in message.results:
        tokens += sum(map(_block_tokens, result.content))
    return tokens


def _block_tokens(block: dict[str, Any]) -> int:
    text = block.get("text")
    return estimate_tokens(text if isinstance(text, str) else _json(block))


def _tool_tokens(tool: Tool) -> int:
    return estimate_tokens(tool.name + tool.description + _json(tool.input_schema))


_json: Callable[[Any], str] = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
