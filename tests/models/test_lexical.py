"""Words, letters and scores."""

from __future__ import annotations

import math

import pytest
from tools_for_tests import EVERYDAY, text, tool

from mcplab.messages import Tool
from mcplab.models.lexical import K1, B, Index, document, grams, stem, words


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("getHTTPFiles", ("http", "fil")),
        ("lookup_expense.v2", ("lookup", "expens", "v2")),
        ("Filing the files that were filed", ("fil", "fil", "fil")),
        ("北京天气", ("北京", "京天", "天气")),
        ("GitHub的问题", ("git", "hub", "问题")),
        ("12 times 30", ("×",)),
        ("12*30", ("×",)),
        ("a times b", ("×",)),
        ("What time is it?", ("tim",)),
        ("the the the", ()),
        ("🙂 مرحبا", ("مرحبا",)),
    ],
)
def test_words_are_split_stemmed_and_without_stop_words(
    written: str, read: tuple[str, ...]
) -> None:
    assert words(written) == read


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("city", "cities"),
        ("plan", "planning"),
        ("stop", "stopped"),
        ("translate", "translation"),
        ("file", "filing"),
    ],
)
def test_the_stemmer_joins_forms_of_a_word(one: str, other: str) -> None:
    assert stem(one) == stem(other)


def test_the_stemmer_leaves_short_and_foreign_words_alone() -> None:
    assert [stem(w) for w in ("gas", "is", "été", "天气")] == ["gas", "is", "été", "天气"]


def test_letter_groups_see_what_a_stemmer_misses() -> None:
    assert words("multiplication") != words("multiply")
    assert grams("multiplication") & grams("multiply")


def test_name_and_description_count_twice_and_parameters_once() -> None:
    shown = tool("alpha", "beta", gamma=text("delta"))
    assert document(shown).counts == {"alpha": 2, "beta": 2, "gamma": 1, "delta": 1}


def test_the_word_score_is_bm25_over_the_tools_shown() -> None:
    """Held against the formula, worked out by hand for one word in one of two tools."""
    tools = [Tool("alpha", ""), Tool("beta", "gamma")]
    best = Index(tools).rank("alpha")[0]
    rarity = math.log(1 + (2 - 1 + 0.5) / (1 + 0.5))
    expected = rarity * 2 * (K1 + 1) / (2 + K1 * (1 - B + B * 2 / 3))
    assert best.name == "alpha"
    assert best.words == (("alpha", pytest.approx(expected)),)
    assert best.score == pytest.approx((expected / (rarity * (K1 + 1)) + 1) / 2)


def test_scores_lie_between_0_and_1() -> None:
    for question in ("weather weather weather", "Convert a unit", "", "zzz"):
        for score in Index(EVERYDAY).rank(question):
            assert 0 <= score.score <= 1


def test_a_rare_word_counts_more_than_one_that_every_tool_has() -> None:
    tools = [tool(n, f"Search {n} in the city") for n in ("hotels", "museums", "parks")]
    (rare, rare_value), (common, common_value) = Index(tools).rank("museums in the city")[0].words
    assert (rare, common) == ("museum", "city")
    assert rare_value > common_value


def test_ties_keep_the_order_in_which_the_tools_were_shown() -> None:
    tools = [Tool("b", "same words"), Tool("a", "same words")]
    assert [s.name for s in Index(tools).rank("words")] == ["b", "a"]


def test_tools_may_share_a_name() -> None:
    tools = [Tool("search", "the web"), Tool("search", "the mailbox")]
    assert [s.position for s in Index(tools).rank("search my mailbox")] == [1, 0]


def test_no_tools_give_no_scores() -> None:
    assert Index(()).rank("anything") == []
