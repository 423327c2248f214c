"""Arguments filled by schema, from text and from earlier results."""

from __future__ import annotations

from typing import Any

import pytest
from tools_for_tests import number, text, tool

from mcplab.messages import JSON
from mcplab.models.arguments import Evidence, fill, values_in
from mcplab.models.patterns import matches
from mcplab.models.spans import find


def filled(question: str, optional: tuple[str, ...] = (), **properties: JSON) -> JSON:
    return fill(tool("do_it", "", optional, **properties), Evidence(question))[0].arguments


def values(question: str, kind: str) -> list[Any]:
    return [span.value for span in find(question) if span.kind == kind]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("12 or -5 or 3.5", [12, -5, 3.5]),
        ("1,250,000 and $99.90", [1250000, 99.9]),
        ("5k, 2 million, 3万", [5000, 2000000, 30000]),
        ("12 - 5", [12, 5]),
        ("twenty-five miles, two hundred and five days", [25, 205]),
        ("二十五公里，三百零二个，一万二千", [25, 302, 12000]),
        ("E-1042 on 2026-05-04 at 14:30", []),
        ("x^2 and C6H12O6", []),
    ],
)
def test_numbers_are_read_in_many_forms(written: str, read: list[Any]) -> None:
    assert values(written, "number") == read


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("on 2026-05-04", "2026-05-04"),
        ("3 May 2026", "2026-05-03"),
        ("3rd of May, 2026", "2026-05-03"),
        ("September 21st, 2026", "2026-09-21"),
        ("2026年3月5日", "2026-03-05"),
        ("next Monday", "next Monday"),
        ("3 May", "3 May"),
    ],
)
def test_dates_become_iso_when_the_year_is_known(written: str, read: str) -> None:
    assert values(written, "date") == [read]


@pytest.mark.parametrize(
    ("written", "read"),
    [("7pm", "19:00"), ("12:05 am", "00:05"), ("14:30", "14:30"), ("下午3点20分", "15:20")],
)
def test_times_become_24_hour_times(written: str, read: str) -> None:
    assert values(f"at {written} sharp", "time") == [read]


def test_a_date_without_a_year_is_left_out_where_iso_is_asked_for() -> None:
    assert filled("on 3 May", date=text(format="date")) == {}
    assert filled("on 3 May", date=text("Day of the visit")) == {"date": "3 May"}


def test_numbers_go_where_the_words_beside_them_say() -> None:
    question = "a loan with 20 years, 3.5 percent interest and an amount of 200000"
    given = filled(question, amount=number(), rate_percent=number(), years={"type": "integer"})
    assert given == {"amount": 200000, "rate_percent": 3.5, "years": 20}


def test_numbers_without_words_go_in_order() -> None:
    assert filled("12 and 30", a=number(), b=number()) == {"a": 12, "b": 30}


def test_from_and_to_tell_two_places_apart() -> None:
    for question in ("from Oslo to Rome", "to Rome from Oslo"):
        given = filled(question, origin=text(), destination=text())
        assert given == {"origin": "Oslo", "destination": "Rome"}


def test_an_integer_takes_no_fraction() -> None:
    assert filled("2.5", n={"type": "integer"}) == {}


def test_percent_becomes_a_fraction_unless_percent_is_asked_for() -> None:
    assert filled("at 5%", rate=number("Interest rate")) == {"rate": 0.05}
    assert filled("at 5%", rate=number("Interest rate in percent")) == {"rate": 5}


@pytest.mark.parametrize("said", ["hotel", "Hotel", "HOTELS", "the hotels"])
def test_enum_values_are_found_in_other_forms_and_given_as_the_schema_spells_them(
    said: str,
) -> None:
    assert filled(f"my {said}", category=text(enum=["meals", "hotel"])) == {"category": "hotel"}


def test_an_enum_value_that_is_not_said_is_left_out() -> None:
    assert filled("my spa visit", category=text(enum=["meals", "hotel"])) == {}


def test_an_enum_of_several_words_may_be_written_with_underscores() -> None:
    assert filled("it was too small", size=text(enum=["too_small", "ok"])) == {"size": "too_small"}


def test_ids_are_found_by_pattern() -> None:
    both = {"a": text(pattern=r"^E-\d{4}$"), "b": text(pattern=r"^L\d$")}
    assert filled("expense E-1042 at level L3.", **both) == {"a": "E-1042", "b": "L3"}


def test_a_number_is_written_as_the_pattern_wants_it() -> None:
    assert filled("an amount of 480", amount=text(pattern=r"^\d+\.\d\d$")) == {"amount": "480.00"}


def test_optional_arguments_need_to_be_asked_for() -> None:
    properties = {"city": text(), "limit": {"type": "integer"}, "express": {"type": "boolean"}}
    optional = ("limit", "express")
    assert filled("3 hotels in Oslo", optional, **properties) == {"city": "Oslo"}
    assert filled("in Oslo, limit 3, express", optional, **properties) == {
        "city": "Oslo",
        "limit": 3,
        "express": True,
    }
    assert filled("in Oslo without express", optional, **properties)["express"] is False


def test_lists_take_what_is_joined() -> None:
    names = {"type": "array", "items": {"type": "string"}, "description": "Guests"}
    assert filled("with Ana, Ben and Chen", guests=names) == {"guests": ["Ana", "Ben", "Chen"]}
    numbers = {"type": "array", "items": {"type": "number"}}
    assert filled("mean of 4, 8 and 15", values=numbers) == {"values": [4, 8, 15]}
    assert filled("mean of [4, 8.5]", values=numbers) == {"values": [4, 8.5]}
    colours = {"type": "array", "items": {"type": "string", "enum": ["red", "green", "blue"]}}
    assert filled("in blue and red", colours=colours) == {"colours": ["blue", "red"]}


def test_nested_objects_are_filled_by_their_own_properties() -> None:
    inner = {
        "type": "object",
        "properties": {"city": text(), "nights": {"type": "integer"}},
        "required": ["city", "nights"],
    }
    given = filled("stay in Oslo for 3 nights", stay=inner)
    assert given == {"stay": {"city": "Oslo", "nights": 3}}
    (half,) = fill(tool("do_it", "", stay=inner), Evidence("stay in Oslo"))
    assert half.missing == ("stay.nights",)


def test_references_and_unions_are_followed() -> None:
    schema = {
        "type": "object",
        "properties": {
            "level": {"$ref": "#/$defs/Level"},
            "n": {"anyOf": [{"type": "null"}, number()]},
        },
        "required": ["level", "n"],
        "$defs": {"Level": {"enum": ["L1", "L2"]}},
    }
    shown = tool("do_it", "")
    object.__setattr__(shown, "input_schema", schema)
    assert fill(shown, Evidence("L2 with 7"))[0].arguments == {"level": "L2", "n": 7}


def test_a_quotation_is_the_content_of_a_message() -> None:
    given = filled('Tell the design channel "Lunch is at noon"', channel=text(), text=text())
    assert given["text"] == "Lunch is at noon"
    assert given["channel"] == "design"


def test_a_reason_is_the_clause_after_because_or_else_what_was_told() -> None:
    assert filled("File it because the train was late.", reason=text()) == {
        "reason": "the train was late"
    }
    asked_for = tool("file", "File a claim.", reason=text())
    evidence = Evidence("File a claim.", context=("My train was late.",))
    assert fill(asked_for, evidence)[0].arguments == {"reason": "My train was late"}


# --- values from results ----


def from_results(result: Any, source: str = "lookup", **properties: JSON) -> JSON:
    evidence = Evidence("go on", values=tuple(values_in(result, source)))
    return fill(tool("do_it", "", **properties), evidence)[0].arguments


def test_a_value_whose_key_is_the_parameter_is_taken() -> None:
    result = {"expense": {"amount": "480.00", "city": "Zurich"}, "limits": [{"limit": 350}]}
    given = from_results(result, amount=number(), limit=number(), city=text())
    assert given == {"amount": 480.0, "limit": 350, "city": "Zurich"}


def test_keys_may_be_spelled_in_another_style() -> None:
    assert from_results({"shipmentId": "SH-9"}, shipment_id=text()) == {"shipment_id": "SH-9"}


def test_a_lone_result_is_named_by_its_tool() -> None:
    assert from_results({"result": 130}, "compute_excess", excess=number()) == {"excess": 130}


def test_the_latest_value_wins() -> None:
    values_ = (*values_in({"limit": 1}, "a"), *values_in({"limit": 2}, "b"))
    evidence = Evidence("go on", values=values_)
    assert fill(tool("do_it", "", limit=number()), evidence)[0].arguments == {"limit": 2}


def test_a_value_under_another_key_is_not_taken() -> None:
    assert from_results({"amount": 480}, excess=number()) == {}


def test_a_value_of_the_wrong_type_or_pattern_is_not_taken() -> None:
    assert from_results({"limit": "much"}, limit=number()) == {}
    assert from_results({"code": "X1"}, code=text(pattern=r"^E-\d{4}$")) == {}


def test_values_in_text_about_something_else_must_be_named() -> None:
    shown = tool("do_it", "", excess=number(), expense_id=text(pattern=r"^E-\d{4}$"))
    evidence = Evidence("do it", elsewhere=("look up E-1042 and 480",))
    (one,) = fill(shown, evidence)
    assert one.arguments == {"expense_id": "E-1042"}
    assert one.missing == ("excess",)


# --- patterns of strangers ----


@pytest.mark.parametrize(
    "pattern",
    [
        r"^(a+)+$",
        r"(a|a)*b",
        r"([a-z]+)*x",
        "[",
        r"\p{L}+",
        "a" * 1000,
        r"(x{9}){9}",
        "a*a*a*a*a*b",
    ],
)
def test_a_pattern_that_is_broken_or_could_take_for_ever_is_not_tried(pattern: str) -> None:
    assert not matches(pattern, "a" * 60)


@pytest.mark.parametrize(
    ("pattern", "value"),
    [
        (r"^E-\d{4}$", "E-1042"),
        (r"^[A-Z]{2}-\d+$", "AB-7"),
        (r"^\S+@\S+$", "a@b"),
        ("L[1-5]", "L3"),
    ],
)
def test_usual_patterns_are_tried(pattern: str, value: str) -> None:
    assert matches(pattern, value)
    assert not matches(pattern, "zq")
