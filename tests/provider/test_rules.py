"""Every rule refuses what breaks it, in the vendor's words, and lets near misses through."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest
from rule_cases import CASES, Case

from mcplab.provider import RULES, RULES_AS_OF, WireError, validate
from mcplab.provider.checks import check_of, checks_for
from mcplab.provider.rules import RULES_BY_ID

BREAKS = [
    pytest.param(rule, case, broken, id=f"{rule}-{n}")
    for rule, case in CASES.items()
    for n, broken in enumerate(case.breaks)
]
PASSES = [
    pytest.param(rule, case, body, id=f"{rule}-{n}")
    for rule, case in CASES.items()
    for n, body in enumerate(case.passes)
]


def judge(rule: str, case: Case, body: Any) -> WireError | None:
    return validate(body, RULES_BY_ID[rule].dialect, case.model, case.today)


def test_every_rule_has_two_bodies_that_break_it_and_two_near_misses() -> None:
    assert list(CASES) == [rule.id for rule in RULES]
    for rule, case in CASES.items():
        assert len(case.breaks) >= 2, rule
        assert len(case.passes) >= 2, rule


@pytest.mark.parametrize(("rule", "case", "broken"), BREAKS)
def test_a_body_that_breaks_a_rule_earns_the_vendors_words(
    rule: str, case: Case, broken: tuple[Any, ...]
) -> None:
    body, message, *param = broken
    before = json.dumps(body)
    error = judge(rule, case, body)
    assert error is not None
    assert (error.rule_id, error.message) == (rule, message)
    assert error.status == 400
    assert error.type == "invalid_request_error"
    if param:
        assert error.param == param[0]
    assert json.dumps(body) == before, "judging changes nothing"


@pytest.mark.parametrize(("rule", "case", "body"), PASSES)
def test_a_near_miss_is_taken(rule: str, case: Case, body: Any) -> None:
    assert judge(rule, case, body) is None


@pytest.mark.parametrize(("rule", "case", "broken"), BREAKS)
def test_a_fault_leads_to_a_place_in_the_body_or_to_what_is_missing(
    rule: str, case: Case, broken: tuple[Any, ...]
) -> None:
    error = judge(rule, case, broken[0])
    assert error is not None
    place = broken[0]
    for step in error.where[:-1]:
        place = place[step]


def test_every_rule_is_found_by_a_check_and_every_check_names_its_rules() -> None:
    named = {
        rule
        for dialect in ("anthropic", "openai-chat")
        for one in checks_for(dialect)
        for rule in one.rules
    }
    assert named == set(RULES_BY_ID)
    for rule in RULES:
        assert rule.id in check_of(rule.id).rules


def test_a_check_reports_only_the_rules_that_it_names() -> None:
    for rule, case in CASES.items():
        for body, *_ in case.breaks:
            error = judge(rule, case, body)
            assert error is not None
            dialect = RULES_BY_ID[rule].dialect
            first = next(one for one in checks_for(dialect) if error.rule_id in one.rules)
            assert rule in first.rules


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_says_what_it_asks_for_and_how_it_is_known(rule: Any) -> None:
    assert rule.summary
    assert rule.fix
    if rule.evidence == "inferred":
        assert not rule.source
    else:
        assert rule.source.startswith("https://github.com/")
    if rule.dialect == "anthropic":
        assert (rule.param, rule.code) == (None, None)
    if rule.since and rule.until:
        assert rule.since < rule.until


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("anthropic-tool-name-pattern-64", "anthropic-tool-name-pattern"),
        ("anthropic-tool-result-count", "anthropic-tool-use-unanswered"),
        ("anthropic-system-role", "anthropic-system-first"),
    ],
)
def test_the_day_decides_which_words_hold(old: str, new: str) -> None:
    body = CASES[old].breaks[1 if "pattern" in old else 0][0]
    day = RULES_BY_ID[old].until
    assert isinstance(day, date)
    before = validate(body, "anthropic", today=date.fromordinal(day.toordinal() - 1))
    after = validate(body, "anthropic", today=day)
    assert before is not None
    assert after is not None
    assert (before.rule_id, after.rule_id) == (old, new)


def test_without_a_day_the_newest_rules_hold() -> None:
    body = CASES["anthropic-tool-use-unanswered"].breaks[0][0]
    assert validate(body, "anthropic") == validate(body, "anthropic", today=RULES_AS_OF)


def test_a_model_is_taken_from_the_body_or_given() -> None:
    body = CASES["anthropic-prefill-refused"].breaks[0][0]
    assert validate(body, "anthropic") is None
    assert validate({**body, "model": "claude-opus-4-6"}, "anthropic") is not None
    assert validate(body, "anthropic", model="claude-opus-4-6") is not None
    assert validate(body, "anthropic", model="claude-opus-4-1") is None


def test_the_envelopes_are_the_vendors() -> None:
    anthropic = validate({}, "anthropic")
    chat = validate({}, "openai-chat")
    assert anthropic is not None
    assert chat is not None
    assert anthropic.body("req_1") == {
        "type": "error",
        "error": {"type": "invalid_request_error", "message": "model: Field required"},
        "request_id": "req_1",
    }
    assert chat.body("req_1") == {
        "error": {
            "message": "you must provide a model parameter",
            "type": "invalid_request_error",
            "param": None,
            "code": None,
        }
    }
