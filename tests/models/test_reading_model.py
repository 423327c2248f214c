"""`ReadingModel` in whole conversations: what it calls, when it stops, what it says."""

from __future__ import annotations

import dataclasses
import json
import random
import re

import pytest
from tools_for_tests import (
    CALCULATOR,
    CHINESE,
    CONVERT,
    EVERYDAY,
    FIND_ORDER,
    SEARCH,
    TRACK,
    WEATHER,
    ask,
    asked,
    calls_of,
    converse,
    number,
    said,
    text,
    tool,
)

from mcplab.messages import JSON, Message, Tool, ToolCall, ToolChoice, ToolResult
from mcplab.models import ReadingModel

# --- the two conversations of the lessons ----

EXPENSE_QUESTION = (
    "My hotel expense E-1042 was rejected. I am at job level L3. Look up the expense and the "
    "hotel policy, compute the excess, and file a supplement request."
)
EXPENSE_TOOLS = (
    tool(
        "lookup_expense",
        "Look up one expense by its id. Returns amount, category and status.",
        expense_id=text("For example E-1042", pattern=r"^E-\d{4}$"),
    ),
    tool(
        "lookup_policy",
        "Look up the policy limit of an expense category for a job level. Returns the limit.",
        category=text(enum=["hotel", "meals", "train", "taxi"]),
        job_level=text(enum=["L1", "L2", "L3", "L4", "L5"]),
    ),
    tool(
        "compute_excess",
        "Compute the excess: by how much an amount is over a limit.",
        amount=number("In EUR"),
        limit=number("In EUR"),
    ),
    tool(
        "file_supplement",
        "File a supplement request for the excess of a rejected expense.",
        expense_id=text(pattern=r"^E-\d{4}$"),
        excess=number("In EUR"),
        reason=text("Why it should be paid, in words"),
    ),
)


def expense_answer(call: ToolCall) -> JSON:
    given = call.arguments or {}
    if call.name == "lookup_expense":
        return {"expense_id": given["expense_id"], "amount": 480.0, "category": "hotel"}
    if call.name == "lookup_policy":
        return {"category": given["category"], "job_level": given["job_level"], "limit": 350.0}
    if call.name == "compute_excess":
        return {"excess": given["amount"] - given["limit"]}
    return {"supplement_id": "S-1", "excess": given["excess"], "status": "filed"}


def expense_server(call: ToolCall) -> ToolResult:
    answer = expense_answer(call)
    return said(call, json.dumps(answer), structured=answer)


def expense_server_in_text(call: ToolCall) -> ToolResult:
    return said(call, json.dumps(expense_answer(call), indent=2))


def calculator(call: ToolCall) -> ToolResult:
    given = call.arguments or {}
    if call.name == "divide" and given["b"] == 0:
        return said(call, "Division by zero: there is no result.", error=True)
    operations = {"add": "__add__", "subtract": "__sub__", "multiply": "__mul__"}
    value = getattr(given["a"], operations.get(call.name, "__truediv__"))(given["b"])
    return said(call, str(value), structured={"result": value})


def test_it_multiplies_and_says_so_in_a_sentence() -> None:
    first, last = converse("What is 12 times 30?", CALCULATOR, calculator)
    assert calls_of(first) == [("multiply", {"a": 12, "b": 30})]
    assert (first.text, first.stop) == ("", "tool_use")
    assert last.text == "multiply gave the answer: 12 × 30 = 360."
    assert (last.calls, last.stop) == ((), "end")


def test_a_bare_number_is_restated_with_the_call_when_the_descriptor_has_no_formula() -> None:
    plain = tool("multiply", "Multiply two numbers.", a=number(), b=number())
    *_, last = converse("What is 12 times 30?", [plain], calculator)
    assert last.text == "multiply(a=12, b=30) gave 360."


@pytest.mark.parametrize("server", [expense_server, expense_server_in_text])
def test_the_expense_case_takes_four_model_calls(server) -> None:
    replies = converse(EXPENSE_QUESTION, EXPENSE_TOOLS, server)
    assert [calls_of(reply) for reply in replies] == [
        [
            ("lookup_expense", {"expense_id": "E-1042"}),
            ("lookup_policy", {"category": "hotel", "job_level": "L3"}),
        ],
        [("compute_excess", {"amount": 480, "limit": 350})],
        [
            (
                "file_supplement",
                {
                    "expense_id": "E-1042",
                    "excess": 130,
                    "reason": "My hotel expense E-1042 was rejected",
                },
            )
        ],
        [],
    ]
    assert "lookup_expense" in replies[0].text  # text may stand beside tool requests
    assert "lookup_policy" in replies[0].text
    assert "filed" in replies[-1].text
    assert "130" in replies[-1].text


def test_the_expense_case_needs_no_special_names() -> None:
    """The same conversation with every tool renamed after nothing in the code."""
    renamed = [dataclasses.replace(t, name=f"hr_{t.name}_v2") for t in EXPENSE_TOOLS]

    def server(call: ToolCall) -> ToolResult:
        plain = call.name.removeprefix("hr_").removesuffix("_v2")
        return expense_server(dataclasses.replace(call, name=plain))

    replies = converse(EXPENSE_QUESTION, renamed, server)
    assert [len(reply.calls) for reply in replies] == [2, 1, 1, 0]


def test_the_order_of_the_tools_does_not_matter_in_the_expense_case() -> None:
    for seed in range(6):
        tools = random.Random(seed).sample(EXPENSE_TOOLS, 4)
        replies = converse(EXPENSE_QUESTION, tools, expense_server)
        assert [len(reply.calls) for reply in replies] == [2, 1, 1, 0]


def test_when_the_first_lookup_fails_it_stops_and_says_what_it_could_not_do() -> None:
    def server(call: ToolCall) -> ToolResult:
        if call.name == "lookup_expense":
            return said(call, "Not found: there is no expense E-1042.", error=True)
        return expense_server(call)

    first, last = converse(EXPENSE_QUESTION, EXPENSE_TOOLS, server)
    assert len(first.calls) == 2
    assert "did not work: Not found: there is no expense E-1042." in last.text
    assert "I did not call compute_excess: I found no value for amount." in last.text


def test_it_calls_lookups_that_nobody_named_when_they_return_what_is_missing() -> None:
    question = "By how much is my expense E-1042 over the limit? I am L3."
    replies = converse(question, EXPENSE_TOOLS, expense_server)
    names = [[call.name for call in reply.calls] for reply in replies]
    assert names == [["lookup_expense"], ["lookup_policy"], ["compute_excess"], []]


# --- choosing ----


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What's the weather like in Paris right now?", ("get_weather", {"city": "Paris"})),
        (
            "weather in new york in fahrenheit",
            ("get_weather", {"city": "new york", "unit": "fahrenheit"}),
        ),
        (
            "Create an event called 'Team lunch' on 2026-05-04 at 12:30 with Ana and Ben.",
            (
                "create_event",
                {
                    "title": "Team lunch",
                    "date": "2026-05-04",
                    "time": "12:30",
                    "attendees": ["Ana", "Ben"],
                },
            ),
        ),
        (
            "Schedule a calendar event for 3 May 2026 at 7pm: Dentist",
            ("create_event", {"title": "Dentist", "date": "2026-05-03", "time": "19:00"}),
        ),
        (
            "Search the web for cheap flights to Rome",
            ("search_web", {"query": "cheap flights to Rome"}),
        ),
        (
            "Convert 5 miles to kilometers",
            ("convert_units", {"value": 5, "from_unit": "miles", "to_unit": "kilometers"}),
        ),
        (
            "Translate good morning to French",
            ("translate_text", {"text": "good morning", "target_language": "French"}),
        ),
        (
            'Translate "see you soon" into German.',
            ("translate_text", {"text": "see you soon", "target_language": "German"}),
        ),
        (
            "Send an email to bob@example.com saying the meeting is moved to Friday",
            ("send_email", {"to": "bob@example.com", "body": "the meeting is moved to Friday"}),
        ),
        ("Where is my order A-555?", ("find_order", {"order_id": "A-555"})),
        ("Compute the factorial of five", ("factorial", {"n": 5})),
    ],
)
def test_it_reads_tools_that_learners_write(question: str, expected: tuple[str, JSON]) -> None:
    assert ask(question, EVERYDAY) == [expected]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("北京今天的天气怎么样？", [("get_weather", {"city": "北京"})]),
        (
            "北京和上海的天气",
            [("get_weather", {"city": "北京"}), ("get_weather", {"city": "上海"})],
        ),
        (
            "把5公里换算成英里",
            [("convert_length", {"value": 5, "from_unit": "公里", "to_unit": "英里"})],
        ),
        (
            "查一下2026年3月5日从上海到北京的火车票",
            [("search_tickets", {"origin": "上海", "destination": "北京", "date": "2026-03-05"})],
        ),
        ("把“你好”翻译成英语", [("translate", {"text": "你好", "target_language": "英语"})]),
        ("12乘以30是多少？", [("multiply", {"a": 12, "b": 30})]),
        ("查一下订单A-123的状态", [("find_order", {"order_id": "A-123"})]),
        ("讲个笑话", []),
    ],
)
def test_it_reads_chinese(question: str, expected: list[tuple[str, JSON]]) -> None:
    assert ask(question, CHINESE) == expected


def test_a_chinese_question_is_answered_in_chinese() -> None:
    def server(call: ToolCall) -> ToolResult:
        return said(call, "晴，18 度")

    *_, last = converse("北京今天的天气怎么样？", CHINESE, server)
    assert "晴，18 度" in last.text
    assert "结果是" in last.text


@pytest.mark.parametrize(
    "question",
    ["What is the capital of France?", "Tell me a joke about numbers.", "hello", "🙂", "مرحبا"],
)
def test_it_answers_in_words_when_nothing_fits(question: str) -> None:
    reply = ReadingModel()(asked(question), CALCULATOR)
    assert reply.calls == ()
    assert reply.stop == "end"
    assert reply.text.startswith("None of the tools I was shown fits this question")
    assert "mock model" in reply.text


def test_it_says_when_it_was_shown_no_tools_or_asked_no_question() -> None:
    assert "I was shown no tools" in ReadingModel()(asked("Weather in Paris?"), ()).text
    assert "no question" in ReadingModel()((), EVERYDAY).text
    assert "no question" in ReadingModel()(asked("  "), EVERYDAY).text


def test_it_knows_no_tool_by_its_name() -> None:
    """With its words taken away from the descriptor, the tool is not called any more."""
    blank = Tool("tool_7", "", {"type": "object", "properties": {"x": {"type": "string"}}})
    assert ask("What is the weather in Paris?", [blank]) == []


def test_exchanging_two_descriptions_makes_it_make_the_mistake_that_the_text_asks_for() -> None:
    add, _, multiply, _ = CALCULATOR
    crossed = [
        dataclasses.replace(add, name="first", description=multiply.description),
        dataclasses.replace(multiply, name="second", description=add.description),
    ]
    assert ask("What is 12 times 30?", crossed) == [("first", {"a": 12, "b": 30})]


def test_the_threshold_decides_whether_it_calls() -> None:
    question = "Tell me a joke about numbers."
    assert ask(question, CALCULATOR, threshold=0.4) == []
    assert len(ask(question, CALCULATOR, threshold=0.1)) == 1
    assert ask("What is 12 times 30?", CALCULATOR, threshold=0.99) == []


# --- several requests ----


def test_independent_requests_become_parallel_calls() -> None:
    question = "What is 7 plus 5, and what is 9 minus 4?"
    assert ask(question, CALCULATOR) == [("add", {"a": 7, "b": 5}), ("subtract", {"a": 9, "b": 4})]


def test_a_list_of_values_becomes_one_call_each() -> None:
    assert ask("What is the weather in Paris, Rome and Oslo?", EVERYDAY) == [
        ("get_weather", {"city": "Paris"}),
        ("get_weather", {"city": "Rome"}),
        ("get_weather", {"city": "Oslo"}),
    ]


def test_a_city_with_its_state_is_one_value() -> None:
    calls = ask("What is the weather in Seattle, Washington?", EVERYDAY)
    assert len(calls) == 1


def test_and_inside_a_request_does_not_split_it() -> None:
    assert ask("Please add 3 and 4", CALCULATOR) == [("add", {"a": 3, "b": 4})]


def test_nothing_is_split_inside_a_quotation() -> None:
    question = 'Translate "The weather is fine. Convert it, and search the web." into German.'
    assert ask(question, EVERYDAY) == [
        (
            "translate_text",
            {
                "text": "The weather is fine. Convert it, and search the web.",
                "target_language": "German",
            },
        )
    ]


def test_a_dependent_call_waits_for_the_result_it_needs() -> None:
    def server(call: ToolCall) -> ToolResult:
        if call.name == "find_order":
            return said(call, '{"order_id": "A-123", "shipment_id": "SH-9", "status": "sent"}')
        return said(call, "In Lyon since this morning.")

    replies = converse("Find order A-123 and track its shipment", EVERYDAY, server)
    assert [calls_of(reply) for reply in replies] == [
        [("find_order", {"order_id": "A-123"})],
        [("track_shipment", {"shipment_id": "SH-9"})],
        [],
    ]
    assert "In Lyon since this morning." in replies[-1].text


def test_a_dependent_call_is_not_made_when_its_value_never_comes() -> None:
    def server(call: ToolCall) -> ToolResult:
        return said(call, '{"status": "cancelled"}')

    replies = converse("Find order A-123 and track its shipment", [FIND_ORDER, TRACK], server)
    assert [len(reply.calls) for reply in replies] == [1, 0]
    assert "I did not call track_shipment: I found no value for shipment_id." in replies[-1].text


def test_an_empty_value_is_taken_for_data_as_real_models_do() -> None:
    def server(call: ToolCall) -> ToolResult:
        return said(call, '{"shipment_id": ""}')

    replies = converse("Find order A-123 and track its shipment", [FIND_ORDER, TRACK], server)
    assert calls_of(replies[1]) == [("track_shipment", {"shipment_id": ""})]


def test_a_short_answer_is_read_together_with_the_question_before() -> None:
    messages = (
        Message("user", "What's the weather?"),
        Message("assistant", "In which city?"),
        Message("user", "Paris"),
    )
    assert calls_of(ReadingModel()(messages, EVERYDAY)) == [("get_weather", {"city": "Paris"})]


def test_thanks_after_an_answer_is_no_new_question() -> None:
    first = converse("What is 7 plus 5?", CALCULATOR, calculator)
    messages = (
        Message("user", "What is 7 plus 5?"),
        Message("assistant", "", first[0].calls),
        Message("tool", results=(calculator(first[0].calls[0]),)),
        Message("assistant", first[1].text),
        Message("user", "Thanks!"),
    )
    reply = ReadingModel()(messages, CALCULATOR)
    assert reply.calls == ()
    assert reply.text.startswith("None of the tools")


def test_a_sentence_that_asks_for_nothing_can_still_give_a_value() -> None:
    assert ask("Hi. What is the weather? Paris, please.", EVERYDAY) == [
        ("get_weather", {"city": "Paris"})
    ]


def test_a_second_question_starts_afresh() -> None:
    first = converse("What is 7 plus 5?", CALCULATOR, calculator)
    messages = (
        Message("user", "What is 7 plus 5?"),
        Message("assistant", "", first[0].calls),
        Message("tool", results=(calculator(first[0].calls[0]),)),
        Message("assistant", first[1].text),
        Message("user", "And what is 9 minus 4?"),
    )
    assert calls_of(ReadingModel()(messages, CALCULATOR)) == [("subtract", {"a": 9, "b": 4})]


# --- arguments that are missing ----


def test_a_required_argument_that_is_not_said_is_left_out() -> None:
    assert ask("What's the weather?", EVERYDAY) == [("get_weather", {})]


def test_after_the_complaint_about_it_the_model_asks() -> None:
    def server(call: ToolCall) -> ToolResult:
        return said(call, "city: field required", error=True)

    *_, last = converse("What's the weather?", EVERYDAY, server)
    assert "did not work: city: field required." in last.text
    assert "I had left out city, because I found no value for it. Can you tell me?" in last.text


def test_guessing_is_a_disposition_and_depends_on_the_seed() -> None:
    model = ReadingModel(guess_missing=True)
    question = asked("Convert it into another unit, please")
    guesses = [calls_of(model(question, [CONVERT], ToolChoice(), seed)) for seed in range(20)]
    assert all(set(calls[0][1] or {}) == {"value", "from_unit", "to_unit"} for calls in guesses)
    assert len({json.dumps(g) for g in guesses}) > 1
    assert guesses[3] == calls_of(model(question, [CONVERT], ToolChoice(), 3))


def test_a_guess_obeys_pattern_and_enum() -> None:
    schema_tool = tool(
        "lookup",
        "Look up a thing.",
        code=text(pattern=r"^E-\d{4}$"),
        level=text(enum=["L1", "L2"]),
        day=text(format="date"),
    )
    ((_, given),) = ask("Look up the thing", [schema_tool], guess_missing=True)
    assert given is not None
    assert re.fullmatch(r"E-\d{4}", given["code"])
    assert given["level"] in {"L1", "L2"}
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", given["day"])


# --- tool_choice ----


def test_none_answers_in_words() -> None:
    reply = ReadingModel()(asked("What is 12 times 30?"), CALCULATOR, ToolChoice("none"))
    assert reply.calls == ()
    assert "tool_choice is none" in reply.text


def test_any_calls_something_even_when_nothing_fits() -> None:
    reply = ReadingModel()(asked("Tell me a joke."), CALCULATOR, ToolChoice("any"))
    assert len(reply.calls) == 1
    assert reply.calls[0].arguments == {}


def test_a_named_tool_is_called_whatever_the_question_is() -> None:
    reply = ReadingModel()(asked("What is 12 times 30?"), CALCULATOR, ToolChoice("tool", "divide"))
    assert calls_of(reply) == [("divide", {"a": 12, "b": 30})]


def test_forcing_a_call_does_not_give_the_model_the_facts() -> None:
    choice = ToolChoice("tool", "get_weather")
    assert calls_of(ReadingModel()(asked("Who are you?"), EVERYDAY, choice)) == [
        ("get_weather", {})
    ]
    guessing = ReadingModel(guess_missing=True)(asked("Who are you?"), EVERYDAY, choice)
    assert set(guessing.calls[0].arguments or {}) == {"city"}


def test_a_named_tool_that_was_not_shown_is_not_called() -> None:
    reply = ReadingModel()(asked("What is 12 times 30?"), CALCULATOR, ToolChoice("tool", "power"))
    assert reply.calls == ()


def test_without_parallel_calls_it_makes_one_a_round() -> None:
    model, choice = ReadingModel(), ToolChoice(parallel=False)
    messages = [Message("user", "What is the weather in Paris and Rome?")]
    cities = []
    for _ in range(2):
        reply = model(messages, EVERYDAY, choice)
        (call,) = reply.calls
        cities.append((call.arguments or {})["city"])
        messages += [
            Message("assistant", "", (call,)),
            Message("tool", results=(said(call, "sunny"),)),
        ]
    assert cities == ["Paris", "Rome"]
    assert model(messages, EVERYDAY, choice).calls == ()


# --- answering ----


def one_result(result: ToolResult, question: str = "What is the weather in Paris?") -> str:
    call = ToolCall("c1", "get_weather", {"city": "Paris"})
    answer = dataclasses.replace(result, call_id="c1")
    messages = (
        *asked(question),
        Message("assistant", "", (call,)),
        Message("tool", results=(answer,)),
    )
    reply = ReadingModel()(messages, EVERYDAY)
    assert reply.calls == ()
    return reply.text


def block(words: str) -> tuple[JSON, ...]:
    return ({"type": "text", "text": words},)


def test_it_quotes_a_result_that_is_a_sentence() -> None:
    words = "It is 18 degrees and sunny in Paris."
    assert one_result(ToolResult("", block(words))) == f"get_weather: {words}"


def test_it_tells_the_fields_of_an_object() -> None:
    answer = one_result(ToolResult("", block('{"temperature": 18, "sky": "clear"}')))
    assert answer == "get_weather gave temperature 18, sky clear."


def test_it_tells_an_error_as_an_error() -> None:
    answer = one_result(ToolResult("", block("The service is down"), is_error=True))
    assert answer == 'get_weather(city="Paris") did not work: The service is down.'


def test_it_says_that_it_cannot_read_a_picture() -> None:
    content = (
        *block("See the map of Paris."),
        {"type": "image", "data": "aGk=", "mimeType": "image/png"},
    )
    assert "image, which I cannot read" in one_result(ToolResult("", content))


def test_it_says_when_a_tool_gave_nothing() -> None:
    assert one_result(ToolResult("")) == 'get_weather(city="Paris") gave no content.'


def test_a_huge_result_is_cut_and_the_cut_is_shown() -> None:
    answer = one_result(ToolResult("", block("sunny and warm " * 400_000)))
    assert len(answer) < 1000
    assert answer.endswith("…")
    many = one_result(ToolResult("", block(json.dumps(list(range(300))))))
    assert "297 more" in many


def test_it_never_repeats_a_call_that_was_answered() -> None:
    for error in (False, True):
        call = ToolCall("c1", "get_weather", {"city": "Paris"})
        messages = (
            *asked("What is the weather in Paris?"),
            Message("assistant", "", (call,)),
            Message("tool", results=(said(call, "nothing of use here", error=error),)),
        )
        assert ReadingModel()(messages, EVERYDAY).calls == ()


def test_results_whose_request_was_trimmed_away_are_not_seen() -> None:
    """It reads only what it is sent: an orphaned result is no reason to stop."""
    messages = (
        *asked("What is the weather in Paris?"),
        Message("tool", results=(ToolResult("x"),)),
    )
    assert calls_of(ReadingModel()(messages, EVERYDAY)) == [("get_weather", {"city": "Paris"})]


# --- purity ----


def test_the_same_request_gives_the_same_reply_and_nothing_is_kept() -> None:
    model = ReadingModel()
    messages = asked(EXPENSE_QUESTION)
    before = model(messages, EXPENSE_TOOLS)
    converse("What is 12 times 30?", CALCULATOR, calculator, model)
    converse(EXPENSE_QUESTION, EXPENSE_TOOLS, expense_server, model)
    assert model(messages, EXPENSE_TOOLS) == before
    assert ReadingModel()(messages, EXPENSE_TOOLS) == before


def test_it_does_not_change_what_it_is_given() -> None:
    messages, tools = asked("What is the weather in Paris?"), list(EVERYDAY)
    before = repr((messages, tools))
    ReadingModel()(messages, tools)
    assert repr((messages, tools)) == before


def test_a_descriptor_that_is_edited_in_place_is_read_again() -> None:
    """Caches hold words, not tools: a learner edits a schema and asks again."""
    schema: JSON = {"type": "object", "properties": {"place": {"type": "string"}}}
    edited = Tool("lookup", "", schema)
    assert ask("What is the humidity?", [edited]) == []
    schema["properties"]["place"]["description"] = "where the humidity is measured"
    assert ask("What is the humidity?", [edited]) == [("lookup", {})]


def test_the_model_is_frozen_and_has_a_name() -> None:
    model = ReadingModel()
    assert model.name == "mock-reading"
    with pytest.raises(dataclasses.FrozenInstanceError):
        model.threshold = 0.1  # type: ignore[misc]


def test_ids_differ_between_calls_and_between_rounds() -> None:
    replies = converse(EXPENSE_QUESTION, EXPENSE_TOOLS, expense_server)
    ids = [call.id for reply in replies for call in reply.calls]
    assert len(set(ids)) == 4
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", i) for i in ids)


def test_raw_arguments_are_the_arguments_as_json() -> None:
    (call,) = ReadingModel()(asked("What is 12 times 30?"), CALCULATOR).calls
    assert json.loads(call.raw) == call.arguments


# --- explaining ----


def test_it_explains_its_choice_by_scores_and_words() -> None:
    explanation = ReadingModel().explain("What is the weather in Paris?", EVERYDAY)
    request, tool_name, score, words = explanation.rows()[0]
    assert (request, tool_name, words) == (
        "What is the weather in Paris?",
        "get_weather",
        "weath, paris",
    )
    assert score > max(row[2] for row in explanation.rows()[1:])
    assert len(explanation.rows()) == len(EVERYDAY)
    assert "fits get_weather" in str(explanation)


def test_the_explanation_says_when_no_tool_fits_and_escapes_html() -> None:
    explanation = ReadingModel().explain("Is 1 < 2 & <b>bold</b>?", [WEATHER, SEARCH])
    assert "no tool fits" in str(explanation)
    assert "<b>" not in explanation._repr_html_()


def test_the_explanation_takes_a_conversation_too() -> None:
    model = ReadingModel()
    question = "What is the weather in Paris?"
    assert model.explain(asked(question), EVERYDAY) == model.explain(question, EVERYDAY)
