"""What the validator knows of the wire agrees with the types of the vendors' SDKs."""

from __future__ import annotations

from typing import Any, get_args, get_type_hints

from anthropic.types import (
    content_block_param,
    message_create_params,
    text_block_param,
    thinking_block_param,
    tool_choice_param,
    tool_param,
    tool_result_block_param,
    tool_union_param,
    tool_use_block_param,
)
from openai.types.chat import chat_completion_message_param, completion_create_params

from mcplab.provider import fields_anthropic, fields_chat


def tags(union: Any) -> set[str]:
    """The values of ``type`` (or of ``role``) that the members of a union name."""
    found: set[str] = set()
    for member in get_args(union):
        hints = get_type_hints(member)
        for value in get_args(hints.get("type") or hints["role"]):
            found |= {value} if isinstance(value, str) else set(get_args(value))
    return {tag for tag in found if isinstance(tag, str)}


def test_kinds_of_blocks_tools_and_choices_are_those_of_the_sdk() -> None:
    assert set(fields_anthropic.BLOCK_TAGS) == tags(content_block_param.ContentBlockParam)
    assert set(fields_anthropic.TOOL_TAGS) == tags(tool_union_param.ToolUnionParam)
    assert set(fields_anthropic.RESULT_TAGS) == tags(tool_result_block_param.Content)
    assert tags(tool_choice_param.ToolChoiceParam) == {"auto", "any", "tool", "none"}


def test_keys_of_blocks_and_tools_are_those_of_the_sdk() -> None:
    assert set(get_type_hints(tool_param.ToolParam)) == fields_anthropic.TOOL_KEYS
    params = {
        "text": text_block_param.TextBlockParam,
        "tool_use": tool_use_block_param.ToolUseBlockParam,
        "tool_result": tool_result_block_param.ToolResultBlockParam,
        "thinking": thinking_block_param.ThinkingBlockParam,
    }
    for kind, keys in fields_anthropic.BLOCK_KEYS.items():
        assert keys == set(get_type_hints(params[kind])), kind


def test_every_field_that_an_sdk_can_send_is_known() -> None:
    messages = set(get_type_hints(message_create_params.MessageCreateParamsNonStreaming))
    chat = set(get_type_hints(completion_create_params.CompletionCreateParamsNonStreaming))
    assert messages <= set(fields_anthropic.FIELDS)
    assert chat - {"model"} <= set(fields_chat.FIELDS)


def test_roles_of_chat_are_those_of_the_sdk() -> None:
    union = chat_completion_message_param.ChatCompletionMessageParam
    found = {get_args(get_type_hints(member)["role"])[0] for member in get_args(union)}
    assert set(fields_chat.ROLES) == found
