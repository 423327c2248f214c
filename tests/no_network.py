"""A guard: nothing in this process connects to, or looks up, anything but this machine.

The guard listens to Python's audit events, so it sees every library. A connection or look-up
that goes beyond the loopback interface is stopped before it leaves, and noted: the note
fails the test even when the code under test swallowed the exception.
"""

from __future__ import annotations

import ipaddress
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["NetworkUse", "expected", "install", "take"]

_LOCAL_NAMES = frozenset(("", "localhost", "localhost.localdomain", socket.gethostname().lower()))
_noted: list[str] = []
_installed = False


class NetworkUse(OSError):
    """Something wanted to leave this machine. An `OSError`, so that sockets get closed."""


def install() -> None:
    """Start listening, once; an audit hook cannot be taken away again."""
    global _installed
    if not _installed:
        sys.addaudithook(_hook)
        _installed = True


def take() -> list[str]:
    """What was noted since the last time."""
    noted, _noted[:] = _noted[:], []
    return noted


@contextmanager
def expected() -> Iterator[list[str]]:
    """Attempts inside the block are wanted: they are given, and fail nothing."""
    before = take()
    mine: list[str] = []
    try:
        yield mine
    finally:
        mine += take()
        _noted[:] = before


def _hook(event: str, args: tuple[Any, ...]) -> None:
    if event in ("socket.connect", "socket.sendto"):
        address = args[1]
        # Not a tuple: a Unix socket's path, or a family that is not the Internet's.
        if isinstance(address, tuple) and isinstance(address[0], str):
            _check(event, address[0], address)
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        _check(event, args[0], args[0])


def _check(event: str, host: str | bytes | None, shown: object) -> None:
    name = host.decode(errors="replace") if isinstance(host, bytes) else host or ""
    if not _is_local(name, resolving=event.startswith("socket.get")):
        _noted.append(f"{event} {shown!r}")
        raise NetworkUse(f"tests must not leave this machine: {event} {shown!r}")


def _is_local(name: str, *, resolving: bool) -> bool:
    if name.lower() in _LOCAL_NAMES:
        return True
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    # An address needs no look-up; "any" (0.0.0.0) is asked for by servers.
    return address.is_loopback or resolving or address.is_unspecified
