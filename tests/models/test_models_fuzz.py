"""Whatever a server lists and a user writes, the mock model answers and never raises."""

from __future__ import annotations

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tools_for_tests import EVERYDAY

from mcplab.messages import Message, Tool, ToolCall, ToolChoice, ToolResult
from mcplab.models import ReadingModel

RECURSIVE = {
    "type": "object",
    "properties": {"node": {"$ref": "#/$defs/Node"}, "self": {"$ref": "#"}},
    "required": ["node", "self"],
    "$defs": {
        "Node": {
            "type": "object",
            "properties": {"value": {"type": "string"}, "next": {"$ref": "#/$defs/Node"}},
            "required": ["value", "next"],
        }
    },
}

PIECES = (
    "weather in Paris and 12 times -3.5 , . ? ! \" ' ( [ ] E-1042 2026-05-04 7pm "
    "北京 的 天气 مرحبا 🙂 to from null a@b.c https://x.y/z $5 30% é"
)
questions = st.one_of(
    st.text(max_size=200),
    st.lists(
        st.sampled_from([*PIECES.split(" "), "\x00", "\ud800"]),
        max_size=40,
    ).map(" ".join),
)
words = st.one_of(st.text(max_size=40), st.sampled_from(["weather", "city", "amount", "", "北京"]))
scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), words, st.just({}), st.just([])
)
kinds = st.sampled_from(
    ["string", "number", "integer", "boolean", "array", "object", "null", "date", "", None, 7]
)
leaves = st.one_of(
    scalars,
    st.fixed_dictionaries(
        {},
        optional={
            "type": st.one_of(kinds, st.lists(kinds, max_size=3)),
            "description": scalars,
            "enum": st.one_of(scalars, st.lists(scalars, max_size=4)),
            "pattern": st.sampled_from([r"^E-\d{4}$", "(a+)+$", "[", "[[a]]", "", 3, None]),
            "format": scalars,
            "default": scalars,
            "minimum": scalars,
            "examples": scalars,
            "$ref": st.sampled_from(["#", "#/$defs/X", "http://x.y", "", 5]),
        },
    ),
)
schemas = st.recursive(
    leaves,
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "type": kinds,
            "properties": st.one_of(scalars, st.dictionaries(words, inner, max_size=4)),
            "required": st.one_of(scalars, st.lists(words, max_size=3)),
            "items": inner,
            "anyOf": st.one_of(scalars, st.lists(inner, max_size=3)),
            "allOf": st.one_of(scalars, st.lists(inner, max_size=3)),
            "$defs": st.fixed_dictionaries({"X": inner}),
        },
    ),
    max_leaves=8,
)
tools = st.lists(
    st.builds(
        Tool,
        name=words,
        description=st.one_of(words, questions),
        input_schema=schemas.filter(lambda s: isinstance(s, dict)),
    ),
    max_size=4,
)
contents = st.lists(
    st.one_of(
        st.builds(lambda t: {"type": "text", "text": t}, st.one_of(questions, scalars.map(repr))),
        st.builds(lambda v: {"type": "text", "text": json.dumps(v)}, scalars),
        st.just({"type": "image", "data": ""}),
        st.just({}),
    ),
    max_size=3,
).map(tuple)
results = st.builds(
    ToolResult,
    call_id=st.sampled_from(["a", "b"]),
    content=contents,
    is_error=st.booleans(),
    structured=st.one_of(st.none(), st.dictionaries(words, scalars, max_size=4)),
)
calls = st.builds(
    ToolCall,
    id=st.sampled_from(["a", "b"]),
    name=words,
    arguments=st.one_of(st.none(), st.dictionaries(words, scalars, max_size=3)),
)
messages = st.lists(
    st.one_of(
        st.builds(Message, role=st.sampled_from(["user", "system", "assistant"]), text=questions),
        st.builds(Message, role=st.just("assistant"), calls=st.lists(calls, max_size=2).map(tuple)),
        st.builds(Message, role=st.just("tool"), results=st.lists(results, max_size=2).map(tuple)),
    ),
    max_size=6,
).map(tuple)
choices = st.builds(
    ToolChoice,
    mode=st.sampled_from(["auto", "any", "tool", "none"]),
    name=st.one_of(st.none(), words),
    parallel=st.booleans(),
)
models = st.builds(ReadingModel, threshold=st.floats(0, 1), guess_missing=st.booleans())
slow = settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))


@slow
@given(models, messages, tools, choices, st.integers(0, 3))
def test_nothing_that_is_sent_makes_it_raise(model, messages, tools, choice, seed) -> None:
    reply = model(messages, tuple(tools), choice, seed)
    assert (reply.stop == "tool_use") == bool(reply.calls)
    assert reply.calls or reply.text
    assert {call.name for call in reply.calls} <= {tool.name for tool in tools}
    assert choice.parallel or len(reply.calls) <= 1
    assert choice.mode != "none" or not reply.calls
    assert not (choice.mode == "any" and tools) or reply.calls
    assert repr(model(messages, tuple(tools), choice, seed)) == repr(reply)
    assert str(model.explain(messages, tools)) is not None
    assert model.explain(messages, tools)._repr_html_() is not None


@slow
@given(questions)
def test_no_question_makes_it_raise(question: str) -> None:
    ReadingModel()((Message("user", question),), EVERYDAY)


def test_recursive_schemas_end() -> None:
    tool = Tool("walk", "Walk a tree from its node.", RECURSIVE)
    for guess in (False, True):
        reply = ReadingModel(guess_missing=guess)(
            (Message("user", 'Walk the tree "root"'),), [tool]
        )
        assert reply.calls[0].name == "walk"


def test_huge_texts_are_read_in_part() -> None:
    for unit in (
        "weather in Paris, ",
        "What is the weather in Paris? ",
        "1",
        "-1-",
        '"',
        " and ",
        "天气，",
    ):
        ReadingModel()((Message("user", unit * (40_000 // len(unit))),), EVERYDAY)


def test_thousands_of_tools_and_long_descriptions_are_read() -> None:
    schema = {"type": "object", "properties": {"city": {"type": "string"}}}
    many = [Tool(f"tool_{i}", f"Tells thing number {i} of a place.", schema) for i in range(2000)]
    many.append(Tool("get_weather", "The weather of a city. " + "More words. " * 2000, schema))
    reply = ReadingModel()((Message("user", "What is the weather in Paris?"),), many)
    assert reply.calls[0].name == "get_weather"
