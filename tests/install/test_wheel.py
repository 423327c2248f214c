"""The plain way: the wheel holds everything a learner needs, and the sdist no more."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

pytestmark = [pytest.mark.install, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the sdist."""
    out = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "build", "--outdir", str(out), str(ROOT)],
        check=True,
        capture_output=True,
    )
    return out


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel unpacked into a folder of its own."""
    target = tmp_path_factory.mktemp("site")
    (wheel,) = built.glob("*.whl")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target"]
    subprocess.run([*command, str(target), str(wheel)], check=True)
    return target


def run(installed: Path, *arguments: str, cwd: Path) -> str:
    """Run the installed package, away from the checkout."""
    code = (
        "import sys; sys.path.insert(0, sys.argv.pop(1)); import mcplab.cli as c;"
        "assert 'site' in c.__file__, c.__file__; sys.exit(c.main())"
    )
    result = subprocess.run(
        [sys.executable, "-c", code, str(installed), *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_the_wheel_carries_the_lessons_and_the_stepper(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    for wanted in (
        "mcplab/_course_files/notebooks/01_one_question_four_steps.ipynb",
        "mcplab/_course_files/exercises/exercise_01_three_messages.ipynb",
        "mcplab/_course_files/solutions/exercise_01_three_messages.ipynb",
        "mcplab/stepper/widget.js",
        "mcplab/stepper/widget.css",
        "mcplab/servers/calculator.py",
        "mcplab/py.typed",
    ):
        assert wanted in names
    assert not [name for name in names if name.startswith("tests/") or "__pycache__" in name]


def test_the_sdist_is_small_and_holds_no_rubbish(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    assert sdist.stat().st_size < 3_000_000
    with tarfile.open(sdist) as archive:
        names = archive.getnames()
    assert not [n for n in names if ".venv" in n or "node_modules" in n or "__pycache__" in n]


def test_the_installed_package_makes_a_course_folder(installed: Path, tmp_path: Path) -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]);"
        "from mcplab.course.folder import prepare; print(prepare('course'))"
    )
    subprocess.run([sys.executable, "-c", code, str(installed)], cwd=tmp_path, check=True)
    assert len(list((tmp_path / "course" / "notebooks").glob("*.ipynb"))) >= 3


def test_the_installed_package_runs_the_demo(installed: Path, tmp_path: Path) -> None:
    out = run(installed, "demo", "--auto", cwd=tmp_path)
    assert "12 × 30 = 360" in out
