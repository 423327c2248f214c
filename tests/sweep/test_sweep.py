"""The sweep: its design, and the effects that it shows."""

from __future__ import annotations

import io
import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pandas as pd
import pytest

from mcplab.messages import Message, Reply, Tool, ToolCall, ToolChoice
from mcplab.models import ReadingModel, ScriptedModel
from mcplab.sweep import Pool, PoolTool, Question, summarise, sweep
from mcplab.sweep.pool import PoolError
from mcplab.sweep.runner import COLUMNS

POOL = Pool.load()


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    return sweep(progress=False)


def accuracy(frame: pd.DataFrame, wording: str, n: int) -> pd.Series:
    table = summarise(frame).set_index(["descriptions", "n_tools"])
    return table.loc[(wording, n)]


def shuffled_words(seed: int) -> Pool:
    """The same tools, each with the name, the words and the schema of another one."""
    tools = list(POOL.tools)
    random.Random(seed).shuffle(tools)
    new_name = {old.name: new.name for old, new in zip(POOL.tools, tools, strict=True)}
    return Pool(
        "shuffled",
        tuple(tools),
        tuple(
            Question(q.id, q.text, tuple(new_name[name] for name in q.accept))
            for q in POOL.questions
        ),
    )


# --- effects ----


def test_accuracy_falls_with_the_number_of_tools(frame: pd.DataFrame) -> None:
    """Paired: far more questions are lost than won on the way from 1 to 48 tools."""
    clear = frame[frame["descriptions"] == "clear"]
    right = clear.pivot_table(index="question", columns="n_tools", values="right", aggfunc="first")
    lost = (right[1] & ~right[48].astype(bool)).sum()
    won = (~right[1].astype(bool) & right[48]).sum()
    assert lost >= 8
    assert won <= lost / 4
    assert accuracy(frame, "clear", 48)["accuracy"] < accuracy(frame, "clear", 5)["accuracy"]


def test_clear_beats_vague_at_the_largest_number_beyond_the_intervals(frame: pd.DataFrame) -> None:
    assert accuracy(frame, "clear", 48)["low"] > accuracy(frame, "vague", 48)["high"]


def test_shuffling_names_and_descriptions_among_tools_destroys_accuracy() -> None:
    """It reads, it does not know: with the words of other tools it is lost."""
    pool = shuffled_words(seed=3)
    for wording in ("clear", "vague"):
        table = summarise(sweep(pool=pool, tools=(48,), descriptions=wording, progress=False))
        should_call = sum(bool(q.accept) for q in pool.questions)
        chance_and_silence = 1 - should_call / len(pool.questions)
        assert table["accuracy"].item() < chance_and_silence + 0.06


def test_similar_distractors_are_at_least_as_hard_as_random_ones(frame: pd.DataFrame) -> None:
    similar = sweep(tools=(5,), descriptions="clear", distractors="similar", progress=False)
    assert accuracy(similar, "clear", 5)["accuracy"] < accuracy(frame, "clear", 5)["accuracy"]


def test_tokens_grow_with_the_tools_and_vague_ones_are_cheaper(frame: pd.DataFrame) -> None:
    tokens = summarise(frame).set_index(["descriptions", "n_tools"])["tokens"]
    assert tokens["clear"].is_monotonic_increasing
    assert tokens[("clear", 48)] == pytest.approx(48 * tokens[("clear", 1)], rel=0.1)
    assert tokens[("vague", 48)] < tokens[("clear", 48)]


# --- design ----


def test_one_row_a_trial_with_the_columns_that_are_documented(frame: pd.DataFrame) -> None:
    assert list(frame.columns) == list(COLUMNS)
    assert len(frame) == len(POOL.questions) * 6 * 2
    assert set(frame["model"]) == {"mock-reading"}
    assert frame.attrs["complete"] is True
    assert not frame.duplicated(["descriptions", "n_tools", "trial", "question"]).any()


def test_the_right_tool_is_always_shown(frame: pd.DataFrame) -> None:
    accept = {q.id: set(q.accept) for q in POOL.questions}
    for row in frame.itertuples():
        assert len(row.shown) == len(set(row.shown)) == row.n_tools
        assert row.should_call == bool(accept[row.question])
        assert not row.should_call or accept[row.question] & set(row.shown)


def test_distractors_are_nested_and_the_same_for_both_wordings(frame: pd.DataFrame) -> None:
    for _, rows in frame.groupby("question"):
        by_count = rows.groupby("n_tools")["shown"]
        assert all(len({*shown}) == 1 for _, shown in by_count)
        sets = [set(shown.iloc[0]) for _, shown in by_count]
        assert all(small < large for small, large in pairwise(sets))


def test_the_right_tool_stands_at_every_place(frame: pd.DataFrame) -> None:
    accept = {q.id: q.accept for q in POOL.questions}
    rows = frame[(frame["n_tools"] == 5) & frame["should_call"]]
    places = {
        row.shown.index(n)
        for row in rows.itertuples()
        for n in accept[row.question]
        if n in row.shown
    }
    assert places == set(range(5))


def test_the_same_seed_gives_the_same_frame_and_another_seed_other_distractors() -> None:
    settings = {"tools": (3,), "descriptions": "clear", "progress": False}
    one, same = sweep(seed=1, **settings), sweep(seed=1, **settings)
    other = sweep(seed=2, **settings)
    pd.testing.assert_frame_equal(one, same)
    assert list(one["shown"]) != list(other["shown"])


def test_more_trials_ask_each_question_with_other_distractors() -> None:
    frame = sweep(tools=(3,), descriptions="clear", trials=3, progress=False)
    assert len(frame) == 3 * len(POOL.questions)
    varied = frame.groupby("question")["shown"].nunique()
    assert (varied > 1).mean() > 0.9
    assert set(summarise(frame)["n"]) == {len(POOL.questions)}


def test_a_question_with_several_right_tools_takes_any_of_them() -> None:
    tools = tuple(PoolTool(n, "d", n, n, {"type": "object"}) for n in "abc")
    pool = Pool("p", tools, (Question("q", "?", ("a", "b")),))

    def always(name: str, times: int = 1):
        def model(messages, tools, choice, seed) -> Reply:
            return Reply(calls=(ToolCall("i", name, {}),) * times, stop="tool_use")

        return model

    settings = {"pool": pool, "tools": (3,), "descriptions": "clear", "progress": False}
    assert [sweep(always(n), **settings)["right"].item() for n in "abc"] == [True, True, False]
    assert sweep(always("a", 2), **settings)["calls"].item() == 2


def test_a_wrong_call_beside_the_right_one_is_wrong() -> None:
    tools = tuple(PoolTool(n, "d", n, n, {"type": "object"}) for n in "ab")
    pool = Pool("p", tools, (Question("q", "?", ("a",)),))
    both = ScriptedModel([[ToolCall("", "a", {}), ToolCall("", "b", {})]])
    frame = sweep(both, pool, tools=(2,), descriptions="clear", progress=False)
    assert (frame["right"].item(), frame["chosen"].item()) == (False, "a")
    assert set(frame["model"]) == {"scripted"}


def test_silence_is_right_when_nothing_should_be_called() -> None:
    silent = ScriptedModel(["I cannot help."])
    frame = sweep(silent, tools=(2,), descriptions="clear", progress=False)
    assert (frame["right"] == ~frame["should_call"]).all()
    assert frame["arguments_right"].isna().all()


def test_arguments_are_judged_when_the_tool_is_right(frame: pd.DataFrame) -> None:
    judged = frame[frame["arguments_right"].notna()]
    assert judged["right"].all()
    assert judged["arguments_right"].any()


# --- trouble ----


@pytest.mark.parametrize(
    ("settings", "word"),
    [
        ({"tools": (49,)}, "from 1 to 48"),
        ({"tools": (0, 1)}, "from 1 to 48"),
        ({"tools": ()}, "from 1 to 48"),
        ({"distractors": "nasty"}, "'random' or 'similar'"),
        ({"descriptions": "loud"}, "'clear' or 'vague'"),
        ({"trials": 0}, "1 or more"),
    ],
)
def test_what_is_not_to_be_had_is_named(settings: dict, word: str) -> None:
    with pytest.raises(PoolError, match=word):
        sweep(progress=False, **settings)


class Interrupted:
    """Reads like the reading model, until somebody presses Ctrl-C."""

    name = "interrupted"

    def __init__(self, after: int) -> None:
        self.left = after

    def __call__(
        self, messages: Sequence[Message], tools: Sequence[Tool], choice: ToolChoice, seed: int
    ) -> Reply:
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        return ReadingModel()(messages, tools, choice, seed)


def test_an_interrupted_sweep_keeps_what_is_done_and_says_so(capsys) -> None:
    whole = sweep(tools=(2,), descriptions="clear", progress=False)
    frame = sweep(Interrupted(20), tools=(2,), descriptions="clear", progress=False)
    assert "interrupted; 20 of 104 trials are kept" in capsys.readouterr().err
    assert frame.attrs["complete"] is False
    pd.testing.assert_frame_equal(frame.drop(columns="model"), whole.head(20).drop(columns="model"))


def test_a_sweep_that_is_interrupted_at_once_gives_an_empty_frame() -> None:
    frame = sweep(Interrupted(0), tools=(2,), progress=False)
    assert list(frame.columns) == list(COLUMNS)
    assert len(summarise(frame)) == 0


def test_progress_is_one_line_on_standard_error(monkeypatch) -> None:
    out = io.StringIO()
    monkeypatch.setattr("sys.stderr", out)
    sweep(tools=(1,), descriptions="clear")
    written = out.getvalue()
    assert written.count("\n") == 1
    assert written.endswith("100 %  104 of 104 trials\n")


def test_a_learners_own_tools_can_be_swept() -> None:
    mine = tuple(
        replace(tool, name=f"my_{tool.name}") for tool in POOL.tools if tool.domain == "weather"
    )
    questions = (Question("w", "How warm will it get in Athens tomorrow?", ("my_get_forecast",)),)
    frame = sweep(pool=Pool("mine", mine, questions), tools=(1, 4), progress=False)
    assert set(frame["pool"]) == {"mine"}
    assert len(frame) == 4
