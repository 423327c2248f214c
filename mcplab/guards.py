"""Guards: functions from a state to “go on” (``None``) or “stop, because …” (a sentence).

A loop without guards can run for ever, and on a paid model it costs money while it does.
Each function here makes one guard; a driver asks all of them before every action. Your own
function of a state works the same way.

The time limit for a single tool is not a guard but a limit of the driver (`tool_seconds`):
a tool that runs out of time is answered with an error, and `timeouts` counts those.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Event

from mcplab.loop import State

__all__ = [
    "DEFAULT_GUARDS",
    "Cancel",
    "Guard",
    "Price",
    "cost",
    "repeats",
    "rounds",
    "timeouts",
    "tokens",
    "verdict",
]

Guard = Callable[[State], str | None]


def _before_model_call(state: State) -> bool:
    return state.action in ("ask", "return")


def rounds(limit: int) -> Guard:
    """Stop before model call number `limit` + 1."""

    def guard(state: State) -> str | None:
        if _before_model_call(state) and state.round >= limit:
            return (
                f"Stopped by the round guard: {limit} model calls were made, "
                "and the last reply asked for more."
            )
        return None

    return guard


def tokens(limit: int) -> Guard:
    """Stop before a model call once `limit` tokens (input plus output) are used."""

    def guard(state: State) -> str | None:
        if _before_model_call(state) and state.usage.total >= limit:
            return f"Stopped by the token guard: {state.usage.total} tokens used, {limit} allowed."
        return None

    return guard


@dataclass(frozen=True, slots=True)
class Price:
    """What a model costs, in any currency, for a million tokens."""

    input: float
    output: float

    def of(self, state: State) -> float:
        """What the run cost so far."""
        return (state.usage.input * self.input + state.usage.output * self.output) / 1e6


def cost(limit: float, price: Price) -> Guard:
    """Stop before a model call once the run cost `limit` (in the currency of `price`)."""

    def guard(state: State) -> str | None:
        if _before_model_call(state) and (spent := price.of(state)) >= limit:
            return f"Stopped by the cost guard: {spent:.4f} spent, {limit:.4f} allowed."
        return None

    return guard


def repeats(limit: int) -> Guard:
    """Stop when a tool is asked for with the same arguments more than `limit` times.

    A model that varies its arguments slips past this guard; `rounds` still holds it.
    """

    def guard(state: State) -> str | None:
        for call in state.calls:
            same = sum((past.name, past.raw) == (call.name, call.raw) for past in state.made)
            if same >= limit:
                return (
                    f"Stopped by the repeat guard: {call.name} was called {same} times "
                    f"with the same arguments, and the model asked for it again."
                )
        return None

    return guard


def timeouts(limit: int) -> Guard:
    """Stop once `limit` tool calls ran out of time."""

    def guard(state: State) -> str | None:
        if state.timeouts >= limit:
            times = "once" if state.timeouts == 1 else f"{state.timeouts} times"
            return f"Stopped by the time guard: a tool ran out of time {times}."
        return None

    return guard


@dataclass(frozen=True, slots=True)
class Cancel:
    """A guard that stops when somebody calls `cancel`, from any thread."""

    _event: Event = field(default_factory=Event)

    def cancel(self) -> None:
        """Stop the run before its next action."""
        self._event.set()

    def __call__(self, state: State) -> str | None:
        return "Cancelled before the next step." if self._event.is_set() else None


DEFAULT_GUARDS: tuple[Guard, ...] = (rounds(10), tokens(200_000), repeats(3), timeouts(2))


def verdict(guards: Sequence[Guard], state: State) -> str | None:
    """The first objection, or ``None`` when every guard lets the run go on."""
    return next((reason for guard in guards if (reason := guard(state))), None)
