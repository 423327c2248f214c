# %% [markdown]
# # Lesson 01: one question, four steps
#
# A language model can only read text and write text. It cannot run anything.
# Yet it answers *“What is 12 times 30?”* with the help of a calculator.
#
# In this lesson you see how. You stop the loop at each of its four steps,
# do every step by hand, and then break it on purpose.
#
# Run a cell with **Shift + Enter**. Before some cells there is a question.
# Make a guess first: a wrong guess teaches more than no guess.

# %% [markdown]
# **What is real here, and what is simulated?**
#
# | part | |
# |---|---|
# | the packages `anthropic` and `mcp` | real |
# | the calculator (an MCP server) and the connection to it | real, in this process |
# | the model's service, which checks your requests | simulated on this machine |
# | the model | simulated: a text matcher that reads what you send |
#
# So you need no key and no network. A mistake in a request earns the refusal that the
# vendor gives, as far as it is known publicly.

# %%
import anthropic

import mcplab
from mcplab.course.pictures import four_steps, message_stack

four_steps()

# %% [markdown]
# Three parts take turns:
#
# - the **model** reads and writes text,
# - the **server** has the tools,
# - the **host** is your program. It stands between the two and does all the work.

# %% [markdown]
# ## First look: the stepper
#
# The widget below asks one question and stops before each step. You see what is about
# to be sent. Press **Next**, and you see what came back.
#
# **Guess first:** how often will the model be asked? How many messages are there at the end?

# %%
calculator = mcplab.connect("calculator")
client = mcplab.anthropic_client()

mcplab.step("What is 12 times 30?", client=client, tools=calculator)

# %% [markdown]
# Now do the same by hand, one step in each cell.
#
# ## Step 1: list
#
# The host asks the server which tools there are. It does this once for each connection.
#
# **Guess first:** will the list contain the code of the tools?

# %%
for tool in calculator.tools:
    print(tool.name, "-", tool.description.splitlines()[0])

# %% [markdown]
# This is what went over the wire: the request `->` and the answer `<-`. Client and server
# speak **JSON-RPC**; the protocol is called MCP.

# %%
for frame in calculator.frames[-2:]:
    print(frame)

# %% [markdown]
# A tool has a **descriptor** with four fields. Here they are for one tool.

# %%
multiply = next(tool for tool in calculator.tools if tool.name == "multiply")

print("name:       ", multiply.name)
print("description:", multiply.description)
print("inputSchema:", multiply.input_schema)
print("annotations:", multiply.annotations)

# %% [markdown]
# There is no code in it. The model decides from the **name**, the **description** and the
# **inputSchema** alone. The annotations are hints for the host, such as “this tool only
# reads”. They are not sent to the model.
#
# This vendor wants the schema under the name `input_schema`:

# %%
tools = [
    {"name": tool.name, "description": tool.description, "input_schema": tool.input_schema}
    for tool in calculator.tools
]
tools[2]

# %% [markdown]
# ## Step 2: ask
#
# The host sends the question **and every descriptor**.
#
# **Guess first:** what will come back, the number 360 or something else?

# %%
question = {"role": "user", "content": "What is 12 times 30?"}

response = client.messages.create(
    model=mcplab.model_name(client),
    max_tokens=1000,
    tools=tools,
    messages=[question],
)
print(response.to_json())

# %% [markdown]
# Not a number. The model *asks you* to run a tool. Look at three things:
#
# - `stop_reason` is `tool_use`. This is the **stop signal**: run what I ask for, then come back.
# - The `tool_use` block names the tool and its arguments (`input`).
# - The block has an `id`. The answer must carry the same id.
#
# Text can stand beside the request, in the same reply. It belongs to the reply, too.

# %%
request = next(block for block in response.content if block.type == "tool_use")
print(response.stop_reason, "->", request.name, request.input, request.id)

# %% [markdown]
# ## Step 3: call
#
# Now the host runs the tool. This is the only step that touches the outside world.
# The model has no part in it.
#
# **Guess first:** is the result a number, a text, or a list?

# %%
result = calculator.call(request.name, request.input)
result.content

# %% [markdown]
# A result is a **list of blocks**. Here it is one text block. A result can also hold
# images, sound, or links.
#
# What if a tool fails? Then the failure is the result:

# %%
failed = calculator.call("divide", {"a": 12, "b": 0})
print(failed.is_error, "-", failed.text)

# %% [markdown]
# ## Step 4: return
#
# The model does not know the result yet. Worse, it has forgotten the question: it remembers
# nothing between two requests. So the host sends everything again, in **three messages**:
# what the user asked, what the assistant asked for, and what the tool said.

# %%
answer = {"type": "tool_result", "tool_use_id": request.id, "content": result.text}

messages = [
    question,
    {"role": "assistant", "content": response.content},
    {"role": "user", "content": [answer]},
]
message_stack(messages)

# %% [markdown]
# **Guess first:** what is the stop signal this time?

# %%
final = client.messages.create(
    model=mcplab.model_name(client),
    max_tokens=1000,
    tools=tools,
    messages=messages,
)
print(final.stop_reason)
print(final.content[0].text)

# %% [markdown]
# `end_turn`: the model has answered, and the loop is over. With the answer there are
# four messages.

# %%
messages.append({"role": "assistant", "content": final.content})
message_stack(messages)

# %% [markdown]
# ## Count
#
# | | calls |
# |---|---|
# | to the model | **2** (step 2 and step 4) |
# | to a tool | **1** (step 3) |
#
# One question with one tool costs two model calls. In both, the whole list of tools is
# sent. You can see that in the number of input tokens:

# %%
print("step 2:", response.usage.input_tokens, "tokens in")
print("step 4:", final.usage.input_tokens, "tokens in")

# %% [markdown]
# ## Break it
#
# What happens when one of the three messages is missing? This helper sends
# some messages and prints what comes back in one line.


# %%
def send(messages):
    try:
        reply = client.messages.create(
            model=mcplab.model_name(client), max_tokens=1000, tools=tools, messages=messages
        )
    except anthropic.BadRequestError as refused:
        print(refused.status_code, refused.body["error"]["message"])
    else:
        print(200, reply.stop_reason, reply.content)


user, assistant, results = messages[:3]

# %% [markdown]
# **Guess first:** the assistant's message is left out. This is the one that people forget.

# %%
send([user, results])

# %% [markdown]
# The service refuses: a result arrived for a request that it does not see.
#
# **Guess next:** the result is left out, so the id stays without an answer.

# %%
send([user, assistant, {"role": "user", "content": "Go on, please."}])

# %% [markdown]
# Refused again. **Every id needs an answer.** If a tool fails, the failure is the answer:
# `"is_error": True` with a text that says what went wrong.
#
# **Guess next:** the result carries another id.

# %%
wrong = {"role": "user", "content": [{**answer, "tool_use_id": "toolu_of_my_own"}]}
send([user, assistant, wrong])

# %% [markdown]
# **Last guess:** the user's message is left out.

# %%
send([assistant, results])

# %% [markdown]
# No refusal this time, and the answer even looks right, because this mock model just tells
# what the tool said. But the question is gone. Whatever else the user wanted, such as
# *“answer in French”*, no model could know it any more.
# A mistake without an error message is the hardest to find.

# %% [markdown]
# ## The same signal in the other dialect
#
# OpenAI writes the same things in another way. The tool sits in a field `function`, and the
# schema is called `parameters`. The stop signal is called `finish_reason`.

# %%
chat = mcplab.openai_client()

chat_tools = [
    {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.input_schema,
        },
    }
    for tool in calculator.tools
]
reply = chat.chat.completions.create(
    model=mcplab.model_name(chat), tools=chat_tools, messages=[question]
)
choice = reply.choices[0]
print(choice.finish_reason, "->", choice.message.tool_calls[0].function)

# %% [markdown]
# `tool_calls` here means the same as `tool_use` there.
#
# **This field is the switch of the loop**, not the question whether a list of requests
# is there. See why: in the next cell the reply is cut off by its length limit, in the middle
# of a request. (For once it is a *script* that speaks: we wrote the reply ourselves, to be
# sure of this case. If you work with a real model, this cell asks that model instead.)
#
# **Guess first:** will `tool_calls` be empty?

# %%
from mcplab.messages import Reply, ToolCall
from mcplab.models import ScriptedModel

cut_request = ToolCall("call_1", "multiply", None, raw='{"a": 12, "b"')
script = ScriptedModel([Reply("Let me multiply.", (cut_request,), stop="length")])
scripted = mcplab.openai_client(script)

choice = (
    scripted.chat.completions.create(
        model=mcplab.model_name(scripted), tools=chat_tools, messages=[question]
    )
).choices[0]
print("finish_reason:", choice.finish_reason)
print("content:      ", choice.message.content)
print("tool_calls:   ", choice.message.tool_calls[0].function)

# %% [markdown]
# The list is there, and so is a text. But the arguments end in the middle. To run this
# request would be a mistake. `finish_reason` is `length`, not `tool_calls`: stop.

# %% [markdown]
# ## What you know now
#
# - A descriptor has a name, a description, an inputSchema and annotations. The model sees no code.
# - The stop signal drives the loop: `tool_use` or `tool_calls` means “run this and come back”.
# - Step 4 sends three messages. Every id is answered, and carried back unchanged.
# - One tool costs two model calls.
#
# ## Next
#
# Do it yourself: [exercise 01](../exercises/exercise_01_three_messages.ipynb). Then go on with
# [lesson 02](02_the_expense_case.ipynb).
