"""The background loop: results, errors and interrupts cross over to it and back."""

from __future__ import annotations

import asyncio
import signal
import threading
from typing import Any

import anyio
import anyio.lowlevel
import pytest

from mcplab import _portal


async def add(a: int, b: int) -> int:
    await anyio.lowlevel.checkpoint()
    return a + b


def test_a_call_gives_the_result_from_another_thread() -> None:
    async def where() -> str:
        return threading.current_thread().name

    assert _portal.call(add, 1, 2) == 3
    assert _portal.call(where) == _portal.THREAD_NAME != threading.current_thread().name


def test_the_portal_is_one_per_process_and_runs_the_same_loop() -> None:
    async def loop_id() -> int:
        return id(asyncio.get_running_loop())

    assert _portal.portal() is _portal.portal()
    assert _portal.portal().call(loop_id) == _portal.call(loop_id)


def test_an_exception_comes_back_as_it_was() -> None:
    async def fail() -> None:
        raise LookupError("no such thing")

    with pytest.raises(LookupError, match="no such thing"):
        _portal.call(fail)


def test_it_can_be_awaited_from_any_loop_and_from_its_own() -> None:
    async def twice() -> int:
        return await _portal.acall(add, 1, 2) + await _portal.acall(add, 3, 4)

    assert asyncio.run(twice()) == 10
    assert _portal.call(twice) == 10


def test_waiting_for_itself_is_refused() -> None:
    async def wait_for_itself() -> int:
        return _portal.call(add, 1, 2)

    with pytest.raises(RuntimeError, match="Use `await` here"):
        _portal.call(wait_for_itself)


def test_an_interrupt_cancels_the_work() -> None:
    started, cancelled = threading.Event(), threading.Event()
    main = threading.main_thread().ident or 0

    async def work() -> None:
        started.set()
        try:
            await anyio.sleep(30)
        except BaseException:
            cancelled.set()
            raise

    def interrupt() -> None:
        started.wait(10)
        signal.pthread_kill(main, signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        _portal.call(work)
    assert cancelled.wait(10)


def test_an_interrupt_before_the_work_was_handed_over_cancels_it_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started, cancelled = threading.Event(), threading.Event()

    async def work() -> None:
        started.set()
        try:
            await anyio.sleep(30)
        except BaseException:
            cancelled.set()
            raise

    submit = _portal.submit

    def interrupted(*args: Any) -> Any:
        submit(*args)
        started.wait(10)
        raise KeyboardInterrupt

    monkeypatch.setattr(_portal, "submit", interrupted)
    with pytest.raises(KeyboardInterrupt):
        _portal.call(work)
    assert cancelled.wait(10)


def test_impatience_cancels_the_work_too() -> None:
    cancelled = threading.Event()

    async def work() -> None:
        try:
            await anyio.sleep(30)
        except BaseException:
            cancelled.set()
            raise

    with pytest.raises(TimeoutError):
        _portal.call(work, patience=0.05)
    assert cancelled.wait(10)


def test_the_thread_does_not_keep_the_interpreter_alive() -> None:
    async def thread() -> threading.Thread:
        return threading.current_thread()

    async def worker() -> threading.Thread:
        return await anyio.to_thread.run_sync(threading.current_thread)

    assert _portal.call(thread).daemon
    assert _portal.call(worker).daemon
