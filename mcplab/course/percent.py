"""Read a `py:percent` file: one text file that holds the cells of a notebook.

The format is the one that jupytext, VS Code, Spyder and PyCharm share:

```python
# %% [markdown]
# # A heading
# %% tags=["answer"]
print("a code cell")
```

Only what the course uses is read: code and markdown cells, and metadata written as
``key=value`` with a JSON value. https://jupytext.readthedocs.io/en/latest/formats-scripts.html
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from mcplab.errors import McplabError

_MARK = re.compile(r"^# %%(?P<markdown> \[markdown\])?(?P<options>.*)$")
_OPTION = re.compile(r'\s*(?P<key>\w+)=(?P<value>"[^"]*"|\[[^\]]*\]|\S+)')


class PercentError(McplabError):
    """A lesson source that cannot be read; the message names the file and the line."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its kind, the text as the notebook shows it, and its metadata."""

    kind: Literal["code", "markdown"]
    source: str
    metadata: dict[str, Any] = field(default_factory=dict)
    line: int = 0

    @property
    def tags(self) -> tuple[str, ...]:
        """The cell's tags (``tags=["starter"]``), in order."""
        return tuple(self.metadata.get("tags", ()))


def read(path: Path) -> list[Cell]:
    """The cells of a `py:percent` file.

    Raises:
        PercentError: text before the first mark, metadata that is not ``key=JSON``, or a
            markdown line that is not a comment.
    """
    return list(_cells(path.read_text("utf-8").splitlines(), path.name))


def _cells(lines: list[str], where: str) -> Iterator[Cell]:
    marks = [(number, mark) for number, line in enumerate(lines) if (mark := _MARK.match(line))]
    starts = [number for number, _ in marks]
    ends = [*starts[1:], len(lines)]
    if any(line.strip() for line in lines[: starts[0] if starts else None]):
        raise PercentError(f"{where}: text before the first `# %%`. Put it in a cell.")
    for (start, mark), end in zip(marks, ends, strict=False):
        place = f"{where}:{start + 1}"
        metadata = _metadata(mark["options"], place)
        body = lines[start + 1 : end]
        if mark["markdown"]:
            text = "\n".join(_uncomment(line, place) for line in body)
            yield Cell("markdown", text.strip("\n"), metadata, start + 1)
        else:
            yield Cell("code", "\n".join(body).strip("\n"), metadata, start + 1)


def _metadata(options: str, place: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    rest = options
    while rest.strip():
        option = _OPTION.match(rest)
        try:
            if option is None:
                raise ValueError(rest)
            found[option["key"]] = json.loads(option["value"])
        except ValueError:
            raise PercentError(
                f"{place}: cannot read {rest.strip()!r}. "
                'Write metadata as key=JSON, as in tags=["x"].'
            ) from None
        rest = rest[option.end() :]
    return found


def _uncomment(line: str, place: str) -> str:
    if line and not line.startswith("#"):
        raise PercentError(f"{place}: a markdown cell holds a line that is not a comment: {line!r}")
    return line[2:] if line.startswith("# ") else line[1:]
