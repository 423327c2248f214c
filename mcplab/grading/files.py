"""Check an exercise file from a terminal: a notebook, or a Python script."""

from __future__ import annotations

import json
import linecache
from functools import partial
from pathlib import Path
from typing import Any

from mcplab.errors import McplabError
from mcplab.grading.exercise import Exercise, Problem
from mcplab.grading.exercises import get
from mcplab.grading.limits import limited
from mcplab.grading.outcome import CheckResult, Outcome
from mcplab.grading.practice import SECONDS, check_function, fresh_seed, problem_of_exception


class UnreadableFile(McplabError):
    """The file is not an exercise that can be checked; the message says what to do."""


def check_file(
    path: str | Path, exercise: str | None = None, *, seed: int | None = None
) -> Outcome:
    """Check the answer in an exercise notebook (or a ``.py`` file), in practice mode.

    Of a notebook only the setup and the answer cells are run; they are found by their
    metadata, so the file may have any name. A ``.py`` file is run as a whole and needs `exercise`.

    Raises:
        UnreadableFile: no such file, not a notebook, or no answer cell in it.
        McplabError: there is no such exercise.
    """
    path = Path(path)
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise UnreadableFile(f"Cannot read {path}: {reason}.") from None
    if path.suffix == ".py":
        if exercise is None:
            raise UnreadableFile(f"Say which exercise {path.name} answers, such as 01.")
        return _check_code(get(exercise), {str(path): text}, fresh_seed(seed))
    found, cells = _marked_cells(path, text)
    return _check_code(get(exercise or found), cells, fresh_seed(seed))


def _marked_cells(path: Path, text: str) -> tuple[str, dict[str, str]]:
    """The exercise's number, and the cells to run, each under a name for messages."""
    try:
        cells = json.loads(text)["cells"]
        marks = [cell.get("metadata", {}).get("mcplab", {}) for cell in cells]
        sources = {
            f"{path.name}, cell {number}": "".join(cell["source"])
            for number, (cell, mark) in enumerate(zip(cells, marks, strict=True), 1)
            if mark.get("role") in ("setup", "answer")
        }
        answers = [str(mark["exercise"]) for mark in marks if mark.get("role") == "answer"]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UnreadableFile(f"{path} is not a notebook.") from None
    if not answers:
        raise UnreadableFile(
            f"{path.name} has no answer cell. Use a notebook from exercises/, "
            "or `mcplab lab` to get it back."
        )
    return answers[0], sources


def _check_code(task: Exercise, sources: dict[str, str], seed: int) -> Outcome:
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for name, source in sources.items():
        # So that a message can quote the learner's line.
        linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
        try:
            code = compile(source, name, "exec", dont_inherit=True)
            limited(partial(exec, code, namespace), SECONDS)  # the learner's own code
        except (Exception, SystemExit) as error:
            problem = problem_of_exception("The answer", name, error)
            return _not_run(task, problem, seed)
    return check_function(task, namespace.get(task.function), seed)


def _not_run(task: Exercise, problem: Problem, seed: int) -> Outcome:
    results = tuple(CheckResult(part.title, part.points, problem) for part in task.checks)
    return Outcome(task, "incorrect", problem.sentence, results, seed)
