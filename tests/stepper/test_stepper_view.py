"""The picture of a run that both faces draw."""

from __future__ import annotations

import json

from fake_run import ANSWERS, MULTIPLIES, Gate, asks, fake_run

from mcplab.messages import Reply, ToolCall
from mcplab.stepper import snapshot

HOSTILE = "<script>alert(1)</script> \x1b[31m red \u202e right to left \ud800 half"


def test_the_first_picture_shows_what_is_about_to_be_sent() -> None:
    view = snapshot(fake_run().stepper)
    assert view["question"] == "What is 12 times 30?"
    assert [step["state"] for step in view["rail"]] == ["current", "todo", "todo", "todo"]
    assert view["pending"]["out"]["text"] == '{"method": "tools/list"}'
    assert view["steps"] == []
    assert view["source"] == "fake model"


def test_the_rail_follows_the_run() -> None:
    run = fake_run()
    seen = []
    for _ in range(4):
        run.stepper.next()
        seen.append([step["state"] for step in snapshot(run.stepper)["rail"]])
    assert seen == [
        ["done", "current", "todo", "todo"],
        ["done", "done", "current", "todo"],
        ["done", "done", "done", "current"],
        ["done", "done", "done", "done"],
    ]


def test_the_last_picture_has_answer_outcome_and_tokens() -> None:
    run = fake_run()
    run.stepper.run_to_end()
    view = snapshot(run.stepper)
    assert view["pending"] is None
    assert (view["over"], view["stopped"]) == (True, False)
    assert view["answer"] == "12 × 30 = 360"
    assert view["outcome"] == "The model answered."
    assert view["tokens"] == {"input": 220, "output": 22, "total": 242}
    assert [step["number"] for step in view["steps"]] == [1, 2, 3, 4]
    assert view["steps"][2]["ids"] == ["id_1"]
    assert [row["messages"] for row in view["growth"]] == [1, 3]


def test_messages_are_marked_new_since_the_last_request() -> None:
    run = fake_run()
    marks = []
    for _ in range(4):
        run.stepper.next()
        marks.append([message["new"] for message in snapshot(run.stepper)["messages"]])
    assert marks == [
        [False],
        [False, True],
        [False, True, True],
        [False, False, False, True],
    ]


def test_the_lines_of_new_messages_are_marked_in_the_pending_request() -> None:
    run = fake_run()
    for _ in range(3):
        run.stepper.next()
    out = snapshot(run.stepper)["pending"]["out"]
    first, last = out["new"]
    lines = out["text"].split("\n")
    assert "What is 12 times 30?" not in "\n".join(lines[first : last + 1])
    assert lines[first].strip() == "{"
    assert '"tool_result"' in "\n".join(lines[first : last + 1])


def test_only_steps_that_are_not_known_yet_are_in_it() -> None:
    run = fake_run()
    run.stepper.run_to_end()
    whole, rest = snapshot(run.stepper), snapshot(run.stepper, since=3)
    assert rest["first"] == 3
    assert rest["steps"] == whole["steps"][3:]


def test_calls_that_write_are_listed_for_a_decision() -> None:
    run = fake_run([asks(ToolCall("id_1", "file", {"form": "A"})), ANSWERS])
    run.stepper.run_to_end()
    view = snapshot(run.stepper)
    assert view["approval"] == [{"id": "id_1", "words": 'file(form="A")'}]


def test_a_picture_during_the_work_says_that_it_is_busy() -> None:
    gate = Gate()
    run = fake_run(gate=gate)
    run.stepper.next()
    run.stepper.start_next()
    gate.reached.wait()
    view = snapshot(run.stepper)
    gate.open()
    assert view["busy"]
    assert view["pending"]["kind"] == "ask"


def test_hostile_text_is_only_text_and_is_still_valid_json() -> None:
    run = fake_run([MULTIPLIES, Reply(HOSTILE)], {"multiply": HOSTILE}, question=HOSTILE)
    run.stepper.run_to_end()
    view = snapshot(run.stepper)
    text = json.dumps(view, ensure_ascii=False, allow_nan=False)
    assert text.encode("utf-8")
    assert not any(letter in text for letter in "\x1b\u202e\ud800")
    sent = json.loads(view["steps"][3]["out"]["text"])
    assert sent["messages"][0]["content"] == HOSTILE


def test_huge_and_deep_payloads_are_cut_and_numbers_beyond_json_are_shown() -> None:
    deep: object = 1
    for _ in range(3000):
        deep = [deep]
    huge = {"text": "x" * 5_000_000, "number": float("inf")}
    run = fake_run([asks(ToolCall("id_1", "multiply", huge)), ANSWERS])
    run.tools.structured = {"deep": deep}
    run.stepper.run_to_end()
    view = snapshot(run.stepper)
    assert view["steps"][1]["in"]["cut"]
    assert view["steps"][1]["in"]["size"] > 5_000_000
    assert "nested deeper than" in view["steps"][2]["in"]["text"]
    assert len(json.dumps(view)) < 400_000


def test_a_number_beyond_json_is_shown() -> None:
    run = fake_run([asks(ToolCall("id_1", "multiply", {"a": float("inf")})), ANSWERS])
    run.stepper.run_to_end()
    assert '{"a": Infinity}' in snapshot(run.stepper)["steps"][2]["out"]["text"]


def test_keys_are_left_out_of_the_picture() -> None:
    secret = "sk-abcdefghijklmnop1234"
    run = fake_run(question=f"My key is {secret}.")
    run.stepper.run_to_end()
    assert secret not in json.dumps(snapshot(run.stepper))
