"""The built-in pool is whole, and a pool says what is wrong with it."""

from __future__ import annotations

from collections import Counter

import pytest
from jsonschema import Draft202012Validator

from mcplab.models.lexical import words
from mcplab.sweep import Pool, PoolTool, Question
from mcplab.sweep.pool import PoolError

POOL = Pool.load()
SCHEMA = {"type": "object", "properties": {"x": {"type": "string", "description": "words"}}}


def small(*questions: Question) -> Pool:
    return Pool("small", (PoolTool("go", "d", "Go there.", "Goes.", SCHEMA),), questions)


def first_options(arguments: dict) -> dict:
    return {
        name: value["one_of"][0] if isinstance(value, dict) and "one_of" in value else value
        for name, value in arguments.items()
    }


def test_it_has_48_tools_four_in_each_of_12_domains() -> None:
    domains = Counter(tool.domain for tool in POOL.tools)
    assert len(POOL.tools) == 48
    assert set(domains.values()) == {4}
    assert len(domains) == 12


def test_it_has_at_least_72_questions_and_two_for_every_tool() -> None:
    assert len(POOL.questions) >= 72
    asked = Counter(name for question in POOL.questions for name in question.accept)
    assert all(asked[tool.name] >= 2 for tool in POOL.tools)


def test_some_questions_need_no_tool_and_some_have_several_right_ones() -> None:
    sizes = Counter(len(question.accept) for question in POOL.questions)
    assert sizes[0] >= 5
    assert sizes[2] >= 2


def test_names_and_questions_are_unique() -> None:
    assert len({tool.name for tool in POOL.tools}) == len(POOL.tools)
    assert len({question.text for question in POOL.questions}) == len(POOL.questions)
    assert len({tool.clear for tool in POOL.tools}) == len(POOL.tools)


def test_the_clear_wording_says_much_more_than_the_vague_one() -> None:
    for tool in POOL.tools:
        assert len(words(tool.clear)) >= 8, tool.name
        assert len(words(tool.vague)) <= 5, tool.name
        assert tool.clear != tool.vague


def test_every_schema_is_valid_and_describes_every_parameter() -> None:
    for tool in POOL.tools:
        Draft202012Validator.check_schema(tool.input_schema)
        properties = tool.input_schema["properties"]
        assert set(tool.input_schema["required"]) <= set(properties)
        assert all(p["description"] for p in properties.values())


def test_the_expected_arguments_are_legal_for_their_tool() -> None:
    schemas = {tool.name: tool.input_schema for tool in POOL.tools}
    judged = 0
    for question in POOL.questions:
        for name, arguments in question.arguments.items():
            assert name in question.accept
            Draft202012Validator(schemas[name]).validate(first_options(arguments))
            judged += 1
    assert judged >= 50


def test_no_question_says_a_tools_name() -> None:
    for question in POOL.questions:
        for name in question.accept:
            assert name not in question.text
            assert name.replace("_", " ") not in question.text.lower()


def test_most_questions_share_words_with_several_tools() -> None:
    """One rare leaked word would make the choice too easy: neighbours share words as well."""
    seen = {tool.name: set(words(f"{tool.name} {tool.clear}")) for tool in POOL.tools}
    asked = [q for q in POOL.questions if q.accept]
    shared = [q for q in asked if sum(bool(set(words(q.text)) & s) for s in seen.values()) > 1]
    assert len(shared) > len(asked) / 2


def test_the_vague_descriptor_keeps_names_types_and_enums_but_no_words_about_them() -> None:
    tool = next(t for t in POOL.tools if t.name == "get_current_weather")
    vague = tool.worded("vague")
    assert vague.name == tool.name
    assert vague.description == tool.vague
    assert vague.input_schema["properties"]["units"] == {
        "type": "string",
        "enum": ["celsius", "fahrenheit"],
    }
    assert "description" in tool.worded("clear").input_schema["properties"]["units"]


def test_a_parameter_that_is_called_description_stays() -> None:
    tool = next(t for t in POOL.tools if t.name == "report_it_problem")
    assert "description" in tool.worded("vague").input_schema["properties"]


def test_an_unknown_wording_or_pool_is_named() -> None:
    with pytest.raises(PoolError, match="no wording 'loud'"):
        POOL.tools[0].worded("loud")
    with pytest.raises(PoolError, match="no pool 'mine'"):
        Pool.load("mine")


def test_a_pool_that_contradicts_itself_is_refused() -> None:
    with pytest.raises(PoolError, match="question 'q' accepts the tool 'fly'"):
        small(Question("q", "Fly!", ("fly",)))
    with pytest.raises(PoolError, match="question 'q' occurs twice"):
        small(Question("q", "Go!", ("go",)), Question("q", "Go on!", ("go",)))


@pytest.mark.parametrize(
    ("given", "right"),
    [
        ({"city": "lisbon ", "n": 3.0}, True),
        ({"city": "Lisbon.", "n": 3}, True),
        ({"city": "Oporto", "n": 3}, True),
        ({"city": "Lisbon", "n": 4}, False),
        ({"city": "Lisbon"}, False),
        ({"city": "Lisbon", "n": 3, "extra": 1}, False),
        ({"city": "Lisbon", "n": True}, False),
        (None, False),
    ],
)
def test_arguments_are_compared_by_meaning(given: dict | None, right: bool) -> None:
    expected = {"go": {"city": {"one_of": ["Lisbon", "Oporto"]}, "n": 3}}
    assert Question("q", "?", ("go",), expected).arguments_right("go", given) is right


def test_arguments_that_are_not_expected_are_not_judged() -> None:
    assert Question("q", "?", ("go",)).arguments_right("go", {"x": 1}) is None
