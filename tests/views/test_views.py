"""Views of a trace: what they say, and that they are safe to show."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from sample_traces import ANSWER, both_dialects, expense_trace

from mcplab import views
from mcplab.trace import Step, Trace
from mcplab.views.payload import payload, printable, shortened
from mcplab.views.reading import came, duration, message_row, sent

HOSTILE = "</pre><script>alert(1)</script> \" ' & \x1b[31m \u202e \ud800 <img src=x onerror=y>"


class Elements(HTMLParser):
    """Collects the elements of a page, and fails on one that is not closed."""

    VOID = ("br", "img", "meta")

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.names.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def every_html(trace: Trace) -> dict[str, str]:
    last = trace.steps[-1].out or {}
    return {
        "trace": views.trace_html(trace),
        "growth": views.growth_html(trace),
        "messages": views.messages_html(last.get("messages", [])),
        "sides": views.side_by_side(trace, trace).html,
        "sequence": views.sequence(trace).html,
    }


# Words ----------------------------------------------------------------------------------


def test_each_step_is_told_in_words() -> None:
    trace = expense_trace()
    assert [sent(step) for step in trace] == [
        "tools/list",
        "1 message, 3 tools",
        'lookup_expense(id="E-1042")',
        "lookup_policy()",
        "3 messages, 3 tools",
        'compute_excess(amount="480.00")',
        "5 messages, 3 tools",
    ]
    assert [came(step) for step in trace] == [
        "3 tools: lookup_expense, lookup_policy, compute_excess",
        "asks for lookup_expense, lookup_policy",
        "ok",
        "ok",
        'asks for compute_excess(amount="480.00")',
        "ok",
        ANSWER,
    ]


def test_a_trace_is_a_table_in_text() -> None:
    text = str(expense_trace())
    assert text.splitlines()[0] == "question: Expense E-1042 was rejected. File a supplement."
    assert "3 model calls, 3 tool calls, 630 tokens" in text
    assert text.splitlines()[-1] == "outcome: The model answered."


def test_an_empty_trace_can_be_shown() -> None:
    assert "0 model calls" in str(Trace())
    for html in every_html(Trace(steps=[Step("ask", 1, None, None, "anthropic")])).values():
        Elements(html)


@pytest.mark.parametrize(
    ("seconds", "words"), [(0, "0.0 ms"), (0.0004, "0.4 ms"), (0.0123, "12 ms"), (3.44, "3.4 s")]
)
def test_a_duration_has_the_unit_that_suits(seconds: float, words: str) -> None:
    assert duration(seconds) == words


# Growth ---------------------------------------------------------------------------------


def test_messages_grow_by_request_and_results_in_both_dialects() -> None:
    anthropic, openai = both_dialects()
    assert [row.messages for row in views.message_growth(anthropic)] == [1, 3, 5]
    assert [row.messages for row in views.message_growth(openai)] == [2, 5, 7]


def test_growth_counts_characters_as_sent_and_the_tool_list_each_time() -> None:
    trace = expense_trace()
    rows = views.message_growth(trace)
    sizes = [len(json.dumps(one)) for one in (trace[6].out or {})["messages"]]
    assert rows[2].characters == sum(sizes)
    assert rows[0].tools == rows[2].tools == len(json.dumps((trace[1].out or {})["tools"]))
    assert rows[2].usage is not None
    assert rows[2].usage.input == 300


def test_growth_is_a_table_in_text_and_html() -> None:
    shown = views.show_growth(expense_trace())
    assert len(repr(shown).splitlines()) == 2 + 3
    assert shown._repr_html_().count("<tr>") == 1 + 3


# Messages -------------------------------------------------------------------------------


def test_messages_of_both_dialects_are_read_into_the_same_parts() -> None:
    kinds = []
    for trace in both_dialects():
        messages = (trace[6].out or {})["messages"]
        rows = [message_row(message) for message in messages if message["role"] != "system"]
        kinds.append([(part.kind, part.id) for row in rows for part in row.parts])
    assert kinds[0] == kinds[1]
    assert kinds[0][:5] == [
        ("text", ""),
        ("call", "id_1"),
        ("call", "id_2"),
        ("result", "id_1"),
        ("result", "id_2"),
    ]


@pytest.mark.parametrize(
    "message",
    [
        None,
        "words",
        {},
        {"role": "user"},
        {"role": "user", "content": 7},
        {"role": "user", "content": [None, {"type": "new"}, {"type": "tool_result"}]},
        {"role": "assistant", "tool_calls": [None, {}, {"function": {"name": None}}]},
        {"role": "tool", "content": {"a": 1}},
    ],
)
def test_messages_in_no_known_form_are_shown_all_the_same(message: object) -> None:
    row = message_row(message)
    assert row.parts
    assert views.messages_text([message])
    Elements(views.messages_html([message]))


def test_new_messages_are_marked() -> None:
    messages = (expense_trace()[4].out or {})["messages"]
    shown = views.messages_table(messages, known=1)
    assert [line[0] for line in repr(shown).splitlines()[2:]] == [" ", "+", "+"]
    assert shown.html.count('<tr class="new">') == 2


# Payloads -------------------------------------------------------------------------------


def test_a_payload_is_the_same_json_whatever_is_in_it() -> None:
    value = {"a": [1, 2.5, None, True], "text": HOSTILE, "empty": [{}, []], "é": {"b": "x" * 99}}
    shown = payload(value)
    assert json.loads(shown.text) == value
    assert not shown.cut
    assert shown.size == len(json.dumps(value, ensure_ascii=False))


def test_what_cannot_be_seen_is_written_out() -> None:
    assert printable("a\x00b\u200bc\u202ed\U000e0041") == "a\\u0000b\\u200bc\\u202ed\\udb40\\udc41"
    assert printable("naïve 中文 🙂 \u200d עברית\n\t") == "naïve 中文 🙂 \u200d עברית\n\t"


def test_a_long_payload_is_cut_and_says_so() -> None:
    shown = payload({"first": 1, "long": "x" * 1_000_000})
    assert shown.cut
    assert len(shown.text) < 70_000
    assert shown.size > 1_000_000


def test_a_deep_payload_is_cut_at_a_depth() -> None:
    deep: object = "the bottom"
    for _ in range(5000):
        deep = {"deeper": deep}
    assert "nested deeper than 60 levels" in payload(deep).text


def test_secrets_are_left_out_of_every_view() -> None:
    trace = expense_trace(answer="Bearer abcdefghijklmnop and sk-abcdefghijklmnop1234")
    trace.steps[2] = replace(
        trace.steps[2], out={"params": {"name": "x", "api_key": "hunter2" * 9}}
    )
    pages = [*every_html(trace).values(), str(trace), repr(views.sequence(trace))]
    for page in pages:
        assert not re.search(r"abcdefghijklmnop|hunter2", page)


def test_shortened_text_is_one_line() -> None:
    assert shortened("a\n  b\x1b", 40) == "a b\\u001b"
    assert shortened("word " * 20, 12) == "word word w…"


# Safety ---------------------------------------------------------------------------------


def hostile_trace() -> Trace:
    trace = expense_trace(answer=HOSTILE)
    trace.question = trace.outcome = HOSTILE
    trace.steps[2] = replace(trace.steps[2], error=HOSTILE, into=None, out={HOSTILE: HOSTILE})
    trace.steps[3] = replace(
        trace.steps[3], out={"params": {"name": HOSTILE, "arguments": HOSTILE}}
    )
    return trace


@pytest.mark.parametrize("name", ["trace", "growth", "messages", "sides", "sequence"])
def test_hostile_text_makes_no_element_and_leaves_no_control_character(name: str) -> None:
    html = every_html(hostile_trace())[name]
    elements = Elements(html)
    assert not {"script", "img"} & set(elements.names)
    assert not set(html) & set("\x1b\u202e\ud800")
    html.encode("utf-8")


def test_pages_stand_alone() -> None:
    for html in every_html(expense_trace()).values():
        assert not re.search(
            r"https?://(?!www\.w3\.org/2000/svg)|@import|url\(|<link|<script", html
        )


def test_the_page_unfolds_to_the_payloads() -> None:
    html = views.trace_html(expense_trace())
    assert html.count("<details>") == 14  # seven steps, out and in
    assert "&quot;tool_use&quot;" in html


def test_new_messages_are_marked_in_a_request() -> None:
    html = views.trace_html(expense_trace())
    marked = re.findall(r"<mark>.*?</mark>", html, re.DOTALL)
    assert len(marked) == 2  # the two requests that return results
    assert all("tool_result" in mark for mark in marked)
    assert not any("E-1042 was rejected" in mark for mark in marked)


# Two dialects ---------------------------------------------------------------------------


def test_two_dialects_stand_side_by_side_round_by_round() -> None:
    shown = views.side_by_side(*both_dialects())
    assert shown.html.count('scope="rowgroup"') == 3
    assert "sent 5 messages, 2 of them new" in shown.html  # anthropic, round 3
    assert "sent 5 messages, 3 of them new" in shown.html  # openai, round 2
    assert repr(shown).startswith("anthropic\nround")


def test_runs_of_different_length_can_be_compared() -> None:
    left, right = both_dialects()
    del right.steps[4:]
    html = views.side_by_side(left, right).html
    Elements(html)
    assert html.count('scope="rowgroup"') == 3


# The sequence diagram ---------------------------------------------------------------------

SVG = "{http://www.w3.org/2000/svg}"


def drawn(trace: Trace) -> ElementTree.Element:
    return ElementTree.fromstring(views.sequence_svg(trace))


def texts(svg: ElementTree.Element, kind: str) -> list[str]:
    found = svg.iter(f"{SVG}text")
    return [element.text or "" for element in found if element.get("class") == kind]


def test_the_diagram_has_three_lifelines_and_two_arrows_for_each_step() -> None:
    svg = drawn(expense_trace())
    assert texts(svg, "name") == ["model", "host", "server"]
    assert len(texts(svg, "label")) == 2 * 7
    assert texts(svg, "number") == ["1", "2", "3", "3", "4", "3", "4"]


def test_parallel_calls_are_framed_with_bars_beside_each_other() -> None:
    svg = drawn(expense_trace())
    bars = [bar for bar in svg.iter(f"{SVG}rect") if bar.get("class") == "bar"]
    places = {float(bar.get("x", 0)) for bar in bars}
    assert len(places) == 3  # model, server, and beside the server
    (frame,) = [one for one in svg.iter(f"{SVG}rect") if one.get("class") == "frame"]
    calls = [bar for bar in bars if float(bar.get("x", 0)) > 700][1:3]
    assert float(calls[1].get("y", 0)) < float(calls[0].get("y", 0)) + float(
        calls[0].get("height", 0)
    )
    bottom = float(frame.get("y", 0)) + float(frame.get("height", 0))
    assert all(float(bar.get("y", 0)) + float(bar.get("height", 0)) < bottom for bar in calls)


def test_everything_in_the_diagram_lies_inside_of_it() -> None:
    svg = drawn(expense_trace())
    width, height = (float(one) for one in (svg.get("viewBox") or "").split()[2:])
    for shape in svg.iter(f"{SVG}rect"):
        assert float(shape.get("x", 0)) + float(shape.get("width", 0)) <= width
        assert float(shape.get("y", 0)) + float(shape.get("height", 0)) <= height


def test_an_error_is_marked_and_no_answer_ends_halfway() -> None:
    trace = expense_trace()
    trace.steps[5] = replace(trace.steps[5], error="The tool timed out.", into=None)
    svg = drawn(trace)
    (wrong,) = [group for group in svg.iter(f"{SVG}g") if "wrong" in (group.get("class") or "")]
    line = wrong.find(f"{SVG}line")
    assert line is not None
    assert float(line.get("x2", 0)) > 500  # the host stands at 430
    assert any("✗ The tool timed out." in (text.text or "") for text in wrong)


def test_a_screen_reader_gets_the_run_in_sentences() -> None:
    svg = drawn(expense_trace())
    title, description = svg[0], svg[1]
    assert (svg.get("role"), svg.get("aria-labelledby")) == (
        "img",
        f"{title.get('id')} {description.get('id')}",
    )
    assert "E-1042" in (title.text or "")
    assert "Step 2, host to model: 1 message, 3 tools." in (description.text or "")


def test_functions_are_not_called_a_server() -> None:
    trace = expense_trace()
    trace.steps = [
        replace(step, dialect="function") if step.dialect == "mcp" else step for step in trace
    ]
    assert texts(drawn(trace), "name") == ["model", "host", "functions"]


def test_wide_letters_fit_above_an_arrow_too() -> None:
    svg = drawn(expense_trace(answer="中" * 100))
    longest = max(texts(svg, "label"), key=lambda text: text.count("中"))
    assert 10 < len(longest) <= 20


def test_the_same_trace_gives_the_same_bytes() -> None:
    assert every_html(expense_trace()) == every_html(expense_trace())


def test_html_can_be_shown_as_the_value_of_a_cell() -> None:
    shown = views.show_html("<b>x</b>", "x")
    assert (shown._repr_html_(), repr(shown)) == ("<b>x</b>", "x")
    assert "notebook" in repr(views.show_html("<b>x</b>"))
