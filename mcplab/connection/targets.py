"""From what a user writes as the target of `connect` to the way to that server."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

import mcplab.servers
from mcplab.connection.errors import ConnectionFailed
from mcplab.connection.http_host import HttpHost
from mcplab.connection.transports import Http, Kind, Memory, Stdio, Way

__all__ = ["shipped", "way_to"]

_THIS_MACHINE = frozenset({"127.0.0.1", "localhost", "::1"})
_FOLDER = Path(mcplab.servers.__path__[0])


def shipped() -> tuple[str, ...]:
    """The names of the mock servers that come with mcplab."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("[!_]*.py")))


def way_to(target: Any, transport: Kind | None) -> tuple[Way, str]:
    """The way to a server, and a short name for it; see `mcplab.connect`.

    Raises:
        ConnectionFailed: the target is none that `connect` knows, or it does not fit `transport`.
    """
    if isinstance(target, str) and target.startswith(("http://", "https://")):
        return _by_url(target, transport), urlsplit(target).netloc
    if isinstance(target, (list, tuple)) and _are_words(target):
        return _by_command(target, transport), Path(str(target[-1])).stem
    if isinstance(target, str) and target in shipped():
        return _by_file(_FOLDER / f"{target}.py", transport or "memory"), target
    if isinstance(target, Path) or (isinstance(target, str) and target.endswith(".py")):
        return _by_file(Path(target), transport or "stdio"), Path(target).stem
    if isinstance(target, ModuleType):
        return _by_module(target, transport or "memory"), target.__name__.rpartition(".")[2]
    if _is_server(target):
        return _by_object(target, transport or "memory"), str(target.name)
    raise ConnectionFailed(
        f"{target!r:.100} is no server. Give the name of a mock server ({', '.join(shipped())}), "
        "an MCPServer object, a .py file, a command as a list, or http://127.0.0.1:PORT/mcp. "
        "Python functions need no connection: pass them as tools=[...]."
    )


def _are_words(target: Sequence[Any]) -> bool:
    return len(target) > 0 and all(isinstance(word, (str, Path)) for word in target)


def _by_url(url: str, transport: Kind | None) -> Way:
    _only(transport, "http", "A URL")
    if "@" in urlsplit(url).netloc:
        raise ConnectionFailed("A URL must not hold a user name or password: it gets recorded.")
    if urlsplit(url).hostname not in _THIS_MACHINE:
        raise ConnectionFailed(
            f"{url} is on another machine. mcplab stays on this one (127.0.0.1); "
            "for a server elsewhere use the `mcp` package itself: mcp.Client(url)."
        )
    return Http(url)


def _by_command(command: Sequence[Any], transport: Kind | None) -> Way:
    _only(transport, "stdio", "A command")
    return Stdio([str(word) for word in command])


def _by_file(path: Path, transport: Kind) -> Way:
    if not path.is_file():
        raise ConnectionFailed(f"There is no file {path.absolute()}.")
    if transport == "stdio":
        return Stdio([sys.executable, str(path)])
    return _by_object(_server_in(_load(path)), transport)


def _by_module(module: ModuleType, transport: Kind) -> Way:
    if transport == "stdio":
        return _by_file(Path(str(module.__file__)), "stdio")
    return _by_object(_server_in(module), transport)


def _by_object(server: Any, transport: Kind) -> Way:
    if transport == "stdio":
        raise ConnectionFailed("A server object runs in this process. For stdio give its file.")
    if transport == "memory":
        return Memory(server)
    host = HttpHost(server)
    return Http(host.url, host)


def _only(transport: Kind | None, possible: Kind, what: str) -> None:
    if transport not in (None, possible):
        raise ConnectionFailed(f"{what} is reached over {possible}, not over {transport}.")


def _load(path: Path) -> ModuleType:
    if path.parent == _FOLDER:
        return importlib.import_module(f"mcplab.servers.{path.stem}")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ConnectionFailed(f"{path} is not a Python file.")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise ConnectionFailed(f"{path} cannot be run: {type(error).__name__}: {error}") from error
    return module


def _server_in(module: ModuleType) -> Any:
    servers = [value for value in vars(module).values() if _is_server(value)]
    if len(servers) != 1:
        raise ConnectionFailed(
            f"{module.__name__} must have one MCPServer object at its top level; "
            f"it has {len(servers) or 'none'}."
        )
    return servers[0]


def _is_server(value: Any) -> bool:
    if "mcp.server" not in sys.modules:  # then nobody can have made one
        return False
    from mcp.server import Server
    from mcp.server.mcpserver import MCPServer

    return isinstance(value, (MCPServer, Server))
