"""The mock expense helper: its four tools, and the case that the lessons walk through."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from mcplab.connection import Connection, connect
from mcplab.servers import expenses as module

QUESTION = (
    "My hotel expense E-1042 was rejected. I am at job level L3. Look up the expense and the "
    "hotel policy, compute the excess, and file a supplement request."
)


@pytest.fixture(scope="module")
def expenses() -> Iterator[Connection]:
    with connect("expenses") as connection:
        yield connection


@pytest.fixture(autouse=True)
def nothing_filed() -> None:
    module.supplements.clear()


def structured(connection: Connection, tool: str, **arguments: Any) -> dict[str, Any]:
    result = connection.call(tool, arguments)
    assert not result.is_error, result.text
    assert result.structured is not None
    return result.structured


def refusal(connection: Connection, tool: str, **arguments: Any) -> str:
    result = connection.call(tool, arguments)
    assert result.is_error
    assert result.text
    return result.text


def test_the_whole_case_chains_by_the_names_of_the_fields(expenses: Connection) -> None:
    known: dict[str, Any] = {"expense_id": "E-1042", "category": "hotel", "job_level": "L3"}
    known["reason"] = "All cheaper hotels were full."
    for tool in expenses.tools:
        needed = tool.input_schema["required"]
        known |= structured(expenses, tool.name, **{name: known[name] for name in needed})
    assert known["amount"] == "480.00"
    assert known["limit"] == "350.00"
    assert known["excess"] == "130.00"
    assert known["per"] == "night"
    assert re.fullmatch(r"S-[0-9a-f]{8}", known["supplement_id"])
    assert len(module.supplements) == 1


def test_the_question_holds_what_both_lookups_need_and_nothing_for_the_later_tools(
    expenses: Connection,
) -> None:
    def found(schema: dict[str, Any]) -> bool:
        words = re.findall(r"[\w.-]*\w", QUESTION)
        if "enum" in schema:
            return any(word in schema["enum"] for word in words)
        return any(re.search(schema.get("pattern", "(?!)"), word) for word in words)

    ready = {
        tool.name
        for tool in expenses.tools
        if all(found(schema) for schema in tool.input_schema["properties"].values())
    }
    assert ready == {"lookup_expense", "lookup_policy"}


def test_every_expense_can_be_looked_up_and_has_a_policy(expenses: Connection) -> None:
    for expense_id in module.expenses:
        expense = structured(expenses, "lookup_expense", expense_id=expense_id)
        assert all(expense.values())
        policy = structured(
            expenses,
            "lookup_policy",
            category=expense["category"],
            job_level=expense["job_level"],
        )
        assert policy["currency"] == expense["currency"] == "EUR"
        assert Decimal(policy["limit"]) >= 0


def test_every_category_has_a_limit_for_every_level(expenses: Connection) -> None:
    properties = expenses.tools[1].input_schema["properties"]
    for category in properties["category"]["enum"]:
        for level in properties["job_level"]["enum"]:
            policy = structured(expenses, "lookup_policy", category=category, job_level=level)
            assert re.fullmatch(r"\d+\.\d\d", policy["limit"])


def test_an_unknown_id_is_not_found_in_words(expenses: Connection) -> None:
    text = refusal(expenses, "lookup_expense", expense_id="E-9999")
    assert "Not found: there is no expense E-9999. Ask the user" in text
    for malformed in ("1042", "E-10423", "e-1042", ""):
        assert "pattern" in refusal(expenses, "lookup_expense", expense_id=malformed)


@pytest.mark.parametrize("category", ["Hotel", "lodging", "", None])
def test_a_category_outside_the_enum_is_refused(expenses: Connection, category: Any) -> None:
    text = refusal(expenses, "lookup_policy", category=category, job_level="L3")
    assert "'hotel', 'meals', 'train' or 'taxi'" in text


@pytest.mark.parametrize(
    ("amount", "limit", "excess"),
    [
        ("480.00", "350.00", "130.00"),
        ("350.00", "350.00", "0.00"),
        ("64.20", "65.00", "0.00"),
        ("23.00", "0.00", "23.00"),  # a limit of zero covers nothing
        ("0.30", "0.10", "0.20"),  # binary floats would say 0.19999999999999998
        ("10.005", "10.00", "0.01"),  # rounded to the cent before it is compared
        ("10.004", "10.00", "0.00"),
        ("999999.99", "0.01", "999999.98"),
    ],
)
def test_the_excess_is_exact_to_the_cent(
    expenses: Connection, amount: str, limit: str, excess: str
) -> None:
    result = structured(expenses, "compute_excess", amount=amount, limit=limit)
    assert result == {"ok": True, "excess": excess}


@pytest.mark.parametrize(
    "amount", ["-480.00", "1000000.00", "9" * 60 + ".0"], ids=["negative", "large", "huge"]
)
def test_an_amount_that_makes_no_sense_is_an_error_that_says_so(
    expenses: Connection, amount: str
) -> None:
    result = expenses.call("compute_excess", {"amount": amount, "limit": "350.00"})
    assert result.is_error
    assert result.structured is not None
    assert result.structured["ok"] is False
    assert "Nothing was computed" in result.structured["error"]
    assert "excess" not in result.structured
    assert result.structured["error"] in result.text


def test_it_computes_soundly_even_if_nobody_checked_the_arguments() -> None:
    result = module.compute_excess("a lot", "350.00")
    assert result.is_error
    assert result.structured_content == {
        "ok": False,
        "error": "Nothing was computed: a lot is not an amount from 0.00 to 999999.99 EUR.",
    }


def test_the_same_request_is_filed_once_and_gets_the_same_id(expenses: Connection) -> None:
    request = {"expense_id": "E-1042", "excess": "130.00", "reason": "Fair week."}
    first = structured(expenses, "file_supplement", **request)
    assert structured(expenses, "file_supplement", **request) == first
    assert structured(expenses, "file_supplement", **{**request, "excess": "130.000"}) == first
    assert len(module.supplements) == 1
    other = structured(expenses, "file_supplement", **{**request, "excess": "120.00"})
    assert other["supplement_id"] != first["supplement_id"]
    assert first["status"] == "filed"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"expense_id": "E-9999"}, "Not found"),
        ({"excess": "0.00"}, "Not filed"),
        ({"excess": "0.004"}, "Not filed"),
        ({"excess": "480.01"}, "at most 480.00 EUR"),
        ({"excess": "-1.00"}, "not an amount"),
        ({"reason": ""}, "at least 3 characters"),
    ],
)
def test_what_must_not_be_filed_is_not(
    expenses: Connection, arguments: dict[str, str], words: str
) -> None:
    request = {"expense_id": "E-1042", "excess": "130.00", "reason": "Fair week."}
    assert words in refusal(expenses, "file_supplement", **{**request, **arguments})
    assert module.supplements == {}


def test_only_filing_is_marked_as_writing(expenses: Connection) -> None:
    read_only = {tool.name: tool.annotations["readOnlyHint"] for tool in expenses.tools}
    assert read_only == {
        "lookup_expense": True,
        "lookup_policy": True,
        "compute_excess": True,
        "file_supplement": False,
    }
    filing = expenses.tools[-1].annotations
    assert filing["idempotentHint"] is True
    assert filing["destructiveHint"] is False
