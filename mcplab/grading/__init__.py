"""Exercises that are checked at once: `check`, `hint`, and what stands behind them."""

from __future__ import annotations

from mcplab.grading.exercise import Exercise
from mcplab.grading.exercises import EXERCISES, get
from mcplab.grading.files import check_file
from mcplab.grading.outcome import Hint, Outcome
from mcplab.grading.practice import check, check_function, hint

__all__ = [
    "EXERCISES",
    "Exercise",
    "Hint",
    "Outcome",
    "check",
    "check_file",
    "check_function",
    "get",
    "hint",
]
