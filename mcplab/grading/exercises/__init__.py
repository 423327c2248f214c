"""The exercises, one module each, found by number."""

from __future__ import annotations

from mcplab.errors import McplabError
from mcplab.grading.exercise import Exercise
from mcplab.grading.exercises.ex01 import EXERCISE as EX01
from mcplab.grading.exercises.ex02 import EXERCISE as EX02

__all__ = ["EXERCISES", "get"]

EXERCISES: dict[str, Exercise] = {exercise.id: exercise for exercise in (EX01, EX02)}


def get(exercise: str | int) -> Exercise:
    """The exercise of that number: ``"01"``, ``"1"`` and ``1`` are the same one.

    Raises:
        McplabError: there is none; the message lists those that there are.
    """
    number = str(exercise).strip().zfill(2)
    if number not in EXERCISES:
        known = ", ".join(EXERCISES)
        raise McplabError(f"There is no exercise {str(exercise)!r}. Use one of: {known}.")
    return EXERCISES[number]
