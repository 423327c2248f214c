"""The learner's folder: what they wrote is never lost."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest

from mcplab.course import FolderError, folder, prepare, reset, shipped
from mcplab.course.folder import MANIFEST

LESSON = "notebooks/01_a.ipynb"
TASK = "exercises/exercise_01.ipynb"


def course(root: Path, version: str) -> Path:
    """A small course as it is shipped."""
    for path in (LESSON, TASK, "solutions/exercise_01.ipynb"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(f"{path} {version}")
    return root


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return course(tmp_path / "shipped", "1")


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    return tmp_path / "mine"


def names(mine: Path) -> set[str]:
    return {path.relative_to(mine).as_posix() for path in mine.rglob("*.ipynb")}


def test_the_course_is_copied_and_solutions_only_on_request(source: Path, mine: Path) -> None:
    report = prepare(mine, source=source)
    assert sorted(report.added) == sorted([LESSON, TASK])
    assert names(mine) == {LESSON, TASK}
    prepare(mine, solutions=True, source=source)
    assert names(mine) == {LESSON, TASK, "solutions/exercise_01.ipynb"}


def test_a_second_time_nothing_is_written(source: Path, mine: Path) -> None:
    prepare(mine, source=source)
    before = {path: path.stat().st_mtime_ns for path in mine.rglob("*") if path.is_file()}
    report = prepare(mine, source=source)
    after = {path: path.stat().st_mtime_ns for path in mine.rglob("*") if path.is_file()}
    assert before == after
    assert str(report) == f"Course in {mine}: nothing new."


def test_a_file_that_was_not_changed_follows_the_newer_version(source: Path, mine: Path) -> None:
    prepare(mine, source=source)
    report = prepare(mine, source=course(source, "2"))
    assert sorted(report.updated) == sorted([LESSON, TASK])
    assert (mine / TASK).read_text() == f"{TASK} 2"
    assert names(mine) == {LESSON, TASK}


def test_a_changed_file_is_kept_and_the_newer_version_is_put_beside_it_once(
    source: Path, mine: Path
) -> None:
    prepare(mine, source=source)
    (mine / TASK).write_text("my answer")
    assert prepare(mine, source=source).beside == []

    report = prepare(mine, source=course(source, "2"))
    beside = "exercises/exercise_01 (new).ipynb"
    assert report.kept == [TASK]
    assert report.beside == [beside]
    assert beside in str(report)
    assert (mine / TASK).read_text() == "my answer"
    assert (mine / beside).read_text() == f"{TASK} 2"

    (mine / beside).unlink()
    assert prepare(mine, source=source).beside == []
    assert beside not in names(mine)


def test_a_newer_version_replaces_the_one_beside_but_not_if_the_learner_works_in_it(
    source: Path, mine: Path
) -> None:
    beside = mine / "exercises/exercise_01 (new).ipynb"
    prepare(mine, source=source)
    (mine / TASK).write_text("my answer")
    prepare(mine, source=course(source, "2"))
    prepare(mine, source=course(source, "3"))
    assert beside.read_text() == f"{TASK} 3"

    beside.write_text("my second answer")
    report = prepare(mine, source=course(source, "4"))
    assert beside.read_text() == "my second answer"
    assert report.beside == ["exercises/exercise_01 (new 2).ipynb"]
    assert (mine / report.beside[0]).read_text() == f"{TASK} 4"


def test_a_file_that_was_there_before_is_the_learners(source: Path, mine: Path) -> None:
    (mine / "notebooks").mkdir(parents=True)
    (mine / LESSON).write_text("older than mcplab")
    report = prepare(mine, source=source)
    assert report.kept == [LESSON]
    assert (mine / LESSON).read_text() == "older than mcplab"
    assert (mine / "notebooks/01_a (new).ipynb").exists()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"shipped": 3}', "\x00\xff"])
def test_without_a_manifest_that_can_be_read_nothing_of_the_learners_is_lost(
    source: Path, mine: Path, text: str
) -> None:
    prepare(mine, source=source)
    (mine / TASK).write_text("my answer")
    (mine / MANIFEST).write_bytes(text.encode("latin-1"))
    prepare(mine, source=course(source, "2"))
    assert (mine / TASK).read_text() == "my answer"
    assert set(json.loads((mine / MANIFEST).read_text())["shipped"]) >= {LESSON, TASK}


def test_a_file_that_the_learner_deleted_comes_back(source: Path, mine: Path) -> None:
    prepare(mine, source=source)
    (mine / TASK).unlink()
    assert prepare(mine, source=source).added == [TASK]


def fails(number: int, only: str = "") -> Any:
    def write_whole(path: Path, data: Any) -> None:
        if only in path.name:
            raise OSError(number, os.strerror(number), str(path))
        path.write_bytes(data if isinstance(data, bytes) else data.encode())

    return write_whole


@pytest.mark.parametrize(
    ("number", "way_out"),
    [(errno.ENOSPC, "Make room"), (errno.EROFS, "Choose another folder"), (errno.EACCES, "Choose")],
)
def test_a_folder_that_cannot_be_written_is_a_clear_error(
    source: Path, mine: Path, monkeypatch: pytest.MonkeyPatch, number: int, way_out: str
) -> None:
    monkeypatch.setattr(folder, "write_whole", fails(number))
    with pytest.raises(FolderError, match=way_out) as caught:
        prepare(mine, source=source)
    assert str(mine) in str(caught.value)


def test_what_was_copied_before_the_disk_was_full_is_still_known_as_ours(
    source: Path, mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(folder, "write_whole", fails(errno.ENOSPC, only="exercise_01"))
        with pytest.raises(FolderError):
            prepare(mine, source=source)
    report = prepare(mine, source=course(source, "2"))
    assert report.updated == [LESSON]
    assert report.added == [TASK]


def test_a_file_in_the_place_of_the_folder_is_a_clear_error(source: Path, mine: Path) -> None:
    mine.write_text("a file")
    with pytest.raises(FolderError, match="File exists"):
        prepare(mine, source=source)


def test_reset_brings_the_file_back_and_keeps_the_learners_beside_it(
    source: Path, mine: Path
) -> None:
    prepare(mine, source=source)
    for number, text in enumerate(("first", "second"), 1):
        (mine / TASK).write_text(text)
        new, old = reset(mine, "exercise_01", source=source)
        assert new.read_text() == f"{TASK} 1"
        assert old is not None
        assert old.name == ["exercise_01 (yours).ipynb", "exercise_01 (yours 2).ipynb"][number - 1]
        assert old.read_text() == text
    assert prepare(mine, source=course(source, "2")).updated == [LESSON, TASK]


def test_reset_of_an_unchanged_file_leaves_no_copy(source: Path, mine: Path) -> None:
    prepare(mine, source=source)
    assert reset(mine, LESSON, source=source) == (mine / LESSON, None)
    assert names(mine) == {LESSON, TASK}


def test_reset_when_the_disk_is_full_leaves_the_learners_file_where_it_is(
    source: Path, mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(mine, source=source)
    (mine / TASK).write_text("my answer")
    monkeypatch.setattr(folder, "write_whole", fails(errno.ENOSPC))
    with pytest.raises(FolderError, match="nothing of yours was changed"):
        reset(mine, TASK, source=source)
    assert (mine / TASK).read_text() == "my answer"


def test_reset_says_which_names_there_are(source: Path, mine: Path) -> None:
    prepare(mine, source=source)
    with pytest.raises(FolderError, match="No file of the course has the name 'zzz'"):
        reset(mine, "zzz", source=source)
    with pytest.raises(FolderError, match="Several files have"):
        reset(mine, "01", source=source)


def test_the_course_of_this_checkout_is_found() -> None:
    assert list((shipped() / "notebooks").glob("01_*.ipynb"))


def test_a_missing_course_is_a_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder, "__file__", str(tmp_path / "mcplab" / "course" / "folder.py"))
    with pytest.raises(FolderError, match="mcplab build"):
        shipped()
