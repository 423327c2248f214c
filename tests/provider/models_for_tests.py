"""Small models that the tests of the provider put behind it."""

from __future__ import annotations

from mcplab.messages import Message, Reply, Tool, ToolCall, ToolChoice

Messages = tuple[Message, ...]
Tools = tuple[Tool, ...]


def echo(messages: Messages, tools: Tools, tool_choice: ToolChoice, seed: int) -> Reply:
    """Says the last user text again."""
    said = [message.text for message in messages if message.role == "user"]
    return Reply(f"You said: {said[-1] if said else ''}")


def two_calls(messages: Messages, tools: Tools, tool_choice: ToolChoice, seed: int) -> Reply:
    """Asks twice at once, then answers from the results."""
    results = [result for message in messages for result in message.results]
    if results:
        return Reply("Done: " + ", ".join(result.text for result in results))
    calls = tuple(ToolCall("", tools[0].name, {"a": n, "b": "größer"}) for n in (1, 2))
    return Reply("Let me see.", calls, "tool_use")


def rude(messages: Messages, tools: Tools, tool_choice: ToolChoice, seed: int) -> Reply:
    """Whatever can be wrong with a real model's calls."""
    calls = (
        ToolCall("same", "no_such_tool", {"x": 1}, '{"x": 1}'),
        ToolCall("same", "add", None, '{"a": 1'),
        ToolCall("", "add", {"a": "not a number"}, '{"a": "not a number"}'),
    )
    return Reply("", calls, "tool_use")


def broken(messages: Messages, tools: Tools, tool_choice: ToolChoice, seed: int) -> Reply:
    """A function with a mistake in it."""
    return Reply({}["missing"])


class SeenModel:
    """Keeps what it was asked."""

    name = "seen"

    def __init__(self) -> None:
        self.asked: list[tuple[Messages, Tools, ToolChoice, int]] = []

    def __call__(
        self, messages: Messages, tools: Tools, tool_choice: ToolChoice, seed: int
    ) -> Reply:
        """Note, and answer."""
        self.asked.append((messages, tools, tool_choice, seed))
        return Reply("noted")
