"""The command line: exit codes, one-line errors, and that each command does its job."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcplab import Trace
from mcplab.cli import main

ROOT = Path(__file__).parents[2]
COMMANDS = ["lab", "demo", "check", "sweep", "build"]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main([command, "--help"])
    assert end.value.code == 0
    assert f"examples:\n  mcplab {command}" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [[], ["dance"], ["sweep", "--tools", "many"]])
def test_a_call_that_makes_no_sense_ends_with_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2
    assert "mcplab" in capsys.readouterr().err


@pytest.mark.parametrize("dialect", ["anthropic", "openai"])
def test_the_demo_goes_through_to_the_answer_and_saves_its_trace(
    dialect: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "run.jsonl"
    assert main(["demo", "--auto", "--dialect", dialect, "--save", str(file)]) == 0
    assert "12 × 30 = 360" in capsys.readouterr().out
    assert [step.kind for step in Trace.load(file)] == ["list", "ask", "call", "return"]


def test_the_demo_of_the_expense_case_makes_four_model_calls(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "run.jsonl"
    assert main(["demo", "--auto", "--case", "expenses", "--save", str(file)]) == 0
    assert max(step.round for step in Trace.load(file)) == 4


def test_check_says_correct_incorrect_and_not_attempted_by_its_exit_code(
    capsys: pytest.CaptureFixture[str],
) -> None:
    name = "exercise_01_three_messages.ipynb"
    assert main(["check", "01", str(ROOT / "solutions" / name)]) == 0
    assert "correct" in capsys.readouterr().out.lower()
    assert main(["check", "01", str(ROOT / "exercises" / name)]) == 1
    assert "not attempted" in capsys.readouterr().out.lower()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check", "01", "nowhere.ipynb"], "nowhere.ipynb"),
        (["check", "99", str(ROOT / "solutions" / "exercise_01_three_messages.ipynb")], "99"),
        (["check", "01", "--dir", "/nonexistent"], "mcplab lab"),
        (["sweep", "--tools", "0"], "0"),
        (["lab", "--dir", "/proc/nothing"], "/proc/nothing"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    err = capsys.readouterr().err
    assert words in err
    assert err.startswith("mcplab: ")
    assert "Traceback" not in err


def test_sweep_prints_the_table_and_writes_the_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sweep", "--tools", "2,5", "--out", str(tmp_path / "report")]) == 0
    out = capsys.readouterr().out
    assert "not a language model" in out
    assert sorted(file.name for file in (tmp_path / "report").iterdir()) == [
        "curve.png",
        "curve.svg",
        "trials.csv",
    ]


def test_build_check_accepts_the_checkout_and_names_an_edited_notebook(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["build", "--root", str(tmp_path)]) == 0
    assert main(["build", "--check", "--root", str(tmp_path)]) == 0
    notebook = next((tmp_path / "notebooks").iterdir())
    content = json.loads(notebook.read_text())
    content["cells"].pop()
    notebook.write_text(json.dumps(content))
    assert main(["build", "--check", "--root", str(tmp_path)]) == 1
    assert notebook.name in capsys.readouterr().out
