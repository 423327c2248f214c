"""The mock calculator."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from mcplab.connection import Connection, connect


@pytest.fixture(scope="module")
def calculator() -> Iterator[Connection]:
    with connect("calculator") as connection:
        yield connection


@pytest.mark.parametrize(
    ("tool", "a", "b", "text"),
    [
        ("multiply", 12, 30, "360"),
        ("add", 0.1, 0.2, "0.3"),
        ("subtract", 1, 2.5, "-1.5"),
        ("divide", 360, 12, "30"),
        ("divide", 1, 3, "0.333333333333"),
        ("multiply", -1, 0, "0"),
        ("add", 2, 3, "5"),
    ],
)
def test_it_calculates_and_writes_numbers_as_people_do(
    calculator: Connection, tool: str, a: float, b: float, text: str
) -> None:
    result = calculator.call(tool, {"a": a, "b": b})
    assert not result.is_error
    assert result.text == text
    assert result.structured == {"result": float(text)}


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("divide", {"a": 1, "b": 0}, "Division by zero"),
        ("divide", {"a": 0, "b": 0.0}, "Division by zero"),
        ("multiply", {"a": 1e300, "b": 1e300}, "not a finite number"),
        ("add", {"a": "NaN", "b": 1}, "not a finite number"),
        ("add", {"a": 1}, "b\n  Field required"),
        ("add", {"a": 1, "b": "one"}, "valid number"),
    ],
)
def test_what_it_cannot_do_is_an_error_with_words(
    calculator: Connection, tool: str, arguments: dict[str, Any], words: str
) -> None:
    result = calculator.call(tool, arguments)
    assert result.is_error
    assert words in result.text


def test_its_tools_say_what_they_do_and_that_they_change_nothing(calculator: Connection) -> None:
    assert [tool.name for tool in calculator.tools] == ["add", "subtract", "multiply", "divide"]
    for tool in calculator.tools:
        assert "Call it for" in tool.description
        assert "Returns one number" in tool.description
        assert "\n  " not in tool.description, "indentation of the source, paid for in tokens"
        assert tool.annotations == {
            "readOnlyHint": True,
            "idempotentHint": True,
            "openWorldHint": False,
        }
        assert tool.input_schema["required"] == ["a", "b"]
        assert tool.input_schema["properties"]["a"]["description"]
