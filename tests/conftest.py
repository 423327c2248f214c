"""What holds for every test: nothing leaves this machine."""

from __future__ import annotations

from collections.abc import Iterator

import no_network
import pytest

no_network.install()


@pytest.fixture(autouse=True)
def nothing_leaves_this_machine() -> Iterator[None]:
    """Fail the test during which something wanted to reach beyond 127.0.0.1."""
    yield
    if used := no_network.take():
        pytest.fail(f"the network was used: {'; '.join(used)}", pytrace=False)
