from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from connect_support import SERVERS

from mcplab.connection import Connection, connect


@pytest.fixture
def odd() -> Iterator[Connection]:
    """A connection to the server that misbehaves on purpose."""
    with connect([sys.executable, str(SERVERS / "odd.py")], name="odd", timeout=20) as connection:
        yield connection
