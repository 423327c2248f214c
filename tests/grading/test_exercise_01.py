"""Exercise 01 accepts every right behaviour, and no trick."""

from __future__ import annotations

from typing import Any

import pytest

from mcplab.grading import Outcome, check_function, get
from mcplab.messages import JSON

EX = get("01")


def outcome_of(answer: Any) -> Outcome:
    return check_function(EX, answer, seed=7)


def result(id: str, said: JSON) -> JSON:
    block = {"type": "tool_result", "tool_use_id": id, "content": said["text"]}
    return {**block, "is_error": True} if said["is_error"] else block


def by_hand(question: str, response: Any, results: JSON) -> list[Any]:
    """Blocks rebuilt as dicts, is_error only where it is true, content as lists."""
    request = [
        {"type": "text", "text": block.text}
        if block.type == "text"
        else {"type": "tool_use", "id": block.id, "name": block.name, "input": block.input}
        for block in response.content
    ]
    answers = [
        {**result(id, results[id]), "content": [{"type": "text", "text": results[id]["text"]}]}
        for id in sorted(results)
    ]
    return [
        {"role": "user", "content": [{"type": "text", "text": question}]},
        {"role": "assistant", "content": request},
        {"role": "user", "content": [*answers, {"type": "text", "text": "Here you are."}]},
    ]


def dumped(question: str, response: Any, results: JSON) -> Any:
    """A tuple of messages; the reply through model_dump, with its empty fields."""
    whole = response.model_dump()
    return (
        {"role": "user", "content": question},
        {"role": whole["role"], "content": whole["content"]},
        {"role": "user", "content": tuple(result(id, said) for id, said in results.items())},
    )


@pytest.mark.parametrize("answer", [by_hand, dumped])
def test_every_right_way_to_write_it_passes(answer: Any) -> None:
    assert outcome_of(answer).correct, str(outcome_of(answer))


class EqualToAll:
    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


class LyingText(str):
    """Equal to everything, and empty on the wire."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


def lying_messages(question: str, response: Any, results: JSON) -> list[JSON]:
    lie = LyingText("")
    return [{"role": role, "content": lie} for role in ("user", "assistant", "user")]


def one_for_true(question: str, response: Any, results: JSON) -> list[Any]:
    user, assistant, last = EX.reference(question, response, results)
    for block in last["content"]:
        block["is_error"] = int(block["is_error"])
    return [user, assistant, last]


def whole_response(question: str, response: Any, results: JSON) -> list[Any]:
    user, _, last = EX.reference(question, response, results)
    return [user, response, last]


def endless(question: str, response: Any, results: JSON) -> list[Any]:
    inside: list[Any] = []
    inside.append(inside)
    return inside


@pytest.mark.parametrize(
    "answer",
    [
        lambda *_: EqualToAll(),
        lambda *_: [EqualToAll()] * 3,
        lambda *_: float("nan"),
        lambda *_: {"role": "user"},
        lambda *_: [None, None, None],
        lambda *_: [{"role": {}, "content": []}] * 3,
        lying_messages,
        one_for_true,
        whole_response,
        endless,
    ],
)
def test_tricks_and_near_misses_fail_with_a_sentence(answer: Any) -> None:
    outcome = outcome_of(answer)
    assert outcome.status == "incorrect"
    assert outcome.points == 0 or answer is one_for_true
    assert len(outcome.message) > 20
    assert "Traceback" not in str(outcome)


def test_an_id_that_is_no_text_is_wrong_and_no_crash() -> None:
    def answer(question: str, response: Any, results: JSON) -> list[Any]:
        user, assistant, last = EX.reference(question, response, results)
        last["content"][0]["tool_use_id"] = ["a", "list"]
        return [user, assistant, last]

    assert outcome_of(answer).points == 0


def test_the_message_says_what_the_vendor_would_answer() -> None:
    forgets_the_assistant = EX.mutants["forgets the assistant's message"]
    assert (
        "The vendor answers: 400, messages.1.content.0" in outcome_of(forgets_the_assistant).message
    )


def test_the_message_shows_the_call_what_came_and_what_was_expected() -> None:
    outcome = outcome_of(EX.mutants["forgets the assistant's message"])
    text = str(outcome)
    for part in ("call:", "got:", "expected:", "messages_for_step_4(", "tool_use", "seed=7"):
        assert part in text
    html = outcome._repr_html_()
    assert 'data-status="incorrect"' in html
    assert "tool_result" in html
