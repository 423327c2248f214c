"""The rules by which the vendors refuse a request, as data.

One row says: what is wrong, the status and message that the vendor answers with, and how
we know. The checks that find the faults are small functions beside this table
(`mcplab.provider.checks_anthropic`, `mcplab.provider.checks_chat`); they name a row by its
id and fill the placeholders of its message. Nothing here was measured against a live API
by mcplab itself: `Rule.evidence` says where the words come from.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Literal

__all__ = ["RULES", "RULES_AS_OF", "RULES_BY_ID", "Evidence", "Rule"]

RULES_AS_OF = date(2026, 11, 30)
"""The day on which the table was last gone through; `validate` judges by it."""

Evidence = Literal["quoted", "probed", "sdk", "inferred"]
"""How a row is known.

``quoted``: the vendor's words, quoted in a public issue or source.
``probed``: someone sent such a request to the live API and published the answer.
``sdk``: the fact stands in the types of the vendor's SDK; the wording is by analogy.
``inferred``: by analogy with other rows, or from memory. Do not rely on the wording.
"""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    Attributes:
        id: the name that a check and a test use.
        dialect: ``"anthropic"`` or ``"openai-chat"``.
        summary: what the rule asks for, in words for a learner.
        message: the vendor's message; ``{…}`` is filled in by the check.
        fix: what to do about it, one sentence.
        source: where the wording or the fact was found ("" when nowhere).
        evidence: see `Evidence`.
        status: HTTP status.
        type: the vendor's ``error.type``.
        param, code: OpenAI's fields of that name (templates, like `message`).
        since, until: the days between which the rule is in force, as far as known.
        models: regular expression; the rule is for models whose whole id matches.
        note: what a reader should know about the evidence.
    """

    id: str
    dialect: str
    summary: str
    message: str
    fix: str
    source: str = ""
    evidence: Evidence = "quoted"
    status: int = 400
    type: str = "invalid_request_error"
    param: str | None = None
    code: str | None = None
    since: date | None = None
    until: date | None = None
    models: str | None = None
    note: str = ""

    def in_force(self, today: date, model: str) -> bool:
        """Does the rule hold on that day for that model?"""
        if self.since is not None and today < self.since:
            return False
        if self.until is not None and today >= self.until:
            return False
        return self.models is None or re.fullmatch(self.models, model) is not None


_ISSUE = "https://github.com/anthropics/claude-code/issues/"
_ADAPTER = (
    "https://github.com/kangminlee-maker/local-OAuth-CLI-API-adapter/blob/"
    "4f3331c9142ab6b621ed509efd9c6693385a20eb/docs/conformance-matrix.md"
)
_AEGIS = "https://github.com/aegis-gateway/aegis-ai-gateway"
_FIBER = "https://github.com/aakshintala/fiber/issues/132"
_EXPERIENTIAL = "https://github.com/experientiallabs/experiential/pull/"
_ANTHROPIC_SDK = "https://github.com/anthropics/anthropic-sdk-python/tree/main/src/anthropic/types"

_NO_PREFILL = r"claude-((opus|sonnet|haiku)-4-[6-9]|(opus|sonnet|haiku|fable|mythos)-[5-9]).*"
_ADAPTIVE = r"claude-opus-4-[7-9].*|claude-(opus|sonnet|fable|mythos)-[5-9].*"

# In the order in which the checks go: fields, unknown fields, conversation, tools, the rest.
_ANTHROPIC: tuple[Rule, ...] = (
    Rule(
        "anthropic-body-object",
        "anthropic",
        "The body is a JSON object.",
        "Input should be an object",
        "Send one JSON object with model, max_tokens and messages.",
        evidence="inferred",
    ),
    Rule(
        "anthropic-field-required",
        "anthropic",
        "A field that must be there is there.",
        "{path}: Field required",
        "Add the field that the message names.",
        _ADAPTER,
        "probed",
    ),
    Rule(
        "anthropic-field-type",
        "anthropic",
        "A field holds a value of its type.",
        "{path}: Input should be {expected}",
        "Give the field a value of the type that the message names.",
        _ADAPTER,
        "probed",
        note="The types are probed for the top-level fields and for messages; for the fields "
        "inside blocks and tools they follow the SDK.",
    ),
    Rule(
        "anthropic-field-shape",
        "anthropic",
        "system blocks, metadata and output_config are objects.",
        "{path}: Input does not match the expected shape.",
        "Send an object here.",
        _ADAPTER,
        "probed",
    ),
    Rule(
        "anthropic-string-empty",
        "anthropic",
        "The model's and a tool's name is not empty.",
        "{path}: String should have at least 1 character",
        "Give a name.",
        _ADAPTER,
        "probed",
    ),
    Rule(
        "anthropic-out-of-range",
        "anthropic",
        "max_tokens, temperature and top_p lie in their range.",
        "{path}: {limit}",
        "Choose a value inside the range.",
        _ADAPTER,
        "probed",
    ),
    Rule(
        "anthropic-unknown-tag",
        "anthropic",
        "The type of a block, a tool or a tool_choice is one that the API knows.",
        "{path}: Input tag '{tag}' found using 'type' does not match any of the expected tags: "
        "{tags}",
        "Use one of the types that the message lists. OpenAI's names (function, image_url, …) "
        "do not work here.",
        "https://github.com/dirac-run/dirac/issues/57",
        note="Quoted for tools, probed for tool_choice; the lists of types follow the SDK 2.14.",
    ),
    Rule(
        "anthropic-tool-name-pattern",
        "anthropic",
        "A tool name has letters, digits, _ and - only, 128 at most.",
        "tools.{k}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'",
        "Rename the tool: no spaces, dots or slashes.",
        "https://github.com/modelcontextprotocol/modelcontextprotocol/issues/1345",
        since=date(2025, 6, 1),
        note="The day is not known: 64 was quoted in 2025-04, 128 in 2025-08.",
    ),
    Rule(
        "anthropic-tool-name-pattern-64",
        "anthropic",
        "A tool name has letters, digits, _ and - only, 64 at most (until mid 2025).",
        "tools.{k}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{{1,64}}$'",
        "Rename the tool: no spaces, dots or slashes, and shorter.",
        "https://github.com/modelcontextprotocol/typescript-sdk/issues/413",
        until=date(2025, 6, 1),
        note="The day is not known: 64 was quoted in 2025-04, 128 in 2025-08.",
    ),
    Rule(
        "anthropic-tool-description",
        "anthropic",
        "A tool description, if there is one, is a string.",
        "tools.{k}.custom.description: Input should be a valid string",
        "Leave the description out, or write one. null is not a description.",
        _EXPERIENTIAL + "658",
        "probed",
    ),
    Rule(
        "anthropic-input-schema",
        "anthropic",
        "A tool has an input_schema.",
        "tools.{k}.custom.input_schema: Field required",
        "Name the schema input_schema. OpenAI calls it parameters, MCP inputSchema.",
        "https://github.com/su-kaka/gcli2api/issues/392",
    ),
    Rule(
        "anthropic-input-schema-type",
        "anthropic",
        "An input_schema has a type.",
        "tools.{k}.custom.input_schema.type: Field required",
        'Add "type": "object" to the schema.',
        "https://github.com/Kilo-Org/kilocode/issues/12238",
    ),
    Rule(
        "anthropic-input-schema-object",
        "anthropic",
        "The type of an input_schema is object.",
        "tools.{k}.custom.input_schema.type: Input should be 'object'",
        "Wrap the value in an object: a tool takes named arguments.",
        _ANTHROPIC_SDK + "/tool_param.py",
        "sdk",
    ),
    Rule(
        "anthropic-messages-empty",
        "anthropic",
        "There is at least one message.",
        "messages: at least one message is required",
        "Send a user message. A system prompt is not a message here.",
        _ADAPTER,
        "probed",
    ),
    Rule(
        "anthropic-unknown-role",
        "anthropic",
        "A message is from the user or the assistant.",
        'messages: Unexpected role "{role}". Allowed roles are "user" or "assistant"',
        "Tool results go into a user message, as tool_result blocks; there is no role tool.",
        _ADAPTER,
        "probed",
    ),
    Rule(
        "anthropic-tool-use-id",
        "anthropic",
        "A tool_use id has letters, digits, _ and - only, and is not empty.",
        "{path}: String should match pattern '^[a-zA-Z0-9_-]+$'",
        "Send the id back exactly as the model gave it.",
        "https://github.com/BlockRunAI/ClawRouter/issues/17",
    ),
    Rule(
        "anthropic-tool-use-input",
        "anthropic",
        "The input of a tool_use block is an object.",
        "{path}: Input should be a valid dictionary",
        "Send the parsed object, not JSON text. (OpenAI sends the arguments as text.)",
        "https://github.com/andreasjansson/greger.el/issues/60",
    ),
    Rule(
        "anthropic-max-tokens",
        "anthropic",
        "max_tokens is given.",
        "max_tokens: Field required",
        "Add max_tokens, such as 1024. (The Python SDK asks for it before it sends anything.)",
        "https://github.com/tickernelz/opencode-mem/issues/50",
    ),
    Rule(
        "anthropic-extra-field",
        "anthropic",
        "There are no fields that the API does not know.",
        "{path}: Extra inputs are not permitted",
        "Take the field out. It may belong to another vendor's API, or be spelled wrong.",
        "https://github.com/langchain-ai/langchain/issues/31208",
        note="Also probed for the top level and for messages.",
    ),
    Rule(
        "anthropic-system-role",
        "anthropic",
        "The system prompt is not a message (until mid 2026).",
        'messages: Unexpected role "system". The Messages API accepts a top-level `system` '
        'parameter, not "system" as an input message role.',
        "Use the system parameter of the request.",
        "https://github.com/elastic/elasticsearch/issues/149198",
        until=date(2026, 7, 1),
        note="The day is not known: quoted in 2026-05, other words probed in 2026-08.",
    ),
    Rule(
        "anthropic-system-empty",
        "anthropic",
        "A system message in the conversation has content.",
        "messages.{i}: system content must contain at least one block",
        "Give the system message text, or take it out.",
        _ADAPTER,
        "probed",
        since=date(2026, 7, 1),
    ),
    Rule(
        "anthropic-system-first",
        "anthropic",
        "The conversation does not start with a system message.",
        "messages.0: use the top-level 'system' parameter for the initial system prompt; the "
        "directive-only form (content: [] with output_config) is accepted at any position",
        "Use the system parameter of the request. OpenAI has the system prompt as a message.",
        _ADAPTER,
        "probed",
        since=date(2026, 7, 1),
        note="Also probed with claude-haiku-4-5: " + _AEGIS,
    ),
    Rule(
        "anthropic-system-position",
        "anthropic",
        "A system message stands before an assistant message or at the end.",
        "messages.{i}: role 'system' must precede an 'assistant' message or end the array; the "
        "directive-only form (content: [] with output_config) is accepted at any position",
        "Move the system message to the end, or use the system parameter.",
        _ADAPTER,
        "probed",
        since=date(2026, 7, 1),
    ),
    Rule(
        "anthropic-system-whitespace",
        "anthropic",
        "The text of a system message is not blank.",
        "messages.{i}: system text blocks must contain non-whitespace text",
        "Write text, or take the message out.",
        _ADAPTER,
        "probed",
        since=date(2026, 7, 1),
    ),
    Rule(
        "anthropic-first-role",
        "anthropic",
        "The first message is from the user (until 2024).",
        'messages: first message must use the "user" role',
        "Start with a user message.",
        "https://github.com/lobehub/lobehub/issues/1601",
        until=date(2024, 10, 1),
        note="The day is not known: still quoted in 2024-09, reported as accepted in 2024-10.",
    ),
    Rule(
        "anthropic-roles-alternate",
        "anthropic",
        "User and assistant take turns (until 2024; now turns in a row are merged).",
        'messages: roles must alternate between "user" and "assistant", but found multiple '
        '"{role}" roles in a row',
        "Merge the messages that follow each other.",
        "https://github.com/etkecc/baibot/issues/13",
        until=date(2024, 10, 1),
        note="The day is not known: still quoted in 2024-09, reported as accepted in 2024-10.",
    ),
    Rule(
        "anthropic-message-empty",
        "anthropic",
        "Every message has content, except a last one of the assistant (until 2025).",
        "messages.{i}: all messages must have non-empty content except for the optional final "
        "assistant message",
        "Give the message content, or take it out.",
        _ISSUE + "6774",
        until=date(2026, 1, 1),
        note="The day is not known: quoted in 2025-08, other words probed in 2026-08.",
    ),
    Rule(
        "anthropic-user-empty",
        "anthropic",
        "A user turn has content.",
        "messages.{i}: user messages must have non-empty content",
        "Give the message content, or take it out.",
        _ADAPTER,
        "probed",
        since=date(2026, 1, 1),
        note="User messages in a row are one turn, which may have an empty part.",
    ),
    Rule(
        "anthropic-text-empty",
        "anthropic",
        "A text block holds text.",
        "messages: text content blocks must be non-empty",
        "Leave the empty text block out.",
        _EXPERIENTIAL + "804",
        "probed",
    ),
    Rule(
        "anthropic-text-whitespace",
        "anthropic",
        "A message is not blank.",
        "messages: text content blocks must contain non-whitespace text",
        "Write text, or take the message out.",
        _EXPERIENTIAL + "804",
        "probed",
    ),
    Rule(
        "anthropic-tool-use-in-user",
        "anthropic",
        "tool_use blocks are the assistant's.",
        "messages.{i}: `tool_use` blocks can only be in `assistant` messages",
        "Send the model's tool_use blocks back in a message with role assistant.",
        "https://github.com/dandandujie/dsr-go",
        note="The words stand in the sources of several compatible servers.",
    ),
    Rule(
        "anthropic-tool-result-in-assistant",
        "anthropic",
        "tool_result blocks are the user's.",
        "messages.{i}: `tool_result` blocks can only be in `user` messages",
        "Send results in a message with role user: on this wire the host speaks as the user.",
        _AEGIS,
        "probed",
    ),
    Rule(
        "anthropic-tool-use-unique",
        "anthropic",
        "No two tool_use blocks of a conversation share an id.",
        "messages.{i}.content.{j}: `tool_use` ids must be unique",
        "Append each of the model's replies once, and keep its ids.",
        "https://github.com/anomalyco/opencode/issues/1279",
        note="That ids must differ across messages too: NVIDIA-NeMo/Switchyard#502.",
    ),
    Rule(
        "anthropic-tool-result-count",
        "anthropic",
        "Every tool_use is answered at the start of the next message (words until 2025).",
        "messages.{i}: Did not find {n} `tool_result` block(s) at the beginning of this message. "
        "Messages following `tool_use` blocks must begin with a matching number of `tool_result` "
        "blocks.",
        "Answer every tool_use id with a tool_result at the start of the next user message.",
        "https://github.com/anthropics/anthropic-sdk-typescript/issues/653",
        until=date(2025, 5, 1),
        note="The day is not known: quoted in 2025-01, the newer words in 2025-05.",
    ),
    Rule(
        "anthropic-tool-result-not-first",
        "anthropic",
        "tool_result blocks come first in their message, before any text.",
        "messages.{i}: `tool_use` ids were found without `tool_result` blocks immediately after: "
        "{ids}. Each `tool_use` block must have a corresponding `tool_result` block in the next "
        "message.",
        "Put the tool_result blocks first and the text after them.",
        "https://github.com/QwenLM/qwen-code/pull/8165",
        "probed",
        since=date(2025, 5, 1),
    ),
    Rule(
        "anthropic-tool-use-unanswered",
        "anthropic",
        "Every tool_use is answered by a tool_result in the very next message.",
        "messages.{i}: `tool_use` ids were found without `tool_result` blocks immediately after: "
        "{ids}. Each `tool_use` block must have a corresponding `tool_result` block in the next "
        "message.",
        "Answer every tool_use id with a tool_result in the next user message, failures too.",
        _ISSUE + "5989",
        since=date(2025, 5, 1),
        note="Which index is named when several assistant messages are merged is not known.",
    ),
    Rule(
        "anthropic-tool-result-orphan",
        "anthropic",
        "A tool_result answers a tool_use of the message before it.",
        "messages.{i}.content.{j}: unexpected `tool_use_id` found in `tool_result` blocks: {id}. "
        "Each `tool_result` block must have a corresponding `tool_use` block in the previous "
        "message.",
        "Append the model's reply, with its tool_use blocks, before the results; keep the ids.",
        _ISSUE + "13460",
    ),
    Rule(
        "anthropic-tool-result-duplicate",
        "anthropic",
        "A tool_use gets one result.",
        "messages.{i}.content.{j}: each tool_use must have a single result. Found multiple "
        "`tool_result` blocks with id: {id}",
        "Put everything that the tool returned into one tool_result.",
        "https://github.com/dandandujie/dsr-go",
        note="The words stand in the sources and notes of many public programs.",
    ),
    Rule(
        "anthropic-server-tool-result-orphan",
        "anthropic",
        "The result of a server tool follows its server_tool_use block.",
        "messages.{i}.content.{j}: unexpected `tool_use_id` found in `{kind}` blocks: {id}. Each "
        "`{kind}` block must have a corresponding `server_tool_use` block before it.",
        "Send the assistant's content back whole: all blocks, in their order.",
        _ISSUE + "64383",
    ),
    Rule(
        "anthropic-tool-result-error-empty",
        "anthropic",
        "A tool_result with is_error says what went wrong.",
        "messages.{i}.content.{j}.tool_result: content cannot be empty if `is_error` is true",
        "Write the reason into content: the model corrects itself by it.",
        "https://github.com/jlevy/markform/issues/153",
    ),
    Rule(
        "anthropic-prefill-whitespace",
        "anthropic",
        "A last message of the assistant does not end in whitespace.",
        "messages: final assistant content cannot end with trailing whitespace",
        "Strip the end of the text.",
        "https://github.com/tailcallhq/forgecode/issues/1872",
    ),
    Rule(
        "anthropic-prefill-refused",
        "anthropic",
        "The conversation does not end with the assistant (models from 4.6).",
        "This model does not support assistant message prefill. The conversation must end with a "
        "user message.",
        "End with a user message.",
        "https://github.com/smallmain/vscode-unify-chat-provider/issues/249",
        models=_NO_PREFILL,
    ),
    Rule(
        "anthropic-thinking-off",
        "anthropic",
        "Without thinking, a last message of the assistant holds no thinking block.",
        "messages.{i}.content.0: When thinking is disabled, an `assistant` message in the final "
        "position cannot contain `thinking`. To use thinking blocks, enable `thinking` in your "
        "request.",
        "Turn thinking on, or take the thinking blocks out.",
        "https://github.com/tailcallhq/forgecode/issues/1853",
    ),
    Rule(
        "anthropic-thinking-missing",
        "anthropic",
        "With thinking, the thinking block of a tool request is sent back with it.",
        "messages.{i}.content.0.type: Expected `thinking` or `redacted_thinking`, but found "
        "`{found}`. When `thinking` is enabled, a final `assistant` message must start with a "
        "thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks). We "
        "recommend you include thinking blocks from previous turns. To avoid this requirement, "
        "disable `thinking`. Please consult our documentation at "
        "https://docs.claude.com/en/docs/build-with-claude/extended-thinking",
        "Append the assistant's content whole, thinking blocks included.",
        "https://github.com/Kilo-Org/kilocode/issues/5219",
    ),
    Rule(
        "anthropic-thinking-budget",
        "anthropic",
        "max_tokens is greater than thinking.budget_tokens.",
        "`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our "
        "documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking"
        "#max-tokens-and-context-window-size",
        "Raise max_tokens or lower the budget.",
        "https://github.com/ProfSynapse/nexus/issues/17",
    ),
    Rule(
        "anthropic-thinking-adaptive",
        "anthropic",
        "Newer models decide themselves how much they think.",
        '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" '
        'and "output_config.effort" to control thinking behavior.',
        'Send {"type": "adaptive"} as thinking.',
        "https://github.com/zhukunpenglinyutong/jetbrains-cc-gui/issues/1003",
        models=_ADAPTIVE,
    ),
    Rule(
        "anthropic-forced-choice-thinking",
        "anthropic",
        "With thinking, tool_choice does not force a tool.",
        "Thinking may not be enabled when tool_choice forces tool use.",
        "Use tool_choice auto, or turn thinking off.",
        "https://github.com/can1357/oh-my-pi/issues/341",
    ),
    Rule(
        "anthropic-forced-choice-model",
        "anthropic",
        "Some models cannot be forced to use a tool.",
        'tool_choice: type "tool" and "any" are not supported for this model.',
        "Use tool_choice auto, and say in the prompt which tool you expect.",
        _EXPERIENTIAL + "804",
        "probed",
        since=date(2026, 9, 1),
        models=r"claude-(fable|mythos)-5-1.*",
    ),
    Rule(
        "anthropic-tool-choice-unknown",
        "anthropic",
        "tool_choice names a tool that is in tools.",
        "Tool '{name}' not found in provided tools",
        "Name one of the tools of this request.",
        _FIBER,
        "probed",
    ),
    Rule(
        "anthropic-tool-choice-no-tools",
        "anthropic",
        "tool_choice any needs tools.",
        "tool_choice.any may only be specified while providing tools",
        "Send the tools with every request, or leave tool_choice out.",
        _FIBER,
        "probed",
        note="auto and none are accepted without tools.",
    ),
    Rule(
        "anthropic-tools-for-history",
        "anthropic",
        "A conversation with tool blocks comes with its tools (until 2025-02-27).",
        "Requests which include `tool_use` or `tool_result` blocks must define tools.",
        "Send the tools with every request.",
        "https://github.com/anthropics/anthropic-sdk-python/issues/849",
        until=date(2025, 2, 27),
    ),
    Rule(
        "anthropic-tool-names-unique",
        "anthropic",
        "Every tool has a name of its own.",
        "tools: Tool names must be unique.",
        "Rename one of them; with several servers, put the server's name in front.",
        "https://github.com/microsoft/vscode/issues/278073",
    ),
    Rule(
        "anthropic-input-schema-composition",
        "anthropic",
        "An input_schema has no oneOf, allOf or anyOf at its top.",
        "tools.{k}.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at "
        "the top level",
        "Move the alternatives into a property.",
        _ISSUE + "40075",
    ),
    Rule(
        "anthropic-input-schema-invalid",
        "anthropic",
        "An input_schema is valid JSON Schema.",
        "tools.{k}.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft "
        "2020-12 (https://json-schema.org/draft/2020-12). Learn more about tool use at "
        "https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview.",
        'Every property is itself a schema, an object such as {"type": "string"}.',
        _ISSUE + "86664",
        note="mcplab looks at the keywords that tool schemas use, not at the whole draft.",
    ),
    Rule(
        "anthropic-strict-closed",
        "anthropic",
        "In a strict tool every object is closed.",
        "tools.{k}.custom: For 'object' type, 'additionalProperties' must be explicitly set to "
        "false",
        'Add "additionalProperties": false to every object of the schema.',
        "https://github.com/vercel/ai/issues/20681",
        "probed",
    ),
    Rule(
        "anthropic-strict-keyword",
        "anthropic",
        "A strict tool uses only some keywords of JSON Schema.",
        "tools.{k}.custom: For '{kind}' type, property '{keyword}' is not supported",
        "Take the keyword out, and say it in the description.",
        _EXPERIENTIAL + "804",
        "probed",
        note="Probed for maxItems of an array; the other limits are taken to be the same.",
    ),
    Rule(
        "anthropic-max-tokens-model",
        "anthropic",
        "max_tokens is no more than the model can write.",
        "max_tokens: {value} > {limit}, which is the maximum allowed number of output tokens for "
        "{model}",
        "Lower max_tokens to the model's limit.",
        _ISSUE + "24451",
        models=r"claude-opus-4-5.*",
    ),
    Rule(
        "anthropic-cache-control-count",
        "anthropic",
        "At most four blocks carry cache_control.",
        "A maximum of 4 blocks with cache_control may be provided. Found {n}.",
        "Mark the last block of what stays the same, not every block.",
        _FIBER,
        "probed",
    ),
)

_CHAT: tuple[Rule, ...] = (
    Rule(
        "chat-body-object",
        "openai-chat",
        "The body is a JSON object.",
        "Invalid type: expected an object, but got {got} instead.",
        "Send one JSON object with model and messages.",
        evidence="inferred",
        code="invalid_type",
    ),
    Rule(
        "chat-model",
        "openai-chat",
        "The request names a model.",
        "you must provide a model parameter",
        "Add model.",
        "https://github.com/danielmiessler/Fabric/issues/239",
    ),
    Rule(
        "chat-unknown-parameter",
        "openai-chat",
        "There are no parameters that the API does not know.",
        "Unknown parameter: '{path}'.{help}",
        "Take the parameter out. It may belong to another API, or be spelled wrong.",
        "https://github.com/teabranch/open-responses-server/issues/41",
        param="{path}",
        code="unknown_parameter",
        note="The help with the spelling was probed: " + _ADAPTER,
    ),
    Rule(
        "chat-missing",
        "openai-chat",
        "A parameter that must be there is there.",
        "Missing required parameter: '{path}'.",
        "Add the parameter that the message names.",
        "https://github.com/bolna-ai/bolna/issues/144",
        param="{path}",
        code="missing_required_parameter",
        note="Quoted for tools, probed for messages; inside tool_calls by analogy.",
    ),
    Rule(
        "chat-type",
        "openai-chat",
        "A parameter holds a value of its type.",
        "Invalid type for '{path}': expected {expected}, but got {got} instead.",
        "Give the parameter a value of the type that the message names.",
        _ADAPTER,
        "probed",
        param="{path}",
        code="invalid_type",
        note="Probed for the top level and for messages; elsewhere by analogy.",
    ),
    Rule(
        "chat-value",
        "openai-chat",
        "A parameter holds one of the values that it may hold.",
        "Invalid value: '{value}'. Supported values are: {supported}.",
        "Use one of the values that the message lists.",
        _ADAPTER,
        "probed",
        param="{path}",
        code="invalid_value",
    ),
    Rule(
        "chat-range",
        "openai-chat",
        "A number lies in its range.",
        "Invalid '{path}': {kind} {side} {bound} value. Expected a value {sign} {limit}, but got "
        "{value} instead.",
        "Choose a value inside the range.",
        _ADAPTER,
        "probed",
        param="{path}",
        code="{kind}_{side}_{short}_value",
    ),
    Rule(
        "chat-messages-empty",
        "openai-chat",
        "There is at least one message.",
        "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an "
        "empty array instead.",
        "Send a user message.",
        _ADAPTER,
        "probed",
        param="messages",
        code="empty_array",
    ),
    Rule(
        "chat-tool-calls-empty",
        "openai-chat",
        "tool_calls, if there are any, is not empty.",
        "Invalid '{path}': empty array. Expected an array with minimum length 1, but got an empty "
        "array instead.",
        "Leave tool_calls out of a message that has none.",
        "https://github.com/home-assistant/core/pull/118577",
        param="{path}",
        code="empty_array",
    ),
    Rule(
        "chat-arguments",
        "openai-chat",
        "The arguments of a tool call are JSON text.",
        "Invalid type for '{path}': expected a string, but got {got} instead.",
        "Send the text as the model wrote it; json.dumps an object. (Anthropic sends an object.)",
        "https://github.com/aaif-goose/goose-mobile/pull/20",
        param="{path}",
        code="invalid_type",
    ),
    Rule(
        "chat-tool-call-id-length",
        "openai-chat",
        "A tool call id has 40 characters at most.",
        "Invalid '{path}': string too long. Expected a string with maximum length 40, but got a "
        "string with length {length} instead.",
        "Send the id back exactly as the model gave it.",
        "https://github.com/pydantic/pydantic-ai/issues/4389",
        param="{path}",
        code="string_above_max_length",
    ),
    Rule(
        "chat-tools-empty",
        "openai-chat",
        "tools, if given, is not empty.",
        "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty "
        "array instead.",
        "Leave tools out when there are none.",
        "https://github.com/vllm-project/vllm/pull/39780",
        "probed",
        param="tools",
        code="empty_array",
        note="The code is probed, the wording by analogy with tool_calls.",
    ),
    Rule(
        "chat-tools-count",
        "openai-chat",
        "There are 128 tools at most.",
        "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an "
        "array with length {n} instead.",
        "Send fewer tools: choose them by the question.",
        "https://github.com/vishalmysore/Tools4AI/issues/16",
        param="tools",
        code="array_above_max_length",
    ),
    Rule(
        "chat-name-empty",
        "openai-chat",
        "A function's name is not empty.",
        "Invalid '{path}': empty string. Expected a string with minimum length 1, but got an "
        "empty string instead.",
        "Give the function a name.",
        _ADAPTER,
        "probed",
        param="{path}",
        code="empty_string",
    ),
    Rule(
        "chat-name-pattern",
        "openai-chat",
        "A function's name has letters, digits, _ and - only.",
        "Invalid '{path}': string does not match pattern. Expected a string that matches the "
        "pattern '^[a-zA-Z0-9_-]+$'.",
        "Rename the function: no spaces, dots or slashes.",
        "https://github.com/brekkylab/ailoy/pull/109",
        param="{path}",
        code="invalid_value",
    ),
    Rule(
        "chat-name-length",
        "openai-chat",
        "A function's name has 64 characters at most.",
        "Invalid '{path}': string too long. Expected a string with maximum length 64, but got a "
        "string with length {length} instead.",
        "Shorten the name. (Anthropic allows 128.)",
        "https://github.com/ravitemer/mcphub.nvim/pull/243",
        param="{path}",
        code="string_above_max_length",
    ),
    Rule(
        "chat-description-length",
        "openai-chat",
        "A function's description has 1024 characters at most (older models).",
        "Invalid '{path}': string too long. Expected a string with maximum length 1024, but got a "
        "string with length {length} instead.",
        "Shorten the description.",
        "https://github.com/getsentry/sentry-mcp/issues/106",
        param="{path}",
        code="string_above_max_length",
        models=r"gpt-(3\.5|4)([-o.].*)?",
        note="Quoted in 2025; for which models it still holds is not known.",
    ),
    Rule(
        "chat-schema-object",
        "openai-chat",
        "A function's parameters are a schema of type object.",
        "Invalid schema for function '{name}': schema must be a JSON Schema of 'type: \"object\"', "
        "got 'type: \"{type}\"'.",
        'Add "type": "object" at the top of parameters.',
        "https://github.com/ComposioHQ/composio/issues/1829",
        param="{path}",
        code="invalid_function_parameters",
    ),
    Rule(
        "chat-schema-invalid",
        "openai-chat",
        "A function's parameters are valid JSON Schema.",
        "Invalid schema for function '{name}': {problem}.",
        'Every property is itself a schema, an object such as {"type": "string"}.',
        "https://github.com/FoundationAgents/OpenManus/issues/1162",
        param="{path}",
        code="invalid_function_parameters",
        note="mcplab looks at the keywords that tool schemas use, not at the whole draft.",
    ),
    Rule(
        "chat-schema-properties",
        "openai-chat",
        "An object schema has properties.",
        "Invalid schema for function '{name}': In context={context}, object schema missing "
        "properties.",
        'Add "properties": {} to a function without arguments.',
        "https://github.com/spring-projects/spring-ai/issues/4776",
        param="{path}",
        code="invalid_function_parameters",
    ),
    Rule(
        "chat-schema-items",
        "openai-chat",
        "An array schema says what its items are.",
        "Invalid schema for function '{name}': In context={context}, array schema missing items.",
        "Add items to the array.",
        "https://github.com/sigoden/aichat/pull/1049",
        param="{path}",
        code="invalid_function_parameters",
    ),
    Rule(
        "chat-strict-closed",
        "openai-chat",
        "In a strict function every object is closed.",
        "Invalid schema for function '{name}': In context={context}, 'additionalProperties' is "
        "required to be supplied and to be false.",
        'Add "additionalProperties": false to every object of the schema.',
        "https://github.com/bytedance/trae-agent/issues/173",
        param="{path}",
        code="invalid_function_parameters",
    ),
    Rule(
        "chat-strict-required",
        "openai-chat",
        "In a strict function every property is required.",
        "Invalid schema for function '{name}': In context={context}, 'required' is required to be "
        "supplied and to be an array including every key in properties. Missing '{key}'.",
        'List every property in required; let an optional one be of type ["string", "null"].',
        "https://github.com/kevinwatt/mysql-mcp/issues/5",
        param="{path}",
        code="invalid_function_parameters",
    ),
    Rule(
        "chat-strict-type",
        "openai-chat",
        "In a strict function every schema has a type.",
        "Invalid schema for function '{name}': In context={context}, schema must have a 'type' "
        "key.",
        "Add a type to the property.",
        "https://github.com/apexive/odoo-llm/issues/212",
        param="{path}",
        code="invalid_function_parameters",
        note="That it holds for strict functions only is inferred.",
    ),
    Rule(
        "chat-tool-choice-untyped",
        "openai-chat",
        "A named tool_choice has a type (words until 2024).",
        "'$.tool_choice' is invalid. Please check the API reference: "
        "https://platform.openai.com/docs/api-reference.",
        'Send {"type": "function", "function": {"name": …}}.',
        "https://github.com/openai/openai-node/issues/521",
        until=date(2024, 6, 1),
        note="The day is not known: last quoted in 2024-01.",
    ),
    Rule(
        "chat-tool-choice-no-tools",
        "openai-chat",
        "tool_choice needs tools, whatever its value.",
        "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are "
        "specified.",
        "Send the tools with every request, or leave tool_choice out.",
        "https://github.com/RageAgainstThePixel/OpenAI-DotNet/issues/479",
        param="tool_choice",
        note="All four values are probed: https://github.com/vllm-project/vllm/pull/40311",
    ),
    Rule(
        "chat-parallel-no-tools",
        "openai-chat",
        "parallel_tool_calls needs tools.",
        "Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed when "
        "'tools' are specified.",
        "Leave parallel_tool_calls out when there are no tools.",
        "https://github.com/Upsonic/Upsonic/issues/323",
        param="parallel_tool_calls",
    ),
    Rule(
        "chat-tool-choice-unknown",
        "openai-chat",
        "tool_choice names a function that is in tools.",
        "Invalid value for 'function_call': no function named '{name}' was specified in the "
        "'functions' parameter.",
        "Name one of the functions of this request.",
        _ADAPTER,
        "probed",
        param="function_call",
        note="The words still speak of the older functions parameter.",
    ),
    Rule(
        "chat-max-tokens-model",
        "openai-chat",
        "Newer models take max_completion_tokens.",
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use "
        "'max_completion_tokens' instead.",
        "Use max_completion_tokens.",
        "https://github.com/tailcallhq/forgecode/issues/1081",
        param="max_tokens",
        code="unsupported_parameter",
        models=r"(gpt-[5-9]|o[1-9]).*",
    ),
    Rule(
        "chat-parameter-model",
        "openai-chat",
        "Newer models do not take stop, logit_bias or prediction.",
        "Unsupported parameter: '{path}' is not supported with this model.",
        "Leave the parameter out for this model.",
        _ADAPTER,
        "probed",
        param="{path}",
        code="unsupported_parameter",
        models=r"gpt-5\.[5-9].*",
    ),
    Rule(
        "chat-temperature-model",
        "openai-chat",
        "Newer models have one temperature.",
        "Unsupported value: 'temperature' does not support {value} with this model. Only the "
        "default (1) value is supported.",
        "Leave temperature out for this model.",
        _ADAPTER,
        "probed",
        param="temperature",
        code="unsupported_value",
        models=r"gpt-5\.[5-9].*",
    ),
    Rule(
        "chat-content-null",
        "openai-chat",
        "A message has content; only an assistant's with tool_calls may have null.",
        "Invalid value for 'content': expected a string, got null.",
        'Give content a string. A tool that returned nothing returns "".',
        "https://github.com/run-llama/llama_index/issues/17555",
        param="messages.[{i}].content",
        note="param and the exceptions are probed: " + _ADAPTER,
    ),
    Rule(
        "chat-tool-call-id",
        "openai-chat",
        "A tool message says which call it answers.",
        "Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'.",
        "Add tool_call_id, the id of the call as the model gave it.",
        "https://github.com/run-llama/multi-agent-concierge/pull/16",
        param="messages.[{i}].tool_call_id",
    ),
    Rule(
        "chat-tool-orphan",
        "openai-chat",
        "A tool message follows the assistant message whose call it answers.",
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message "
        "with 'tool_calls'.",
        "Append the model's message, with its tool_calls, before the tool messages.",
        "https://github.com/sdcb/chats/pull/132",
        param="messages.[{i}].role",
        note="'preceeding' is the vendor's spelling.",
    ),
    Rule(
        "chat-tool-unknown-id",
        "openai-chat",
        "A tool message answers an id that the model asked with.",
        "Invalid parameter: 'tool_call_id' of '{id}' not found in 'tool_calls' of previous "
        "message.",
        "Send the id back exactly as the model gave it.",
        "https://github.com/dapr/dapr-agents/issues/145",
        param="messages.[{i}].tool_call_id",
        note="param is inferred.",
    ),
    Rule(
        "chat-tool-calls-unanswered",
        "openai-chat",
        "Every tool call is answered by a tool message right after it.",
        "An assistant message with 'tool_calls' must be followed by tool messages responding to "
        "each 'tool_call_id'. The following tool_call_ids did not have response messages: {ids}",
        "Answer every id with a tool message, failures too, before anything else is said.",
        "https://github.com/sdcb/chats/pull/132",
        param="messages.[{i}].role",
        note="That param names the first message after the answers is inferred.",
    ),
)

RULES: tuple[Rule, ...] = _ANTHROPIC + _CHAT
"""All rules, in the order in which they are checked, one dialect after the other."""

RULES_BY_ID: dict[str, Rule] = {rule.id: rule for rule in RULES}
