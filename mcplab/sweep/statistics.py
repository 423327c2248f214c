"""What a sweep says, and how surely: accuracies with 95 % intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

Z95 = 1.959963984540054  # the normal distribution has 95 % of its mass within ± this


def wilson(right: float, n: int, z: float = Z95) -> tuple[float, float]:
    """Wilson's score interval for a proportion (E. B. Wilson 1927).

    Unlike "plus or minus two standard errors" it stays within 0 and 1 and is honest at 0 of n
    and n of n.

    Args:
        right: how many were right; may be a fraction when trials were averaged first.
        n: out of how many. 0 gives the interval from 0 to 1: nothing is known.
        z: how many standard deviations; the default gives 95 %.

    Returns:
        The lower and the upper end.
    """
    if n == 0:
        return 0.0, 1.0
    p = right / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return max(0.0, middle - half), min(1.0, middle + half)


def summarise(
    frame: pd.DataFrame, by: Sequence[str] = ("descriptions", "n_tools"), of: str = "right"
) -> pd.DataFrame:
    """Accuracy for each group of trials.

    Trials of the same question are not independent, so they are averaged first, and `n` counts
    questions. (With one trial a question, both are the same.)

    Args:
        frame: what `sweep` returned.
        by: the columns that make a group.
        of: the column that is averaged: ``right``, ``called`` or ``arguments_right`` (trials
            that were not judged are left out).

    Returns:
        One row a group: the columns of `by`, ``accuracy``, ``low`` and ``high`` (95 % Wilson
        interval), ``n`` (questions), ``tokens`` (mean of the tool list).
    """
    import pandas as pd

    keys = list(by)
    judged = frame[frame[of].notna()]
    judged = judged.assign(**{of: judged[of].astype(float)})
    questions = judged.groupby([*keys, "question"], sort=False, as_index=False).agg(
        mean=(of, "mean"), tokens=("tokens", "mean")
    )
    rows: list[tuple[Any, ...]] = []
    for key, group in questions.groupby(keys, sort=True):
        n = len(group)
        accuracy = float(group["mean"].mean())
        rows.append((*key, accuracy, *wilson(accuracy * n, n), n, float(group["tokens"].mean())))
    return pd.DataFrame(rows, columns=[*keys, "accuracy", "low", "high", "n", "tokens"])
