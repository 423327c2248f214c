"""A trace survives the way to a file and back, and takes no secret with it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mcplab.messages import Usage
from mcplab.trace import Step, Trace, TraceError, redact

STEP = Step(
    "ask",
    1,
    {"messages": [{"role": "user", "content": "Hi"}]},
    {"content": []},
    "anthropic",
    ("id_1",),
    12.5,
    0.25,
    Usage(3, 4),
)
HARD = {
    "script": "<script>alert(1)</script>",
    "ansi": "\x1b[31mred",
    "right to left": "שלום \u202e",
    "lone surrogate": "\ud800",
    "large": 1e308 * 10,
    "line break": "a\u2028b\nc",
    "deep": json.loads("[" * 200 + "]" * 200),
}


def test_a_saved_trace_is_loaded_the_same(tmp_path: Path) -> None:
    failed = Step("call", 1, {"name": "x"}, None, "mcp", ("id_1",), error="It died.")
    trace = Trace("Hi?", [STEP, failed], "The model answered.")
    assert Trace.load(trace.save(tmp_path / "run.jsonl")) == trace
    assert trace.usage == Usage(3, 4)


def test_hard_payloads_survive(tmp_path: Path) -> None:
    trace = Trace("?", [Step("call", 1, HARD, {"v": float("inf")}, "mcp")])
    assert Trace.load(trace.save(tmp_path / "run.jsonl")) == trace


def test_a_last_line_that_was_cut_off_costs_only_that_line(tmp_path: Path) -> None:
    path = Trace("Hi?", [STEP, STEP]).save(tmp_path / "run.jsonl")
    path.write_text(path.read_text()[:-30])
    assert Trace.load(path).steps == [STEP]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("not json\n{}", "Line 1"),
        ('{"kind": "dance", "round": 1, "dialect": "mcp"}\n{}\n', "Line 1"),
        ('{"mcplab_trace": 99}\n{}', "trace format 99"),
        ("[]\n[]", "Line 1"),
    ],
)
def test_a_file_that_is_no_trace_is_refused_with_the_line(
    tmp_path: Path, text: str, words: str
) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(text)
    with pytest.raises(TraceError, match=words):
        Trace.load(path)


def test_a_missing_file_and_a_missing_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match=r"nowhere\.jsonl could not be read"):
        Trace.load(tmp_path / "nowhere.jsonl")
    with pytest.raises(TraceError, match="could not be saved"):
        Trace().save(tmp_path / "no" / "folder.jsonl")


def test_a_failed_save_leaves_the_old_file_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Trace("old").save(tmp_path / "run.jsonl")

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(TraceError, match="No space left"):
        Trace("new").save(path)
    assert [file.name for file in tmp_path.iterdir()] == ["run.jsonl"]
    assert Trace.load(path).question == "old"


SECRET = "sk-ant-api03-abcdefghijklmnop"


@pytest.mark.parametrize(
    "payload",
    [
        {"headers": {"Authorization": "Bearer abcdefgh12345678"}},
        {"headers": {"x-api-key": "abcdefgh12345678"}},
        {"headers": {"Set-Cookie": "session=abcdefgh12345678"}},
        {"text": f"my key is {SECRET}, keep it"},
        {"text": "curl -H 'authorization: bearer abcdefgh12345678'"},
        {"nested": [{"api_key": "abcdefgh12345678"}]},
        {SECRET: 1},
    ],
)
def test_no_key_token_or_cookie_reaches_a_file(tmp_path: Path, payload: dict[str, Any]) -> None:
    path = Trace("?", [Step("ask", 1, payload, payload, "anthropic")]).save(tmp_path / "t.jsonl")
    written = path.read_text()
    assert "abcdefgh" not in written
    assert "[redacted]" in written


def test_a_pattern_of_the_users_is_removed_too_and_the_rest_stays() -> None:
    value = {"name": "Ada", "note": "call 555-1234", "token": 12, "password": {"min": 8}}
    assert redact(value, [r"\d{3}-\d{4}"]) == {
        "name": "Ada",
        "note": "call [redacted]",
        "token": 12,
        "password": {"min": 8},
    }
