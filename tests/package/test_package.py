"""The package as a whole: what it exports, what it loads, what its files promise."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

import mcplab

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
HEAVY = ["anthropic", "openai", "mcp", "pandas", "matplotlib", "ipywidgets", "IPython", "httpx2"]


@pytest.mark.parametrize("name", mcplab.__all__)
def test_every_exported_name_exists_and_is_documented(name: str) -> None:
    assert getattr(mcplab, name).__doc__


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nonsense"):
        mcplab.nonsense  # noqa: B018


def test_no_exported_function_shares_its_name_with_a_module() -> None:
    # Importing the module would put it in the function's place.
    modules = {path.stem for path in Path(mcplab.__file__).parent.iterdir()}
    assert not modules & set(mcplab.__all__)


def test_importing_mcplab_loads_nothing_heavy() -> None:
    code = "import sys, json, mcplab; print(json.dumps(sorted(sys.modules)))"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    loaded = set(json.loads(result.stdout))
    assert not loaded & set(HEAVY)


def test_the_version_is_the_same_everywhere() -> None:
    assert PYPROJECT["project"]["version"] == mcplab.__version__


def test_conda_users_get_the_same_packages() -> None:
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    python, pip, listed = environment["dependencies"]
    assert python == f"python{PYPROJECT['project']['requires-python']}"
    assert pip == "pip"
    assert listed["pip"] == [*PYPROJECT["project"]["dependencies"], "--editable ."]


def test_every_make_target_that_the_docs_name_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.M))
    for document in ("README.md", "CONTRIBUTING.md", ".ci/run"):
        named = set(re.findall(r"\bmake ([a-z]+)\b(?! sure)", (ROOT / document).read_text()))
        assert named, document
        assert named <= targets | {"make"}, document


def test_every_file_that_the_readme_links_to_exists() -> None:
    readme = (ROOT / "README.md").read_text()
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", readme) + re.findall(
        r'src="([^"]+)"', readme
    ):
        assert (ROOT / target).exists(), target
