"""Reading py:percent files."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcplab.course.percent import PercentError, read


def cells(tmp_path: Path, text: str) -> list[tuple[str, str, tuple[str, ...]]]:
    path = tmp_path / "lesson.py"
    path.write_text(text, "utf-8")
    return [(cell.kind, cell.source, cell.tags) for cell in read(path)]


def test_markdown_loses_its_comment_marks_and_code_its_blank_edges(tmp_path: Path) -> None:
    text = '# %% [markdown]\n# # Title\n#\n#  - two blanks\n\n# %% tags=["a", "b"]\n\nx = 1\n\n'
    assert cells(tmp_path, text) == [
        ("markdown", "# Title\n\n - two blanks", ()),
        ("code", "x = 1", ("a", "b")),
    ]


def test_an_empty_file_has_no_cells(tmp_path: Path) -> None:
    assert cells(tmp_path, "\n\n") == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1\n# %%\n", "text before the first"),
        ("# %% tags=[a]\n", r"lesson\.py:1: cannot read"),
        ("# %%\n\n# %% what is this\n", r"lesson\.py:3: cannot read"),
        ("# %% [markdown]\nx = 1\n", "not a comment: 'x = 1'"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(PercentError, match=words):
        cells(tmp_path, text)
