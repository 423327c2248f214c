# %% [markdown]
# # Exercise 01: the three messages of step 4
#
# You know them from [lesson 01](../notebooks/01_one_question_four_steps.ipynb). Now write a
# function that builds them for **any** question, reply and results, in Anthropic's dialect.
#
# | argument | what it is |
# |---|---|
# | `question` | what the user asked, a string |
# | `response` | what `client.messages.create(...)` returned in step 2 |
# | `results` | a dict: for each request id, what that tool said |
#
# `results` looks like this. `is_error` is `True` when the tool failed.
#
# ```python
# {
#     "toolu_01": {"text": "360", "is_error": False},
#     "toolu_02": {"text": "Division by zero.", "is_error": True},
# }
# ```
#
# Return a list of three messages. Think of replies that hold text beside the request, of
# several requests in one reply, and of tools that failed.

# %% tags=["setup"]
import mcplab


# %% tags=["starter"]
def messages_for_step_4(question, response, results):
    raise NotImplementedError("Delete this line and write the function.")


# %% tags=["solution"]
def messages_for_step_4(question, response, results):
    answers = [
        {
            "type": "tool_result",
            "tool_use_id": request_id,
            "content": said["text"],
            "is_error": said["is_error"],
        }
        for request_id, said in results.items()
    ]
    return [
        {"role": "user", "content": question},
        {"role": "assistant", "content": response.content},
        {"role": "user", "content": answers},
    ]


# %% [markdown]
# Check it as often as you like. Each check uses new questions, names and ids.

# %% tags=["check"]
mcplab.check("01")

# %% [markdown]
# Stuck? Each run of this cell gives one hint more.

# %% tags=["hint"]
mcplab.hint("01")

# %% [markdown]
# **Next:** [lesson 02, the expense case](../notebooks/02_the_expense_case.ipynb).
