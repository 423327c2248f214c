"""What a check is: a small function that looks for faults and names the rule they break."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

__all__ = ["Check", "Fault", "Faults", "Path", "check", "check_of", "checks_for", "dotted", "fault"]

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """A place in the body that breaks a rule.

    Attributes:
        rule: the rule's id.
        where: keys and indices from the body down to the place.
        values: what fills the placeholders of the rule's message.
    """

    rule: str
    where: Path
    values: dict[str, Any]


Faults = Iterator[Fault]
Find = Callable[[Any], Faults]


def fault(rule: str, *where: str | int, **values: Any) -> Fault:
    """A `Fault`, written short."""
    return Fault(rule, where, values)


@dataclass(frozen=True, slots=True)
class Check:
    """A check and the ids of the rules that it can find broken.

    `find` gets what the dialect's first check, the one of the fields, lets through: the
    body itself for that first check, the dialect's own view of the body for all others.
    """

    rules: tuple[str, ...]
    find: Find


_CHECKS: dict[str, list[Check]] = {}


def check(dialect: str, *rules: str, first: bool = False) -> Callable[[Find], Find]:
    """Add the decorated function to the checks of `dialect`, which go in the order of the source.

    Args:
        dialect: whose requests the function looks at.
        rules: ids of the rules that it can find broken.
        first: this is the check of the fields, which goes before all others.
    """

    def add(find: Find) -> Find:
        checks = _CHECKS.setdefault(dialect, [])
        checks.insert(0 if first else len(checks), Check(rules, find))
        return find

    return add


def checks_for(dialect: str) -> list[Check]:
    """The checks of a dialect, in order."""
    return _CHECKS[dialect]


def check_of(rule: str) -> Check:
    """The first check that can find the rule of that id broken."""
    return next(one for checks in _CHECKS.values() for one in checks if rule in one.rules)


def dotted(where: Path) -> str:
    """A path the way Anthropic writes it: ``messages.2.content.0.text``."""
    return ".".join(map(str, where))
