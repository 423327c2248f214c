"""Every notebook runs from top to bottom in a real kernel, and shows what its text claims."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from mcplab.course.build import notebook
from mcplab.course.catalog import CATALOG, Entry
from mcplab.grading import EXERCISES

ROOT = Path(__file__).parents[2]
LESSONS = [entry for entry in CATALOG if entry.kind == "lesson"]
TASKS = [entry for entry in CATALOG if entry.kind == "exercise"]

pytestmark = [pytest.mark.notebooks, pytest.mark.timeout(300)]


def named(entry: Entry) -> str:
    return entry.name


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home for the kernel: nothing of this machine's settings is used."""
    for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "MPLCONFIGDIR"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.delenv("MCPLAB_LIVE", raising=False)
    return tmp_path


def executed(entry: Entry, home: Path, *, solved: bool = False) -> Any:
    """The notebook after it ran in a kernel of this Python."""
    ready = nbformat.reads(json.dumps(notebook(entry, solved=solved)), as_version=4)
    client = NotebookClient(
        ready,
        timeout=120,
        kernel_name="python3",
        allow_errors=True,
        resources={"metadata": {"path": str(home)}},
    )
    client.execute()
    return ready


def errors(ready: Any) -> list[str]:
    return [
        f"{output.ename}: {output.evalue}\n{cell.source}"
        for cell in ready.cells
        for output in cell.get("outputs", ())
        if output.output_type == "error"
    ]


def texts(ready: Any, role: str | None = None) -> str:
    """What the notebook shows, as text; of the cells of one role only, if it is given."""
    return "\n".join(
        text
        for cell in ready.cells
        if role is None or cell.metadata.get("mcplab", {}).get("role") == role
        for output in cell.get("outputs", ())
        for text in _plain(output)
    )


def _plain(output: Any) -> Iterator[str]:
    if output.output_type == "stream":
        yield output.text
    elif output.output_type in ("execute_result", "display_data"):
        yield output.data.get("text/plain", "")


CLAIMS = {
    "01": [
        "tool_use -> multiply {'a': 12, 'b': 30}",
        "end_turn\nmultiply gave the answer: 12 × 30 = 360.",
        "4. assistant",
        "400 messages.1.content.0: unexpected `tool_use_id`",
        "400 messages.1: `tool_use` ids were found without `tool_result` blocks",
        "400 messages.2.content.0: unexpected `tool_use_id`",
        "200 end_turn",
        "tool_calls -> Function(arguments='{\"a\": 12, \"b\": 30}', name='multiply')",
        "finish_reason: length",
    ],
    "02": ["[2, 5, 7, 9]", "[1, 3, 5, 7]", "You said: yes", "status filed", "person declined"],
    "03": ["Computed by a text matcher, not a language model", "no tool at all"],
}


@pytest.mark.parametrize("entry", LESSONS, ids=named)
def test_a_lesson_runs_and_shows_what_it_says(entry: Entry, home: Path) -> None:
    ready = executed(entry, home)
    assert errors(ready) == []
    shown = texts(ready)
    assert [claim for claim in CLAIMS[entry.id] if claim not in shown] == []
    stderr = [
        o.text for c in ready.cells for o in c.get("outputs", ()) if o.get("name") == "stderr"
    ]
    assert [
        text for text in stderr if not text.lstrip("\r").startswith("sweep") and text.strip()
    ] == []


@pytest.mark.parametrize("entry", TASKS, ids=named)
def test_an_untouched_exercise_is_not_attempted(entry: Entry, home: Path) -> None:
    ready = executed(entry, home)
    assert errors(ready) == []
    assert f"{EXERCISES[entry.id].title}: not attempted" in texts(ready, "check")
    assert "Hint 1 of" in texts(ready, "hint")


@pytest.mark.parametrize("entry", TASKS, ids=named)
def test_a_solution_gets_full_marks(entry: Entry, home: Path) -> None:
    ready = executed(entry, home, solved=True)
    assert errors(ready) == []
    points = EXERCISES[entry.id].points
    assert f": correct, {points} of {points} points" in texts(ready, "check")


def test_the_curve_of_lesson_03_reads_as_the_lesson_says() -> None:
    from mcplab.sweep import summarise, sweep

    table = summarise(sweep(progress=False)).set_index(["descriptions", "n_tools"])
    clear, vague = table.loc["clear"], table.loc["vague"]
    for curve in (clear, vague):
        assert curve["accuracy"].iloc[-1] < curve["accuracy"].iloc[0], "it falls with more tools"
        assert curve["tokens"].is_monotonic_increasing
    assert (vague["accuracy"] < clear["accuracy"]).all(), "vague costs, from one tool on"
    assert (vague["tokens"] < clear["tokens"]).all()
