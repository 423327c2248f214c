"""Exercise 02: write the loop on the plain OpenAI SDK, judged by what it says on the wire."""

from __future__ import annotations

import json
import string
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Any

from mcplab.grading import chat
from mcplab.grading.exercise import Case, Check, Exercise
from mcplab.messages import JSON

_NAMES = ("find_expense", "read_rules", "subtract", "file_claim", "get_rate", "list_trips")


# --- the cases -------------------------------------------------------------------------------


def no_tool(rng: Random) -> list[Case]:
    """The model answers at once."""
    return [_case(rng, [])]


def rounds(rng: Random) -> list[Case]:
    """The expense case: two requests at once, then one, then one more."""
    return [_case(rng, [1]), _case(rng, [2, 1, 1])]


def parallel(rng: Random) -> list[Case]:
    """Several requests in one reply, two of them for the same tool."""
    return [_case(rng, [2], same_tool=True), _case(rng, [3, 2], words=True)]


def failure(rng: Random) -> list[Case]:
    """One of two tools fails; the model is told and goes on."""
    return [_case(rng, [2, 1], failing=True)]


def cut_off(rng: Random) -> list[Case]:
    """The reply was cut off in the middle of a request: there is nothing to run."""
    case = _case(rng, [1], cut=True)
    return [case]


def _case(
    rng: Random,
    sizes: Sequence[int],
    *,
    same_tool: bool = False,
    words: bool = False,
    failing: bool = False,
    cut: bool = False,
) -> Case:
    names = [f"{name}_{_word(rng, 3)}" for name in rng.sample(_NAMES, 4)]
    replies: list[JSON] = []
    answers: dict[tuple[str, str], str] = {}
    for size in sizes:
        chosen = [names[0]] * size if same_tool else rng.sample(names, size)
        calls = [_call(rng, name) for name in chosen]
        for each in calls:
            answers[chat.key_of(each)] = f"{_word(rng)} {rng.randint(1, 10**6)}"
        text = f"I need more: {_word(rng)}." if words else None
        replies.append(_choice(text, calls, "tool_calls"))
    if failing:
        key = rng.choice(list(answers)[:2])
        answers[key] = f"!The server is closed ({_word(rng)})."
    if cut:
        replies = [_choice(f"I will now {_word(rng)}", _cut(replies[0]), "length")]
    else:
        replies.append(_choice(f"The answer is {_word(rng)}.", [], "stop"))
    inputs = {
        "question": f"How much was trip {_word(rng, 4)}?",
        "tools": [_tool(name) for name in names],
    }
    return Case(inputs, replies[-1]["message"]["content"], lambda: chat.World(replies, answers))


def _call(rng: Random, name: str) -> JSON:
    arguments = {"id": _word(rng), "amount": rng.choice((rng.randint(1, 900), 12.5, True))}
    return {
        "id": f"call_{_word(rng, 24)}",
        "type": "function",
        "function": {"name": name, "arguments": json.dumps(arguments)},
    }


def _cut(reply: JSON) -> list[JSON]:
    call = reply["message"]["tool_calls"][0]
    function = {**call["function"], "arguments": call["function"]["arguments"][:-6]}
    return [{**call, "function": function}]


def _choice(text: str | None, calls: list[JSON], finish_reason: str) -> JSON:
    message: JSON = {"role": "assistant", "content": text, "refusal": None}
    if calls:
        message["tool_calls"] = calls
    return {"index": 0, "message": message, "logprobs": None, "finish_reason": finish_reason}


def _tool(name: str) -> JSON:
    schema = {"type": "object", "properties": {"id": {"type": "string"}, "amount": {}}}
    function = {"name": name, "description": f"A tool named {name}.", "parameters": schema}
    return {"type": "function", "function": function}


def _word(rng: Random, length: int = 6) -> str:
    return "".join(rng.choices(string.ascii_lowercase + string.digits, k=length))


# --- a right answer, and wrong ones ------------------------------------------------------------


def run_one(request: Any, call_tool: Any) -> JSON:
    """The result message of one request; a failure is an answer too."""
    try:
        text = call_tool(request.function.name, json.loads(request.function.arguments))
    except Exception as error:
        text = f"Error: {error}"
    return result(request, text)


def run_all(requests: Any, call_tool: Any) -> list[JSON]:
    """The result messages of all requests of one reply."""
    return [run_one(request, call_tool) for request in requests]


def result(request: Any, text: Any) -> JSON:
    """A result message."""
    return {"role": "tool", "tool_call_id": request.id, "content": text}


def loop(
    client: Any,
    question: str,
    tools: list[JSON],
    call_tool: Any,
    *,
    goes_on: Callable[[Any, int], bool] = lambda choice, turn: choice.finish_reason == "tool_calls",
    run: Callable[[Any, Any], list[JSON]] = run_all,
    keep: Callable[[Any], list[Any]] = lambda message: [message],
) -> Any:
    """A right answer, with the three places where people go wrong left open."""
    messages: list[Any] = [{"role": "user", "content": question}]
    for turn in range(1000):
        reply = client.chat.completions.create(model="mock", messages=messages, tools=tools)
        choice = reply.choices[0]
        if not goes_on(choice, turn):
            return choice.message.content
        messages += keep(choice.message)
        messages += run(choice.message.tool_calls or (), call_tool)
    return None


def _without_words(message: Any) -> list[Any]:
    calls = [request.model_dump() for request in message.tool_calls]
    return [{"role": "assistant", "content": None, "tool_calls": calls}]


def _crossed(requests: Any, call_tool: Any) -> list[JSON]:
    came_back = run_all(reversed(requests), call_tool)
    return [
        result(request, other["content"])
        for request, other in zip(requests, came_back, strict=True)
    ]


def _by_name(requests: Any, call_tool: Any) -> list[JSON]:
    texts = {r.function.name: run_one(r, call_tool)["content"] for r in requests}
    return [result(request, texts[request.function.name]) for request in requests]


def _own_ids(requests: Any, call_tool: Any) -> list[JSON]:
    results = run_all(requests, call_tool)
    return [{**one, "tool_call_id": f"call_{n}"} for n, one in enumerate(results, 1)]


def _without_net(requests: Any, call_tool: Any) -> list[JSON]:
    return [
        result(r, call_tool(r.function.name, json.loads(r.function.arguments))) for r in requests
    ]


def _unparsed(requests: Any, call_tool: Any) -> list[JSON]:
    def with_text(name: str, arguments: JSON) -> Any:
        return call_tool(name, json.dumps(arguments))

    return run_all(requests, with_text)


MUTANTS = {
    "goes on because there is a list": partial(
        loop, goes_on=lambda choice, turn: bool(choice.message.tool_calls)
    ),
    "takes the first results for the end": partial(
        loop, goes_on=lambda choice, turn: choice.finish_reason == "tool_calls" and turn == 0
    ),
    "never ends": partial(loop, goes_on=lambda choice, turn: True),
    "forgets the assistant's message": partial(loop, keep=lambda message: []),
    "drops the words beside requests": partial(loop, keep=_without_words),
    "runs the first request only": partial(loop, run=lambda r, tool: run_all(r[:1], tool)),
    "crosses the results": partial(loop, run=_crossed),
    "finds results by the tool's name": partial(loop, run=_by_name),
    "copies the ids of the example": partial(loop, run=_own_ids),
    "lets a failure end the program": partial(loop, run=_without_net),
    "passes the arguments as text": partial(loop, run=_unparsed),
}


EXERCISE = Exercise(
    id="02",
    title="The loop, on the plain SDK",
    function="answer",
    curriculum=("A2", "A4"),
    hints=(
        "Write one round first: ask, keep the reply, run what it asks for, append the results. "
        "Then put a `while True:` around it. What ends it?",
        'The switch is reply.choices[0].finish_reason. Go on while it is "tool_calls"; for '
        "anything else, return the message's content.",
        "Append reply.choices[0].message as it is. Then, for each of its tool_calls, append "
        '{"role": "tool", "tool_call_id": each.id, "content": text}. The arguments are text: '
        "json.loads(each.function.arguments).",
        "A tool that fails raises. Put call_tool in a try block; in the except block, the text "
        'is f"Error: {error}". The id gets its answer in both cases.',
    ),
    explanation=(
        "This is the whole of it: every agent framework has this loop inside. The stop signal "
        "drives it, the history grows by the reply and its results, and each id gets one "
        "answer. What it lacks is a limit: a model that never stops asking would keep it busy "
        "for ever. Guards come later."
    ),
    checks=(
        Check("none", "an answer at once: no tool runs", 1, no_tool),
        Check("rounds", "the expense case: two at once, then one, then one more", 2, rounds),
        Check("parallel", "results are not crossed, words are kept", 2, parallel),
        Check("failure", "a tool that fails is answered too", 1, failure),
        Check("cut", "a reply that was cut off: nothing runs", 1, cut_off),
    ),
    imports=("openai", "httpx2", "mcplab.provider"),
    perform=chat.perform,
    judge=chat.judge,
    call=chat.call,
    reference=loop,
    mutants=MUTANTS,
)
