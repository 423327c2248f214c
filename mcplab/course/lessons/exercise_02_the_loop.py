# %% [markdown]
# # Exercise 02: the loop, on the plain SDK
#
# Write the whole loop yourself, with the `openai` package and nothing else. It should
# work for any question and any tools: for one that needs no tool, and for the four
# rounds of the expense case in [lesson 02](../notebooks/02_the_expense_case.ipynb).
#
# | argument | what it is |
# |---|---|
# | `client` | an `openai.OpenAI` client |
# | `question` | what the user asked, a string |
# | `tools` | the tools, ready for `tools=` |
# | `call_tool` | `call_tool(name, arguments)` runs a tool. `arguments` is a dict. It returns a text, and **raises an exception** when the tool fails |
#
# Return the text of the last reply. Mind these points:
#
# - The loop goes on while `finish_reason` is `tool_calls`. For any other value, return the text.
# - One reply can ask for several tools. Answer every id, each with its own result.
# - A tool that fails does not end the loop: the failure is the answer to that id.
# - What was said stays in the messages, the assistant's replies too.

# %% tags=["setup"]
import json

import mcplab


# %% tags=["starter"]
def answer(client, question, tools, call_tool):
    # Send model=mcplab.model_name(client) with every request.
    raise NotImplementedError("Delete this line and write the loop.")


# %% tags=["solution"]
def answer(client, question, tools, call_tool):
    model = mcplab.model_name(client)
    messages = [{"role": "user", "content": question}]
    while True:
        reply = client.chat.completions.create(model=model, messages=messages, tools=tools)
        choice = reply.choices[0]
        messages.append(choice.message)
        if choice.finish_reason != "tool_calls":
            return choice.message.content
        for request in choice.message.tool_calls:
            try:
                text = call_tool(request.function.name, json.loads(request.function.arguments))
            except Exception as error:
                text = f"Error: {error}"
            messages.append({"role": "tool", "tool_call_id": request.id, "content": text})


# %% [markdown]
# The check plays the model and the tools, with new names, ids and results every time. Then
# it reads what your loop sent.

# %% tags=["check"]
mcplab.check("02")

# %% [markdown]
# Stuck? Each run of this cell gives one hint more.

# %% tags=["hint"]
mcplab.hint("02")

# %% [markdown]
# When the check is passed, let your loop do the expense case. The server is the one of
# lesson 02. The model is simulated, and nothing is filed in the real world.

# %%
QUESTION = (
    "My hotel expense E-1042 was rejected. I am at job level L3. Look up the expense and the "
    "hotel policy, compute the excess, and file a supplement request."
)
expenses = mcplab.connect("expenses")


def call_tool(name, arguments):
    result = expenses.call(name, arguments)
    if result.is_error:
        raise RuntimeError(result.text)
    return result.text


tools = [
    {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.input_schema,
        },
    }
    for tool in expenses.tools
]

# %% [markdown]
# Take the `#` signs away and run the cell. `mcplab.watch` writes down what your
# loop sends and what comes back, so that you can look at it step by step.

# %% tags=["exercise-only"]
# client = mcplab.openai_client()
# trace = mcplab.watch(client, expenses)
# print(answer(client, QUESTION, tools, call_tool))
# trace

# %% tags=["solution-only"]
client = mcplab.openai_client()
trace = mcplab.watch(client, expenses)
print(answer(client, QUESTION, tools, call_tool))
trace

# %% [markdown]
# **Next:** [lesson 03, too many tools](../notebooks/03_too_many_tools.ipynb).
