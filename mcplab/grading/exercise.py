"""What an exercise is, cut so that the learner's code never sees what it is graded by.

```
 the side that grades                         the side where the learner's code runs
 ────────────────────                         ──────────────────────────────────────
 cases(rng) ──▶ Case.inputs ── plain JSON ──▶ perform(function, inputs, ask) ──┐
 peer (model, tools) ◀── ask(kind, payload) ── plain JSON ──▶ reply            │
 judge(case, value, peer) ◀────────────────── plain JSON ◀─────────────────────┘
```

Everything that crosses the middle is plain JSON. In practice both sides share one
process; because nothing else crosses, they can also be two.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from mcplab.messages import JSON

Ask = Callable[[str, JSON], JSON]
Function = Callable[..., Any]


class Peer(Protocol):
    """Whoever the learner's function talks to: it answers, and remembers what was said."""

    def __call__(self, kind: str, payload: JSON) -> JSON:
        """The answer to one message of the learner's function."""


@dataclass(frozen=True, slots=True)
class Case:
    """One trial of the learner's function.

    Attributes:
        inputs: what the function is called with, as plain JSON.
        expected: what it should give, as plain JSON. Stays on the side that grades.
        peer: makes the other party of the conversation, for a function that holds one.
    """

    inputs: JSON
    expected: Any = None
    peer: Callable[[], Peer] | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a case is not right, for the learner to read.

    `sentence` says what is wrong and what to do; `got` and `expected` are shown beside
    each other, `call` and `where` say at which call and at which line.
    """

    sentence: str
    got: str = ""
    expected: str = ""
    call: str = ""
    where: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """A part of an exercise that earns points: passed when every one of its cases is."""

    id: str
    title: str
    points: int
    cases: Callable[[Random], Sequence[Case]]


@dataclass(frozen=True, slots=True)
class Exercise:
    """An exercise without its text; the prompt and the starter are in the lesson source.

    Attributes:
        id: two digits, as in ``check("01")``.
        function: the name that the learner's function must have.
        curriculum: ids of `mcplab.course.curriculum` that it grades.
        hints: from a nudge to nearly there, two at the least.
        explanation: shown after success.
        imports: packages that `perform` needs; loaded before the clock starts.
        perform: calls the function with a case's inputs; see the picture above.
        judge: compares what came back, and what the peer saw, with what should be.
        call: how the call is written in a message, such as ``f(1, 2)``.
        reference: a right answer.
        mutants: wrong answers, each a mistake that people make, named in words; all must fail.
    """

    id: str
    title: str
    function: str
    curriculum: tuple[str, ...]
    hints: tuple[str, ...]
    explanation: str
    checks: tuple[Check, ...]
    imports: tuple[str, ...]
    perform: Callable[[Function, JSON, Ask], Any]
    judge: Callable[[Case, Any, Peer | None], Problem | None]
    call: Callable[[JSON], str]
    reference: Function
    mutants: Mapping[str, Function]

    @property
    def points(self) -> int:
        """The points of all checks together."""
        return sum(check.points for check in self.checks)


def cases_of(exercise: Exercise, check: Check, seed: int) -> Sequence[Case]:
    """The cases of one check. The same seed gives the same cases."""
    return check.cases(Random(f"{exercise.id}/{check.id}/{seed}"))
