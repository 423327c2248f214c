"""Checking a file from the terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcplab.grading import check_file, files
from mcplab.grading.files import UnreadableFile

RIGHT = """
def messages_for_step_4(question, response, results):
    answers = [
        {"type": "tool_result", "tool_use_id": i, "content": r["text"], "is_error": r["is_error"]}
        for i, r in results.items()
    ]
    return [
        {"role": "user", "content": question},
        {"role": "assistant", "content": response.content},
        {"role": "user", "content": answers},
    ]
"""


def notebook(path: Path, *sources: str, role: str = "answer") -> Path:
    cells = [
        {
            "cell_type": "code",
            "metadata": {"mcplab": {"exercise": "01", "role": role}},
            "source": source.splitlines(keepends=True),
        }
        for source in sources
    ]
    path.write_text(json.dumps({"cells": cells, "metadata": {}}), "utf-8")
    return path


def test_a_renamed_notebook_is_checked_by_its_metadata(tmp_path: Path) -> None:
    assert check_file(notebook(tmp_path / "my own copy.ipynb", RIGHT)).correct


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    path = notebook(tmp_path / "n.ipynb", RIGHT)
    path.write_text("\ufeff" + path.read_text("utf-8"), "utf-8")
    assert check_file(path).correct


def test_a_script_needs_the_number_of_the_exercise(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(RIGHT)
    assert check_file(path, "01").correct
    with pytest.raises(UnreadableFile, match="Say which exercise"):
        check_file(path)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def messages_for_step_4(:", "cannot be read"),
        ("import nothing_like_this", "ModuleNotFoundError"),
        ("1 / 0", "1 / 0"),
        ("raise SystemExit", "SystemExit"),
    ],
)
def test_an_answer_that_does_not_run_is_incorrect_with_its_line(
    tmp_path: Path, source: str, words: str
) -> None:
    outcome = check_file(notebook(tmp_path / "n.ipynb", source))
    assert outcome.status == "incorrect"
    assert words in str(outcome)
    assert "Traceback" not in str(outcome)


def test_a_cell_that_never_ends_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "SECONDS", 0.2)
    outcome = check_file(notebook(tmp_path / "n.ipynb", "while True: pass"))
    assert outcome.status == "incorrect"
    assert "no answer within" in outcome.message


def test_an_empty_answer_cell_is_not_an_attempt(tmp_path: Path) -> None:
    assert check_file(notebook(tmp_path / "n.ipynb", "")).status == "not attempted"


@pytest.mark.parametrize("text", ["", "[]", "{", '{"cells": 3}', '{"cells": [3]}', "[" * 100_000])
def test_what_is_no_notebook_is_said_to_be_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / "n.ipynb"
    path.write_text(text)
    with pytest.raises(UnreadableFile, match="is not a notebook"):
        check_file(path)


def test_a_missing_file_and_a_notebook_without_answer_are_said_to_be_so(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="No such file"):
        check_file(tmp_path / "none.ipynb")
    with pytest.raises(UnreadableFile, match="no answer cell"):
        check_file(notebook(tmp_path / "n.ipynb", RIGHT, role="setup"))
