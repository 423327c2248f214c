"""Values are compared as the wire would carry them, with exact types."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import pytest

from mcplab.grading.values import NotJSON, first_difference, same, shown, to_json


@pytest.mark.parametrize(
    ("got", "expected"),
    [(1, 1.0), (1, True), (0, False), (0, None), ("1", 1), ([], {}), ({}, None), ("", None)],
)
def test_a_value_of_another_type_is_another_value(got: Any, expected: Any) -> None:
    assert not same(got, expected)
    assert not same([{"a": got}], [{"a": expected}])


def test_equal_values_are_the_same_whatever_the_order_of_keys() -> None:
    assert same({"a": [1, 2.5, None], "b": "x"}, {"b": "x", "a": [1, 2.5, None]})


@pytest.mark.parametrize(
    ("got", "expected", "path"),
    [
        ([1, {"a": 2}], [1, {"a": 3}], "[1].a"),
        ([1], [1, 2], "[1]"),
        ({"a": 1, "b": 2}, {"a": 1}, ".b"),
        ({}, {"a": 1}, ".a"),
        (1, 2, ""),
    ],
)
def test_the_first_difference_is_named(got: Any, expected: Any, path: str) -> None:
    assert first_difference(got, expected) == path


def test_sdk_objects_tuples_and_other_mappings_become_plain_json() -> None:
    from anthropic.types import TextBlock

    value = (OrderedDict(a=TextBlock(type="text", text="hi")),)
    assert to_json(value) == [{"a": {"type": "text", "text": "hi"}}]


@pytest.mark.parametrize("value", [object(), float("inf"), {1, 2}, b"x", ..., {"a": object()}])
def test_what_has_no_json_form_is_refused_in_words(value: Any) -> None:
    with pytest.raises(NotJSON, match="cannot be written as JSON"):
        to_json(value)


def test_a_value_nested_too_deeply_is_refused_in_words() -> None:
    value: list[Any] = []
    for _ in range(100_000):
        value = [value]
    with pytest.raises(NotJSON, match="deeply"):
        to_json(value)


def test_a_long_value_is_cut_and_a_short_one_stays_on_a_line() -> None:
    assert shown({"a": [1, 2]}) == '{"a": [1, 2]}'
    assert shown("x" * 10_000).endswith("(cut)")
    assert "\n" in shown({"a": "x" * 60, "b": "y" * 60})
