"""Build the notebooks from the lesson sources.

```
mcplab/course/lessons/01_….py          ──▶  notebooks/01_….ipynb
mcplab/course/lessons/exercise_01_….py ──▶  exercises/exercise_01_….ipynb   (starter)
                                       └─▶  solutions/exercise_01_….ipynb   (solution)
```

A notebook is built without outputs, and the same source gives the same bytes. Cell tags:
``starter`` and ``solution`` are the two versions of the answer cell; ``exercise-only`` and
``solution-only`` are other cells for one of the two; ``setup``, ``check`` and ``hint`` name
the role of a cell in an exercise.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from mcplab.course.catalog import CATALOG, COURSE_VERSION, Entry
from mcplab.course.percent import Cell, read
from mcplab.errors import McplabError
from mcplab.files import write_whole

FOLDERS = ("notebooks", "exercises", "solutions")

# The tags of an exercise's cells, and the role that each gives to its cell.
_ROLES = {
    "starter": "answer",
    "solution": "answer",
    "setup": "setup",
    "check": "check",
    "hint": "hint",
    "exercise-only": None,
    "solution-only": None,
}


class BuildError(McplabError):
    """A lesson source says something that cannot be built."""


def build(root: Path, *, check: bool = False, catalog: Sequence[Entry] = CATALOG) -> list[str]:
    """Write all notebooks under `root`, or with `check` only compare.

    Returns:
        The paths, relative to `root`, that differed: changed, missing, or left over from
        a source that is gone (those are not deleted, since somebody may have put them there).

    Raises:
        BuildError: a source is missing, or its tags make no sense.
    """
    wanted = {f"{folder}/{name}": text for folder, name, text in _notebooks(catalog)}
    differing = [path for path, text in wanted.items() if _text(root / path) != text]
    strays = [
        f"{folder}/{file.name}"
        for folder in FOLDERS
        for file in sorted((root / folder).glob("*.ipynb"))
        if f"{folder}/{file.name}" not in wanted
    ]
    if not check:
        for path in differing:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            write_whole(root / path, wanted[path])
    return differing + strays


def report(differing: Sequence[str]) -> str:
    """What ``build(check=True)`` found, as text that says what to run."""
    if not differing:
        return "The notebooks match their sources."
    listed = "\n".join(f"  {path}" for path in differing)
    return (
        f"These notebooks do not match mcplab/course/lessons:\n{listed}\n"
        "Edit the source and not the notebook, run `mcplab build`, and commit the result. "
        "Delete a notebook that has no source."
    )


def notebook(entry: Entry, *, solved: bool = False) -> dict[str, Any]:
    """One notebook as nbformat 4.5 JSON, without outputs."""
    if not entry.source.is_file():
        raise BuildError(f"{entry.name}: there is no {entry.source}. Write it or drop the entry.")
    cells = list(_cells(entry, solved))
    return {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
            "mcplab": {"course": COURSE_VERSION, entry.kind: entry.id},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _notebooks(catalog: Sequence[Entry]) -> Iterator[tuple[str, str, str]]:
    for entry in catalog:
        name = f"{entry.name}.ipynb"
        if entry.kind == "lesson":
            yield "notebooks", name, _written(notebook(entry))
        else:
            yield "exercises", name, _written(notebook(entry))
            yield "solutions", name, _written(notebook(entry, solved=True))


def _written(content: dict[str, Any]) -> str:
    """As Jupyter writes it: keys sorted, one space a level."""
    return json.dumps(content, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def _cells(entry: Entry, solved: bool) -> Iterator[dict[str, Any]]:
    dropped = ("starter", "exercise-only") if solved else ("solution", "solution-only")
    seen: dict[str, int] = {}
    answers = 0
    for cell in read(entry.source):
        if not set(cell.tags).isdisjoint(dropped):
            continue
        role = _role(entry, cell)
        answers += role == "answer"
        yield _cell(entry, cell, role, seen)
    if entry.kind == "exercise" and answers != 1:
        raise BuildError(
            f"{entry.source.name}: {answers} answer cells. An exercise has one cell tagged "
            "starter and one tagged solution."
        )


def _cell(entry: Entry, cell: Cell, role: str | None, seen: dict[str, int]) -> dict[str, Any]:
    metadata = {"mcplab": {"exercise": entry.id, "role": role}} if role else {}
    built: dict[str, Any] = {
        "cell_type": cell.kind,
        "id": _cell_id(entry, cell, role, seen),
        "metadata": metadata,
        "source": cell.source.splitlines(keepends=True),
    }
    if cell.kind == "code":
        built |= {"execution_count": None, "outputs": []}
    return built


def _role(entry: Entry, cell: Cell) -> str | None:
    unknown = [tag for tag in cell.tags if tag not in _ROLES]
    if unknown or (cell.tags and entry.kind == "lesson"):
        place = f"{entry.source.name}:{cell.line}"
        known = ", ".join(_ROLES)
        raise BuildError(
            f"{place}: the tags {cell.tags} are not known here. Exercises use {known}."
        )
    return _ROLES[cell.tags[0]] if cell.tags else None


def _cell_id(entry: Entry, cell: Cell, role: str | None, seen: dict[str, int]) -> str:
    """An id that stays when other cells come or go: from the role, else from the text."""
    if role:
        name = f"{entry.kind}-{entry.id}-{role}"
    else:
        digest = hashlib.sha256(f"{cell.kind}\n{cell.source}".encode()).hexdigest()
        name = f"{entry.kind}-{entry.id}-{digest[:10]}"
    seen[name] = seen.get(name, 0) + 1
    return name if seen[name] == 1 else f"{name}-{seen[name]}"


def _text(path: Path) -> str | None:
    try:
        return path.read_bytes().decode()
    except (OSError, UnicodeDecodeError):
        return None
