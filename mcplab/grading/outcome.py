"""What a check says: one of three outcomes, as text and as a table for the notebook."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from typing import Literal

from mcplab.grading.exercise import Exercise, Problem

Status = Literal["correct", "incorrect", "not attempted"]

_COLOURS: dict[Status, str] = {
    "correct": "var(--jp-success-color1, #2e7d32)",
    "incorrect": "var(--jp-error-color1, #c62828)",
    "not attempted": "var(--jp-warn-color1, #b26a00)",
}
PRACTICE = "practice: hidden cases run at grading"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One check of an exercise: passed when `problem` is None."""

    title: str
    points: int
    problem: Problem | None = None

    @property
    def passed(self) -> bool:
        """Whether every case of this check was right."""
        return self.problem is None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of ``check("01")``: show it as the last value of a cell, or print it.

    Attributes:
        status: "correct", "incorrect" or "not attempted".
        results: one for each check; empty when not attempted.
        message: one sentence.
        seed: ``check("01", seed=…)`` with this number repeats the same cases.
    """

    exercise: Exercise = field(repr=False)
    status: Status
    message: str
    results: tuple[CheckResult, ...] = ()
    seed: int = 0

    @property
    def correct(self) -> bool:
        """True only when every check passed."""
        return self.status == "correct"

    @property
    def points(self) -> int:
        """Points earned."""
        return sum(result.points for result in self.results if result.passed)

    def __str__(self) -> str:
        return "\n".join(self._lines())

    __repr__ = __str__

    def _lines(self) -> Iterator[str]:
        yield self._heading()
        yield self.message
        for result in self.results:
            yield f"  [{'x' if result.passed else ' '}] {result.title} ({_points(result.points)})"
        for problem in self._problems()[:1]:
            yield ""
            for name, value in _details(problem):
                yield f"{name + ':':<11}" + value.replace("\n", "\n" + " " * 11)
        if self.correct:
            yield ""
            yield self.exercise.explanation
        yield f"({self._small_print()})"

    def _repr_html_(self) -> str:
        colour = _COLOURS[self.status]
        rows = "".join(
            f"<li>{'✔' if result.passed else '✘'} {escape(result.title)} "
            f"({_points(result.points)})</li>"
            for result in self.results
        )
        details = "".join(_details_html(problem) for problem in self._problems()[:1])
        explanation = f"<p>{escape(self.exercise.explanation)}</p>" if self.correct else ""
        return (
            f'<div class="mcplab-check" data-status="{self.status}" style="border-left:4px solid '
            f'{colour};padding:0.2em 1em;text-align:left">'
            f"<p><b>{escape(self._heading())}</b></p><p>{escape(self.message)}</p>"
            f'<ul style="list-style:none;padding-left:0">{rows}</ul>{details}{explanation}'
            f'<p style="opacity:0.7"><small>{escape(self._small_print())}</small></p></div>'
        )

    def _heading(self) -> str:
        score = f", {self.points} of {self.exercise.points} points" if self.results else ""
        return f"Exercise {self.exercise.id}, {self.exercise.title}: {self.status}{score}"

    def _problems(self) -> list[Problem]:
        return [result.problem for result in self.results if result.problem is not None]

    def _small_print(self) -> str:
        if self.status == "not attempted":
            return PRACTICE
        return f"{PRACTICE}; the same cases again: check({self.exercise.id!r}, seed={self.seed})"


@dataclass(frozen=True, slots=True)
class Hint:
    """One hint, with its number: show it as the last value of a cell, or print it."""

    number: int
    total: int
    text: str

    def __str__(self) -> str:
        more = "" if self.number < self.total else " (that was the last hint)"
        return f"Hint {self.number} of {self.total}{more}: {self.text}"

    __repr__ = __str__


def _points(number: int) -> str:
    return "1 point" if number == 1 else f"{number} points"


def _details(problem: Problem) -> list[tuple[str, str]]:
    rows = [
        ("call", problem.call),
        ("your line", problem.where),
        ("got", problem.got),
        ("expected", problem.expected),
    ]
    return [(name, value) for name, value in rows if value]


def _details_html(problem: Problem) -> str:
    """The details as boxes: got and expected stand beside each other where there is room."""
    boxes = "".join(
        f'<div style="flex:1 1 {"20em" if name in ("got", "expected") else "100%"};min-width:0">'
        f'<b>{name}</b><pre style="white-space:pre-wrap;margin:0">{escape(value)}</pre></div>'
        for name, value in _details(problem)
    )
    return f'<div style="display:flex;flex-wrap:wrap;gap:0.8em">{boxes}</div>'
