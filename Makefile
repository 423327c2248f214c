# Two commands for a fresh machine that has Python 3.11+, node, npm and apt:
#   make lab    sets everything up and opens the course in JupyterLab
#   make test   sets everything up and runs every check that CI runs
# `make fast` runs the checks that take less than two minutes.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
PYTEST := $(BIN)/python -m pytest

.PHONY: lab test fast setup lint types built unit slow browser bench clean chromium

lab: $(VENV)/.lab
	$(BIN)/mcplab lab

test: setup fast slow

fast: $(VENV)/.test lint types built unit

setup: $(VENV)/.test chromium

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.test
	$(BIN)/mypy

# The committed notebooks are what a build of the lesson sources gives.
built: $(VENV)/.test
	$(BIN)/mcplab build --check

unit: $(VENV)/.test
	$(PYTEST) -n 2 -m "not browser and not notebooks and not install"

slow: $(VENV)/.test chromium
	$(PYTEST) -m "notebooks or install or browser"

bench: $(VENV)/.test
	for file in tests/benchmarks/bench_*.py; do echo "== $$file"; $(BIN)/python $$file || exit 1; done

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV) || { \
	  echo "No virtual environment could be made. On Debian: apt-get install python3-venv"; exit 1; }

$(VENV)/.lab: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/.test: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable ".[test,dev,notebook7]"
	touch $@ $(VENV)/.lab

# The browser tests drive Debian's Chromium; its driver and a download of our own are not needed.
chromium:
	@command -v chromium >/dev/null || { \
	  if [ "$$(id -u)" = 0 ]; then as=; else as=sudo; fi; \
	  $$as apt-get update -qq && $$as apt-get install -y -qq --no-install-recommends chromium; }
