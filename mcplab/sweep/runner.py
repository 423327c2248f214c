"""Run the trials: every question, with more and more tools beside the right one.

The design is paired and nested. A question keeps its right tool in every trial, and its
distractors are drawn once and then only added to: the 5 tools of a trial are among its 10.
The clear and the vague trial show the same tools in the same order. So two points of a curve
differ by what was changed and by nothing else.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from mcplab.dialects import Request
from mcplab.messages import Message, Model, Reply, Tool, ToolChoice
from mcplab.models import ReadingModel
from mcplab.models.lexical import Index
from mcplab.provider.usage import estimate
from mcplab.sweep.pool import Pool, PoolError, PoolTool, Question

if TYPE_CHECKING:
    import pandas as pd

_DISTRACTORS = ("random", "similar")
COLUMNS = (
    "model", "pool", "descriptions", "distractors", "n_tools", "trial", "question", "shown",
    "should_call", "called", "chosen", "right", "arguments_right", "calls", "tokens",
)  # fmt: skip


def sweep(
    model: Model | None = None,
    pool: Pool | None = None,
    *,
    tools: Sequence[int] = (1, 2, 5, 10, 20, 48),
    descriptions: Sequence[str] | str = ("clear", "vague"),
    distractors: str = "random",
    trials: int = 1,
    seed: int = 0,
    progress: bool = True,
) -> pd.DataFrame:
    """Ask every question with every number of tools.

    Args:
        model: who chooses; `ReadingModel` when left out.
        pool: tools and questions; the built-in pool when left out.
        tools: how many tools are shown, the right one included. A question for which nothing
            should be called sees that many tools of which none is right.
        descriptions: ``"clear"``, ``"vague"`` or both.
        distractors: where the other tools come from: ``"random"`` ones of the pool, or the ones
            most ``"similar"`` in words to the right tool (by their clear descriptions; then all
            trials of a question see the same tools, in another order).
        trials: how many times each question is asked, each time with other distractors. The
            trials of one question are not independent; `summarise` takes that into account.
        seed: the same seed draws the same distractors.
        progress: show a line of progress (on standard error; in a notebook below the cell).

    Returns:
        A tidy frame, one row a trial: ``model``, ``pool``, ``descriptions``, ``distractors``,
        ``n_tools``, ``trial``, ``question`` (its id), ``shown`` (names in the order shown),
        ``should_call``, ``called``, ``chosen`` (name of the first call, "" for none), ``right``
        (every call is of an accepted tool, or rightly none), ``arguments_right`` (NA where
        not judged), ``calls`` (how many), ``tokens`` (of the tool list, estimated).
        When it is interrupted (Ctrl-C, the stop button), the rows so far are returned and
        ``frame.attrs["complete"]`` is ``False``.

    Raises:
        PoolError: a number of tools, a wording or a way to draw that is not to be had.
    """
    import pandas as pd

    chooser = model if model is not None else ReadingModel()
    used = pool if pool is not None else Pool.load()
    name_of = str(getattr(chooser, "name", type(chooser).__name__))
    wordings = (descriptions,) if isinstance(descriptions, str) else tuple(descriptions)
    counts = tuple(dict.fromkeys(tools))
    _check(used, counts, distractors, trials)
    worded = {w: {t.name: t.worded(w) for t in used.tools} for w in wordings}
    tokens = {w: {name: _tokens(t) for name, t in worded[w].items()} for w in wordings}
    rows: list[tuple[Any, ...]] = []
    total = len(used.questions) * trials * len(counts) * len(wordings)
    bar = _Progress(total, progress)
    complete = True
    try:
        for question, trial, names in _lines(used, max(counts), distractors, trials, seed):
            for count in counts:
                order = list(names[:count])
                random.Random(f"{seed} {question.id} {trial} {count}").shuffle(order)
                for wording in wordings:
                    shown = tuple(worded[wording][name] for name in order)
                    outcome = _ask(chooser, question, shown, seed)
                    cost = sum(tokens[wording][name] for name in order)
                    design = (wording, distractors, count, trial, question.id, tuple(order))
                    rows.append((name_of, used.name, *design, *outcome, cost))
                    bar.step()
    except KeyboardInterrupt:
        complete = False
    bar.close(complete)
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    frame["arguments_right"] = frame["arguments_right"].astype("boolean")
    frame.attrs["complete"] = complete
    return frame


def _check(pool: Pool, counts: Sequence[int], distractors: str, trials: int) -> None:
    if distractors not in _DISTRACTORS:
        raise PoolError(f"distractors={distractors!r}: choose 'random' or 'similar'.")
    if not counts or min(counts) < 1 or max(counts) > len(pool.tools):
        raise PoolError(
            f"tools={tuple(counts)}: give numbers from 1 to {len(pool.tools)}, which is how many "
            f"tools the pool {pool.name!r} has."
        )
    if trials < 1:
        raise PoolError(f"trials={trials}: give 1 or more.")


def _lines(
    pool: Pool, longest: int, distractors: str, trials: int, seed: int
) -> Iterator[tuple[Question, int, tuple[str, ...]]]:
    """For each question and trial all tools that it may see: the right one, then the others."""
    names = [tool.name for tool in pool.tools]
    for question in pool.questions:
        for trial in range(trials):
            rng = random.Random(f"{seed} {question.id} {trial}")
            first = [rng.choice(question.accept)] if question.accept else []
            others = [name for name in names if name not in first]
            rng.shuffle(others)
            if distractors == "similar":
                near = _neighbours(pool.tools, first[0] if first else question.text)
                others.sort(key=lambda name: near.index(name))
            yield question, trial, tuple([*first, *others][:longest])


@lru_cache(maxsize=4096)
def _similar(texts: tuple[tuple[str, str], ...], to: str) -> tuple[str, ...]:
    ranked = Index([Tool(name, clear) for name, clear in texts]).rank(to)
    return tuple(score.name for score in ranked)


def _neighbours(tools: Sequence[PoolTool], to: str) -> tuple[str, ...]:
    """All tools, nearest first, to the words of one of them or of a question."""
    clear = {tool.name: tool.clear for tool in tools}
    text = f"{to} {clear[to]}" if to in clear else to
    return _similar(tuple(clear.items()), text)


def _ask(
    model: Model, question: Question, shown: tuple[Tool, ...], seed: int
) -> tuple[bool, bool, str, bool, bool | None, int]:
    """Whether it should call, whether it did, what, whether that was right, and how often."""
    messages = (Message("user", question.text),)
    reply: Reply = model(messages, shown, ToolChoice(), seed)
    called = bool(reply.calls)
    chosen = reply.calls[0].name if called else ""
    names = {call.name for call in reply.calls}
    should_call = bool(question.accept)
    right = names <= set(question.accept) and called == should_call
    judged = None
    if right and called:
        judged = question.arguments_right(chosen, reply.calls[0].arguments)
        judged = judged and len(reply.calls) == 1
    return should_call, called, chosen, right, judged, len(reply.calls)


def _tokens(tool: Tool) -> int:
    """Estimated tokens of one descriptor; the same estimate as in the mock provider."""
    request = Request((), (tool,), ToolChoice(), "")
    return sum(estimate(request, "openai-chat").tools.values())


class _Progress:
    """One line that is written again and again, at most five times a second."""

    def __init__(self, total: int, shown: bool) -> None:
        # A notebook shows standard error on red, as if something were wrong.
        self.out = sys.stdout if "ipykernel" in sys.modules else sys.stderr
        self.total, self.shown, self.done = total, shown, 0
        self._written = time.monotonic()

    def step(self) -> None:
        self.done += 1
        now = time.monotonic()
        if self.shown and now - self._written > 0.2:
            self._written = now
            self._write()

    def close(self, complete: bool) -> None:
        if self.shown and self.done:
            self._write()
            self.out.write("\n")
        if not complete:
            self.out.write(f"sweep: interrupted; {self.done} of {self.total} trials are kept.\n")

    def _write(self) -> None:
        percent = 100 * self.done // self.total
        bar = "█" * (percent // 5)
        self.out.write(f"\rsweep {bar:<20} {percent:3d} %  {self.done} of {self.total} trials")
        self.out.flush()
