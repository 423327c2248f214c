"""The notebooks are what their sources say, byte for byte."""

from __future__ import annotations

import json
import re
from pathlib import Path

import nbformat
import pytest

from mcplab.course.build import FOLDERS, BuildError, build, notebook, report
from mcplab.course.catalog import CATALOG, COURSE_VERSION, SOURCES, Entry
from mcplab.course.curriculum import CURRICULUM
from mcplab.grading import EXERCISES

ROOT = Path(__file__).parents[2]
entries = pytest.mark.parametrize("entry", CATALOG, ids=lambda entry: entry.name)


def tree(root: Path) -> dict[str, bytes]:
    return {p.relative_to(root).as_posix(): p.read_bytes() for p in root.rglob("*.ipynb")}


def test_two_builds_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        assert build(tmp_path / name)
    assert tree(tmp_path / "one") == tree(tmp_path / "two")


def test_the_notebooks_in_the_repository_match_their_sources() -> None:
    differing = build(ROOT, check=True)
    assert differing == [], report(differing)


def test_a_check_finds_what_was_changed_and_what_has_no_source_and_writes_nothing(
    tmp_path: Path,
) -> None:
    build(tmp_path)
    changed = tmp_path / "notebooks" / f"{CATALOG[0].name}.ipynb"
    changed.write_text(changed.read_text("utf-8").replace("12 times 30", "13 times 30"), "utf-8")
    (tmp_path / "solutions" / "stray.ipynb").write_text("{}")
    before = tree(tmp_path)
    differing = build(tmp_path, check=True)
    assert differing == [f"notebooks/{CATALOG[0].name}.ipynb", "solutions/stray.ipynb"]
    assert tree(tmp_path) == before
    assert "mcplab build" in report(differing)
    assert build(tmp_path) == differing
    assert build(tmp_path, check=True) == ["solutions/stray.ipynb"]


@entries
def test_a_built_notebook_is_valid_and_bare(entry: Entry) -> None:
    for solved in (False, True):
        content = notebook(entry, solved=solved)
        nbformat.validate(nbformat.from_dict(content))
        assert content["metadata"]["mcplab"]["course"] == COURSE_VERSION
        for cell in content["cells"]:
            assert not cell.get("outputs")
            assert cell.get("execution_count") is None
            assert "attachments" not in cell


@entries
def test_cell_ids_are_unique_and_do_not_move_when_a_cell_is_added(
    entry: Entry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = [cell["id"] for cell in notebook(entry)["cells"]]
    assert len(set(before)) == len(before)
    monkeypatch.setattr("mcplab.course.catalog.SOURCES", tmp_path)
    (tmp_path / f"{entry.name}.py").write_text(
        "# %% [markdown]\n# New in front.\n" + (SOURCES / f"{entry.name}.py").read_text("utf-8"),
        "utf-8",
    )
    assert [cell["id"] for cell in notebook(entry)["cells"]][1:] == before


def test_exercises_and_solutions_have_one_answer_cell_that_differs() -> None:
    for entry in CATALOG:
        if entry.kind == "exercise":
            start, solved = (
                {cell["id"]: cell for cell in notebook(entry, solved=solved)["cells"]}
                for solved in (False, True)
            )
            answer = f"exercise-{entry.id}-answer"
            assert start[answer]["source"] != solved[answer]["source"]
            assert "NotImplementedError" in "".join(start[answer]["source"])
            for cells in (start, solved):
                assert cells[answer]["metadata"]["mcplab"] == {
                    "exercise": entry.id,
                    "role": "answer",
                }
                function = EXERCISES[entry.id].function
                assert f"def {function}(" in "".join(cells[answer]["source"])
            shared = start.keys() & solved.keys() - {answer}
            assert len(shared) > len(start) / 2
            assert all(start[id] == solved[id] for id in shared)


def test_the_catalog_and_the_files_agree() -> None:
    assert sorted(f"{entry.name}.py" for entry in CATALOG) == sorted(
        path.name for path in SOURCES.glob("*.py")
    )
    for kind in ("lesson", "exercise"):
        ids = [entry.id for entry in CATALOG if entry.kind == kind]
        assert ids == [f"{number:02}" for number in range(1, len(ids) + 1)]


def test_the_catalog_and_the_exercises_agree() -> None:
    listed = {e.id: (e.title, e.curriculum) for e in CATALOG if e.kind == "exercise"}
    assert listed == {id: (x.title, x.curriculum) for id, x in EXERCISES.items()}


@entries
def test_every_curriculum_id_that_is_named_exists(entry: Entry) -> None:
    assert entry.curriculum
    assert set(entry.curriculum) <= set(CURRICULUM)


def test_the_curriculum_is_whole() -> None:
    numbers: dict[str, int] = {}
    for id in CURRICULUM:
        numbers[id[0]] = numbers.get(id[0], 0) + 1
        assert id == f"{id[0]}{numbers[id[0]]}", "ids of a letter count up without a gap"
    assert "".join(numbers) == "ABCDEFGHIJK"


@entries
def test_links_between_the_notebooks_lead_somewhere(entry: Entry) -> None:
    home = ROOT / ("notebooks" if entry.kind == "lesson" else "exercises")
    text = entry.source.read_text("utf-8")
    for target in re.findall(r"\]\(([^)#]+\.ipynb)\)", text):
        assert (home / target).resolve().is_file(), target


@entries
def test_every_notebook_ends_with_what_to_do_next(entry: Entry) -> None:
    last = "".join(notebook(entry)["cells"][-1]["source"])
    assert "Next" in last


def _entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> Entry:
    monkeypatch.setattr("mcplab.course.catalog.SOURCES", tmp_path)
    (tmp_path / "exercise_09_x.py").write_text(text)
    return Entry("exercise", "09", "exercise_09_x", "X", ("A1",))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("# %%\nx = 1\n", "0 answer cells"),
        ('# %% tags=["starter"]\nx\n# %% tags=["starter"]\ny\n', "2 answer cells"),
        ('# %% tags=["strater"]\nx\n', "tags .* are not known"),
    ],
)
def test_a_source_that_makes_no_sense_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, words: str
) -> None:
    with pytest.raises(BuildError, match=words):
        notebook(_entry(tmp_path, monkeypatch, text))


def test_a_missing_source_is_named() -> None:
    with pytest.raises(BuildError, match="there is no"):
        notebook(Entry("lesson", "99", "99_nothing", "Nothing", ("A1",)))


def test_the_folders_of_the_repository_hold_notebooks_only() -> None:
    for folder in FOLDERS:
        for path in (ROOT / folder).iterdir():
            assert path.suffix == ".ipynb" or path.name == ".ipynb_checkpoints", path
            json.loads(path.read_text("utf-8"))
