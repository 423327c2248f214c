"""What the tests of connections share."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

SERVERS = Path(__file__).parent / "servers"


def eventually(holds: Callable[[], bool], seconds: float = 20) -> bool:
    """Wait until something holds that another thread or process brings about."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def gone(pid: int) -> bool:
    """There is no such process (any more)."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False
