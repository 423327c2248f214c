"""Step and Trace: what happened in a run, as it was on the wire.

A run is a list of recorded steps; everything else (stepper, diagram, table, checks) is a
view of that list. A trace is saved as JSON lines: a header line, then one line a step.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, overload

from mcplab.errors import McplabError
from mcplab.files import write_whole
from mcplab.messages import JSON, Usage

__all__ = ["Step", "StepKind", "Trace", "TraceError", "redact"]

StepKind = Literal["list", "ask", "call", "return"]
KINDS: tuple[StepKind, ...] = ("list", "ask", "call", "return")
FORMAT = 1


class TraceError(McplabError):
    """A trace file cannot be read or written."""


@dataclass(frozen=True, slots=True)
class Step:
    """One exchange: a payload went out, a payload (or an error) came back.

    Attributes:
        kind: ``list``, ``ask``, ``call`` or ``return``. ``return`` is a model call too: the
            model is asked again with the results appended.
        round: the number of model calls begun so far; 0 before the first.
        out: the payload that was sent, as on the wire.
        into: the payload that came back, or ``None`` when nothing did ("in" in the file).
        dialect: ``anthropic``, ``openai-chat``, ``mcp`` (a JSON-RPC frame) or ``function``.
        ids: the tool request ids that this step carries.
        started: Unix time in seconds.
        seconds: duration.
        usage: tokens, for the two kinds that call a model.
        error: what went wrong, in a sentence.
    """

    kind: StepKind
    round: int
    out: JSON | None
    into: JSON | None
    dialect: str
    ids: tuple[str, ...] = ()
    started: float = 0.0
    seconds: float = 0.0
    usage: Usage | None = None
    error: str | None = None

    def to_json(self) -> JSON:
        """The step as one JSON object; absent parts are left out."""
        line: JSON = {
            "kind": self.kind,
            "round": self.round,
            "dialect": self.dialect,
            "out": self.out,
            "in": self.into,
            "ids": list(self.ids),
            "started": self.started,
            "seconds": self.seconds,
        }
        if self.usage is not None:
            line["usage"] = {"input": self.usage.input, "output": self.usage.output}
        if self.error is not None:
            line["error"] = self.error
        return line

    @classmethod
    def from_json(cls, line: JSON) -> Step:
        """The step that `to_json` wrote.

        Raises:
            KeyError, TypeError, ValueError: the object is not a step.
        """
        if line["kind"] not in KINDS:
            raise ValueError(f"unknown step kind {line['kind']!r}")
        usage = line.get("usage")
        return cls(
            kind=line["kind"],
            round=int(line["round"]),
            out=line.get("out"),
            into=line.get("in"),
            dialect=str(line["dialect"]),
            ids=tuple(line.get("ids") or ()),
            started=float(line.get("started") or 0.0),
            seconds=float(line.get("seconds") or 0.0),
            usage=None if usage is None else Usage(usage["input"], usage["output"]),
            error=line.get("error"),
        )


@dataclass(slots=True, repr=False)
class Trace:
    """The steps of one run, in the order in which they ended.

    Attributes:
        question: what the user asked.
        steps: grows while the run goes on.
        outcome: why the run ended, in a sentence; "" while it runs.
    """

    question: str = ""
    steps: list[Step] = field(default_factory=list)
    outcome: str = ""

    def add(self, step: Step) -> None:
        """Record one more step."""
        self.steps.append(step)

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> list[Step]: ...
    def __getitem__(self, index: int | slice) -> Step | list[Step]:
        return self.steps[index]

    @property
    def usage(self) -> Usage:
        """Tokens of all model calls together."""
        return sum((step.usage for step in self.steps if step.usage), Usage())

    def to_jsonl(self, secrets: Iterable[str] = ()) -> str:
        """The trace as JSON lines, redacted. `secrets` are further patterns to remove."""
        header = {"mcplab_trace": FORMAT, "question": self.question, "outcome": self.outcome}
        lines = [header, *(step.to_json() for step in self.steps)]
        redacted = (redact(line, secrets) for line in lines)
        return "".join(json.dumps(line, ensure_ascii=True) + "\n" for line in redacted)

    def save(self, path: str | os.PathLike[str], secrets: Iterable[str] = ()) -> Path:
        """Write the trace to `path` at once or not at all; give the path back.

        Raises:
            TraceError: the file cannot be written.
        """
        target = Path(path)
        try:
            write_whole(target, self.to_jsonl(secrets))
        except OSError as error:
            raise TraceError(f"The trace could not be saved as {target}: {error}.") from None
        return target

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Trace:
        """The trace in `path`. A last line that was cut off in writing is left out.

        Raises:
            TraceError: no such file, or a line that is not a step; the message names it.
        """
        try:
            lines = Path(path).read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise TraceError(f"The trace {path} could not be read: {error}.") from None
        return cls.from_jsonl(lines, str(path))

    @classmethod
    def from_jsonl(cls, lines: list[str], source: str = "the text") -> Trace:
        """The trace in `lines`; see `load`. `source` names them in an error."""
        trace = cls()
        for number, line in enumerate(lines, 1):
            try:
                trace._read_line(json.loads(line))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                if number == len(lines) > 1:
                    break  # the writer was cut off in mid line: keep what is whole
                raise TraceError(
                    f"Line {number} of {source} is not a step of an mcplab trace: {error}."
                ) from None
        return trace

    def _read_line(self, line: JSON) -> None:
        if "mcplab_trace" in line:
            if line["mcplab_trace"] != FORMAT:
                raise ValueError(f"trace format {line['mcplab_trace']}, this mcplab reads {FORMAT}")
            self.question, self.outcome = line["question"], line["outcome"]
        else:
            self.add(Step.from_json(line))

    def __repr__(self) -> str:
        return f"<trace of {self.question!r:.60}: {len(self)} steps>"

    def __str__(self) -> str:
        from mcplab.views import trace_text

        return trace_text(self)

    def _repr_html_(self) -> str:
        from mcplab.views import trace_html

        return trace_html(self)


_SECRET_KEYS = re.compile(
    r"(?i)^(authorization|proxy-authorization|cookie|set-cookie|x-api-key|api[-_]?key"
    r"|access[-_]?token|refresh[-_]?token|client[-_]?secret|password)$"
)
# The prefixes of the vendors' keys, and of bearer tokens in running text.
_SECRET_TEXT = re.compile(r"\b(?:sk-[A-Za-z0-9_-]{16,}|(?i:bearer)\s+[A-Za-z0-9._~+/=-]{8,})")
REDACTED = "[redacted]"


def redact(value: Any, secrets: Iterable[str] = ()) -> Any:
    """A copy of a JSON value without keys, tokens and cookies.

    Args:
        value: any JSON value; it is not changed.
        secrets: further regular expressions; what they match is removed from every string.
    """
    patterns = [_SECRET_TEXT, *(re.compile(pattern) for pattern in secrets)]
    return _redact(value, patterns)


def _redact(value: Any, patterns: list[re.Pattern[str]]) -> Any:
    if isinstance(value, str):
        for pattern in patterns:
            value = pattern.sub(REDACTED, value)
        return value
    if isinstance(value, list | tuple):
        return [_redact(item, patterns) for item in value]
    if isinstance(value, dict):
        return {
            _redact(key, patterns): REDACTED
            if isinstance(key, str) and isinstance(item, str) and _SECRET_KEYS.match(key)
            else _redact(item, patterns)
            for key, item in value.items()
        }
    return value
