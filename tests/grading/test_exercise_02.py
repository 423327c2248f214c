"""Exercise 02 accepts every right loop and reads the whole conversation."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import mcplab
from mcplab.grading import Outcome, check_function, get, practice
from mcplab.messages import JSON

EX = get("02")


def outcome_of(answer: Any) -> Outcome:
    return check_function(EX, answer, seed=11)


def by_hand(client: Any, question: str, tools: list[JSON], call_tool: Any) -> str:
    """Messages rebuilt as dicts, a system prompt, content parts, results in another order."""
    messages: list[Any] = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": question}]},
    ]
    reason = "tool_calls"
    while reason == "tool_calls":
        name = mcplab.model_name(client)
        body = client.chat.completions.create(model=name, messages=messages, tools=tools)
        choice = body.model_dump()["choices"][0]
        message, reason = choice["message"], choice["finish_reason"]
        calls = message["tool_calls"] or []
        kept = [
            {
                "type": "function",
                "id": c["id"],
                "function": {k: c["function"][k] for k in ("arguments", "name")},
            }
            for c in calls
        ]
        messages.append({"role": "assistant", "content": message["content"], "tool_calls": kept})
        for c in reversed(calls if reason == "tool_calls" else []):
            try:
                said = call_tool(c["function"]["name"], json.loads(c["function"]["arguments"]))
            except RuntimeError as error:
                said = f"This failed: {error}"
            messages.append({"role": "tool", "tool_call_id": c["id"], "content": said})
    return str(message["content"])


def in_threads(client: Any, question: str, tools: list[JSON], call_tool: Any) -> str | None:
    """The calls of one reply run at the same time; a step counter limits the rounds."""
    messages: list[Any] = [{"role": "user", "content": question}]

    def run(call: Any) -> JSON:
        try:
            said = call_tool(call.function.name, json.loads(call.function.arguments))
        except Exception:
            said = "The tool failed."
        return {"role": "tool", "tool_call_id": call.id, "content": said}

    for _ in range(20):
        choice = client.chat.completions.create(model="m", messages=messages, tools=tools).choices[
            0
        ]
        if choice.finish_reason != "tool_calls":
            return str(choice.message.content)
        with ThreadPoolExecutor() as pool:
            messages += [choice.message, *pool.map(run, choice.message.tool_calls)]
    return None


@pytest.mark.parametrize("answer", [by_hand, in_threads])
def test_every_right_loop_passes(answer: Any) -> None:
    assert outcome_of(answer).correct, str(outcome_of(answer))


def changed(**changes: Any) -> Any:
    """The right loop around a client whose requests are changed on their way."""

    class Completions:
        def __init__(self, client: Any) -> None:
            self.client = client
            self.chat = self
            self.completions = self

        def create(self, **body: Any) -> Any:
            if "messages" in changes:
                body["messages"] = changes["messages"](body["messages"])
            if "stream" in changes:
                body["stream"] = True
            if changes.get("tools", True) is None:
                del body["tools"]
            return self.client.chat.completions.create(**body)

    def answer(client: Any, question: str, tools: list[JSON], call_tool: Any) -> Any:
        return EX.reference(Completions(client), question, tools, call_tool)

    return answer


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda client, question, tools, call_tool: "42", "did not ask the model"),
        (changed(tools=None), "send the tools"),
        (changed(stream=True), "cannot stream"),
        (changed(messages=lambda m: [{"role": "user", "content": "Hi"}, *m[1:]]), "question"),
        (
            changed(messages=lambda m: [*m, {"role": "user", "content": "Go on."}]),
            "The first request must hold",
        ),
        (lambda client, q, t, c: EX.reference(client, q, t, c) + "!", "Return the text"),
        (
            lambda client, q, t, c: EX.reference(client, q, t, lambda *a: (c(*a), c(*a))[0]),
            "called more often",
        ),
        (
            lambda client, q, t, c: (c("drop_table", {}), EX.reference(client, q, t, c))[1],
            "no such tool",
        ),
    ],
)
def test_a_loop_that_strays_is_told_where(answer: Any, words: str) -> None:
    outcome = outcome_of(answer)
    assert outcome.status == "incorrect"
    assert words in outcome.message


def test_a_loop_that_appends_nothing_is_stopped_after_some_rounds() -> None:
    def answer(client: Any, question: str, tools: list[JSON], call_tool: Any) -> Any:
        messages: Any = [{"role": "user", "content": question}]
        while True:
            try:
                reply = client.chat.completions.create(model="m", messages=messages, tools=tools)
                if reply.choices[0].finish_reason == "stop":
                    return reply.choices[0].message.content
            except Exception:
                continue

    outcome = outcome_of(answer)
    assert "asked the model 10 times" in outcome.message
    assert outcome.results[0].passed


def test_a_refused_request_counts_even_if_the_loop_hides_it() -> None:
    def answer(client: Any, question: str, tools: list[JSON], call_tool: Any) -> Any:
        try:
            client.chat.completions.create(model="m", messages=["hello"], tools=tools)
        except Exception:
            return EX.reference(client, question, tools, call_tool)

    outcome = outcome_of(answer)
    assert outcome.points == 0
    assert "The vendor refused one of your requests: 400" in outcome.message


def test_a_call_of_another_kind_is_wrong_and_no_crash() -> None:
    def other(messages: list[Any]) -> list[Any]:
        call = {"id": "call_1", "type": "custom", "custom": {"name": "x", "input": "y"}}
        return [*messages, {"role": "assistant", "content": "", "tool_calls": [call]}]

    assert outcome_of(changed(messages=other)).points == 0


def test_a_loop_that_catches_everything_still_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(practice, "SECONDS", 1.0)

    def answer(client: Any, question: str, tools: list[JSON], call_tool: Any) -> Any:
        asked = 0
        while asked < 10_000_000:
            try:
                asked += 1
                client.chat.completions.create(model="m", messages=[], tools=tools)
            except Exception:
                continue

    assert outcome_of(answer).status == "incorrect"
