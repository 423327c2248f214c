"""The course in order: which lessons and exercises there are, and what each teaches."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

COURSE_VERSION = "2026.1"
"""Goes into every notebook. Raise it when a lesson or an exercise changes for learners."""

SOURCES = Path(__file__).parent / "lessons"


@dataclass(frozen=True, slots=True)
class Entry:
    """One lesson or exercise.

    Attributes:
        id: two digits; lessons and exercises count on their own.
        name: its file, without the ending: ``lessons/<name>.py`` becomes ``<name>.ipynb``.
        curriculum: the items of `mcplab.course.curriculum` that it teaches (a lesson) or
            grades (an exercise).
    """

    kind: Literal["lesson", "exercise"]
    id: str
    name: str
    title: str
    curriculum: tuple[str, ...]

    @property
    def source(self) -> Path:
        """The `py:percent` file."""
        return SOURCES / f"{self.name}.py"


CATALOG: tuple[Entry, ...] = (
    Entry(
        "lesson",
        "01",
        "01_one_question_four_steps",
        "One question, four steps",
        ("A1", "A2", "A3", "A4", "A5"),
    ),
    Entry(
        "exercise",
        "01",
        "exercise_01_three_messages",
        "The three messages of step 4",
        ("A3", "A4"),
    ),
    Entry("lesson", "02", "02_the_expense_case", "The expense case", ("A5", "B1", "E3")),
    Entry(
        "exercise",
        "02",
        "exercise_02_the_loop",
        "The loop, on the plain SDK",
        ("A2", "A4"),
    ),
    Entry("lesson", "03", "03_too_many_tools", "Too many tools", ("I1",)),
)
