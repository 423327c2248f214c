"""Without `MCPLAB_LIVE` nothing leaves this machine, and the guard that says so works."""

from __future__ import annotations

import socket
import subprocess
import sys
import textwrap
from pathlib import Path

import no_network
import pytest

TESTS = Path(__file__).parents[1]


@pytest.mark.parametrize("address", [("203.0.113.1", 9), ("8.8.8.8", 53), ("2001:db8::1", 9)])
def test_the_guard_stops_a_connection_beyond_this_machine(address: tuple[str, int]) -> None:
    family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
    with (
        no_network.expected() as noted,
        socket.socket(family) as sock,
        pytest.raises(no_network.NetworkUse, match="tests must not leave this machine"),
    ):
        sock.connect(address)
    assert len(noted) == 1
    assert address[0] in noted[0]


def test_the_guard_stops_a_look_up_and_a_datagram() -> None:
    with no_network.expected() as noted:
        with pytest.raises(no_network.NetworkUse):
            socket.getaddrinfo("example.com", 443)
        with (
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock,
            pytest.raises(no_network.NetworkUse),
        ):
            sock.sendto(b"x", ("203.0.113.1", 9))
    assert len(noted) == 2


def test_the_guard_notes_an_attempt_whose_exception_is_swallowed() -> None:
    with no_network.expected() as noted:
        try:
            socket.create_connection(("203.0.113.1", 9))
        except Exception:
            noted.append("swallowed")
    assert noted[0] == "swallowed"
    assert "203.0.113.1" in noted[1]


def test_the_guard_lets_this_machine_through() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()
    socket.getaddrinfo("localhost", 80)
    assert no_network.take() == []


def test_importing_and_using_all_mock_clients_touches_no_network() -> None:
    # In a process of its own: there the guard is on before anything is imported.
    program = """
        import no_network
        no_network.install()
        import asyncio
        import mcplab

        message = {"role": "user", "content": "What is 2 plus 3?"}
        anthropic, openai = mcplab.anthropic_client(), mcplab.openai_client()
        anthropic.messages.create(
            model=mcplab.model_name(anthropic), max_tokens=9, messages=[message]
        )
        openai.chat.completions.create(model=mcplab.model_name(openai), messages=[message])

        async def use():
            anthropic, openai = mcplab.async_anthropic_client(), mcplab.async_openai_client()
            await anthropic.messages.create(
                model=mcplab.model_name(anthropic), max_tokens=9, messages=[message]
            )
            await openai.chat.completions.create(
                model=mcplab.model_name(openai), messages=[message]
            )

        asyncio.run(use())
        assert no_network.take() == [], no_network.take()
        print("quiet")
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        env={"PYTHONPATH": f"{TESTS}:{TESTS.parent}", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "quiet"
