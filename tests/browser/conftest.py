"""A real JupyterLab in a real browser.

One server for the whole session, one browser, a fresh page for each test. Screenshots go to
the folder in `MCPLAB_SHOTS` (by default `tests/browser/shots`, which git ignores).
"""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest

pytest.importorskip("playwright.sync_api", reason="the browser tests need playwright")
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

ROOT = Path(__file__).parents[2]
SHOTS = Path(os.environ.get("MCPLAB_SHOTS", Path(__file__).parent / "shots"))
PATIENCE = 60_000  # milliseconds; a busy machine starts a kernel slowly

expect.set_options(timeout=30_000)

# A notice of news or updates would lie over the page; autosave would write at odd moments.
SETTINGS = {
    "@jupyterlab/apputils-extension/notification.jupyterlab-settings": (
        '{"fetchNews": "false", "checkForUpdates": false, "doNotDisturbMode": true}'
    ),
    "@jupyterlab/docmanager-extension/plugin.jupyterlab-settings": '{"autosave": false}',
}


@dataclass(frozen=True)
class Lab:
    """A running JupyterLab server."""

    url: str
    token: str
    folder: Path

    def notebook(self, name: str, *cells: str) -> str:
        """Write a notebook with these code cells; give its address."""
        notebook = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(cell) for cell in cells],
            metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        )
        nbformat.write(notebook, self.folder / f"{name}.ipynb")
        return f"{self.url}/lab/workspaces/{name}/tree/{name}.ipynb?token={self.token}"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """A JupyterLab on 127.0.0.1 with settings of its own; its kernels find this checkout."""
    home = tmp_path_factory.mktemp("lab")
    folder = home / "work"
    folder.mkdir()
    for name, text in SETTINGS.items():
        file = home / "settings" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    token, port = secrets.token_hex(16), _free_port()
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "IPYTHONDIR": str(home / "ipython"),
    }
    options = [
        f"--ServerApp.root_dir={folder}",
        "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
        "--ServerApp.open_browser=False",
        "--ServerApp.allow_root=True",
        f"--IdentityProvider.token={token}",
        "--LabApp.news_url=",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        "--LabApp.extension_manager=readonly",
        "--LabApp.expose_app_in_browser=True",
    ]
    command = [sys.executable, "-m", "jupyterlab", *options]
    with serve(command, port, environment, home / "server.log") as url:
        yield Lab(url, token, folder)


@pytest.fixture(scope="session")
def course(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """The course as the README opens it: `mcplab lab`."""
    home = tmp_path_factory.mktemp("course")
    token, port = secrets.token_hex(16), _free_port()
    command = [
        *(sys.executable, "-m", "mcplab", "lab", "--dir", str(home / "course"), "--solutions"),
        *("--no-browser", "--port", str(port), "--"),
        *("--ServerApp.port_retries=0", f"--IdentityProvider.token={token}"),
    ]
    own_settings = {
        "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "IPYTHONDIR": str(home / "ipython"),
    }
    with serve(command, port, {**os.environ, **own_settings}, home / "server.log") as url:
        yield Lab(url, token, home / "course")


@contextmanager
def serve(command: list[str], port: int, environment: dict[str, str], log: Path) -> Iterator[str]:
    """Run a server until the end of the block; gives its URL once it answers."""
    with log.open("wb") as file:
        server = subprocess.Popen(command, env=environment, stdout=file, stderr=subprocess.STDOUT)
        try:
            url = f"http://127.0.0.1:{port}"
            _wait_for(url, server, log)
            yield url
        finally:
            server.terminate()
            server.wait(30)


def _wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(240):
        if server.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{url}/api", timeout=5):
                return
        except OSError:
            time.sleep(0.25)
    pytest.fail(f"JupyterLab did not start:\n{log.read_text(errors='replace')[-3000:]}")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, without a screen."""
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if path is None:
        pytest.fail("No chromium was found. On Debian: apt-get install chromium")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-gpu"]
        )
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """An empty page; a JavaScript error in it fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 1000})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert not errors, f"errors in the page: {errors}"


@dataclass(frozen=True)
class NotebookPage:
    """A notebook that is open in JupyterLab, with a kernel that is ready."""

    page: Page

    def cell(self, index: int) -> Locator:
        return self.page.locator(".jp-Notebook .jp-Cell").nth(index)

    def run_cell(self, index: int) -> Locator:
        """Run a cell with Shift+Enter; give the cell back."""
        cell = self.cell(index)
        cell.locator(".jp-InputArea-editor").click()
        self.page.keyboard.press("Shift+Enter")
        return cell

    def wait_until_idle(self) -> None:
        """Wait for a kernel with a name that is idle; "idle" alone comes before there is one."""
        name = self.page.locator(".jp-NotebookPanel-toolbar .jp-KernelName")
        expect(name).to_contain_text("Python", timeout=PATIENCE)
        indicator = self.page.locator(".jp-NotebookPanel-toolbar .jp-Notebook-ExecutionIndicator")
        expect(indicator).to_have_attribute("data-status", "idle", timeout=PATIENCE)

    def use_theme(self, name: str) -> None:
        """Change JupyterLab's theme, such as ``JupyterLab Dark``."""
        self.page.evaluate(
            "name => window.jupyterapp.commands.execute('apputils:change-theme', {theme: name})",
            name,
        )
        light = str("Dark" not in name).lower()
        expect(self.page.locator(f"body[data-jp-theme-light='{light}']")).to_be_attached()

    def shot(self, name: str, what: Locator | None = None) -> None:
        """Keep a screenshot."""
        SHOTS.mkdir(parents=True, exist_ok=True)
        (what or self.page).screenshot(path=SHOTS / f"{name}.png")


def open_notebook(page: Page, url: str) -> NotebookPage:
    """Open the notebook at `url` and wait for its kernel."""
    page.goto(url)
    page.locator(".jp-Notebook .jp-Cell").first.wait_for()
    notebook = NotebookPage(page)
    notebook.wait_until_idle()
    return notebook
