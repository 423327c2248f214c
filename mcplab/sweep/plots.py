"""The curve: accuracy against the number of tools, and what the tool list costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcplab.sweep.statistics import summarise

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

# Okabe and Ito's colours can be told apart by colour-blind readers; the marks and dashes say
# the same once more.
_STYLES = (
    {"color": "#0072B2", "marker": "o", "linestyle": "-"},
    {"color": "#D55E00", "marker": "s", "linestyle": "--"},
    {"color": "#009E73", "marker": "^", "linestyle": ":"},
    {"color": "#CC79A7", "marker": "D", "linestyle": "-."},
)
_CAPTIONS = {
    "mock-reading": "computed by a text matcher, not a language model",
    "scripted": "scripted replies: nothing was measured",
}


def plot(frame: pd.DataFrame, by: str = "descriptions") -> Figure:
    """Draw accuracy against the number of tools, with 95 % intervals, and the token cost.

    Args:
        frame: what `sweep` returned.
        by: the column that makes the series.

    Returns:
        A matplotlib figure on white, so that it reads in a dark theme as well. A notebook cell
        that ends with it shows it; ``plot(frame).savefig("curve.svg")`` keeps it.
        `alt_text` describes it in words.
    """
    from matplotlib import pyplot as plt
    from matplotlib.ticker import FixedLocator, NullLocator, PercentFormatter, ScalarFormatter

    table = summarise(frame, by=(by, "n_tools"))
    counts = sorted(table["n_tools"].unique())
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(9, 4), width_ratios=(2, 1), facecolor="white", layout="constrained"
    )
    for place, (series, rows) in enumerate(table.groupby(by, sort=True)):
        style: Any = {**_STYLES[place % len(_STYLES)], "label": str(series)}
        # Side by side, so that overlapping intervals stay visible.
        x = rows["n_tools"] * (1 + 0.03 * (place - 0.5))
        spread = (rows["accuracy"] - rows["low"], rows["high"] - rows["accuracy"])
        left.errorbar(x, rows["accuracy"], yerr=spread, capsize=3, **style)
        right.plot(rows["n_tools"], rows["tokens"], **style)
    left.set(ylim=(0, 1.02), ylabel="right choice (95 % intervals)", title="Accuracy")
    left.yaxis.set_major_formatter(PercentFormatter(1.0))
    right.set(ylabel="tokens of the tool list (estimated)", title="Cost")
    right.set_ylim(bottom=0)
    for axes in (left, right):
        axes.set_xscale("log")
        axes.set_xlabel("tools shown (log scale)")
        axes.xaxis.set_major_locator(FixedLocator(counts))
        axes.xaxis.set_major_formatter(ScalarFormatter())
        axes.xaxis.set_minor_locator(NullLocator())
        axes.grid(alpha=0.3)
        axes.set_facecolor("white")
    left.legend(title=by, loc="lower left")
    figure.supxlabel(_caption(frame), fontsize=9, style="italic")
    plt.close(figure)  # a notebook shows the returned figure; an open one would show twice
    return figure


def alt_text(frame: pd.DataFrame, by: str = "descriptions") -> str:
    """The curve in words, for readers who do not see the picture."""
    table = summarise(frame, by=(by, "n_tools"))
    parts = []
    for series, rows in table.groupby(by, sort=True):
        points = ", ".join(
            f"{row.accuracy:.0%} ({row.low:.0%} to {row.high:.0%}) with {row.n_tools} tools"
            for row in rows.itertuples()
        )
        parts.append(f"{series}: {points}")
    return (
        f"Line chart of the share of right choices against the number of tools shown, by {by}; "
        f"95 % intervals in brackets. {'. '.join(parts)}. {_caption(frame).capitalize()}."
    )


def _caption(frame: pd.DataFrame) -> str:
    names = sorted(set(frame["model"])) or ["no model"]
    caption = "; ".join(_CAPTIONS.get(name, f"measured on {name}") for name in names)
    complete = frame.attrs.get("complete", True)
    return caption if complete else f"{caption} (interrupted: not all trials)"
