"""The lessons' two pictures, as drawing and as text."""

from __future__ import annotations

from xml.etree import ElementTree

from anthropic.types import TextBlock, ToolUseBlock

from mcplab.course.pictures import four_steps, message_stack


def drawn(html: str) -> list[str]:
    """The words of a drawing that is well formed."""
    return [str(node.text) for node in ElementTree.fromstring(html).iter() if node.text]


def test_the_loop_shows_its_parts_and_its_four_steps() -> None:
    picture = four_steps()
    for words in (drawn(picture._repr_html_()), repr(picture)):
        for part in ("model", "server", "1 list", "2 ask", "3 call", "4 return"):
            assert part in words
    assert any("host" in words for words in drawn(picture._repr_html_()))


def test_messages_of_both_dialects_and_sdk_objects_get_a_bar_each() -> None:
    request = ToolUseBlock(id="toolu_1", name="f", input={"a": 1}, type="tool_use")
    function = {"name": "f", "arguments": "{}"}
    messages = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hi <b>"},
        {"role": "assistant", "content": [TextBlock(text="So.", type="text"), request, request]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "x", "content": "1"}]},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "call_1", "type": "function", "function": function}],
        },
        {"role": "tool", "tool_call_id": "call_1", "content": "1"},
    ]
    picture = message_stack(messages)
    lines = repr(picture).splitlines()
    assert [line.split(",")[0] for line in lines] == [
        "1. system     1 text",
        "2. user       1 text",
        "3. assistant  1 text + 2 tool requests",
        "4. user       1 result",
        "5. assistant  1 tool request",
        "6. tool       1 result",
    ]
    assert len([words for words in drawn(picture._repr_html_()) if "characters" in words]) == 6


def test_no_messages_make_an_empty_picture() -> None:
    assert repr(message_stack([])).startswith("(")
    assert drawn(message_stack([])._repr_html_()) == []
