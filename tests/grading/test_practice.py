"""check() and hint() as a learner meets them."""

from __future__ import annotations

import _thread
import threading
import time
from typing import Any

import pytest

from mcplab.errors import McplabError
from mcplab.grading import check, check_function, get, hint, practice
from mcplab.messages import JSON

EX = get("01")


def messages_for_step_4(question: str, response: Any, results: JSON) -> Any:
    return EX.reference(question, response, results)


def test_the_function_is_found_where_check_is_called() -> None:
    assert check("01").correct


def test_a_local_function_goes_before_a_global_one() -> None:
    def messages_for_step_4(question: str, response: Any, results: JSON) -> Any:
        return []

    assert check("01").status == "incorrect"
    assert messages_for_step_4("", None, {}) == []


def test_it_is_also_found_in_the_main_module(monkeypatch: pytest.MonkeyPatch) -> None:
    main = type("Main", (), {"messages_for_step_4": staticmethod(messages_for_step_4)})
    monkeypatch.setitem(practice.sys.modules, "__main__", main)
    assert eval("check('01')", {"check": check}).correct


def test_a_missing_function_is_not_an_attempt() -> None:
    outcome = eval("check('02')", {"check": check})
    assert outcome.status == "not attempted"
    assert "answer()" in outcome.message


def test_a_number_may_be_written_in_any_way_and_an_unknown_one_is_an_error() -> None:
    assert get("1") is get(1) is EX
    with pytest.raises(McplabError, match=r"There is no exercise '77'\. Use one of: 01, 02"):
        check("77")


def test_every_check_draws_new_cases_and_a_seed_repeats_them() -> None:
    seen: list[str] = []

    def collects(question: str, response: Any, results: JSON) -> Any:
        seen.append(next(iter(results)))
        return []

    first = check("01", collects)
    again = check("01", collects, seed=first.seed)
    for _ in range(3):
        check("01", collects)
    cases = len(seen) // 5
    assert seen[:cases] == seen[cases : 2 * cases]
    assert len(set(seen)) > cases
    assert again.seed == first.seed


def test_an_exception_is_one_sentence_with_the_learners_line() -> None:
    def broken(question: str, response: Any, results: JSON) -> Any:
        return response.contents

    text = str(check("01", broken, seed=1))
    assert "raised AttributeError" in text
    assert "return response.contents" in text
    assert "Traceback" not in text
    assert "grading/practice" not in text


def test_sys_exit_is_an_answer_that_is_wrong() -> None:
    def leaves(*_: Any) -> Any:
        raise SystemExit(0)

    assert "SystemExit" in check("01", leaves).message


def test_what_the_page_shows_cannot_inject_html() -> None:
    def injects(*_: Any) -> Any:
        return "<script>alert(1)</script>"

    html = check("01", injects, seed=1)._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_a_loop_that_never_ends_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(practice, "SECONDS", 0.3)
    rounds = 0

    def spins(*_: Any) -> Any:
        nonlocal rounds
        while True:
            try:
                rounds += 1
            except Exception:  # a loop that catches everything that it should
                continue

    outcome = check("01", spins)
    assert outcome.status == "incorrect"
    assert "never ends" in outcome.message
    assert "restart the kernel" not in outcome.message
    now = rounds
    threading.Event().wait(0.1)
    assert rounds == now, "the thread still runs"


def test_a_function_stuck_outside_python_does_not_hold_the_kernel(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(practice, "SECONDS", 0.2)
    woken = threading.Event()

    def sleeps(*_: Any) -> Any:
        time.sleep(3)
        woken.set()

    outcome = check("01", sleeps)
    assert not woken.is_set()
    assert outcome.status == "incorrect"
    assert "restart the kernel" in outcome.message


def test_an_interrupt_is_one_sentence_and_ends_the_function(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rounds = 0

    def spins(*_: Any) -> Any:
        nonlocal rounds
        while True:
            rounds += 1
            if rounds == 1000:
                _thread.interrupt_main()

    with pytest.raises(practice.CheckInterrupted, match="You stopped the check"):
        check("01", spins)
    now = rounds
    threading.Event().wait(0.1)
    assert rounds == now, "the thread still runs"


def test_prints_cost_no_marks_and_are_seen(capsys: pytest.CaptureFixture[str]) -> None:
    def talks(question: str, response: Any, results: JSON) -> Any:
        print("debug", question)
        return EX.reference(question, response, results)

    assert check("01", talks).correct
    assert "debug" in capsys.readouterr().out


def test_hints_come_one_by_one_and_the_last_one_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(practice, "_shown_hints", {})
    hints = [str(hint("01")) for _ in range(len(EX.hints) + 1)]
    assert [text.split(":")[0] for text in hints[:2]] == ["Hint 1 of 3", "Hint 2 of 3"]
    assert len(set(hints)) == len(EX.hints)
    assert "last hint" in hints[-1]


def test_every_outcome_says_that_it_is_practice() -> None:
    for function in (EX.reference, EX.mutants["forgets the assistant's message"], None):
        outcome = check_function(EX, function, 1)
        assert "practice: hidden cases run at grading" in str(outcome)
        assert "practice: hidden cases run at grading" in outcome._repr_html_()


def test_success_is_explained() -> None:
    assert EX.explanation in str(check_function(EX, EX.reference, 1))
