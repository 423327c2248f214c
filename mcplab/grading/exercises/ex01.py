"""Exercise 01: build the three messages of step 4, in the Anthropic dialect."""

from __future__ import annotations

import string
from collections.abc import Callable
from random import Random
from typing import Any

from mcplab.grading.exercise import Ask, Case, Check, Exercise, Function, Peer, Problem
from mcplab.grading.values import same, shown
from mcplab.messages import JSON

_VERBS = ("find", "sum", "convert", "look_up", "compare", "rate", "list", "measure")
_THINGS = ("invoice", "parcel", "train", "price", "room", "recipe", "star", "mötet")
_QUESTIONS = (
    "What is 7 times 6?",
    "Is my parcel on its way?\nThe number is in the mail.",
    "¿Cuánto cuesta el tren?",
    "Which of the two rooms is larger, and by how much?",
)


# --- the cases -----------------------------------------------------------------------------


def one_request(rng: Random) -> list[Case]:
    """The plain case, twice, so that no id or name can be written into the code."""
    return [_case(rng, requests=1), _case(rng, requests=1)]


def text_beside(rng: Random) -> list[Case]:
    """The reply has words before its request, and sometimes after."""
    return [_case(rng, requests=1, before=True), _case(rng, requests=2, before=True, between=True)]


def several_requests(rng: Random) -> list[Case]:
    """Two to four requests; the results come in an order of their own."""
    return [_case(rng, requests=number) for number in (2, rng.randint(3, 4))]


def failed_tools(rng: Random) -> list[Case]:
    """A tool that failed, alone and between others."""
    return [_case(rng, requests=1, failing=1), _case(rng, requests=3, failing=1)]


def _case(
    rng: Random, *, requests: int, before: bool = False, between: bool = False, failing: int = 0
) -> Case:
    blocks = [_request(rng) for _ in range(requests)]
    ids = [block["id"] for block in blocks]
    content = list(blocks)
    if between:
        content.insert(1, {"type": "text", "text": f"And one more thing, {_word(rng)}."})
    if before:
        content.insert(0, {"type": "text", "text": f"Let me look that up: {_word(rng)}."})
    failed = set(rng.sample(ids, failing))
    answers = {
        id: {"text": f"{_word(rng)} {rng.randint(1, 10**6)}", "is_error": id in failed}
        for id in _another_order(rng, ids)
    }
    question = rng.choice(_QUESTIONS)
    response = {
        "id": f"msg_{_word(rng, 20)}",
        "type": "message",
        "role": "assistant",
        "model": "mock",
        "content": content,
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": rng.randint(50, 900), "output_tokens": rng.randint(5, 90)},
    }
    inputs = {"question": question, "response": response, "results": answers}
    return Case(inputs, expected=_expected(inputs))


def _request(rng: Random) -> JSON:
    value = rng.choice((rng.randint(-9, 9), rng.random(), True, None, _word(rng), ["a", {"b": 1}]))
    return {
        "type": "tool_use",
        "id": f"toolu_{_word(rng, 24)}",
        "name": f"{rng.choice(_VERBS)}_{_word(rng, 4)}",
        "input": {rng.choice(_THINGS): value, "n": rng.randint(0, 99)},
    }


def _another_order(rng: Random, ids: list[str]) -> list[str]:
    """Shuffled, and never as it was: results that are paired by position must not fit."""
    turn = rng.randint(1, len(ids) - 1) if len(ids) > 1 else 0
    return ids[turn:] + ids[:turn]


def _word(rng: Random, length: int = 6) -> str:
    return "".join(rng.choices(string.ascii_letters + string.digits, k=length))


# --- calling the function --------------------------------------------------------------------


def perform(function: Function, inputs: JSON, ask: Ask) -> Any:
    """Call the learner's function; `response` is what the SDK returns, not a dict."""
    from anthropic.types import Message

    response = Message.model_validate(inputs["response"])
    return function(inputs["question"], response, inputs["results"])


def call(inputs: JSON) -> str:
    """The call, with the reply's blocks written out."""
    return (
        f"messages_for_step_4({inputs['question']!r}, response, results)\n"
        f"response.content = {shown(inputs['response']['content'])}\n"
        f"results = {shown(inputs['results'])}"
    )


# --- judging what came back ------------------------------------------------------------------


def judge(case: Case, value: Any, peer: Peer | None) -> Problem | None:
    """Right when the three messages say the same, however they are written."""
    fault = _fault(case.inputs, value)
    if fault is None:
        return None
    sentence = " ".join((fault, *_refusal(value)))
    return Problem(sentence, got=shown(value), expected=shown(case.expected))


def _fault(inputs: JSON, value: Any) -> str | None:
    if not isinstance(value, list):
        return "Return a list of messages."
    for index, message in enumerate(value):
        if not isinstance(message, dict) or set(message) != {"role", "content"}:
            return f"Message {index + 1} must have exactly two fields: role and content."
    roles = [message["role"] for message in value]
    if roles != ["user", "assistant", "user"]:
        return (
            "Step 4 sends three messages with the roles user, assistant, user. "
            f"Yours: {', '.join(map(str, roles)) or 'none'}."
        )
    question, request, results = (_blocks(message["content"]) for message in value)
    if not same(question, [{"type": "text", "text": inputs["question"]}]):
        return "The first message must be the question, as the user wrote it."
    if not same([_core(b) for b in request], [_core(b) for b in inputs["response"]["content"]]):
        return "The second message must be the assistant's reply, kept as it was: every block."
    return _results_fault(inputs, results)


def _refusal(messages: Any) -> list[str]:
    """What the vendor would answer to these messages, if it would refuse them."""
    from mcplab.provider import validate

    body = {"model": "mock", "max_tokens": 100, "messages": messages}
    refusal = validate(body, "anthropic")
    return [f"The vendor answers: {refusal.status}, {refusal.message}"] if refusal else []


def _results_fault(inputs: JSON, blocks: list[Any]) -> str | None:
    expected = {id: (said["text"], said["is_error"]) for id, said in inputs["results"].items()}
    got: dict[str, tuple[str | None, Any]] = {}
    rest = list(blocks)
    while rest and isinstance(rest[0], dict) and rest[0].get("type") == "tool_result":
        block = rest.pop(0)
        id = block.get("tool_use_id")
        if not isinstance(id, str) or id not in expected:
            return f"There is a result for the id {id!r}, which nobody asked for."
        if id in got:
            return f"The id {id!r} is answered twice."
        got[id] = (_text(block.get("content")), block.get("is_error", False))
    if missing := [id for id in expected if id not in got]:
        return (
            f"The third message must start with a tool_result for every id. "
            f"Not answered: {', '.join(missing)}."
        )
    if any(not isinstance(b, dict) or b.get("type") != "text" for b in rest):
        return "After the results, the third message may hold text and nothing else."
    for id, (text, is_error) in expected.items():
        if got[id][0] != text:
            return f"The result for {id} is not what that tool said."
        if got[id][1] is not is_error:
            said = "failed: say so with is_error" if is_error else "did not fail: no is_error"
            return f"The tool behind {id} {said}."
    return None


def _blocks(content: Any) -> list[Any]:
    """Content as blocks: a plain string is short for one text block."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return content if isinstance(content, list) else [content]


def _core(block: Any) -> Any:
    """A block without the fields that the SDK adds or leaves out as it likes."""
    if not isinstance(block, dict):
        return block
    names = {"text": ("type", "text"), "tool_use": ("type", "id", "name", "input")}
    kept = names.get(str(block.get("type")), tuple(block))
    return {name: block.get(name) for name in kept}


def _text(content: Any) -> str | None:
    blocks = _blocks(content)
    if not all(isinstance(b, dict) and isinstance(b.get("text"), str) for b in blocks):
        return None
    return "".join(block["text"] for block in blocks)


# --- a right answer, and wrong ones ------------------------------------------------------------


def _expected(inputs: JSON) -> list[JSON]:
    return [
        {"role": "user", "content": inputs["question"]},
        {"role": "assistant", "content": inputs["response"]["content"]},
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": block["id"],
                    "content": inputs["results"][block["id"]]["text"],
                    "is_error": inputs["results"][block["id"]]["is_error"],
                }
                for block in inputs["response"]["content"]
                if block["type"] == "tool_use"
            ],
        },
    ]


def reference(question: str, response: Any, results: JSON) -> list[Any]:
    """A right answer."""
    return [
        {"role": "user", "content": question},
        {"role": "assistant", "content": response.content},
        {"role": "user", "content": [_result(id, results[id]) for id in results]},
    ]


def _result(id: str, said: JSON) -> JSON:
    return {
        "type": "tool_result",
        "tool_use_id": id,
        "content": said["text"],
        "is_error": said["is_error"],
    }


def _wrong(change: Callable[[Any, JSON, JSON, JSON, JSON], Any]) -> Function:
    """A wrong answer, made from the right one: a function of (response, results, its messages)."""

    def answer(question: str, response: Any, results: JSON) -> Any:
        return change(response, results, *reference(question, response, results))

    return answer


def _requests(response: Any) -> list[Any]:
    return [block for block in response.content if block.type == "tool_use"]


def _words(response: Any) -> str:
    words = "".join(block.text for block in response.content if block.type == "text")
    return words or "Calling a tool."


def _by_position(response: Any, results: JSON) -> list[JSON]:
    pairs = zip(_requests(response), results.values(), strict=True)
    return [_result(request.id, said) for request, said in pairs]


def _user(content: Any) -> JSON:
    return {"role": "user", "content": content}


def _assistant(content: Any) -> JSON:
    return {"role": "assistant", "content": content}


MUTANTS = {
    "forgets the assistant's message": _wrong(lambda r, said, user, asst, last: [user, last]),
    "keeps only the assistant's words": _wrong(
        lambda r, said, user, asst, last: [user, _assistant(_words(r)), last]
    ),
    "drops the words beside requests": _wrong(
        lambda r, said, user, asst, last: [user, _assistant(_requests(r)), last]
    ),
    "answers the first request only": _wrong(
        lambda r, said, user, asst, last: [user, asst, _user(last["content"][:1])]
    ),
    "copies the id of the example": _wrong(
        lambda r, said, user, asst, last: [
            user,
            asst,
            _user([{**block, "tool_use_id": "toolu_01"} for block in last["content"]]),
        ]
    ),
    "pairs results by position": _wrong(
        lambda r, said, user, asst, last: [user, asst, _user(_by_position(r, said))]
    ),
    "answers in plain words": _wrong(
        lambda r, said, user, asst, last: [
            user,
            asst,
            _user("\n".join(one["text"] for one in said.values())),
        ]
    ),
    "sends a message for each result": _wrong(
        lambda r, said, user, asst, last: [user, asst, *(_user([b]) for b in last["content"])]
    ),
    "hides a failure": _wrong(
        lambda r, said, user, asst, last: [
            user,
            asst,
            _user([{**block, "is_error": False} for block in last["content"]]),
        ]
    ),
    "talks before the results": _wrong(
        lambda r, said, user, asst, last: [
            user,
            asst,
            _user([{"type": "text", "text": "Here they are."}, *last["content"]]),
        ]
    ),
}


EXERCISE = Exercise(
    id="01",
    title="The three messages of step 4",
    function="messages_for_step_4",
    curriculum=("A3", "A4"),
    hints=(
        "Who spoke so far? The user asked, the assistant asked for tools, and now the tools "
        "have answered. Each of the three is one message.",
        "The second message is the one that people forget. Its content is response.content, "
        "all of it, without picking blocks out.",
        "The third message has the role user. Its content is a list with one dict for each id: "
        '{"type": "tool_result", "tool_use_id": id, "content": text, "is_error": is_error}.',
    ),
    explanation=(
        "The model remembers nothing between two requests: the messages are its whole memory. "
        "Without the assistant's message the results answer a question that nobody asked, and "
        "an id without an answer leaves a request open. The vendor refuses both with a 400."
    ),
    checks=(
        Check("one", "one request, one result", 2, one_request),
        Check("text", "text beside the requests is kept", 1, text_beside),
        Check("several", "several requests, every id answered", 2, several_requests),
        Check("error", "a failed tool is answered too", 1, failed_tools),
    ),
    imports=("anthropic.types",),
    perform=perform,
    judge=judge,
    call=call,
    reference=reference,
    mutants=MUTANTS,
)
