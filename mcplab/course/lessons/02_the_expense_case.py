# %% [markdown]
# # Lesson 02: the expense case
#
# In lesson 01 one tool was enough. Real work takes several, and the loop goes round more
# than once. Here a hotel bill was rejected. The helper finds out why, computes the
# difference, asks a person, and files a request.
#
# You will see the same run in **both dialects side by side**, and count what it costs.
#
# **What is simulated?** The model is a text matcher, and the expense system is invented:
# “filing” only writes to the memory of this process. The packages and the protocol are real.

# %%
import json

import pandas as pd

import mcplab
from mcplab import views

expenses = mcplab.connect("expenses")

# %% [markdown]
# ## Four tools of four kinds
#
# Two look something up, one computes, one **writes**. The server says so in the
# annotations: `readOnlyHint`.

# %%
for tool in expenses.tools:
    kind = "reads " if tool.annotations.get("readOnlyHint") else "WRITES"
    print(kind, tool.name, list(tool.input_schema["properties"]))

# %% [markdown]
# ## The question
#
# The amounts are not in the question. They must come from the system, and so must the limit.

# %%
QUESTION = (
    "My hotel expense E-1042 was rejected. I am at job level L3. Look up the expense and the "
    "hotel policy, compute the excess, and file a supplement request."
)
SYSTEM = "You help with travel expenses. Take every amount from a tool."

# %% [markdown]
# ## A person decides
#
# The model asks for tools, but your program runs them. So your program can ask a person
# first. Here the loop asks before every tool that is not marked as read-only.
#
# A variable stands in for the person, so that the notebook can also run on its own. In a
# program of yours this would be a dialog, or `input()`.

# %%
decision = "yes"


def ask_a_person(call, tool):
    print(f"May I run {call.name} with {call.arguments}? You said: {decision}")
    return decision == "yes"


# %% [markdown]
# ## Run it
#
# Four tools will be called.
#
# **Guess first:** how often is the model asked?

# %%
openai_run = mcplab.run_sync(
    QUESTION,
    client=mcplab.openai_client(),
    tools=expenses,
    system=SYSTEM,
    approve=ask_a_person,
)
print(openai_run.answer)

# %%
views.sequence(openai_run.trace)

# %% [markdown]
# **Four rounds**, that is four model calls. Four tools and one answer could be five, but
# two tools were asked for in the *same* reply: looking up the expense and looking up the
# policy do not need each other. The excess needs both, so it had to wait. The supplement
# needs the excess, so it waited, too.
#
# The two tools of the first round run **at the same time**. Each result goes back with the id
# of its own request. So it does not matter which one is ready first.

# %% [markdown]
# ## The messages grow
#
# Every round sends the whole conversation again.
#
# **Guess first:** how many messages are sent in each of the four rounds? There is a system
# message this time.


# %%
def model_steps(trace):
    return [step for step in trace if step.kind in ("ask", "return")]


print([len(step.out["messages"]) for step in model_steps(openai_run.trace)])

# %% [markdown]
# **2, 5, 7, 9.** Count along:
#
# | round | what is added | messages |
# |---|---|---|
# | 1 | the system message and the user's question | 2 |
# | 2 | the assistant's two requests (one message), and **two** results | 2 + 1 + 2 = 5 |
# | 3 | one request, one result | 5 + 1 + 1 = 7 |
# | 4 | one request, one result | 7 + 1 + 1 = 9 |

# %%
views.show_growth(openai_run.trace)

# %% [markdown]
# ## The other dialect
#
# The same question, the same server, the same loop. Only the vendor's dialect is another.
#
# **Guess first:** will the numbers be 2, 5, 7, 9 again?

# %%
anthropic_run = mcplab.run_sync(
    QUESTION,
    client=mcplab.anthropic_client(),
    tools=expenses,
    system=SYSTEM,
    approve=ask_a_person,
)
print([len(step.out["messages"]) for step in model_steps(anthropic_run.trace)])

# %% [markdown]
# **1, 3, 5, 7**, for two reasons:
#
# - The system prompt is no message here. It is a field of its own. So it starts with 1.
# - All results of a round go into **one** user message, not into one message each.
#   So round 2 adds two messages and not three.

# %%
views.side_by_side(openai_run.trace, anthropic_run.trace)

# %% [markdown]
# ## The same three things, written twice
#
# **A tool.** `parameters` inside `function` here, `input_schema` there. Else it is the same.


# %%
def show(left, right):
    print("OpenAI Chat:")
    print(json.dumps(left, indent=2))
    print("\nAnthropic:")
    print(json.dumps(right, indent=2))


first_openai, second_openai, *_ = model_steps(openai_run.trace)
first_anthropic, second_anthropic, *_ = model_steps(anthropic_run.trace)

show(list(first_openai.out["tools"][0]["function"]), list(first_anthropic.out["tools"][0]))

# %% [markdown]
# **A request.** Look closely at the arguments: one of the two is a *text* that holds JSON.
# (Beside its first two requests the model also wrote a sentence. You see it above. In both
# dialects it belongs to the same reply, and it stays in the history.)

# %%
request_openai = first_openai.into["choices"][0]["message"]["tool_calls"][0]
request_anthropic = next(
    block for block in first_anthropic.into["content"] if block["type"] == "tool_use"
)
show(request_openai, request_anthropic)

# %% [markdown]
# OpenAI's `arguments` is a **string**. Your program must parse it, and it can be broken JSON.
# Anthropic's `input` is an **object**.

# %%
print("parsed:", json.loads(request_openai["function"]["arguments"]))
print("input: ", request_anthropic["input"])

# %% [markdown]
# **A result.** A message with the role `tool` here. There it is a `tool_result` block, in a message
# of the *user*.

# %%
show(second_openai.out["messages"][-2:], second_anthropic.out["messages"][-1])

# %% [markdown]
# ## What a round costs
#
# Each round costs tokens and time. **Guess first:** which round has the most tokens *in*?


# %%
def costs(trace):
    rows = []
    for step in model_steps(trace):
        calls = [s for s in trace if s.kind == "call" and s.round == step.round]
        rows.append(
            {
                "round": step.round,
                "messages": len(step.out["messages"]),
                "tokens in": step.usage.input,
                "tokens out": step.usage.output,
                "model, ms": round(step.seconds * 1000),
                "tools": ", ".join(s.out["params"]["name"] for s in calls),
                "tools, ms": round(max((s.seconds for s in calls), default=0) * 1000),
            }
        )
    return pd.DataFrame(rows).set_index("round")


costs(openai_run.trace)

# %% [markdown]
# The tokens in grow from round to round, although each round adds only a little: the tools,
# the question and the whole history are sent again every time. (The numbers are an estimate
# of the simulated service. Each vendor counts in its own way.)
#
# The time of the tools is that of the slowest one, since the tools of a round run at the same
# time. The times here are those of a simulated model in this process. A real model takes seconds
# for each round. That is why it is worth something that two tools went in one round. It
# saved a whole model call. It did not save tokens in the history: both results are in there.

# %%
total = costs(openai_run.trace)[["tokens in", "tokens out"]].sum()
print("all four rounds:", total["tokens in"], "tokens in,", total["tokens out"], "tokens out")

# %% [markdown]
# ## Where do the amounts come from?
#
# From the tools, and from nowhere else. The trace proves it: what was computed with is what
# was looked up.

# %%
for step in openai_run.trace:
    if step.kind == "call":
        print(step.out["params"]["name"], step.out["params"]["arguments"])
        print("   ->", step.into["result"]["structuredContent"])

# %% [markdown]
# ## Say no
#
# Now the person says no. **Guess first:** will the model be told?

# %%
decision = "no"

refused_run = mcplab.run_sync(
    QUESTION,
    client=mcplab.anthropic_client(),
    tools=expenses,
    system=SYSTEM,
    approve=ask_a_person,
)
print(refused_run.answer)

# %% [markdown]
# The request had an id, so it needs an answer. The answer is that a person said no. It goes back
# to the model like any failure, and the model can tell the user the truth. Nothing was filed:
# the tool was not called.

# %%
views.messages_table(refused_run.state.messages[-2:])

# %% [markdown]
# ## What you know now
#
# - Tools that do not need each other can be asked for in one reply. That saves rounds.
# - OpenAI Chat: 2, 5, 7, 9 messages. Anthropic: 1, 3, 5, 7. Same content, other packing.
# - `arguments` is text, `input` is an object. A result is a `tool` message, or a block in a user message.
# - Before a tool that writes, a person is asked, by your program and not by the model.
#
# ## Next
#
# Write this loop yourself: [exercise 02](../exercises/exercise_02_the_loop.ipynb). Then go on with
# [lesson 03](03_too_many_tools.ipynb).
