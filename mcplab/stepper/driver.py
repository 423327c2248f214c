"""The stepper without a display: one object that performs a run one action at a time.

The widget and the terminal are two faces of it, and a test is a third. It keeps every state
that the run went through. States are immutable, so this history is also all that going back
needs: the earlier state is still there.

The work is done on mcplab's background thread. Nothing here waits in the caller's thread
unless the caller asks for it: `start_next` returns at once, `next` waits.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event, Lock
from typing import Any, Unpack

import anyio
import anyio.to_thread

from mcplab import _portal, loop
from mcplab.drivers import RunOptions, Setup, declined_calls, pending, setup, unfinished
from mcplab.errors import McplabError
from mcplab.guards import verdict
from mcplab.live import MOCK_DOMAIN
from mcplab.loop import State
from mcplab.messages import JSON, ToolCall
from mcplab.trace import Step, Trace

__all__ = ["Moment", "Stepper", "StepperError"]


_log = logging.getLogger(__name__)


class StepperError(McplabError):
    """The stepper was asked for something that it cannot do now."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A point of the run: where the loop stood, and how many steps were recorded by then."""

    state: State
    recorded: int


class Stepper:
    """Goes through a run one action at a time. All methods may be called from any thread.

    All tool requests of one reply are one action. Before a tool runs that is not marked
    read-only, the stepper wants to be told whether it may (`needs_approval`), unless an
    `approve` function was given.

    Args:
        question: what the user asks.
        options: see `mcplab.drivers.RunOptions`; `client` and `tools` at least.

    Attributes:
        source: who answers for the model, in words: a mock says that it is one.
        position: a number that changes with every action and every restart.

    Raises:
        McplabError: `client` or `tools` is something else than `RunOptions` says.
    """

    def __init__(self, question: str, **options: Unpack[RunOptions]) -> None:
        self._prepare(setup(question, **options), _who_answers(options["client"]))

    @classmethod
    def from_setup(cls, ready: Setup, source: str = "") -> Stepper:
        """A stepper over a run that is set up already, with any endpoint and tools.

        Args:
            ready: what drives the run.
            source: who answers for the model, in words.
        """
        stepper = cls.__new__(cls)
        stepper._prepare(ready, source)
        return stepper

    def _prepare(self, ready: Setup, source: str) -> None:
        self._ready = ready
        self.source = source
        self._observers: list[Callable[[], None]] = []
        self._lock = Lock()
        self._busy = False
        self._scope: anyio.CancelScope | None = None
        self._why_cancelled = ""
        self.position = 0
        self._begin(ready.trace)

    def _begin(self, trace: Trace) -> None:
        self._trace = trace
        self._moments = [Moment(self._ready.state, len(trace))]
        self.position += 1

    # What there is to see ---------------------------------------------------------------

    @property
    def state(self) -> State:
        """Where the loop stands; `state.action` is what comes next."""
        return self._moments[-1].state

    @property
    def trace(self) -> Trace:
        """The steps so far. A restart begins a new trace and leaves this one as it is."""
        return self._trace

    @property
    def history(self) -> tuple[Moment, ...]:
        """Every state from the first to the present one."""
        return tuple(self._moments)

    @property
    def steps(self) -> list[Step]:
        """The steps that led to `state`, never a half-recorded action."""
        moments = self._moments
        return self._trace.steps[moments[0].recorded : moments[-1].recorded]

    @property
    def pending(self) -> JSON:
        """What the next action is about to send; empty when the run is over."""
        return pending(self.state)

    @property
    def busy(self) -> bool:
        """An action is being performed."""
        return self._busy

    @property
    def needs_approval(self) -> tuple[ToolCall, ...]:
        """The pending tool requests that may change something and await a decision."""
        state = self.state
        if self._ready.approve is not None:
            return ()
        writing = declined_calls(state, lambda call, tool: False)
        return tuple(call for call in state.calls if call.id in writing)

    def on_change(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback` whenever something changed; it must return soon.

        It is called on the thread that made the change.

        Returns:
            A function that ends the calls.
        """
        self._observers.append(callback)
        return lambda: self._observers.remove(callback)

    # What one can do --------------------------------------------------------------------

    def next(self, *, approve: bool | None = None) -> State:
        """Perform exactly one action and wait for it.

        An interrupt (Ctrl-C, or the kernel's stop button) ends the run; the trace is kept.

        Args:
            approve: run the writing tools among the pending ones, or decline them.

        Raises:
            StepperError: the run is over, an action is being performed, or the pending
                action writes and `approve` is not given.
        """
        return self._go(once=True, approve=approve)

    def run_to_end(self, *, approve: bool | None = None) -> State:
        """Perform actions until the run is over, or one of them needs an approval.

        Args:
            approve: what to do with every writing tool on the way; by default stop before it.

        Raises:
            StepperError: see `next`.
        """
        return self._go(once=False, approve=approve)

    def start_next(
        self,
        on_done: Callable[[], None] | None = None,
        *,
        approve: bool | None = None,
        at: int | None = None,
    ) -> str | None:
        """`next` without waiting and without exceptions.

        Args:
            on_done: called on the background thread when the action is done.
            approve: see `next`.
            at: the `position` that the caller was looking at. If the run has moved on
                since, nothing is done: a click that comes late must not send anything.

        Returns:
            ``None`` when the work began, else a sentence that says why not.
        """
        return self._start(once=True, approve=approve, at=at, on_done=on_done)

    def start_run_to_end(
        self,
        on_done: Callable[[], None] | None = None,
        *,
        approve: bool | None = None,
        at: int | None = None,
    ) -> str | None:
        """`run_to_end` without waiting; see `start_next`."""
        return self._start(once=False, approve=approve, at=at, on_done=on_done)

    def restart(self, *, at: int | None = None) -> str | None:
        """Go back to the beginning with a new, empty trace.

        Returns:
            ``None``, or a sentence that says why it could not be done.
        """
        with self._lock:
            if refusal := self._why_not_now(at):
                return refusal
            self._begin(Trace(self._ready.trace.question))
        self._changed()
        return None

    def cancel(self, why: str = "Cancelled") -> None:
        """Give up the action that is being performed, if there is one, and end the run."""
        if self.busy:
            self._why_cancelled = why
            _portal.submit(self._give_up)

    # How it is done ---------------------------------------------------------------------

    def _go(self, *, once: bool, approve: bool | None) -> State:
        done = Event()
        try:
            if refusal := self._start(once=once, approve=approve, on_done=done.set):
                raise StepperError(refusal)
            while not done.wait(0.5):
                pass  # a wait without a limit could not be interrupted on every system
        except KeyboardInterrupt:
            # The interrupt may come when the work has begun and the wait has not.
            self.cancel("You interrupted the run")
            while self.busy:
                done.wait(0.5)
        return self.state

    def _start(
        self,
        *,
        once: bool,
        approve: bool | None,
        at: int | None = None,
        on_done: Callable[[], None] | None = None,
    ) -> str | None:
        with self._lock:
            if refusal := self._why_not_now(at) or self._why_not_next(approve):
                return refusal
            self._busy = True
            _portal.submit(self._perform, once, approve, on_done)
        self._changed()
        return None

    def _why_not_now(self, at: int | None) -> str | None:
        if self.busy:
            return "The step before is still being performed."
        if at is not None and at != self.position:
            return "The run has moved on since. Look at where it stands, then go on."
        return None

    def _why_not_next(self, approve: bool | None) -> str | None:
        if self.state.over:
            return f"The run is over: {self.state.reason} Restart it to go through it again."
        if approve is None and (writing := self.needs_approval):
            names = ", ".join(call.name for call in writing)
            return f"{names} may change something. Say whether to run it or to decline it."
        return None

    async def _perform(
        self, once: bool, approve: bool | None, on_done: Callable[[], None] | None
    ) -> None:
        try:
            with anyio.CancelScope() as self._scope:
                await self._perform_one(approve)
                while not (once or self.state.over or (approve is None and self.needs_approval)):
                    self._changed()
                    await self._perform_one(approve)
            if self._scope.cancelled_caught:
                self._record(*self._stopped(self._why_cancelled))
        finally:
            self._busy = False
            self._changed()
            if on_done is not None:
                on_done()

    async def _give_up(self) -> None:
        if self._scope is not None:
            self._scope.cancel()

    async def _perform_one(self, approve: bool | None) -> None:
        state, ready = self.state, self._ready
        try:
            if reason := verdict(ready.guards, state):
                self._record(loop.stop(state, reason))
            else:
                declined = await anyio.to_thread.run_sync(
                    self._declined, approve, abandon_on_cancel=True
                )
                self._record(*await ready.perform(state, declined))
        except Exception as problem:
            # A guard or `approve` is the user's own function: its fault ends this run only.
            self._record(loop.stop(state, f"Stopped by {type(problem).__name__}: {problem}"))

    def _declined(self, approve: bool | None) -> frozenset[str]:
        if self._ready.approve is not None:
            return declined_calls(self.state, self._ready.approve)
        return frozenset() if approve else frozenset(call.id for call in self.needs_approval)

    def _stopped(self, why: str) -> tuple[State, tuple[Step, ...]]:
        state = self.state
        reason = f"{why} in the step “{state.action}”. Nothing came back."
        return loop.stop(state, reason), (unfinished(state),)

    def _record(self, state: State, steps: tuple[Step, ...] = ()) -> None:
        self._trace.steps.extend(steps)
        self._trace.outcome = state.reason
        self._moments.append(Moment(state, len(self._trace)))
        self.position += 1

    def _changed(self) -> None:
        for observer in tuple(self._observers):
            try:
                observer()
            except Exception:  # a face that cannot show it must not stop the run
                _log.exception("an observer of the stepper failed")


def _who_answers(client: Any) -> str:
    """What kind of model stands behind an SDK client."""
    host = str(getattr(getattr(client, "base_url", None), "host", ""))
    if not host.endswith(MOCK_DOMAIN):
        return "live model"
    match host.removesuffix(MOCK_DOMAIN):
        case "mock-reading":
            return "mock model (a text matcher, no language model)"
        case "mock-scripted":
            return "scripted model (its replies were written beforehand)"
        case _:
            return "mock model (a Python function)"
