# %% [markdown]
# # Lesson 03: too many tools
#
# More tools mean more that the model can do. They also mean more that it can mix up.
# In this lesson you measure it, in five cells: how often is the right tool chosen when
# 1, 2, 5, … tools are shown?
#
# **What is simulated?** Every number is computed here and now. But the chooser is **a text
# matcher, not a language model**. It compares the words of the question with the words of
# the descriptions. So look at the *shape* of the curve and not at its height. A language
# model knows more words. On the other hand, a long list can confuse it, and that does
# not happen to a matcher.

# %% [markdown]
# ## 1. The tools, described twice
#
# The pool holds tools for many purposes, and questions in everyday words. Each tool is
# described twice: **clearly** (what it does, when to call it, what it does not do) and
# **vaguely**. The name is the same. For some questions *no* tool is right.
#
# **Guess first:** with which of the two descriptions would *you* find the tool?

# %%
from mcplab.sweep import Pool, alt_text, plot, summarise, sweep

pool = Pool.load()
print(len(pool.tools), "tools,", len(pool.questions), "questions\n")

question = pool.questions[0]
tool = next(tool for tool in pool.tools if tool.name in question.accept)
print("question:", question.text)
print("tool:    ", tool.name)
print("clear:   ", tool.clear)
print("vague:   ", tool.vague)

# %% [markdown]
# ## 2. Ask every question, with more and more tools
#
# Each question is asked with its right tool and 0, 1, 4, … others beside it, drawn by chance.
# The clear and the vague trial see the same tools. A few seconds.
#
# **Guess first:** what will hurt more, many tools or vague descriptions?

# %%
results = sweep(pool=pool, seed=0)
results[["question", "descriptions", "n_tools", "chosen", "right"]].sample(5, random_state=1)

# %% [markdown]
# ## 3. Count
#
# `accuracy` is the share of right choices. `low` and `high` are the ends of the **95 %
# interval**: with other questions of the same kind the share could well lie anywhere in
# between. `tokens` is the size of the tool list, which is sent in *every* round.

# %%
summary = summarise(results)
summary

# %% [markdown]
# ## 4. Look at it
#
# When the intervals of two points overlap widely, the difference may be chance. So first
# look at the bars, then at the points. The cell also says in words what the picture shows.

# %%
print(alt_text(results))
plot(results)

# %% [markdown]
# Read it in three steps:
#
# - **Along each curve:** with more tools, fewer choices are right. More words of other tools
#   match the question by accident. Do the bars of the two ends overlap? Then be careful:
#   for *these* questions the fall is a fact, for other questions it may be smaller.
# - **From one curve to the other:** the distance is the price of vague descriptions. It is
#   there even when only *one* tool is shown: the matcher then sees no reason to call it.
# - **On the right:** the tool list grows with every tool, and clear descriptions are longer.
#   Clarity costs tokens, and it pays in right choices.
#
# ## 5. Which mistakes?
#
# A wrong choice is not all the same. Sometimes another tool was called, sometimes none at all.
#
# **Guess first:** which happens more often?

# %%
most = results[results["n_tools"] == results["n_tools"].max()]
mistakes = most[~most["right"] & most["should_call"]]
mistakes.assign(
    mistake=mistakes["called"].map({True: "another tool", False: "no tool at all"})
).groupby(["descriptions", "mistake"]).size().rename("questions").to_frame()

# %% [markdown]
# ## What you know now
#
# - The number of tools and the words of their descriptions both decide how often the right
#   one is found.
# - A measurement comes with an interval. Without it, a difference says little.
# - The tool list costs tokens in every round.
# - This curve was computed by a text matcher. To measure a real model, pass it to `sweep`:
#   the questions and the counting stay the same.
#
# ## Next
#
# Try your own: `sweep(distractors="similar")` puts the most similar tools beside the right one
# instead of random ones. Does the curve fall sooner?
#
# This is the end of the first part. If you skipped an exercise, now is a good time:
# [exercise 01](../exercises/exercise_01_three_messages.ipynb),
# [exercise 02](../exercises/exercise_02_the_loop.ipynb).
