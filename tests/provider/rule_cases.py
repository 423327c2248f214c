"""For every rule: bodies that break it, with the message they earn, and near misses.

Keyed by rule id. A case of `breaks` is (body, message), or (body, message, param) for
OpenAI; the message is the whole message of the vendor, written out by hand. `passes` holds
bodies that look much the same and that the vendor takes. `today` and `model` are for rules
that do not hold always and everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from bodies import (
    assistant,
    call,
    calling,
    chat_body,
    chat_rounds,
    closed,
    function,
    messages_body,
    parallel,
    result,
    rounds,
    schema,
    strict,
    system,
    text,
    tool,
    tool_message,
    use,
    user,
    without,
)


@dataclass(frozen=True)
class Case:
    """What breaks a rule, and what nearly does."""

    breaks: tuple[tuple[Any, ...], ...]
    passes: tuple[Any, ...]
    today: date | None = None
    model: str | None = None


UNANSWERED = (
    "messages.{}: `tool_use` ids were found without `tool_result` blocks immediately after: {}. "
    "Each `tool_use` block must have a corresponding `tool_result` block in the next message."
)
ORPHAN = (
    "messages.{}.content.{}: unexpected `tool_use_id` found in `tool_result` blocks: {}. Each "
    "`tool_result` block must have a corresponding `tool_use` block in the previous message."
)
NAME_128 = "tools.{}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'"
NAME_64 = "tools.{}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{{1,64}}$'"
BAD_SCHEMA = (
    "tools.{}.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 "
    "(https://json-schema.org/draft/2020-12). Learn more about tool use at "
    "https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview."
)
SYSTEM_TAIL = (
    "; the directive-only form (content: [] with output_config) is accepted at any position"
)
BLOCK_TAGS = (
    "'bash_code_execution_tool_result', 'code_execution_tool_result', 'container_upload', "
    "'document', 'image', 'redacted_thinking', 'search_result', 'server_tool_use', 'text', "
    "'text_editor_code_execution_tool_result', 'thinking', 'tool_result', "
    "'tool_search_tool_result', 'tool_use', 'web_fetch_tool_result', 'web_search_tool_result'"
)
THINK = {"type": "thinking", "thinking": "hm", "signature": "sig"}
ENABLED = {"type": "enabled", "budget_tokens": 32}
MARK = {"cache_control": {"type": "ephemeral"}}
IN_THREE = [user(), parallel("toolu_a", "toolu_b", "toolu_c")]
OLD = date(2024, 9, 1)
SYSTEM_OLD = (
    'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, '
    'not "system" as an input message role.'
)

ANTHROPIC: dict[str, Case] = {
    "anthropic-body-object": Case(
        (([], "Input should be an object"), (None, "Input should be an object")),
        (messages_body(), messages_body(stream=False)),
    ),
    "anthropic-field-required": Case(
        (
            (without(messages_body(), "model"), "model: Field required"),
            (without(messages_body(), "messages"), "messages: Field required"),
            (messages_body({"content": "hi"}), "messages.0.role: Field required"),
            (
                messages_body(*rounds(3), {"role": "user"}),
                "messages.12.content: Field required",
            ),
            (
                messages_body(user([{"text": "hi"}])),
                "messages.0.content.0.type: Field required",
            ),
            (
                messages_body(user(), assistant([use()]), user([without(result(), "tool_use_id")])),
                "messages.2.content.0.tool_result.tool_use_id: Field required",
            ),
            (messages_body(tool_choice={}), "tool_choice.type: Field required"),
            (messages_body(tools=[without(tool(), "name")]), "tools.0.custom.name: Field required"),
        ),
        (
            messages_body(user([text("hi")])),
            messages_body(tools=[tool(), tool("sub", type="custom")]),
            without(messages_body(), "tools"),
        ),
    ),
    "anthropic-field-type": Case(
        (
            (messages_body(model=7), "model: Input should be a valid string"),
            (messages_body(messages="hi"), "messages: Input should be a valid array"),
            (messages_body(user(None)), "messages.0.content: Input should be a valid array"),
            (messages_body("hi"), "messages.0: Input should be an object"),
            (messages_body(user([7])), "messages.0.content.0: Input should be an object"),
            (messages_body(max_tokens="64"), "max_tokens: Input should be a valid integer"),
            (messages_body(max_tokens=True), "max_tokens: Input should be a valid integer"),
            (messages_body(temperature=None), "temperature: Input should be a valid number"),
            (messages_body(stream="yes"), "stream: Input should be a valid boolean"),
            (messages_body(tools={}), "tools: Input should be a valid array"),
            (messages_body(tools=[7]), "tools.0: Input should be an object"),
            (messages_body(tool_choice="auto"), "tool_choice: Input should be an object"),
            (messages_body(stop_sequences=[1]), "stop_sequences.0: Input should be a valid string"),
            (
                messages_body(service_tier="fast"),
                "service_tier: Input should be 'auto' or 'standard_only'",
            ),
            (
                messages_body(user(), assistant([use()]), user([result(content=7)])),
                "messages.2.content.0.tool_result.content: Input should be a valid array",
            ),
        ),
        (
            messages_body(temperature=1, top_p=0.5, top_k=3, stop_sequences=None),
            messages_body(user(), assistant([use()]), user([result(content=[text("3")])])),
        ),
    ),
    "anthropic-field-shape": Case(
        (
            (messages_body(system=[7]), "system.0: Input does not match the expected shape."),
            (messages_body(metadata="x"), "metadata: Input does not match the expected shape."),
            (
                messages_body(output_config=None),
                "output_config: Input does not match the expected shape.",
            ),
        ),
        (
            messages_body(system=[text("Be brief.")], metadata={"user_id": "u"}),
            messages_body(system="Be brief.", metadata=None, output_config={"effort": "low"}),
        ),
    ),
    "anthropic-string-empty": Case(
        (
            (messages_body(model=""), "model: String should have at least 1 character"),
            (
                messages_body(tools=[tool(), tool("")]),
                "tools.1.custom.name: String should have at least 1 character",
            ),
        ),
        (messages_body(model="m"), messages_body(tools=[tool("a")])),
    ),
    "anthropic-out-of-range": Case(
        (
            (messages_body(max_tokens=-1), "max_tokens: must be greater than or equal to 0"),
            (messages_body(temperature=2), "temperature: range: 0..1"),
            (messages_body(top_p=1.5), "top_p: range: 0..1"),
        ),
        (messages_body(max_tokens=0), messages_body(temperature=1.0, top_p=0)),
    ),
    "anthropic-unknown-tag": Case(
        (
            (
                messages_body(tool_choice={"type": "required"}),
                "tool_choice: Input tag 'required' found using 'type' does not match any of the "
                "expected tags: 'auto', 'any', 'tool', 'none'",
            ),
            (
                messages_body(*rounds(2), user([{"type": "image_url", "image_url": {}}])),
                "messages.8.content.0: Input tag 'image_url' found using 'type' does not match any "
                f"of the expected tags: {BLOCK_TAGS}",
            ),
            (
                messages_body(thinking={"type": "on"}),
                "thinking: Input tag 'on' found using 'type' does not match any of the expected "
                "tags: 'adaptive', 'disabled', 'enabled'",
            ),
        ),
        (
            messages_body(tool_choice={"type": "any"}),
            messages_body(user([{"type": "image", "source": {"type": "url", "url": "x"}}])),
            messages_body(tools=[{"type": "web_search_20250305", "name": "web_search"}]),
        ),
    ),
    "anthropic-tool-name-pattern": Case(
        (
            (messages_body(tools=[tool("add two")]), NAME_128.format(0)),
            (messages_body(tools=[tool(), tool("math.add")]), NAME_128.format(1)),
            (messages_body(tools=[tool("a" * 129)]), NAME_128.format(0)),
            (messages_body(tools=[tool("größe")]), NAME_128.format(0)),
        ),
        (messages_body(tools=[tool("a" * 128)]), messages_body(tools=[tool("math-add_2")])),
    ),
    "anthropic-tool-name-pattern-64": Case(
        (
            (messages_body(tools=[tool("a" * 65)]), NAME_64.format(0)),
            (messages_body(tools=[tool(), tool("add two")]), NAME_64.format(1)),
        ),
        (messages_body(tools=[tool("a" * 64)]), messages_body(tools=[tool("math-add_2")])),
        today=date(2025, 3, 1),
    ),
    "anthropic-tool-description": Case(
        (
            (
                messages_body(tools=[tool(description=None)]),
                "tools.0.custom.description: Input should be a valid string",
            ),
            (
                messages_body(tools=[tool(), tool("sub", description=["Subtract."])]),
                "tools.1.custom.description: Input should be a valid string",
            ),
        ),
        (
            messages_body(tools=[tool(description="")]),
            messages_body(tools=[without(tool(), "description")]),
        ),
    ),
    "anthropic-input-schema": Case(
        (
            (
                messages_body(tools=[without(tool(), "input_schema")]),
                "tools.0.custom.input_schema: Field required",
            ),
            (
                messages_body(tools=[tool(), {"name": "sub", "parameters": schema()}]),
                "tools.1.custom.input_schema: Field required",
            ),
        ),
        (
            messages_body(tools=[tool(input_schema={"type": "object"})]),
            messages_body(tools=[{"type": "bash_20250124", "name": "bash"}]),
        ),
    ),
    "anthropic-input-schema-type": Case(
        (
            (
                messages_body(tools=[tool(input_schema={})]),
                "tools.0.custom.input_schema.type: Field required",
            ),
            (
                messages_body(tools=[tool(), tool("b", input_schema={"properties": {}})]),
                "tools.1.custom.input_schema.type: Field required",
            ),
        ),
        (
            messages_body(tools=[tool(input_schema={"type": "object"})]),
            messages_body(tools=[tool(input_schema=schema(properties={"a": {}}))]),
        ),
    ),
    "anthropic-input-schema-object": Case(
        (
            (
                messages_body(tools=[tool(input_schema={"type": "array"})]),
                "tools.0.custom.input_schema.type: Input should be 'object'",
            ),
            (
                messages_body(tools=[tool(input_schema={"type": ["object"]})]),
                "tools.0.custom.input_schema.type: Input should be 'object'",
            ),
        ),
        (
            messages_body(tools=[tool(input_schema={"type": "object", "properties": {}})]),
            messages_body(
                tools=[tool(input_schema=schema(properties={"a": {"type": ["string", "null"]}}))]
            ),
        ),
    ),
    "anthropic-messages-empty": Case(
        (
            (messages_body(messages=[]), "messages: at least one message is required"),
            (
                messages_body(messages=[], system="Be brief."),
                "messages: at least one message is required",
            ),
        ),
        (messages_body(user()), messages_body(assistant())),
    ),
    "anthropic-unknown-role": Case(
        (
            (
                messages_body(user(), assistant([use()]), {"role": "tool", "content": "3"}),
                'messages: Unexpected role "tool". Allowed roles are "user" or "assistant"',
            ),
            (
                messages_body(*rounds(5), {"role": "developer", "content": "x"}),
                'messages: Unexpected role "developer". Allowed roles are "user" or "assistant"',
            ),
        ),
        (messages_body(user(), assistant(), user()), messages_body(user(), system("Be brief."))),
    ),
    "anthropic-tool-use-id": Case(
        (
            (
                messages_body(user(), assistant([use("a.b")]), user([result("a.b")])),
                "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
            ),
            (
                messages_body(
                    *IN_THREE,
                    user([result("toolu_a"), result("toolu b"), result("toolu_c")]),
                ),
                "messages.2.content.1.tool_result.tool_use_id: String should match pattern "
                "'^[a-zA-Z0-9_-]+$'",
            ),
            (
                messages_body(user(), assistant([use("")]), user([result("")])),
                "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
            ),
        ),
        (
            messages_body(user(), assistant([use("call_1-x")]), user([result("call_1-x")])),
            messages_body(user(), assistant([use("1")]), user([result("1")])),
        ),
    ),
    "anthropic-tool-use-input": Case(
        (
            (
                messages_body(user(), assistant([use(input='{"a": 1}')]), user([result()])),
                "messages.1.content.0.tool_use.input: Input should be a valid dictionary",
            ),
            (
                messages_body(
                    *rounds(2), user(), assistant([text("x"), use(input=None)]), user([result()])
                ),
                "messages.9.content.1.tool_use.input: Input should be a valid dictionary",
            ),
        ),
        (
            messages_body(user(), assistant([use(input={})]), user([result()])),
            messages_body(user(), assistant([use(input={"a": None})]), user([result()])),
        ),
    ),
    "anthropic-max-tokens": Case(
        (
            (without(messages_body(), "max_tokens"), "max_tokens: Field required"),
            (
                without(messages_body(max_completion_tokens=9), "max_tokens"),
                "max_tokens: Field required",
            ),
        ),
        (messages_body(max_tokens=1), messages_body(max_tokens=100_000)),
    ),
    "anthropic-extra-field": Case(
        (
            (messages_body(functions=[]), "functions: Extra inputs are not permitted"),
            (
                messages_body(user(), {**assistant(), "tool_calls": []}),
                "messages.1.tool_calls: Extra inputs are not permitted",
            ),
            (
                messages_body(user(), assistant([use(index=0)]), user([result()])),
                "messages.1.content.0.tool_use.index: Extra inputs are not permitted",
            ),
            (
                messages_body(tools=[tool(parameters={})]),
                "tools.0.custom.parameters: Extra inputs are not permitted",
            ),
            (
                messages_body(metadata={"user_id": "u", "plan": "x"}),
                "metadata.plan: Extra inputs are not permitted",
            ),
        ),
        (
            messages_body(tools=[tool(strict=False, **MARK)]),
            messages_body(
                user([{**text("x"), **MARK}]),
                assistant([use(caller={"type": "direct"})]),
                user([result(**MARK)]),
            ),
        ),
    ),
    "anthropic-system-role": Case(
        (
            (messages_body(system("Be brief."), user()), SYSTEM_OLD),
            (messages_body(user(), assistant(), system("Be brief."), user()), SYSTEM_OLD),
        ),
        (messages_body(user(), system="Be brief."), messages_body(user("system"))),
        today=date(2026, 5, 1),
    ),
    "anthropic-system-empty": Case(
        (
            (
                messages_body(user(), system("")),
                "messages.1: system content must contain at least one block",
            ),
            (
                messages_body(user(), {"role": "system", "content": []}, user()),
                "messages.1: system content must contain at least one block",
            ),
        ),
        (
            messages_body(user(), system("Be brief.")),
            messages_body(
                user(), {"role": "system", "content": [], "output_config": {"effort": "low"}}
            ),
        ),
    ),
    "anthropic-system-first": Case(
        (
            (
                messages_body(system("Be brief."), user()),
                "messages.0: use the top-level 'system' parameter for the initial system prompt"
                + SYSTEM_TAIL,
            ),
            (
                messages_body({"role": "system", "content": [text("Be brief.")]}, user()),
                "messages.0: use the top-level 'system' parameter for the initial system prompt"
                + SYSTEM_TAIL,
            ),
        ),
        (
            messages_body(user(), system="Be brief."),
            messages_body(user(), system("Be brief."), assistant(), user()),
        ),
    ),
    "anthropic-system-position": Case(
        (
            (
                messages_body(user(), system("Be brief."), user()),
                "messages.1: role 'system' must precede an 'assistant' message or end the array"
                + SYSTEM_TAIL,
            ),
            (
                messages_body(user(), system("a"), system("b"), user()),
                "messages.2: role 'system' must precede an 'assistant' message or end the array"
                + SYSTEM_TAIL,
            ),
        ),
        (
            messages_body(user(), system("a"), system("b")),
            messages_body(user(), system("a"), system("b"), assistant(), user()),
        ),
    ),
    "anthropic-system-whitespace": Case(
        (
            (
                messages_body(user(), system("  ")),
                "messages.1: system text blocks must contain non-whitespace text",
            ),
            (
                messages_body(user(), {"role": "system", "content": [text("x"), text("")]}),
                "messages.1: system text blocks must contain non-whitespace text",
            ),
        ),
        (
            messages_body(user(), system(" x ")),
            messages_body(user(), {"role": "system", "content": [text("x"), text("y")]}),
        ),
    ),
    "anthropic-first-role": Case(
        (
            (
                messages_body(assistant(), user()),
                'messages: first message must use the "user" role',
            ),
            (messages_body(assistant("Hi.")), 'messages: first message must use the "user" role'),
        ),
        (messages_body(user(), assistant(), user()), messages_body(user())),
        today=OLD,
    ),
    "anthropic-roles-alternate": Case(
        (
            (
                messages_body(user(), user("again")),
                'messages: roles must alternate between "user" and "assistant", but found multiple '
                '"user" roles in a row',
            ),
            (
                messages_body(*rounds(3), assistant("more"), user()),
                'messages: roles must alternate between "user" and "assistant", but found multiple '
                '"assistant" roles in a row',
            ),
        ),
        (messages_body(*rounds(3), user()), messages_body(user(), assistant(), user())),
        today=OLD,
    ),
    "anthropic-message-empty": Case(
        (
            (
                messages_body(user("")),
                "messages.0: all messages must have non-empty content except for the optional "
                "final assistant message",
            ),
            (
                messages_body(user(), assistant([]), user()),
                "messages.1: all messages must have non-empty content except for the optional "
                "final assistant message",
            ),
        ),
        (messages_body(user(), assistant([])), messages_body(user([text("x")]))),
        today=date(2025, 8, 1),
    ),
    "anthropic-user-empty": Case(
        (
            (messages_body(user("")), "messages.0: user messages must have non-empty content"),
            (messages_body(user([])), "messages.0: user messages must have non-empty content"),
            (
                messages_body(*rounds(3), user([]), user("")),
                "messages.12: user messages must have non-empty content",
            ),
        ),
        (
            messages_body(user([]), user("a")),
            messages_body(user("a"), user([])),
            messages_body(user(), assistant([])),
        ),
    ),
    "anthropic-text-empty": Case(
        (
            (messages_body(user([text("")])), "messages: text content blocks must be non-empty"),
            (
                messages_body(*rounds(3), user([text("a"), text("")])),
                "messages: text content blocks must be non-empty",
            ),
            (
                messages_body(user(), assistant([text(""), use()]), user([result()])),
                "messages: text content blocks must be non-empty",
            ),
        ),
        (
            messages_body(user(), assistant([use()]), user([result(content="")])),
            messages_body(user(), assistant([use()]), user([result(content=[text("")])])),
        ),
    ),
    "anthropic-text-whitespace": Case(
        (
            (
                messages_body(user("\n")),
                "messages: text content blocks must contain non-whitespace text",
            ),
            (
                messages_body(user(), assistant([text(" ")]), user()),
                "messages: text content blocks must contain non-whitespace text",
            ),
        ),
        (
            messages_body(user([text("a"), text(" ")])),
            messages_body(user(), assistant([use()]), user([result(content=" ")])),
        ),
    ),
    "anthropic-tool-use-in-user": Case(
        (
            (
                messages_body(user([use()])),
                "messages.0: `tool_use` blocks can only be in `assistant` messages",
            ),
            (
                messages_body(*rounds(3), user([text("x"), use()])),
                "messages.12: `tool_use` blocks can only be in `assistant` messages",
            ),
        ),
        (
            messages_body(user("tool_use"), assistant([use()]), user([result()])),
            messages_body(user(), assistant([text("x"), use()]), user([result()])),
        ),
    ),
    "anthropic-tool-result-in-assistant": Case(
        (
            (
                messages_body(user(), assistant([use(), result()]), user()),
                "messages.1: `tool_result` blocks can only be in `user` messages",
            ),
            (
                messages_body(*rounds(2), user(), assistant([use()]), assistant([result()])),
                "messages.10: `tool_result` blocks can only be in `user` messages",
            ),
        ),
        (
            messages_body(user(), assistant([use()]), user([result()]), assistant("3"), user()),
            messages_body(user(), assistant("tool_result"), user()),
        ),
    ),
    "anthropic-tool-use-unique": Case(
        (
            (
                messages_body(user(), parallel("toolu_a", "toolu_a"), user([result("toolu_a")])),
                "messages.1.content.1: `tool_use` ids must be unique",
            ),
            (
                messages_body(
                    *rounds(4), user(), assistant([use("toolu_r0")]), user([result("toolu_r0")])
                ),
                "messages.17.content.0: `tool_use` ids must be unique",
            ),
        ),
        (
            messages_body(
                *IN_THREE, user([result("toolu_a"), result("toolu_b"), result("toolu_c")])
            ),
            messages_body(*rounds(4), user()),
        ),
    ),
    "anthropic-tool-result-count": Case(
        (
            (
                messages_body(user(), assistant([use()]), user("what?")),
                "messages.2: Did not find 1 `tool_result` block(s) at the beginning of this "
                "message. Messages following `tool_use` blocks must begin with a matching number "
                "of `tool_result` blocks.",
            ),
            (
                messages_body(*IN_THREE, user([result("toolu_a"), result("toolu_c")])),
                "messages.2: Did not find 3 `tool_result` block(s) at the beginning of this "
                "message. Messages following `tool_use` blocks must begin with a matching number "
                "of `tool_result` blocks.",
            ),
        ),
        (
            messages_body(user(), assistant([use()]), user([result(), text("what?")])),
            messages_body(*rounds(2), user()),
        ),
        today=date(2025, 3, 1),
    ),
    "anthropic-tool-result-not-first": Case(
        (
            (
                messages_body(user(), assistant([use()]), user([text("Here."), result()])),
                UNANSWERED.format(1, "toolu_1"),
            ),
            (
                messages_body(
                    *IN_THREE,
                    user([result("toolu_a"), text("and"), result("toolu_b"), result("toolu_c")]),
                ),
                UNANSWERED.format(1, "toolu_b, toolu_c"),
            ),
            (
                messages_body(*rounds(3), user(), assistant([use()]), user("x"), user([result()])),
                UNANSWERED.format(13, "toolu_1"),
            ),
        ),
        (
            messages_body(user(), assistant([use()]), user([result(), text("Here.")])),
            messages_body(user(), assistant([use()]), user([result()]), user("Here.")),
        ),
    ),
    "anthropic-tool-use-unanswered": Case(
        (
            (
                messages_body(user(), assistant([use()]), user("what?")),
                UNANSWERED.format(1, "toolu_1"),
            ),
            (
                messages_body(*IN_THREE, user([result("toolu_a"), result("toolu_c")])),
                UNANSWERED.format(1, "toolu_b"),
            ),
            (
                messages_body(*rounds(5), user(), parallel("toolu_x", "toolu_y"), user("go on")),
                UNANSWERED.format(21, "toolu_x, toolu_y"),
            ),
            (messages_body(user(), assistant([use()])), UNANSWERED.format(1, "toolu_1")),
            (
                messages_body(user(), assistant([use()]), system("x"), assistant("y"), user()),
                UNANSWERED.format(1, "toolu_1"),
            ),
        ),
        (
            messages_body(
                *IN_THREE, user([result("toolu_c"), result("toolu_b"), result("toolu_a")])
            ),
            messages_body(
                *IN_THREE, user([result("toolu_a")]), user([result("toolu_b"), result("toolu_c")])
            ),
            messages_body(
                user(),
                assistant([use("toolu_a")]),
                assistant([use("toolu_b")]),
                user([result("toolu_a"), result("toolu_b")]),
            ),
        ),
    ),
    "anthropic-tool-result-orphan": Case(
        (
            (messages_body(user([result()])), ORPHAN.format(0, 0, "toolu_1")),
            (
                messages_body(user(), assistant([use()]), user([result("toolu_2")])),
                ORPHAN.format(2, 0, "toolu_2"),
            ),
            (
                messages_body(
                    *IN_THREE,
                    user([result("toolu_a"), result("toolu_x"), result("toolu_c")]),
                ),
                ORPHAN.format(2, 1, "toolu_x"),
            ),
            (
                messages_body(*rounds(4), user([result("toolu_r3")])),
                ORPHAN.format(16, 0, "toolu_r3"),
            ),
        ),
        (
            messages_body(user(), assistant([use()]), user([result()])),
            messages_body(*rounds(4), user(), assistant([use()]), user([result()])),
        ),
    ),
    "anthropic-tool-result-duplicate": Case(
        (
            (
                messages_body(user(), assistant([use()]), user([result(), result()])),
                "messages.2.content.1: each tool_use must have a single result. Found multiple "
                "`tool_result` blocks with id: toolu_1",
            ),
            (
                messages_body(
                    *rounds(3),
                    user(),
                    parallel("toolu_a", "toolu_b"),
                    user([result("toolu_a"), result("toolu_b")]),
                    user([result("toolu_a")]),
                ),
                "messages.15.content.0: each tool_use must have a single result. Found multiple "
                "`tool_result` blocks with id: toolu_a",
            ),
        ),
        (
            messages_body(
                user(), assistant([use()]), user([result(content=[text("1"), text("2")])])
            ),
            messages_body(
                user(),
                parallel("toolu_a", "toolu_b"),
                user([result("toolu_a"), result("toolu_b")]),
            ),
        ),
    ),
    "anthropic-server-tool-result-orphan": Case(
        (
            (
                messages_body(
                    user(),
                    assistant(
                        [{"type": "web_search_tool_result", "tool_use_id": "srv_1", "content": []}]
                    ),
                    user(),
                ),
                "messages.1.content.0: unexpected `tool_use_id` found in `web_search_tool_result` "
                "blocks: srv_1. Each `web_search_tool_result` block must have a corresponding "
                "`server_tool_use` block before it.",
            ),
            (
                messages_body(
                    user(),
                    assistant(
                        [
                            {"type": "advisor_tool_result", "tool_use_id": "srv_1"},
                            {"type": "server_tool_use", "id": "srv_1", "name": "advisor"},
                        ]
                    ),
                    user(),
                ),
                "messages.1.content.0: unexpected `tool_use_id` found in `advisor_tool_result` "
                "blocks: srv_1. Each `advisor_tool_result` block must have a corresponding "
                "`server_tool_use` block before it.",
            ),
        ),
        (
            messages_body(
                user(),
                assistant(
                    [
                        {"type": "server_tool_use", "id": "srv_1", "name": "web_search"},
                        {"type": "web_search_tool_result", "tool_use_id": "srv_1", "content": []},
                    ]
                ),
                user(),
            ),
            messages_body(
                user(),
                assistant([{"type": "server_tool_use", "id": "srv_1", "name": "web_search"}]),
                assistant([{"type": "web_search_tool_result", "tool_use_id": "srv_1"}]),
                user(),
            ),
        ),
    ),
    "anthropic-tool-result-error-empty": Case(
        (
            (
                messages_body(
                    user(), assistant([use()]), user([result(content="", is_error=True)])
                ),
                "messages.2.content.0.tool_result: content cannot be empty if `is_error` is true",
            ),
            (
                messages_body(
                    *IN_THREE,
                    user(
                        [
                            result("toolu_a"),
                            result("toolu_b", [], is_error=True),
                            result("toolu_c"),
                        ]
                    ),
                ),
                "messages.2.content.1.tool_result: content cannot be empty if `is_error` is true",
            ),
        ),
        (
            messages_body(user(), assistant([use()]), user([result(content="no", is_error=True)])),
            messages_body(user(), assistant([use()]), user([result(content="", is_error=False)])),
        ),
    ),
    "anthropic-prefill-whitespace": Case(
        (
            (
                messages_body(user(), assistant("The answer is ")),
                "messages: final assistant content cannot end with trailing whitespace",
            ),
            (
                messages_body(user(), assistant([text("The answer is\n")])),
                "messages: final assistant content cannot end with trailing whitespace",
            ),
        ),
        (
            messages_body(user(), assistant("The answer is")),
            messages_body(user(), assistant("The answer is "), user()),
        ),
        model="claude-opus-4-5",
    ),
    "anthropic-prefill-refused": Case(
        (
            (
                messages_body(user(), assistant("The answer is")),
                "This model does not support assistant message prefill. The conversation must end "
                "with a user message.",
            ),
            (
                messages_body(*rounds(4)),
                "This model does not support assistant message prefill. The conversation must end "
                "with a user message.",
            ),
        ),
        (messages_body(*rounds(4), user()), messages_body(user(), assistant([]))),
        model="claude-opus-4-6",
    ),
    "anthropic-thinking-off": Case(
        (
            (
                messages_body(user(), assistant([THINK, text("x")])),
                "messages.1.content.0: When thinking is disabled, an `assistant` message in the "
                "final position cannot contain `thinking`. To use thinking blocks, enable "
                "`thinking` in your request.",
            ),
            (
                messages_body(
                    *rounds(2), user(), assistant([THINK]), thinking={"type": "disabled"}
                ),
                "messages.9.content.0: When thinking is disabled, an `assistant` message in the "
                "final position cannot contain `thinking`. To use thinking blocks, enable "
                "`thinking` in your request.",
            ),
        ),
        (
            messages_body(user(), assistant([THINK, text("x")]), user()),
            messages_body(user(), assistant([THINK, text("x")]), thinking={"type": "adaptive"}),
        ),
    ),
    "anthropic-thinking-missing": Case(
        tuple(
            (
                messages_body(*start, assistant(blocks), user([result()]), thinking=ENABLED),
                f"messages.{len(start)}.content.0.type: Expected `thinking` or "
                f"`redacted_thinking`, but found `{blocks[0]['type']}`. When `thinking` is "
                "enabled, a final `assistant` message must start with a thinking block "
                "(preceeding the lastmost set of `tool_use` and `tool_result` blocks). We "
                "recommend you include thinking blocks from previous turns. To avoid this "
                "requirement, disable `thinking`. Please consult our documentation at "
                "https://docs.claude.com/en/docs/build-with-claude/extended-thinking",
            )
            for start, blocks in (
                ([user()], [use()]),
                ([*rounds(3), user()], [text("Let me see."), use()]),
            )
        ),
        (
            messages_body(user(), assistant([THINK, use()]), user([result()]), thinking=ENABLED),
            messages_body(user(), assistant([use()]), user([result()])),
            messages_body(
                user(), assistant([use()]), user([result()]), thinking={"type": "adaptive"}
            ),
        ),
    ),
    "anthropic-thinking-budget": Case(
        tuple(
            (
                messages_body(max_tokens=most, thinking={"type": "enabled", "budget_tokens": 2048}),
                "`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our "
                "documentation at https://docs.claude.com/en/docs/build-with-claude/"
                "extended-thinking#max-tokens-and-context-window-size",
            )
            for most in (2048, 100)
        ),
        (
            messages_body(max_tokens=2049, thinking={"type": "enabled", "budget_tokens": 2048}),
            messages_body(max_tokens=100, thinking={"type": "adaptive"}),
        ),
    ),
    "anthropic-thinking-adaptive": Case(
        tuple(
            (
                messages_body(*talk, thinking=ENABLED),
                '"thinking.type.enabled" is not supported for this model. Use '
                '"thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
            )
            for talk in ((user(),), (user(), assistant(), user()))
        ),
        (messages_body(thinking={"type": "adaptive"}), messages_body()),
        model="claude-sonnet-5-5",
    ),
    "anthropic-forced-choice-thinking": Case(
        tuple(
            (
                messages_body(thinking=ENABLED, tool_choice=choice),
                "Thinking may not be enabled when tool_choice forces tool use.",
            )
            for choice in ({"type": "any"}, {"type": "tool", "name": "add"})
        ),
        (
            messages_body(thinking=ENABLED, tool_choice={"type": "auto"}),
            messages_body(thinking={"type": "disabled"}, tool_choice={"type": "any"}),
        ),
    ),
    "anthropic-forced-choice-model": Case(
        tuple(
            (
                messages_body(tool_choice=choice),
                'tool_choice: type "tool" and "any" are not supported for this model.',
            )
            for choice in ({"type": "any"}, {"type": "tool", "name": "add"})
        ),
        (messages_body(tool_choice={"type": "auto"}), messages_body(tool_choice={"type": "none"})),
        model="claude-fable-5-1",
    ),
    "anthropic-tool-choice-unknown": Case(
        (
            (
                messages_body(tool_choice={"type": "tool", "name": "nope"}),
                "Tool 'nope' not found in provided tools",
            ),
            (
                without(messages_body(tool_choice={"type": "tool", "name": "add"}), "tools"),
                "Tool 'add' not found in provided tools",
            ),
        ),
        (
            messages_body(tool_choice={"type": "tool", "name": "add"}),
            messages_body(
                tools=[{"type": "bash_20250124", "name": "bash"}],
                tool_choice={"type": "tool", "name": "bash"},
            ),
        ),
    ),
    "anthropic-tool-choice-no-tools": Case(
        (
            (
                without(messages_body(tool_choice={"type": "any"}), "tools"),
                "tool_choice.any may only be specified while providing tools",
            ),
            (
                messages_body(tools=[], tool_choice={"type": "any"}),
                "tool_choice.any may only be specified while providing tools",
            ),
        ),
        (
            without(messages_body(tool_choice={"type": "auto"}), "tools"),
            messages_body(tools=[], tool_choice={"type": "none"}),
        ),
    ),
    "anthropic-tools-for-history": Case(
        (
            (
                without(messages_body(*rounds(1), user()), "tools"),
                "Requests which include `tool_use` or `tool_result` blocks must define tools.",
            ),
            (
                messages_body(user(), assistant([use()]), user([result()]), tools=[]),
                "Requests which include `tool_use` or `tool_result` blocks must define tools.",
            ),
        ),
        (messages_body(*rounds(1), user()), without(messages_body(user(), assistant()), "tools")),
        today=date(2025, 2, 1),
    ),
    "anthropic-tool-names-unique": Case(
        (
            (messages_body(tools=[tool(), tool()]), "tools: Tool names must be unique."),
            (
                messages_body(tools=[tool(), tool("b"), {"type": "bash_20250124", "name": "b"}]),
                "tools: Tool names must be unique.",
            ),
        ),
        (
            messages_body(tools=[tool(), tool("Add")]),
            messages_body(tools=[tool(), tool("add2", description="Add.")]),
        ),
    ),
    "anthropic-input-schema-composition": Case(
        tuple(
            (
                messages_body(tools=[tool(), tool("b", input_schema=schema(**{keyword: [{}]}))]),
                "tools.1.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf "
                "at the top level",
            )
            for keyword in ("oneOf", "allOf", "anyOf")
        ),
        (
            messages_body(tools=[tool(input_schema=schema(properties={"a": {"anyOf": [{}]}}))]),
            messages_body(tools=[tool(input_schema=schema(properties={"oneOf": {}}))]),
        ),
    ),
    "anthropic-input-schema-invalid": Case(
        (
            (
                messages_body(tools=[tool(input_schema=schema(properties={"a": "number"}))]),
                BAD_SCHEMA.format(0),
            ),
            (
                messages_body(
                    tools=[
                        tool(),
                        tool("b", input_schema=schema(properties={"a": {"type": "float"}})),
                    ]
                ),
                BAD_SCHEMA.format(1),
            ),
            (
                messages_body(tools=[tool(input_schema=schema(required="a"))]),
                BAD_SCHEMA.format(0),
            ),
            (
                messages_body(
                    tools=[
                        tool(
                            input_schema=schema(
                                properties={"a": {"type": "array", "items": {"enum": 3}}}
                            )
                        )
                    ]
                ),
                BAD_SCHEMA.format(0),
            ),
        ),
        (
            messages_body(tools=[tool(input_schema=schema(properties={"a": True}))]),
            messages_body(tools=[tool(input_schema=schema(properties={"type": {"const": 3}}))]),
        ),
    ),
    "anthropic-strict-closed": Case(
        (
            (
                messages_body(tools=[tool(strict=True)]),
                "tools.0.custom: For 'object' type, 'additionalProperties' must be explicitly set "
                "to false",
            ),
            (
                messages_body(
                    tools=[
                        tool(),
                        tool("b", strict=True, input_schema=closed(x={"type": "object"})),
                    ]
                ),
                "tools.1.custom: For 'object' type, 'additionalProperties' must be explicitly set "
                "to false",
            ),
        ),
        (
            messages_body(tools=[tool(strict=True, input_schema=closed(x={"type": "number"}))]),
            messages_body(tools=[tool(strict=False)]),
        ),
    ),
    "anthropic-strict-keyword": Case(
        (
            (
                messages_body(
                    tools=[
                        tool(
                            strict=True,
                            input_schema=closed(x={"type": "array", "items": {}, "maxItems": 3}),
                        )
                    ]
                ),
                "tools.0.custom: For 'array' type, property 'maxItems' is not supported",
            ),
            (
                messages_body(
                    tools=[
                        tool(strict=True, input_schema=closed(x={"type": "number", "minimum": 0}))
                    ]
                ),
                "tools.0.custom: For 'number' type, property 'minimum' is not supported",
            ),
        ),
        (
            messages_body(
                tools=[tool(input_schema=closed(x={"type": "array", "items": {}, "maxItems": 3}))]
            ),
            messages_body(
                tools=[
                    tool(strict=True, input_schema=closed(x={"type": "array", "items": {}})),
                ]
            ),
        ),
    ),
    "anthropic-max-tokens-model": Case(
        tuple(
            (
                messages_body(max_tokens=most),
                f"max_tokens: {most} > 64000, which is the maximum allowed number of output "
                "tokens for claude-opus-4-5-20251101",
            )
            for most in (64_001, 128_001)
        ),
        (messages_body(max_tokens=64_000), messages_body(max_tokens=1)),
        model="claude-opus-4-5-20251101",
    ),
    "anthropic-cache-control-count": Case(
        (
            (
                messages_body(user([{**text(str(n)), **MARK} for n in range(5)])),
                "A maximum of 4 blocks with cache_control may be provided. Found 5.",
            ),
            (
                messages_body(
                    user([{**text("x"), **MARK}]),
                    system=[{**text(str(n)), **MARK} for n in range(4)],
                    tools=[tool(**MARK)],
                ),
                "A maximum of 4 blocks with cache_control may be provided. Found 6.",
            ),
        ),
        (
            messages_body(user([{**text(str(n)), **MARK} for n in range(4)])),
            messages_body(user([{**text(str(n)), "cache_control": None} for n in range(5)])),
        ),
    ),
}

CHAT_UNANSWERED = (
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
    "'tool_call_id'. The following tool_call_ids did not have response messages: {}"
)
CHAT_ORPHAN = (
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with "
    "'tool_calls'."
)
NULL_CONTENT = "Invalid value for 'content': expected a string, got null."
NAME_PATH = "tools[{}].function.name"
PARAMETERS = "tools[{}].function.parameters"
THREE_CALLS = [user(), calling(call("call_a"), call("call_b"), call("call_c"))]

CHAT: dict[str, Case] = {
    "chat-body-object": Case(
        (
            ([], "Invalid type: expected an object, but got an array instead."),
            ("hi", "Invalid type: expected an object, but got a string instead."),
        ),
        (chat_body(), without(chat_body(), "tools")),
    ),
    "chat-model": Case(
        (
            (without(chat_body(), "model"), "you must provide a model parameter", None),
            (chat_body(model=""), "you must provide a model parameter", None),
            (chat_body(model=None, nonsense=1), "you must provide a model parameter", None),
        ),
        (chat_body(model="m"), chat_body()),
    ),
    "chat-unknown-parameter": Case(
        (
            (chat_body(nonsense=1), "Unknown parameter: 'nonsense'.", "nonsense"),
            (
                chat_body(stor=1),
                "Unknown parameter: 'stor'. Did you mean 'stop' or 'store'?",
                "stor",
            ),
            (
                chat_body(temperatur=1, n="x"),
                "Unknown parameter: 'temperatur'. Did you mean 'temperature'?",
                "temperatur",
            ),
            (chat_body(system="Be brief."), "Unknown parameter: 'system'.", "system"),
        ),
        (chat_body(temperature=1, store=True), chat_body(user="u", seed=3)),
    ),
    "chat-missing": Case(
        (
            (
                without(chat_body(), "messages"),
                "Missing required parameter: 'messages'.",
                "messages",
            ),
            (
                chat_body({"content": "hi"}),
                "Missing required parameter: 'messages[0].role'.",
                "messages[0].role",
            ),
            (
                chat_body(tools=[{"function": {"name": "add"}}]),
                "Missing required parameter: 'tools[0].type'.",
                "tools[0].type",
            ),
            (
                chat_body(tools=[function(), {"type": "function"}]),
                "Missing required parameter: 'tools[1].function'.",
                "tools[1].function",
            ),
            (
                chat_body(*chat_rounds(2), user(), calling(call(), without(call("b"), "id"))),
                "Missing required parameter: 'messages[9].tool_calls[1].id'.",
                "messages[9].tool_calls[1].id",
            ),
            (
                chat_body(tool_choice={"type": "function"}),
                "Missing required parameter: 'tool_choice.function'.",
                "tool_choice.function",
            ),
            (
                chat_body(user(), {"role": "developer"}),
                "Missing required parameter: 'messages[1].content'.",
                "messages[1].content",
            ),
            (
                chat_body(user([{"text": "hi"}])),
                "Missing required parameter: 'messages[0].content[0].type'.",
                "messages[0].content[0].type",
            ),
        ),
        (
            chat_body(user([text("hi")])),
            chat_body(tools=[{"type": "function", "function": {"name": "now"}}]),
        ),
    ),
    "chat-type": Case(
        (
            (
                chat_body(messages=None),
                "Invalid type for 'messages': expected an array of objects, but got null instead.",
                "messages",
            ),
            (
                chat_body("hi"),
                "Invalid type for 'messages[0]': expected an object, but got a string instead.",
                "messages[0]",
            ),
            (
                chat_body(user(7)),
                "Invalid type for 'messages[0].content': expected one of a string or array of "
                "objects, but got an integer instead.",
                "messages[0].content",
            ),
            (
                chat_body(seed=1.5),
                "Invalid type for 'seed': expected an integer, but got a decimal number instead.",
                "seed",
            ),
            (
                chat_body(tool_choice=7),
                "Invalid type for 'tool_choice': expected one of one of 'none', 'auto', or "
                "'required' or object, but got an integer instead.",
                "tool_choice",
            ),
            (
                chat_body(stream="yes"),
                "Invalid type for 'stream': expected a boolean, but got a string instead.",
                "stream",
            ),
            (
                chat_body(model=7),
                "Invalid type for 'model': expected a string, but got an integer instead.",
                "model",
            ),
            (
                chat_body(user(), {**assistant(), "tool_calls": "x"}),
                "Invalid type for 'messages[1].tool_calls': expected an array of objects, but got "
                "a string instead.",
                "messages[1].tool_calls",
            ),
        ),
        (
            chat_body(seed=1, temperature=None),
            chat_body(user(), {**assistant(), "tool_calls": None}),
        ),
    ),
    "chat-value": Case(
        (
            (
                chat_body({"role": "model", "content": "hi"}),
                "Invalid value: 'model'. Supported values are: 'system', 'assistant', 'user', "
                "'function', 'tool', and 'developer'.",
                "messages[0].role",
            ),
            (
                chat_body(tool_choice="any"),
                "Invalid value: 'any'. Supported values are: 'none', 'auto', and 'required'.",
                "tool_choice",
            ),
            (
                chat_body(*chat_rounds(3), user([{"type": "image", "source": {}}])),
                "Invalid value: 'image'. Supported values are: 'text', 'image_url', "
                "'input_audio', 'refusal', 'audio', and 'file'.",
                "messages[12].content[0].type",
            ),
            (
                chat_body(tools=[{"type": "custom_tool", "name": "x"}]),
                "Invalid value: 'custom_tool'. Supported values are: 'function' and 'custom'.",
                "tools[0].type",
            ),
        ),
        (
            chat_body(tool_choice="required"),
            chat_body(system("Be brief."), {"role": "developer", "content": "x"}, user()),
        ),
    ),
    "chat-range": Case(
        (
            (
                chat_body(max_completion_tokens=0),
                "Invalid 'max_completion_tokens': integer below minimum value. Expected a value >= "
                "1, but got 0 instead.",
                "max_completion_tokens",
            ),
            (
                chat_body(n=64),
                "Invalid 'n': integer above maximum value. Expected a value <= 8, but got 64 "
                "instead.",
                "n",
            ),
            (
                chat_body(frequency_penalty=3),
                "Invalid 'frequency_penalty': decimal above maximum value. Expected a value <= 2, "
                "but got 3 instead.",
                "frequency_penalty",
            ),
            (
                chat_body(presence_penalty=-3),
                "Invalid 'presence_penalty': decimal below minimum value. Expected a value >= -2, "
                "but got -3 instead.",
                "presence_penalty",
            ),
        ),
        (chat_body(n=8, max_completion_tokens=1), chat_body(temperature=2, top_p=0.0)),
    ),
    "chat-messages-empty": Case(
        (
            (
                chat_body(messages=[]),
                "Invalid 'messages': empty array. Expected an array with minimum length 1, but got "
                "an empty array instead.",
                "messages",
            ),
            (
                chat_body(messages=[], n="x"),
                "Invalid 'messages': empty array. Expected an array with minimum length 1, but got "
                "an empty array instead.",
                "messages",
            ),
        ),
        (chat_body(user("")), chat_body(system("Be brief."))),
    ),
    "chat-tool-calls-empty": Case(
        (
            (
                chat_body(user(), {**assistant(), "tool_calls": []}),
                "Invalid 'messages[1].tool_calls': empty array. Expected an array with minimum "
                "length 1, but got an empty array instead.",
                "messages[1].tool_calls",
            ),
            (
                chat_body(*chat_rounds(2), user(), {"role": "assistant", "tool_calls": []}),
                "Invalid 'messages[9].tool_calls': empty array. Expected an array with minimum "
                "length 1, but got an empty array instead.",
                "messages[9].tool_calls",
            ),
        ),
        (
            chat_body(user(), assistant(), user()),
            chat_body({**user(), "tool_calls": []}),
        ),
    ),
    "chat-arguments": Case(
        (
            (
                chat_body(user(), calling(call(arguments={"a": 1})), tool_message()),
                "Invalid type for 'messages[1].tool_calls[0].function.arguments': expected a "
                "string, but got an object instead.",
                "messages[1].tool_calls[0].function.arguments",
            ),
            (
                chat_body(*THREE_CALLS[:1], calling(call("a"), call("b", arguments=None))),
                "Invalid type for 'messages[1].tool_calls[1].function.arguments': expected a "
                "string, but got null instead.",
                "messages[1].tool_calls[1].function.arguments",
            ),
        ),
        (
            chat_body(user(), calling(call(arguments="")), tool_message()),
            chat_body(user(), calling(call(arguments='{"a": ')), tool_message()),
        ),
    ),
    "chat-tool-call-id-length": Case(
        (
            (
                chat_body(user(), calling(call("c" * 41)), tool_message("c" * 41)),
                "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with "
                "maximum length 40, but got a string with length 41 instead.",
                "messages[1].tool_calls[0].id",
            ),
            (
                chat_body(user(), calling(), tool_message("c" * 53)),
                "Invalid 'messages[2].tool_call_id': string too long. Expected a string with "
                "maximum length 40, but got a string with length 53 instead.",
                "messages[2].tool_call_id",
            ),
        ),
        (
            chat_body(user(), calling(call("c" * 40)), tool_message("c" * 40)),
            chat_body(user(), calling(call("c")), tool_message("c")),
        ),
    ),
    "chat-tools-empty": Case(
        tuple(
            (
                chat_body(tools=[], **more),
                "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an "
                "empty array instead.",
                "tools",
            )
            for more in ({}, {"tool_choice": "auto"})
        ),
        (without(chat_body(), "tools"), chat_body(tools=None)),
    ),
    "chat-tools-count": Case(
        tuple(
            (
                chat_body(tools=[function(f"f{n}") for n in range(count)]),
                "Invalid 'tools': array too long. Expected an array with maximum length 128, but "
                f"got an array with length {count} instead.",
                "tools",
            )
            for count in (129, 200)
        ),
        (
            chat_body(tools=[function(f"f{n}") for n in range(128)]),
            chat_body(tools=[function()]),
        ),
    ),
    "chat-name-empty": Case(
        tuple(
            (
                chat_body(tools=[*before, function("")]),
                f"Invalid '{NAME_PATH.format(k)}': empty string. Expected a string with minimum "
                "length 1, but got an empty string instead.",
                NAME_PATH.format(k),
            )
            for k, before in ((0, []), (1, [function()]))
        ),
        (chat_body(tools=[function("a")]), chat_body(tools=[function("_")])),
    ),
    "chat-name-pattern": Case(
        tuple(
            (
                chat_body(tools=[*before, function(name)]),
                f"Invalid '{NAME_PATH.format(k)}': string does not match pattern. Expected a "
                "string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
                NAME_PATH.format(k),
            )
            for k, before, name in ((0, [], "add two"), (1, [function()], "math.add"))
        ),
        (chat_body(tools=[function("math-add_2")]), chat_body(tools=[function("2")])),
    ),
    "chat-name-length": Case(
        tuple(
            (
                chat_body(tools=[function("a" * length)]),
                f"Invalid '{NAME_PATH.format(0)}': string too long. Expected a string with maximum "
                f"length 64, but got a string with length {length} instead.",
                NAME_PATH.format(0),
            )
            for length in (65, 81)
        ),
        (chat_body(tools=[function("a" * 64)]), chat_body(tools=[function("a")])),
    ),
    "chat-description-length": Case(
        tuple(
            (
                chat_body(tools=[function(description="d" * length)]),
                "Invalid 'tools[0].function.description': string too long. Expected a string with "
                f"maximum length 1024, but got a string with length {length} instead.",
                "tools[0].function.description",
            )
            for length in (1025, 1103)
        ),
        (
            chat_body(tools=[function(description="d" * 1024)]),
            chat_body(tools=[function(description=None)]),
        ),
        model="gpt-4o-mini",
    ),
    "chat-schema-object": Case(
        tuple(
            (
                chat_body(tools=[function(parameters=parameters)]),
                "Invalid schema for function 'add': schema must be a JSON Schema of 'type: "
                f'"object"\', got \'type: "{shown}"\'.',
                PARAMETERS.format(0),
            )
            for parameters, shown in (({}, "None"), ({"type": "array", "items": {}}, "array"))
        ),
        (
            chat_body(tools=[function(parameters={"type": "object", "properties": {}})]),
            chat_body(tools=[{"type": "function", "function": {"name": "now"}}]),
        ),
    ),
    "chat-schema-invalid": Case(
        (
            (
                chat_body(tools=[function(parameters=[])]),
                "Invalid schema for function 'add': [] is not of type 'object', 'boolean'.",
                PARAMETERS.format(0),
            ),
            (
                chat_body(tools=[function(), function("b", parameters=schema(required="a"))]),
                "Invalid schema for function 'b': 'a' is not of type 'array'.",
                PARAMETERS.format(1),
            ),
            (
                chat_body(tools=[function(parameters=schema(properties={"a": {"type": "float"}}))]),
                "Invalid schema for function 'add': 'float' is not valid under any of the given "
                "schemas.",
                PARAMETERS.format(0),
            ),
        ),
        (
            chat_body(tools=[function(parameters=schema(properties={"a": True}))]),
            chat_body(tools=[function(parameters=schema(required=["a"]))]),
        ),
    ),
    "chat-schema-properties": Case(
        tuple(
            (
                chat_body(tools=[*before, function(parameters={"type": "object", **more})]),
                "Invalid schema for function 'add': In context=(), object schema missing "
                "properties.",
                PARAMETERS.format(k),
            )
            for k, before, more in ((0, [], {}), (1, [function("b")], {"required": []}))
        ),
        (
            chat_body(tools=[function(parameters={"type": "object", "properties": {}})]),
            chat_body(tools=[function(parameters=schema(properties={"a": {"type": "object"}}))]),
        ),
    ),
    "chat-schema-items": Case(
        (
            (
                chat_body(
                    tools=[function(parameters=schema(properties={"xs": {"type": "array"}}))]
                ),
                "Invalid schema for function 'add': In context=('properties', 'xs'), array schema "
                "missing items.",
                PARAMETERS.format(0),
            ),
            (
                chat_body(
                    tools=[
                        function(
                            parameters=schema(
                                properties={"xs": {"anyOf": [{"type": "array"}, {"type": "null"}]}}
                            )
                        )
                    ]
                ),
                "Invalid schema for function 'add': In context=('properties', 'xs', 'anyOf', "
                "'0'), array schema missing items.",
                PARAMETERS.format(0),
            ),
        ),
        (
            chat_body(
                tools=[
                    function(parameters=schema(properties={"xs": {"type": "array", "items": {}}}))
                ]
            ),
            chat_body(tools=[function(parameters=schema(properties={"xs": {"enum": []}}))]),
        ),
    ),
    "chat-strict-closed": Case(
        (
            (
                chat_body(tools=[strict(schema(required=["a"]))]),
                "Invalid schema for function 'add': In context=(), 'additionalProperties' is "
                "required to be supplied and to be false.",
                PARAMETERS.format(0),
            ),
            (
                chat_body(tools=[strict(closed(v={"type": "object", "properties": {}}))]),
                "Invalid schema for function 'add': In context=('properties', 'v'), "
                "'additionalProperties' is required to be supplied and to be false.",
                PARAMETERS.format(0),
            ),
        ),
        (
            chat_body(tools=[strict(closed(v={"type": "number"}))]),
            chat_body(tools=[function(strict=False)]),
        ),
    ),
    "chat-strict-required": Case(
        (
            (
                chat_body(tools=[strict({**closed(a={"type": "number"}), "required": []})]),
                "Invalid schema for function 'add': In context=(), 'required' is required to be "
                "supplied and to be an array including every key in properties. Missing 'a'.",
                PARAMETERS.format(0),
            ),
            (
                chat_body(
                    tools=[
                        strict(
                            closed(v={**closed(x={"type": "number"}), "required": ["y"]}),
                        )
                    ]
                ),
                "Invalid schema for function 'add': In context=('properties', 'v'), 'required' is "
                "required to be supplied and to be an array including every key in properties. "
                "Missing 'x'.",
                PARAMETERS.format(0),
            ),
        ),
        (
            chat_body(tools=[strict(closed(a={"type": ["number", "null"]}))]),
            chat_body(tools=[function(parameters={**closed(a={}), "required": []})]),
        ),
    ),
    "chat-strict-type": Case(
        (
            (
                chat_body(tools=[strict(closed(method_name={"description": "x"}))]),
                "Invalid schema for function 'add': In context=('properties', 'method_name'), "
                "schema must have a 'type' key.",
                PARAMETERS.format(0),
            ),
            (
                chat_body(tools=[strict(closed(xs={"type": "array", "items": {}}))]),
                "Invalid schema for function 'add': In context=('properties', 'xs', 'items'), "
                "schema must have a 'type' key.",
                PARAMETERS.format(0),
            ),
        ),
        (
            chat_body(tools=[strict(closed(a={"enum": ["x"]}))]),
            chat_body(tools=[function(parameters=closed(a={}))]),
        ),
    ),
    "chat-tool-choice-untyped": Case(
        tuple(
            (
                chat_body(tool_choice=choice),
                "'$.tool_choice' is invalid. Please check the API reference: "
                "https://platform.openai.com/docs/api-reference.",
                None,
            )
            for choice in ({"function": {"name": "add"}}, {"name": "add"})
        ),
        (
            chat_body(tool_choice={"type": "function", "function": {"name": "add"}}),
            chat_body(tool_choice="auto"),
        ),
        today=date(2024, 1, 1),
    ),
    "chat-tool-choice-no-tools": Case(
        tuple(
            (
                without(chat_body(tool_choice=choice), "tools"),
                "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are "
                "specified.",
                "tool_choice",
            )
            for choice in (
                "none",
                "auto",
                "required",
                {"type": "function", "function": {"name": "add"}},
            )
        ),
        (chat_body(tool_choice="auto"), without(chat_body(tool_choice=None), "tools")),
    ),
    "chat-parallel-no-tools": Case(
        tuple(
            (
                without(chat_body(parallel_tool_calls=value), "tools"),
                "Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed "
                "when 'tools' are specified.",
                "parallel_tool_calls",
            )
            for value in (True, False)
        ),
        (chat_body(parallel_tool_calls=False), without(chat_body(), "tools")),
    ),
    "chat-tool-choice-unknown": Case(
        tuple(
            (
                chat_body(tool_choice={"type": "function", "function": {"name": name}}),
                f"Invalid value for 'function_call': no function named '{name}' was specified in "
                "the 'functions' parameter.",
                "function_call",
            )
            for name in ("nope", "Add")
        ),
        (
            chat_body(tool_choice={"type": "function", "function": {"name": "add"}}),
            chat_body(tool_choice={"type": "bogus", "function": {"name": "add"}}),
        ),
    ),
    "chat-max-tokens-model": Case(
        tuple(
            (
                chat_body(max_tokens=most),
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
                "'max_completion_tokens' instead.",
                "max_tokens",
            )
            for most in (1, 1024)
        ),
        (chat_body(max_completion_tokens=1), chat_body(max_tokens=None)),
        model="gpt-5.1",
    ),
    "chat-parameter-model": Case(
        tuple(
            (
                chat_body(**{name: value}),
                f"Unsupported parameter: '{name}' is not supported with this model.",
                name,
            )
            for name, value in (("stop", ["x"]), ("logit_bias", {"1": 1}))
        ),
        (chat_body(stop=None), chat_body(temperature=1)),
        model="gpt-5.6-terra",
    ),
    "chat-temperature-model": Case(
        tuple(
            (
                chat_body(temperature=value),
                f"Unsupported value: 'temperature' does not support {value} with this model. Only "
                "the default (1) value is supported.",
                "temperature",
            )
            for value in (0, 0.5)
        ),
        (chat_body(temperature=1), chat_body(temperature=None)),
        model="gpt-5.6-terra",
    ),
    "chat-content-null": Case(
        (
            (chat_body({"role": "user"}), NULL_CONTENT, "messages.[0].content"),
            (
                chat_body(user(), calling(), {**tool_message(), "content": None}),
                NULL_CONTENT,
                "messages.[2].content",
            ),
            (
                chat_body(*chat_rounds(3), user(), assistant(None)),
                NULL_CONTENT,
                "messages.[13].content",
            ),
            (
                chat_body(user(), {"role": "assistant", "tool_calls": None}),
                NULL_CONTENT,
                "messages.[1].content",
            ),
        ),
        (
            chat_body(user(), calling(content=None), tool_message(content="")),
            chat_body(user(), {"role": "assistant", "content": None, "refusal": "no"}, user()),
        ),
    ),
    "chat-tool-call-id": Case(
        (
            (
                chat_body(user(), calling(), without(tool_message(), "tool_call_id")),
                "Missing parameter 'tool_call_id': messages with role 'tool' must have a "
                "'tool_call_id'.",
                "messages.[2].tool_call_id",
            ),
            (
                chat_body(*chat_rounds(2), {"role": "tool", "content": "3"}),
                "Missing parameter 'tool_call_id': messages with role 'tool' must have a "
                "'tool_call_id'.",
                "messages.[8].tool_call_id",
            ),
        ),
        (
            chat_body(user(), calling(), tool_message()),
            chat_body({**user(), "tool_call_id": None}),
        ),
    ),
    "chat-tool-orphan": Case(
        (
            (chat_body(tool_message()), CHAT_ORPHAN, "messages.[0].role"),
            (chat_body(user(), assistant(), tool_message()), CHAT_ORPHAN, "messages.[2].role"),
            (
                chat_body(*chat_rounds(4), tool_message("call_r3")),
                CHAT_ORPHAN,
                "messages.[16].role",
            ),
        ),
        (
            chat_body(user(), calling(), tool_message()),
            chat_body(
                *THREE_CALLS, tool_message("call_c"), tool_message("call_a"), tool_message("call_b")
            ),
        ),
    ),
    "chat-tool-unknown-id": Case(
        (
            (
                chat_body(user(), calling(), tool_message("call_2")),
                "Invalid parameter: 'tool_call_id' of 'call_2' not found in 'tool_calls' of "
                "previous message.",
                "messages.[2].tool_call_id",
            ),
            (
                chat_body(
                    *THREE_CALLS,
                    tool_message("call_a"),
                    tool_message("call_x"),
                    tool_message("call_c"),
                ),
                "Invalid parameter: 'tool_call_id' of 'call_x' not found in 'tool_calls' of "
                "previous message.",
                "messages.[3].tool_call_id",
            ),
        ),
        (
            chat_body(user(), calling(call("a"), call("b")), tool_message("b"), tool_message("a")),
            chat_body(*chat_rounds(2), user()),
        ),
    ),
    "chat-tool-calls-unanswered": Case(
        (
            (
                chat_body(user(), calling(), user("what?")),
                CHAT_UNANSWERED.format("call_1"),
                "messages.[2].role",
            ),
            (
                chat_body(*THREE_CALLS, tool_message("call_a"), tool_message("call_c"), user()),
                CHAT_UNANSWERED.format("call_b"),
                "messages.[4].role",
            ),
            (
                chat_body(*chat_rounds(5), user(), calling()),
                CHAT_UNANSWERED.format("call_1"),
                "messages.[21].role",
            ),
            (
                chat_body(user(), calling(), user("wait"), tool_message()),
                CHAT_UNANSWERED.format("call_1"),
                "messages.[2].role",
            ),
        ),
        (
            chat_body(
                *THREE_CALLS, tool_message("call_b"), tool_message("call_a"), tool_message("call_c")
            ),
            chat_body(*chat_rounds(5), user()),
        ),
    ),
}

CASES: dict[str, Case] = {**ANTHROPIC, **CHAT}
