"""Practice mode: check a learner's function where it lives, in the notebook's kernel.

It is quick and friendly, and it can be fooled by whoever wants to fool it. Its outcome
says "practice" for that reason.
"""

from __future__ import annotations

import copy
import importlib
import secrets
import sys
import time
import traceback
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from mcplab.errors import McplabError
from mcplab.grading.exercise import Case, Exercise, Function, Problem, cases_of
from mcplab.grading.exercises import get
from mcplab.grading.limits import StopRun, TimeUp, limited
from mcplab.grading.outcome import CheckResult, Hint, Outcome
from mcplab.grading.values import NotJSON, to_json
from mcplab.messages import JSON

SECONDS = 10.0
"""Wall time for one check() as a whole. A right answer needs a small part of it."""

_shown_hints: dict[str, int] = {}


class CheckInterrupted(McplabError):
    """The learner pressed "interrupt" while a check was running."""


class _NotAttempted(Exception):
    """The function is there but still the starter."""


def check(exercise: str, answer: Function | None = None, *, seed: int | None = None) -> Outcome:
    """Check your answer to an exercise, with fresh inputs every time.

    Your function is looked up by its name where you call this from; or pass it.

    Args:
        exercise: the exercise's number, such as ``"01"``.
        answer: your function, if it has another name.
        seed: repeats the inputs of an earlier check; its outcome names the seed.

    Raises:
        CheckInterrupted: you stopped it.
        McplabError: there is no such exercise.
    """
    task = get(exercise)
    if answer is None:
        frame = sys._getframe(1)
        answer = _find(task.function, frame.f_locals, frame.f_globals)
    return check_function(task, answer, fresh_seed(seed))


def fresh_seed(seed: int | None = None) -> int:
    """`seed`, or a new one that is short enough to type again."""
    return secrets.randbelow(10**6) if seed is None else seed


def check_function(task: Exercise, answer: Any, seed: int) -> Outcome:
    """Check one function (or whatever stands in its place) against one exercise."""
    if answer is None or answer is ...:
        sentence = f"There is no function {task.function}() yet. Run its cell first."
        return Outcome(task, "not attempted", sentence)
    if not callable(answer):
        sentence = f"{task.function} is a {type(answer).__name__} and not a function."
        return Outcome(task, "incorrect", sentence, seed=seed)
    for package in task.imports:
        importlib.import_module(package)
    results = []
    until = time.monotonic() + SECONDS
    try:
        for part in task.checks:
            problems = (
                _run(task, answer, case, until - time.monotonic())
                for case in cases_of(task, part, seed)
            )
            problem = next((p for p in problems if p is not None), None)
            results.append(CheckResult(part.title, part.points, problem))
    except _NotAttempted:
        sentence = f"{task.function}() is not written yet. Write it, run its cell, check again."
        return Outcome(task, "not attempted", sentence)
    failed = [result.problem for result in results if result.problem is not None]
    if failed:
        return Outcome(task, "incorrect", failed[0].sentence, tuple(results), seed)
    return Outcome(task, "correct", "Every check passed.", tuple(results), seed)


def hint(exercise: str) -> Hint:
    """A hint for an exercise; each call gives one more, the last one again at the end."""
    task = get(exercise)
    number = min(_shown_hints.get(task.id, 0) + 1, len(task.hints))
    _shown_hints[task.id] = number
    return Hint(number, len(task.hints), task.hints[number - 1])


def _find(name: str, *namespaces: Mapping[str, Any]) -> Any:
    """The learner's function: where check() was called, else in the notebook or script."""
    main = sys.modules.get("__main__")
    for namespace in (*namespaces, vars(main) if main else {}):
        if name in namespace:
            return namespace[name]
    return None


def _run(task: Exercise, answer: Function, case: Case, seconds: float) -> Problem | None:
    """One case: call the function under the time limit, then judge what came back."""
    if seconds <= 0:
        return Problem("There was no time left for this one.")
    peer = case.peer() if case.peer else None
    call = task.call(case.inputs)

    def work() -> Any:
        value = task.perform(answer, copy.deepcopy(case.inputs), peer or _nobody)
        if value is ...:
            raise _NotAttempted
        return to_json(value)

    try:
        value = limited(work, seconds)
    except (NotImplementedError, _NotAttempted):
        raise _NotAttempted from None
    except NotJSON as error:
        sentence = f"{task.function}() returned something that cannot be sent. {error}"
        return Problem(sentence, call=call)
    except TimeUp as up:
        sentence = (
            f"{task.function}() did not come back within {SECONDS:g} seconds. Is there a loop "
            "that never ends, or does it wait for something?"
        )
        if up.left_behind:
            sentence += " It could not be stopped and still runs: restart the kernel."
        return Problem(sentence, call=call)
    except KeyboardInterrupt:
        raise CheckInterrupted("You stopped the check. Nothing was graded.") from None
    except StopRun as stop:
        return Problem(str(stop), call=call)
    except (Exception, SystemExit) as error:
        file = getattr(getattr(answer, "__code__", None), "co_filename", None)
        return replace(problem_of_exception(f"{task.function}()", file, error), call=call)
    problem = task.judge(case, value, peer)
    return problem if problem is None else replace(problem, call=problem.call or call)


def _nobody(kind: str, payload: JSON) -> JSON:
    raise StopRun(f"This exercise has nobody to ask for {kind!r}.")


def problem_of_exception(what: str, file: str | None, error: BaseException) -> Problem:
    """An exception in one sentence and one line of the learner's `file`, no traceback."""
    if isinstance(error, SyntaxError) and error.filename == file:
        return Problem(
            f"{what} cannot be read: {error.msg}.",
            where=f"line {error.lineno}: {(error.text or '').strip()}",
        )
    own = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    where = f"line {own[-1].lineno}: {own[-1].line}" if own else ""
    return Problem(f"{what} raised {type(error).__name__}: {_words(error)}", where=where)


def _words(error: BaseException) -> str:
    """The message of an exception; of a vendor's refusal, the vendor's own words."""
    status, body = getattr(error, "status_code", None), getattr(error, "body", None)
    if status is not None and isinstance(body, dict):
        inner = body.get("error", body)  # anthropic keeps the envelope, openai its inside
        if isinstance(inner, dict) and "message" in inner:
            return f"{status}, {inner['message']}"
    text = str(error) or "no message"
    return text if len(text) <= 300 else text[:300] + " …"
