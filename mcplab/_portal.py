"""One event loop in the background, for everything that must outlive a notebook cell.

A connection to an MCP server belongs to the event loop and the task that opened it, but a
cell is over when it returns. So connections live here: in a loop on a thread of its own,
started when it is first needed and stopped when the interpreter exits. `call` waits for the
result from plain code (also in a notebook cell, where a loop runs already); `acall` awaits
it from any asyncio loop.
"""

from __future__ import annotations

import asyncio
import atexit
import math
import os
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, wait
from contextlib import suppress
from dataclasses import dataclass
from typing import Generic, TypeVar, TypeVarTuple

import anyio
from anyio.from_thread import BlockingPortal

__all__ = ["THREAD_NAME", "acall", "before_exit", "call", "portal", "submit"]

T = TypeVar("T")
Args = TypeVarTuple("Args")

THREAD_NAME = "mcplab loop"
_EXIT_SECONDS = 6.0  # a stdio server is given 4.5 s before it is killed


@dataclass(frozen=True, slots=True)
class _Background:
    portal: BlockingPortal
    loop: asyncio.AbstractEventLoop
    thread: threading.Thread


_lock = threading.Lock()
_running: _Background | None = None
_inherited: list[_Background] = []
_exit_steps: list[Callable[[], Awaitable[None]]] = []


def portal() -> BlockingPortal:
    """The portal into the background loop; it is started by the first call."""
    return _background().portal


def submit(function: Callable[[*Args], Awaitable[T]], *args: *Args) -> Future[T]:
    """Start ``function(*args)`` in the background; cancelling the future cancels it there."""

    async def run() -> T:
        return await function(*args)

    return asyncio.run_coroutine_threadsafe(run(), _background().loop)


def call(
    function: Callable[[*Args], Awaitable[T]], *args: *Args, patience: float | None = None
) -> T:
    """Run ``function(*args)`` in the background and wait for its result.

    Args:
        function: an async function.
        args: its arguments.
        patience: how many seconds to wait; ``None`` for ever.

    Raises:
        KeyboardInterrupt: the wait was interrupted; the work in the background is cancelled.
        TimeoutError: `patience` is over; the work in the background is cancelled.
        RuntimeError: called from the background loop itself, where it would wait for ever.
    """
    if _on_background_thread():
        raise RuntimeError("The background loop cannot wait for itself. Use `await` here.")
    work = _Work(function, args)
    try:
        return _result(submit(work.run), patience)
    except (KeyboardInterrupt, TimeoutError):
        # An interrupt can come before `submit` has returned, so there may be no future yet.
        _background().loop.call_soon_threadsafe(work.drop)
        raise


def _result(future: Future[T], patience: float | None) -> T:
    """The future's result. Waits in slices of a second.

    A signal that arrives in the instant before a wait does not end that wait; only the
    next return to Python code lets the interrupt through.
    """
    end = math.inf if patience is None else time.monotonic() + patience
    while not future.done() and (left := end - time.monotonic()) > 0:
        wait([future], min(left, 1.0))
    return future.result(0)


class _Work(Generic[T]):
    """Work in the background that can be dropped whether it has begun or not.

    Both methods run in the background loop, so neither comes between the lines of the other.
    """

    def __init__(self, function: Callable[..., Awaitable[T]], args: tuple[object, ...]) -> None:
        self._function, self._args = function, args
        self._task: asyncio.Task[T] | None = None
        self._dropped = False

    async def run(self) -> T:
        if self._dropped:
            raise asyncio.CancelledError
        self._task = asyncio.current_task()
        return await self._function(*self._args)

    def drop(self) -> None:
        self._dropped = True
        if self._task is not None:
            self._task.cancel()


async def acall(
    function: Callable[[*Args], Awaitable[T]], *args: *Args, patience: float | None = None
) -> T:
    """`call` for async code, from any asyncio loop. Cancelling it cancels the work.

    Raises:
        TimeoutError: `patience` is over; the work in the background is cancelled.
    """
    if _on_background_thread():
        return await function(*args)
    return await asyncio.wait_for(asyncio.wrap_future(submit(function, *args)), patience)


def before_exit(step: Callable[[], Awaitable[None]]) -> None:
    """Run `step` in the background loop when the interpreter exits, once per process."""
    if step not in _exit_steps:
        _exit_steps.append(step)


def _background() -> _Background:
    global _running
    # Without the lock first: a finalizer may come by while this thread holds it.
    if _running is not None:
        return _running
    with _lock:
        if _running is None:
            started: Future[tuple[BlockingPortal, asyncio.AbstractEventLoop]] = Future()
            # A daemon, and so are the worker threads that it starts: a tool that hangs in
            # one of them must not keep the interpreter from exiting.
            thread = threading.Thread(
                target=anyio.run, args=(_serve, started), name=THREAD_NAME, daemon=True
            )
            thread.start()
            _running = _Background(*started.result(), thread)
        return _running


async def _serve(started: Future[tuple[BlockingPortal, asyncio.AbstractEventLoop]]) -> None:
    async with BlockingPortal() as inner:
        started.set_result((inner, asyncio.get_running_loop()))
        await inner.sleep_until_stopped()


def _on_background_thread() -> bool:
    return _running is not None and threading.current_thread() is _running.thread


@atexit.register
def _stop() -> None:
    if _running is None:
        return
    for step in _exit_steps:
        with suppress(Exception):
            submit(step).result(_EXIT_SECONDS)
    submit(_running.portal.stop, True)
    _running.thread.join(2.0)


def _forget() -> None:
    """In a forked child the thread does not exist; start afresh when needed.

    The parent's loop is kept, unused: were it collected, its file descriptors, which the
    parent still uses, would be closed under this process's feet.
    """
    global _lock, _running
    if _running is not None:
        _inherited.append(_running)
    _lock, _running = threading.Lock(), None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
