"""How the tools and the history of a Chat Completions request are judged.

These checks come after the one of the fields (`mcplab.provider.fields_chat`), so they can
rely on types. That a message without content is reported last of all was measured; that
what the tools and the model do not take comes before the history is a guess. The vendor
writes the paths of the two groups in two styles: ``messages[1].role`` for fields,
``messages.[1].role`` for the history.
"""

from __future__ import annotations

from typing import Any

from mcplab.messages import JSON
from mcplab.provider import schemas
from mcplab.provider.checks import Faults, Path, check, fault
from mcplab.provider.fields_chat import bracketed, kind_of

__all__: list[str] = []


@check(
    "openai-chat",
    "chat-tool-choice-no-tools",
    "chat-parallel-no-tools",
    "chat-tool-choice-unknown",
)
def tool_choice(body: JSON) -> Faults:
    """A choice without anything to choose from."""
    choice, tools = body.get("tool_choice"), body.get("tools") or []
    if not tools:
        if choice is not None:
            yield fault("chat-tool-choice-no-tools", "tool_choice")
        if body.get("parallel_tool_calls") is not None:
            yield fault("chat-parallel-no-tools", "parallel_tool_calls")
    elif isinstance(choice, dict) and isinstance(choice.get("function"), dict):
        name = choice["function"].get("name")
        names = [tool["function"]["name"] for tool in tools if tool["type"] == "function"]
        if name not in names:
            yield fault("chat-tool-choice-unknown", "tool_choice", name=name)


@check(
    "openai-chat",
    "chat-schema-object",
    "chat-schema-invalid",
    "chat-schema-properties",
    "chat-schema-items",
    "chat-strict-closed",
    "chat-strict-required",
    "chat-strict-type",
)
def function_schemas(body: JSON) -> Faults:
    """Parameters that are no schema, or of a form that the vendor does not take."""
    for k, tool in enumerate(body.get("tools") or ()):
        if tool["type"] == "function" and "parameters" in tool["function"]:
            yield from _parameters(tool["function"], k)


def _parameters(function: JSON, k: int) -> Faults:
    schema, name = function["parameters"], function["name"]
    where = ("tools", k, "function", "parameters")
    path = bracketed(where)
    if isinstance(schema, dict) and schema.get("type") != "object":
        kind = schema.get("type")
        yield fault("chat-schema-object", *where, path=path, name=name, type=kind)
    if problem := schemas.problem_of(schema):
        yield fault("chat-schema-invalid", *where, path=path, name=name, problem=problem)
        return
    if "properties" not in schema:
        yield fault("chat-schema-properties", *where, path=path, name=name, context="()")
    for context, inner in schemas.subschemas(schema):
        place: Path = (*where, *context)
        if schemas.is_type(inner, "array") and "items" not in inner:
            words = {"path": path, "name": name, "context": repr(context)}
            yield fault("chat-schema-items", *place, **words)
        if function.get("strict"):
            yield from _strict(inner, place, {"path": path, "name": name, "context": repr(context)})


def _strict(schema: JSON, where: Path, words: JSON) -> Faults:
    if schemas.is_open_object(schema):
        yield fault("chat-strict-closed", *where, **words)
    if schemas.is_type(schema, "object"):
        required = schema.get("required", ())
        for key in schema.get("properties", ()):
            if key not in required:
                yield fault("chat-strict-required", *where, **words, key=key)
    if not schema.keys() & {"type", "$ref", "anyOf", "enum", "const"}:
        yield fault("chat-strict-type", *where, **words)


@check("openai-chat", "chat-max-tokens-model", "chat-parameter-model", "chat-temperature-model")
def model_limits(body: JSON) -> Faults:
    """Parameters that some models do not take; for which, is in the table."""
    if body.get("max_tokens") is not None:
        yield fault("chat-max-tokens-model", "max_tokens")
    for key in ("logit_bias", "stop", "prediction"):
        if body.get(key) is not None:
            yield fault("chat-parameter-model", key, path=key)
    temperature = body.get("temperature")
    if temperature is not None and temperature != 1:
        yield fault("chat-temperature-model", "temperature", value=temperature)


_INSTEAD_OF_CONTENT = ("tool_calls", "function_call", "refusal", "audio")


@check("openai-chat", "chat-content-null", "chat-missing", "chat-type")
def missing_content(body: JSON) -> Faults:
    """Messages without content. Only an assistant's may have something else instead."""
    for i, message in enumerate(body["messages"]):
        if message.get("content") is not None:
            continue
        where = ("messages", i, "content")
        if message["role"] == "developer":  # the vendor has words of its own for this one
            yield from _developer_content(message, where)
        elif message["role"] != "assistant" or not any(
            message.get(key) is not None for key in _INSTEAD_OF_CONTENT
        ):
            yield fault("chat-content-null", *where, i=i)


def _developer_content(message: JSON, where: Path) -> Faults:
    path = bracketed(where)
    if "content" not in message:
        yield fault("chat-missing", *where, path=path)
    else:
        expected, got = "one of a string or array of objects", kind_of(None)
        yield fault("chat-type", *where, path=path, expected=expected, got=got)


@check(
    "openai-chat",
    "chat-tool-call-id",
    "chat-tool-orphan",
    "chat-tool-unknown-id",
    "chat-tool-calls-unanswered",
)
def pairing(body: JSON) -> Faults:
    """Every call is answered right after it, and nothing else is."""
    messages = body["messages"]
    asked: list[str] | None = None
    answered: set[Any] = set()
    for i, message in enumerate([*messages, {"role": "end"}]):
        if message["role"] == "tool":
            yield from _answer(message, i, asked)
            answered.add(message.get("tool_call_id"))
            continue
        missing = [id_ for id_ in asked or () if id_ not in answered]
        if missing:
            i = min(i, len(messages) - 1)
            yield fault("chat-tool-calls-unanswered", "messages", i, i=i, ids=", ".join(missing))
        calls = message.get("tool_calls") if message["role"] == "assistant" else None
        asked, answered = ([call["id"] for call in calls] if calls else None), set()


def _answer(message: JSON, i: int, asked: list[str] | None) -> Faults:
    id_ = message.get("tool_call_id")
    if id_ is None:
        yield fault("chat-tool-call-id", "messages", i, i=i)
    elif asked is None:
        yield fault("chat-tool-orphan", "messages", i, i=i)
    elif id_ not in asked:
        yield fault("chat-tool-unknown-id", "messages", i, "tool_call_id", i=i, id=id_)
