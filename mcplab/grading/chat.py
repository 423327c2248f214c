"""Judge a loop on OpenAI Chat Completions by what it says on the wire.

The grading side plays the model and the tools (`World`). The learner's function gets a real
OpenAI client whose other end is the world (`perform`). In the end the whole conversation is
read (`judge`): whatever the code looks like, the conversation must be right.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from mcplab.grading.exercise import Ask, Case, Function, Peer, Problem
from mcplab.grading.limits import StopRun
from mcplab.grading.values import same, shown
from mcplab.messages import JSON

MODEL_CALLS = 10
"""More than any right answer needs: after these the loop is stopped."""


@dataclass
class World:
    """The model and the tools that the loop talks to. It says its lines and writes down.

    Attributes:
        replies: what the model says, in order, as ``choices[0]`` of the response.
        answers: what a tool says to ``(name, arguments as JSON text)``; an answer that
            starts with ``!`` is a failure.
        requests: the bodies of the model requests that came and were not refused.
        refused: what the vendor would say to the first request that it would refuse.
        called: the tool calls that came, as ``(name, arguments as JSON text)``.
    """

    replies: Sequence[JSON]
    answers: dict[tuple[str, str], str]
    requests: list[JSON] = field(default_factory=list)
    called: list[tuple[str, str]] = field(default_factory=list)
    asked: int = 0
    refused: str = ""

    def __call__(self, kind: str, payload: JSON) -> JSON:
        return self._model(payload) if kind == "model" else self._tool(payload)

    def _model(self, body: JSON) -> JSON:
        from mcplab.provider import validate

        self.asked += 1
        if self.asked > MODEL_CALLS:
            raise StopRun(
                f"Your loop asked the model {MODEL_CALLS} times without getting further. "
                "Is what was said appended to the messages?"
            )
        if body.get("stream"):
            raise StopRun("This check cannot stream. Ask without stream=True.")
        if (refusal := validate(body, "openai-chat")) is not None:
            self.refused = self.refused or f"{refusal.status}, {refusal.message}"
            return {"status": refusal.status, "body": refusal.body()}
        self.requests.append(body)
        # Which line comes next follows from the messages, as with every model.
        turn = sum(message.get("role") == "assistant" for message in body["messages"])
        if turn >= len(self.replies):
            raise StopRun(_asked_again(self.replies[-1]["finish_reason"]))
        reply = self.replies[turn]
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        return {
            "status": 200,
            "body": {
                "id": f"chatcmpl-{turn}",
                "object": "chat.completion",
                "created": 0,
                "model": body["model"],
                "choices": [reply],
                "usage": usage,
            },
        }

    def _tool(self, payload: JSON) -> JSON:
        key = (str(payload["name"]), _text(payload["arguments"]))
        self.called.append(key)
        answer = self.answers.get(key, "!There is no such tool, or it takes other arguments.")
        return {"failed": answer.startswith("!"), "text": answer.removeprefix("!")}


def _asked_again(reason: str) -> str:
    return (
        f"Your loop asked the model again after finish_reason {reason}. "
        "It goes on only after tool_calls."
    )


def _text(arguments: Any) -> str:
    return json.dumps(arguments, sort_keys=True)


def perform(function: Function, inputs: JSON, ask: Ask) -> Any:
    """Call the learner's loop with a real OpenAI client whose other end is `ask`."""
    import httpx2
    import openai

    from mcplab.live import MOCK_DOMAIN

    def answer_http(request: httpx2.Request) -> httpx2.Response:
        reply = ask("model", json.loads(request.content))
        return httpx2.Response(reply["status"], json=reply["body"])

    def call_tool(name: str, arguments: JSON) -> str:
        reply = ask("tool", {"name": name, "arguments": arguments})
        if reply["failed"]:
            raise RuntimeError(reply["text"])
        return str(reply["text"])

    transport = httpx2.MockTransport(answer_http)
    with openai.OpenAI(
        api_key="mock",
        base_url=f"http://check{MOCK_DOMAIN}/v1",
        max_retries=0,
        http_client=httpx2.Client(transport=transport, trust_env=False),
    ) as client:
        return function(client, inputs["question"], inputs["tools"], call_tool)


def call(inputs: JSON) -> str:
    """The call, with the names of the tools."""
    names = ", ".join(tool["function"]["name"] for tool in inputs["tools"])
    return f"answer(client, {inputs['question']!r}, tools, call_tool)\nwith the tools {names}"


def judge(case: Case, value: Any, peer: Peer | None) -> Problem | None:
    """Right when the whole conversation is right, whatever the code looks like."""
    if not isinstance(peer, World):
        raise TypeError("This case needs a World as its peer.")
    if peer.refused:
        return Problem(f"The vendor refused one of your requests: {peer.refused}")
    if problem := _calls_problem(peer) or _requests_problem(case, peer):
        return problem
    if len(peer.requests) < len(peer.replies):
        reason = peer.replies[len(peer.requests) - 1]["finish_reason"]
        return Problem(
            f"Your loop stopped after model call {len(peer.requests)}, whose finish_reason was "
            f"{reason}. It goes on while finish_reason is tool_calls.",
        )
    if len(peer.requests) > len(peer.replies):
        return Problem(_asked_again(peer.replies[-1]["finish_reason"]))
    if not same(value, case.expected):
        return Problem(
            "Return the text of the last message.", got=shown(value), expected=shown(case.expected)
        )
    return None


def _requests_problem(case: Case, world: World) -> Problem | None:
    """What is wrong with the messages of the first request that is wrong."""
    if not world.requests:
        return Problem("Your loop did not ask the model at all.")
    start = _opening(world.requests[0]["messages"], case.inputs["question"])
    if start is None:
        return Problem(
            "The first request must hold the user's question and nothing that comes after it.",
            got=shown(world.requests[0]["messages"]),
        )
    history = start
    for number, body in enumerate(world.requests, 1):
        place = f"Model call {number}: "
        if not same(body.get("tools"), case.inputs["tools"]):
            return Problem(place + "send the tools with every request, as they are.")
        messages = [_plain(message) for message in body["messages"]]
        if not same(messages[: len(history)], history):
            return Problem(
                place + "the messages so far must come again, as they were, the assistant's too.",
                got=shown(messages),
                expected=shown(history),
            )
        results = messages[len(history) :]
        expected = _expected_results(world, number - 2)
        if fault := _results_fault(results, expected, set(world.answers.values())):
            return Problem(place + fault, got=shown(results), expected=_written(expected))
        if number <= len(world.replies):
            history = [*messages, _plain(world.replies[number - 1]["message"])]
    return None


def _opening(messages: Any, question: str) -> list[JSON] | None:
    """System messages are welcome; then comes the question."""
    plain = [_plain(message) for message in messages]
    rest = [m for m in plain if m.get("role") not in ("system", "developer")]
    return plain if same(rest, [{"role": "user", "content": question}]) else None


def _expected_results(world: World, reply: int) -> dict[str, str]:
    """What each id of the reply of that index is to be answered with; "!" marks a failure."""
    message = world.replies[min(reply, len(world.replies) - 1)]["message"] if reply >= 0 else {}
    calls = message.get("tool_calls", ())
    return {each["id"]: world.answers.get(key_of(each), "!") for each in calls}


def _results_fault(results: list[JSON], expected: dict[str, str], said: set[str]) -> str | None:
    """What is wrong with the messages that follow a reply; `said` are all tools' answers."""
    open_ids = dict(expected)
    for message in results:
        id = message.get("tool_call_id")
        if message.get("role") != "tool" or id not in open_ids:
            return "after the requests, only their results may follow."
        answer, text = open_ids.pop(id), message.get("content")
        if answer.startswith("!"):
            if not text or text in said:
                return f"the tool behind {id} failed; say so, best in its own words."
        elif text != answer:
            return f"the result for {id} is not what that tool said."
    if open_ids:
        return f"every id needs an answer. Not answered: {', '.join(open_ids)}."
    return None


def _written(expected: dict[str, str]) -> str:
    return shown(
        [
            {"role": "tool", "tool_call_id": id, "content": answer.replace("!", "Error: ", 1)}
            for id, answer in expected.items()
        ]
    )


def _calls_problem(world: World) -> Problem | None:
    """Each request is run once, with its own arguments, and nothing else is."""
    wanted = [
        key_of(each)
        for reply in world.replies
        if reply["finish_reason"] == "tool_calls"
        for each in reply["message"]["tool_calls"]
    ]
    extra = list(world.called)
    for key in wanted:
        if key in extra:
            extra.remove(key)
    if not extra:
        return None
    name, arguments = extra[0]
    if isinstance(json.loads(arguments), str):
        sentence = "The arguments are JSON text: make a dict of them with json.loads."
    elif any(key[0] == name for key in wanted):
        sentence = f"{name} was called more often, or with other arguments, than the model asked."
    else:
        sentence = f"{name} was called, but no reply with finish_reason tool_calls asked for it."
    return Problem(sentence, got=f"call_tool({name!r}, {arguments})")


def key_of(each: JSON) -> tuple[str, str]:
    """A request as `World.answers` names it: the tool and its arguments as JSON text."""
    arguments = each["function"]["arguments"]
    try:
        return each["function"]["name"], _text(json.loads(arguments))
    except ValueError:
        return each["function"]["name"], arguments


def _plain(message: Any) -> JSON:
    """A message without the empty fields that the SDK adds or leaves out as it likes."""
    plain = {
        key: message[key]
        for key in ("role", "tool_call_id", "content", "tool_calls")
        if message.get(key) not in (None, [])
    }
    if "content" in plain:
        plain["content"] = _text_of(plain["content"])
    if "tool_calls" in plain:
        plain["tool_calls"] = [_plain_call(each) for each in plain["tool_calls"]]
    return plain


def _plain_call(each: JSON) -> JSON:
    try:
        name, arguments = key_of(each)
        return {"id": each["id"], "name": name, "arguments": arguments}
    except (KeyError, TypeError):  # another kind of call, which the vendor also takes
        return each


def _text_of(content: Any) -> Any:
    if isinstance(content, list) and all(isinstance(p, dict) and "text" in p for p in content):
        return "".join(part["text"] for part in content)
    return content
