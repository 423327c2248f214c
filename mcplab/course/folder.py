"""The learner's own folder: the course is copied into it, and what they wrote is kept.

A small manifest in the folder remembers the hash of every file as it was shipped. So a
file that is still as shipped can be replaced by a newer version, and a file that was
changed is left alone: the newer version is then put beside it, once.
"""

from __future__ import annotations

import errno
import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from mcplab.errors import McplabError
from mcplab.files import write_whole

MANIFEST = ".mcplab-course.json"


class FolderError(McplabError):
    """The folder cannot be used; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Report:
    """What `prepare` did. Paths are relative to `folder`.

    Attributes:
        added: files that were not there.
        updated: files as shipped earlier, now replaced by a newer version.
        kept: files that the learner changed; not touched.
        beside: newer versions put beside files that were kept.
    """

    folder: Path
    added: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        counts = [
            (self.added, "new"),
            (self.updated, "updated"),
            (self.kept, "kept because you changed it"),
        ]
        parts = [f"{len(paths)} {what}" for paths, what in counts if paths]
        lines = [f"Course in {self.folder}: {', '.join(parts) or 'nothing new'}."]
        lines += [f"  A newer version is beside yours: {path}" for path in self.beside]
        return "\n".join(lines)


def shipped() -> Path:
    """The folder that holds the built ``notebooks/``, ``exercises/`` and ``solutions/``.

    Raises:
        FolderError: neither an installed package nor a checkout with built notebooks.
    """
    package = Path(__file__).parents[1]
    for root in (package / "_course_files", package.parent):
        if any((root / "notebooks").glob("*.ipynb")):
            return root
    raise FolderError(
        "The lessons are not in this installation. In a checkout run `mcplab build`; "
        "otherwise install mcplab again."
    )


def prepare(folder: Path | str, *, solutions: bool = False, source: Path | None = None) -> Report:
    """Copy the course into `folder` and keep whatever the learner changed there.

    Args:
        folder: made if it is not there.
        solutions: also copy the solved exercises.
        source: where the built course is; by default `shipped`.

    Raises:
        FolderError: the folder cannot be read or written, or the course was not found.
    """
    root = source or shipped()
    target = Path(folder).expanduser()
    report = Report(target)
    with _explained(target):
        target.mkdir(parents=True, exist_ok=True)
        known = _read_manifest(target)
        try:
            for path in _course_files(root, solutions):
                _place(report, known, path, (root / path).read_bytes())
        finally:
            # Also after a failure: what was copied so far is known as ours.
            _write_manifest(target, known)
    return report


def reset(folder: Path | str, name: str, *, source: Path | None = None) -> tuple[Path, Path | None]:
    """Bring back one file as shipped. The learner's file is kept beside it.

    Args:
        folder: the learner's folder.
        name: the file's name, with or without its folder and ending; a part will do when
            only one file has it, such as ``exercise_01``.
        source: where the built course is; by default `shipped`.

    Returns:
        The file as shipped, and where the learner's one is now (None if there was none).

    Raises:
        FolderError: no file or several files have that name; the folder cannot be written.
    """
    root = source or shipped()
    target = Path(folder).expanduser()
    path = _one_path(root, target, name)
    data = (root / path).read_bytes()
    with _explained(target):
        file, old = target / path, None
        if file.exists() and file.read_bytes() != data:
            old = _free_name(file, "yours")
            write_whole(old, file.read_bytes())
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, data)
        known = _read_manifest(target)
        known[path] = _hash(data)
        _write_manifest(target, known)
    return file, old


def _place(report: Report, known: dict[str, str], path: str, data: bytes) -> None:
    """Put one shipped file in its place, by the four cases of the module's text."""
    file = report.folder / path
    now = _hash(file.read_bytes()) if file.exists() else None
    if now is None:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, data)
        report.added.append(path)
    elif now == _hash(data):
        pass
    elif now == known.get(path):
        write_whole(file, data)
        report.updated.append(path)
    else:
        report.kept.append(path)
        if known.get(path) == _hash(data):
            return  # the learner has seen this version, or changed this very one
        beside = _beside(report, known, path, data)
        if beside:
            report.beside.append(beside)
    known[path] = _hash(data)


def _beside(report: Report, known: dict[str, str], path: str, data: bytes) -> str | None:
    """Write the newer version beside a changed file; None if it is there already."""
    file = report.folder / path
    beside = file.with_stem(f"{file.stem} (new)")
    name = beside.relative_to(report.folder).as_posix()
    if beside.exists():
        there = _hash(beside.read_bytes())
        if there == _hash(data):
            return None
        if there != known.get(name):  # the learner works in it: leave that one alone, too
            beside = _free_name(file, "new")
            name = beside.relative_to(report.folder).as_posix()
    write_whole(beside, data)
    known[name] = _hash(data)
    return name


def _course_files(root: Path, solutions: bool) -> Iterator[str]:
    folders = ("notebooks", "exercises", "solutions")
    for folder in folders if solutions else folders[:2]:
        for file in sorted((root / folder).glob("*.ipynb")):
            yield f"{folder}/{file.name}"


def _one_path(root: Path, target: Path, name: str) -> str:
    """The shipped path that `name` means; solutions only if the learner has them."""
    paths = list(_course_files(root, (target / "solutions").is_dir()))
    wanted = name.removesuffix(".ipynb")
    exact = [path for path in paths if wanted in (path[:-6], Path(path).stem)]
    found = exact or [path for path in paths if wanted in path]
    if len(found) == 1:
        return found[0]
    listed = ", ".join(found or paths)
    which = "Several files have" if found else "No file of the course has"
    raise FolderError(f"{which} the name {name!r}. Use one of: {listed}.")


def _free_name(file: Path, word: str) -> Path:
    for number in range(1, 1000):
        tail = f" ({word})" if number == 1 else f" ({word} {number})"
        candidate = file.with_stem(file.stem + tail)
        if not candidate.exists():
            return candidate
    raise FolderError(f"There are 999 copies beside {file}. Delete some.")


def _read_manifest(folder: Path) -> dict[str, str]:
    """The hashes as shipped.

    A manifest that cannot be read counts as empty: then every file that differs counts as
    changed by the learner, and nothing is lost.
    """
    try:
        entries = json.loads(_text(folder / MANIFEST) or "{}")["shipped"]
        return {str(path): str(digest) for path, digest in entries.items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        return {}


def _write_manifest(folder: Path, known: dict[str, str]) -> None:
    text = json.dumps({"shipped": known}, indent=1, sort_keys=True) + "\n"
    if text != _text(folder / MANIFEST):
        write_whole(folder / MANIFEST, text)


def _text(path: Path) -> str | None:
    try:
        return path.read_text("utf-8")
    except (FileNotFoundError, UnicodeDecodeError):
        return None


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@contextmanager
def _explained(folder: Path) -> Iterator[None]:
    """Turn an OSError into a sentence with a way out."""
    try:
        yield
    except OSError as error:
        full = error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", None))
        way_out = "Make room on the disk" if full else "Choose another folder"
        place = error.filename2 or error.filename or folder
        raise FolderError(
            f"Cannot write the course into {folder}: {error.strerror} ({place}). {way_out}, "
            "then start again; nothing of yours was changed."
        ) from error
