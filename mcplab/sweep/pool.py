"""A pool: tools, each described clearly and vaguely, and questions with their right answers.

The built-in pool is written by hand, four tools to a domain, so that neighbours overlap. Its
data are the JSON files in ``data/pool``, one a domain.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from importlib import resources
from typing import Any, Literal

from mcplab.errors import McplabError
from mcplab.messages import JSON, Tool

Wording = Literal["clear", "vague"]


class PoolError(McplabError):
    """A pool contradicts itself, or a sweep asks it for something that it does not have."""


@dataclass(frozen=True, slots=True)
class PoolTool:
    """A tool with two wordings.

    Attributes:
        name: its name, the same in both wordings; unique in a pool.
        domain: what it is about; neighbours share it.
        clear: a description that says what it does, when to call it and what it does not do.
        vague: one that leaves all that out.
        input_schema: JSON Schema of the arguments, with described parameters.
    """

    name: str
    domain: str
    clear: str
    vague: str
    input_schema: JSON

    def worded(self, wording: str) -> Tool:
        """The descriptor to show.

        ``clear`` has the clear description and described parameters. ``vague`` has the vague
        one and bare parameters: names, types and enums, but no words about them.
        """
        if wording == "clear":
            return Tool(self.name, self.clear, self.input_schema)
        if wording == "vague":
            return Tool(self.name, self.vague, _undescribed(self.input_schema))
        raise PoolError(f"There is no wording {wording!r}. Choose 'clear' or 'vague'.")


@dataclass(frozen=True, slots=True)
class Question:
    """A question and what is right for it.

    Attributes:
        id: unique in a pool.
        text: what the user says.
        accept: the names of the tools that are right; empty when no tool should be called.
        arguments: for a tool of `accept`, the arguments expected, or nothing when they are not
            judged. A value ``{"one_of": [...]}`` allows several.
    """

    id: str
    text: str
    accept: tuple[str, ...] = ()
    arguments: dict[str, JSON] = field(default_factory=dict)

    def arguments_right(self, tool: str, given: JSON | None) -> bool | None:
        """Whether the arguments of a call are right; ``None`` when they are not judged.

        Every expected argument must be there and equal; numbers are compared as numbers, texts
        without regard to case, spaces at the ends and a final full stop. An argument that is
        not expected is wrong.
        """
        expected = self.arguments.get(tool)
        if expected is None:
            return None
        if given is None or set(given) != set(expected):
            return False
        return all(_same(given[name], wanted) for name, wanted in expected.items())


@dataclass(frozen=True, slots=True)
class Pool:
    """Tools and questions. Making one checks it.

    Raises:
        PoolError: a name or id occurs twice, or a question accepts an unknown tool.
    """

    name: str
    tools: tuple[PoolTool, ...]
    questions: tuple[Question, ...]

    def __post_init__(self) -> None:
        names = [tool.name for tool in self.tools]
        for what, values in (("tool", names), ("question", [q.id for q in self.questions])):
            twice = sorted({v for v in values if values.count(v) > 1})
            if twice:
                raise PoolError(f"Pool {self.name!r}: the {what} {twice[0]!r} occurs twice.")
        for question in self.questions:
            strange = [n for n in (*question.accept, *question.arguments) if n not in names]
            if strange:
                raise PoolError(
                    f"Pool {self.name!r}: question {question.id!r} accepts the tool "
                    f"{strange[0]!r}, which the pool does not have."
                )

    @classmethod
    def load(cls, name: str = "builtin") -> Pool:
        """The pool that comes with mcplab.

        Raises:
            PoolError: there is no pool of that name.
        """
        if name != "builtin":
            raise PoolError(f"There is no pool {name!r}. mcplab comes with 'builtin'.")
        folder = resources.files("mcplab.sweep") / "data" / "pool"
        files = (file for file in folder.iterdir() if file.name.endswith(".json"))
        texts = [f.read_text(encoding="utf-8") for f in sorted(files, key=lambda f: f.name)]
        return cls.from_domains(name, map(json.loads, texts))

    @classmethod
    def from_domains(cls, name: str, domains: Iterable[JSON]) -> Pool:
        """A pool from domains as they stand in the data files (see ``data/pool``)."""
        tools: list[PoolTool] = []
        questions: list[Question] = []
        for domain in domains:
            tools += [PoolTool(domain=domain["domain"], **tool) for tool in domain["tools"]]
            questions += [
                Question(q["id"], q["text"], tuple(q["accept"]), q.get("arguments", {}))
                for q in domain["questions"]
            ]
        return cls(name, tuple(tools), tuple(questions))


def _undescribed(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_undescribed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    bare = {key: _undescribed(value) for key, value in schema.items()}
    if isinstance(bare.get("description"), str):
        del bare["description"]
    return bare


def _same(given: Any, wanted: Any) -> bool:
    if isinstance(wanted, dict) and set(wanted) == {"one_of"}:
        return any(_same(given, option) for option in wanted["one_of"])
    if isinstance(wanted, bool) or isinstance(given, bool):
        return given is wanted
    if isinstance(wanted, int | float) and isinstance(given, int | float):
        return math.isclose(given, wanted, rel_tol=1e-9)
    if isinstance(wanted, list) and isinstance(given, list):
        return len(given) == len(wanted) and all(map(_same, given, wanted))
    if isinstance(wanted, str) and isinstance(given, str):
        return _bare_text(given) == _bare_text(wanted)
    return bool(given == wanted)


def _bare_text(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip().rstrip(".").casefold()
