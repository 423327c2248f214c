"""The expense case on the wire, written by hand from the vendors' documentation.

Four model calls: two look-ups in parallel, the excess, the supplement, the answer. The
messages that are *sent* grow 2, 5, 7, 9 in OpenAI Chat (a system message comes first)
and 1, 3, 5, 7 in Anthropic Messages (the system prompt is no message, and the results
of a round share one message).
"""

from __future__ import annotations

import json
from typing import Any

SYSTEM = "You help with expenses. Amounts come from the tools only."
QUESTION = "Expense E-1042 was rejected. File a supplement for the excess. I am at level L3."

CALLS: list[list[tuple[str, str, dict[str, Any]]]] = [
    [
        ("id_1", "lookup_expense", {"expense_id": "E-1042"}),
        ("id_2", "lookup_policy", {"category": "hotel", "job_level": "L3"}),
    ],
    [("id_3", "compute_excess", {"amount": "1380.00", "limit": "1200.00"})],
    [("id_4", "file_supplement", {"expense_id": "E-1042", "excess": "180.00", "reason": "hotel"})],
]
RESULTS: list[list[str]] = [
    ['{"amount": "1380.00", "currency": "CNY"}', '{"limit": "1200.00", "currency": "CNY"}'],
    ['{"ok": true, "excess": "180.00"}'],
    ['{"supplement_id": "S-7"}'],
]
TEXTS = ["I will look up both.", "", "", "Supplement S-7 over 180.00 CNY is filed."]


def anthropic_replies() -> list[dict[str, Any]]:
    """The four response bodies."""
    return [_anthropic_reply(text, calls) for text, calls in zip(TEXTS, [*CALLS, []], strict=True)]


def _anthropic_reply(text: str, calls: list[tuple[str, str, dict[str, Any]]]) -> dict[str, Any]:
    content: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
    content += [
        {"type": "tool_use", "id": id_, "name": name, "input": arguments}
        for id_, name, arguments in calls
    ]
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "some-model",
        "content": content,
        "stop_reason": "tool_use" if calls else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 100, "output_tokens": 10},
    }


def openai_replies() -> list[dict[str, Any]]:
    """The four response bodies."""
    return [_openai_reply(text, calls) for text, calls in zip(TEXTS, [*CALLS, []], strict=True)]


def _openai_reply(text: str, calls: list[tuple[str, str, dict[str, Any]]]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": text or None, "refusal": None}
    if calls:
        message["tool_calls"] = [
            {
                "id": id_,
                "type": "function",
                "function": {"name": name, "arguments": json.dumps(arguments)},
            }
            for id_, name, arguments in calls
        ]
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "some-model",
        "choices": [
            {
                "index": 0,
                "message": message,
                "logprobs": None,
                "finish_reason": "tool_calls" if calls else "stop",
            }
        ],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    }


ANTHROPIC_LAST_REQUEST_MESSAGES: list[dict[str, Any]] = [
    {"role": "user", "content": QUESTION},
    {
        "role": "assistant",
        "content": [
            {"type": "text", "text": "I will look up both."},
            {
                "type": "tool_use",
                "id": "id_1",
                "name": "lookup_expense",
                "input": {"expense_id": "E-1042"},
            },
            {
                "type": "tool_use",
                "id": "id_2",
                "name": "lookup_policy",
                "input": {"category": "hotel", "job_level": "L3"},
            },
        ],
    },
    {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "id_1", "content": RESULTS[0][0]},
            {"type": "tool_result", "tool_use_id": "id_2", "content": RESULTS[0][1]},
        ],
    },
    {
        "role": "assistant",
        "content": [
            {
                "type": "tool_use",
                "id": "id_3",
                "name": "compute_excess",
                "input": {"amount": "1380.00", "limit": "1200.00"},
            }
        ],
    },
    {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "id_3", "content": RESULTS[1][0]}],
    },
    {
        "role": "assistant",
        "content": [
            {
                "type": "tool_use",
                "id": "id_4",
                "name": "file_supplement",
                "input": {"expense_id": "E-1042", "excess": "180.00", "reason": "hotel"},
            }
        ],
    },
    {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "id_4", "content": RESULTS[2][0]}],
    },
]

OPENAI_LAST_REQUEST_MESSAGES: list[dict[str, Any]] = [
    {"role": "system", "content": SYSTEM},
    {"role": "user", "content": QUESTION},
    {
        "role": "assistant",
        "content": "I will look up both.",
        "tool_calls": [
            {
                "id": "id_1",
                "type": "function",
                "function": {"name": "lookup_expense", "arguments": '{"expense_id": "E-1042"}'},
            },
            {
                "id": "id_2",
                "type": "function",
                "function": {
                    "name": "lookup_policy",
                    "arguments": '{"category": "hotel", "job_level": "L3"}',
                },
            },
        ],
    },
    {"role": "tool", "tool_call_id": "id_1", "content": RESULTS[0][0]},
    {"role": "tool", "tool_call_id": "id_2", "content": RESULTS[0][1]},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": "id_3",
                "type": "function",
                "function": {
                    "name": "compute_excess",
                    "arguments": '{"amount": "1380.00", "limit": "1200.00"}',
                },
            }
        ],
    },
    {"role": "tool", "tool_call_id": "id_3", "content": RESULTS[1][0]},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": "id_4",
                "type": "function",
                "function": {
                    "name": "file_supplement",
                    "arguments": (
                        '{"expense_id": "E-1042", "excess": "180.00", "reason": "hotel"}'
                    ),
                },
            }
        ],
    },
    {"role": "tool", "tool_call_id": "id_4", "content": RESULTS[2][0]},
]
