"""What must hold for every exercise: right answers pass, wrong ones fail, whatever the seed."""

from __future__ import annotations

import pytest

from mcplab.course.curriculum import CURRICULUM
from mcplab.grading import EXERCISES, Exercise, check_function
from mcplab.grading.exercise import Case, cases_of

exercises = pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
mutants = pytest.mark.parametrize(
    ("exercise", "mutant"),
    [
        pytest.param(exercise, mutant, id=f"{exercise.id} {name}")
        for exercise in EXERCISES.values()
        for name, mutant in exercise.mutants.items()
    ],
)


@exercises
def test_the_reference_gets_full_marks_for_every_seed(exercise: Exercise) -> None:
    for seed in range(10):
        outcome = check_function(exercise, exercise.reference, seed)
        assert outcome.correct, str(outcome)
        assert outcome.points == exercise.points


@mutants
def test_a_known_mistake_fails_for_every_seed(exercise: Exercise, mutant: object) -> None:
    for seed in range(5):
        outcome = check_function(exercise, mutant, seed)
        assert outcome.status == "incorrect", str(outcome)
        assert outcome.points < exercise.points
        assert outcome.message in str(outcome)


@exercises
def test_the_same_seed_gives_the_same_cases_and_another_seed_gives_others(
    exercise: Exercise,
) -> None:
    def inputs(seed: int) -> list[object]:
        return [case.inputs for part in exercise.checks for case in cases_of(exercise, part, seed)]

    assert inputs(1) == inputs(1)
    assert inputs(1) != inputs(2)


@exercises
def test_an_exercise_helps_and_explains(exercise: Exercise) -> None:
    assert len(exercise.hints) >= 2
    assert len(exercise.mutants) >= 3
    assert exercise.explanation
    assert set(exercise.curriculum) <= set(CURRICULUM)
    assert all(part.points > 0 for part in exercise.checks)


@exercises
def test_a_function_that_takes_nothing_and_one_that_returns_nothing_are_wrong(
    exercise: Exercise,
) -> None:
    for wrong in (lambda: None, lambda *_: None, 12, "a text"):
        outcome = check_function(exercise, wrong, 1)
        assert outcome.status == "incorrect"
        assert outcome.points == 0


@exercises
def test_a_starter_is_not_an_attempt(exercise: Exercise) -> None:
    def starter(*_: object) -> object:
        raise NotImplementedError("write me")

    for nothing in (starter, lambda *_: ..., None, ...):
        outcome = check_function(exercise, nothing, 1)
        assert outcome.status == "not attempted"
        assert outcome.results == ()
        assert outcome.points == 0


@exercises
def test_what_the_function_does_to_its_inputs_does_not_matter(exercise: Exercise) -> None:
    def spoils(inputs: object, depth: int = 0) -> None:
        if isinstance(inputs, dict | list):
            inputs.clear()

    def answer(*arguments: object) -> object:
        value = exercise.reference(*arguments)
        for argument in arguments:
            spoils(argument)
        return value

    case: Case = cases_of(exercise, exercise.checks[0], 3)[0]
    before = str(case.inputs)
    check_function(exercise, answer, 3)
    assert str(case.inputs) == before
