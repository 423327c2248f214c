"""Intervals, summaries and the figure."""

from __future__ import annotations

import subprocess
import sys

import matplotlib
import pandas as pd
import pytest

matplotlib.use("agg")

from mcplab.models import ScriptedModel
from mcplab.sweep import alt_text, plot, summarise, sweep, wilson


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    return sweep(tools=(1, 5, 20), progress=False)


@pytest.mark.parametrize(
    ("right", "n", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (5, 10, 0.2366, 0.7634),
        (10, 10, 0.7225, 1.0),
        (81, 263, 0.2553, 0.3662),
    ],
)
def test_wilsons_interval_has_the_published_values(right, n, low, high) -> None:
    """The last row is the worked example of Newcombe, Statistics in Medicine 17 (1998) 857."""
    assert wilson(right, n) == pytest.approx((low, high), abs=1e-4)


def test_nothing_is_known_from_no_trials() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


def test_a_summary_counts_questions_and_lies_within_its_interval(frame: pd.DataFrame) -> None:
    table = summarise(frame)
    assert list(table.columns) == [
        "descriptions", "n_tools", "accuracy", "low", "high", "n", "tokens",
    ]  # fmt: skip
    assert list(table["n_tools"]) == [1, 5, 20, 1, 5, 20]
    assert ((table["low"] < table["accuracy"]) & (table["accuracy"] < table["high"])).all()
    mean = frame.groupby(["descriptions", "n_tools"])["right"].mean()
    assert list(table["accuracy"]) == pytest.approx(list(mean))


def test_other_columns_and_groups_can_be_summarised(frame: pd.DataFrame) -> None:
    called = summarise(frame, by=("should_call",), of="called")
    assert called["accuracy"].is_monotonic_increasing
    judged = summarise(frame, of="arguments_right")
    assert judged["n"].max() < summarise(frame)["n"].max()


def test_the_figure_shows_both_series_with_intervals_and_says_what_it_is(frame) -> None:
    figure = plot(frame)
    left, right = figure.axes
    assert figure.get_supxlabel() == "computed by a text matcher, not a language model"
    assert [t.get_text() for t in left.get_legend().get_texts()] == ["clear", "vague"]
    assert (left.get_xscale(), right.get_xscale()) == ("log", "log")
    assert len(left.containers) == 2
    assert all(container.has_yerr for container in left.containers)
    colours = {line.get_color() for line in right.lines}
    dashes = {line.get_linestyle() for line in right.lines}
    assert len(colours) == len(dashes) == 2


def test_the_figure_is_drawn_on_white_so_that_a_dark_theme_does_not_hide_it(frame) -> None:
    figure = plot(frame)
    assert figure.get_facecolor() == (1.0, 1.0, 1.0, 1.0)
    assert all(axes.get_facecolor() == (1.0, 1.0, 1.0, 1.0) for axes in figure.axes)


def test_the_figure_can_be_saved_and_leaves_no_figure_open(frame, tmp_path) -> None:
    from matplotlib import pyplot as plt

    plot(frame).savefig(tmp_path / "curve.svg")
    assert (tmp_path / "curve.svg").stat().st_size > 5000
    assert plt.get_fignums() == []


def test_a_scripted_sweep_does_not_pass_for_a_measurement() -> None:
    scripted = sweep(ScriptedModel(["no"]), tools=(1,), descriptions="clear", progress=False)
    assert plot(scripted).get_supxlabel() == "scripted replies: nothing was measured"


def test_an_interrupted_sweep_says_so_in_its_caption(frame) -> None:
    part = frame.copy()
    part.attrs["complete"] = False
    assert "not all trials" in plot(part).get_supxlabel()


def test_the_alternative_text_has_every_point(frame) -> None:
    words = alt_text(frame)
    for row in summarise(frame).itertuples():
        assert f"{row.accuracy:.0%}" in words
    assert words.endswith("Computed by a text matcher, not a language model.")


def test_importing_models_and_sweep_loads_neither_pandas_nor_matplotlib() -> None:
    code = (
        "import sys, mcplab.models, mcplab.sweep\n"
        "print([m for m in ('pandas', 'numpy', 'matplotlib', 'anthropic', 'openai', 'mcp') "
        "if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
