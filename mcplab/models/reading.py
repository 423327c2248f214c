"""`ReadingModel`: a mock model that decides only by reading what it is sent.

It is not a language model. It compares the words of the question with the words of the tool
descriptors, fills arguments by schema from the text, and answers from the results. It knows no
tool in advance: exchange two descriptions and it makes the mistake that the text asks for.
"""

from __future__ import annotations

import hashlib
import html
import json
import random
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from mcplab.messages import JSON, Message, Reply, Tool, ToolCall, ToolChoice, ToolResult
from mcplab.models.answers import Voice, data
from mcplab.models.arguments import Evidence, Filled, Value, fill, values_in
from mcplab.models.lexical import Index, words
from mcplab.models.requests import Question, Request, take_apart

_LONGEST = 8_000  # characters of a question that are read
_AUTO = ToolChoice()
_RETURNS = re.compile(r"\breturns?\b.*|返回.*", re.I | re.S)


@dataclass(frozen=True, slots=True)
class ReadingModel:
    """A mock model that chooses tools by their words. A pure function; it keeps no state.

    Attributes:
        threshold: the confidence (0 to 1, see `requests.confidence`) below which it calls no
            tool. 0 calls whenever any word matches, 1 never calls. On the Berkeley function
            calling data (BFCL v4, not part of mcplab) the default calls for 97 % of the 600
            simple and multiple questions, and is silent on 68 % of the 240 irrelevant ones.
        guess_missing: invent a required argument that was not found, as real models do when
            they are made to call. Otherwise it is left out, and the server complains.
    """

    threshold: float = 0.4
    guess_missing: bool = False
    name: ClassVar[str] = "mock-reading"

    def __call__(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool],
        tool_choice: ToolChoice = _AUTO,
        seed: int = 0,
    ) -> Reply:
        """Answer one request. The same four arguments always give the same reply."""
        index = Index(tools)
        talk = _read(messages, index, self.threshold)
        calls = self._calls(talk, index, tool_choice, seed)
        if tool_choice.mode == "none" or not calls:
            return Reply(text=self._answer(talk, index, tool_choice))
        if not tool_choice.parallel:
            calls = calls[:1]
        text = _announce(talk.voice, [name for name, _ in calls])
        requests = []
        for place, (name, given) in enumerate(calls):
            id_ = _call_id(seed, len(messages), place, name)
            requests.append(ToolCall(id_, name, given, json.dumps(given, ensure_ascii=False)))
        return Reply(text=text, calls=tuple(requests), stop="tool_use")

    def explain(self, messages: Sequence[Message] | str, tools: Sequence[Tool]) -> Explanation:
        """Why it would call what it calls: the score of every tool, and the words that made it.

        Args:
            messages: the conversation, or just a question.
            tools: the tools that are shown.

        Returns:
            A table, one block for each thing that the question asks for. It prints as text and
            shows as HTML in a notebook.
        """
        if isinstance(messages, str):
            messages = (Message("user", messages),)
        talk = _read(messages, Index(tools), self.threshold)
        return Explanation(talk.text, self.threshold, talk.question.requests)

    # --- choosing --------------------------------------------------------------------------

    def _calls(
        self, talk: _Talk, index: Index, choice: ToolChoice, seed: int
    ) -> list[tuple[str, JSON]]:
        if not index.tools or choice.mode == "none":
            return []
        if choice.mode == "tool":
            return self._forced(talk, index, choice.name, seed)
        fitting = [r for r in talk.question.requests if r.confidence >= self.threshold]
        pending = [r for r in fitting if r.confidence > 0]
        ready, waiting = _ready(talk, index, pending)
        ready = ready or _lookups(talk, index, waiting)
        if not ready and waiting and (not talk.done or self.guess_missing):
            # Nothing more will turn up: call without what is missing, or with a guess.
            request = waiting[0][0]
            tool = index.tools[request.scores[0].position]
            calls = self._fill(talk, tool, request, seed)
            ready = [call for call in calls if call not in talk.made]
        if not ready and choice.mode == "any":
            return self._any(talk, index, seed)
        return ready

    def _forced(
        self, talk: _Talk, index: Index, name: str | None, seed: int
    ) -> list[tuple[str, JSON]]:
        tool = next((t for t in index.tools if t.name == name), None)
        if tool is None:
            return []
        own = [r for r in talk.question.requests if r.scores and r.scores[0].name == name]
        return self._fill(talk, tool, own[0] if own else None, seed)[:1]

    def _any(self, talk: _Talk, index: Index, seed: int) -> list[tuple[str, JSON]]:
        """Some call must be made: the best one not made yet, else the best one again."""
        ranked = index.rank(talk.text)
        options = [self._fill(talk, index.tools[s.position], None, seed)[0] for s in ranked]
        return [next((call for call in options if call not in talk.made), options[0])]

    def _fill(
        self, talk: _Talk, tool: Tool, request: Request | None, seed: int
    ) -> list[tuple[str, JSON]]:
        guess = random.Random(f"{seed} {tool.name}") if self.guess_missing else None
        evidence = talk.evidence(request)
        return [(tool.name, filled.arguments) for filled in fill(tool, evidence, guess=guess)]

    # --- answering -------------------------------------------------------------------------

    def _answer(self, talk: _Talk, index: Index, choice: ToolChoice) -> str:
        by_name = {tool.name: tool for tool in index.tools}
        if talk.done:
            often = Counter(call.name for call, _ in talk.done)
            told = [
                talk.voice.tell(call, result, by_name.get(call.name), often[call.name] == 1)
                for call, result in talk.done
            ]
            return "\n".join(dict.fromkeys([*told, *self._not_called(talk, index)]))
        if not talk.text.strip():
            return talk.voice.say("no question")
        if choice.mode == "none" and index.tools:
            return talk.voice.say("may not")
        if not index.tools:
            return talk.voice.say("no tools")
        best = max(talk.question.requests, key=lambda r: r.confidence)
        closest = ""
        if best.confidence > 0:
            name = best.scores[0].name
            closest = talk.voice.say(
                "closest", name=name, confidence=best.confidence, threshold=self.threshold
            )
        return talk.voice.say("no match", closest=closest)

    def _not_called(self, talk: _Talk, index: Index) -> list[str]:
        """What was asked for and could not be done, because a value never turned up."""
        fitting = [r for r in talk.question.requests if r.confidence >= self.threshold]
        said = []
        for request, filled in _ready(talk, index, fitting)[1]:
            name = request.scores[0].name
            if filled.missing and all(call.name != name for call, _ in talk.done):
                missing = talk.voice.series(filled.missing)
                said.append(talk.voice.say("not called", name=name, missing=missing))
        return said


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a `ReadingModel` chose: for each request, every tool's score and its words."""

    question: str
    threshold: float
    requests: tuple[Request, ...]

    def rows(self) -> list[tuple[str, str, float, str]]:
        """One row a request and tool: request, tool, score, the words found (rarest first)."""
        return [
            (request.text, score.name, score.score, ", ".join(word for word, _ in score.words))
            for request in self.requests
            for score in request.scores
        ]

    def __str__(self) -> str:
        lines = []
        for request in self.requests:
            lines.append(f"“{request.text}”: {self._verdict(request)}")
            width = max((len(s.name) for s in request.scores), default=0)
            lines += [
                f"  {s.name:<{width}}  {s.score:.2f}  {', '.join(w for w, _ in s.words)}".rstrip()
                for s in request.scores
            ]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        parts = []
        for request in self.requests:
            rows = "".join(
                f"<tr><td>{html.escape(s.name)}</td><td>{s.score:.2f}</td>"
                f"<td>{html.escape(', '.join(w for w, _ in s.words))}</td></tr>"
                for s in request.scores
            )
            parts.append(
                f"<p>“{html.escape(request.text)}”: {html.escape(self._verdict(request))}</p>"
                f"<table><tr><th>tool</th><th>score</th><th>words found</th></tr>{rows}</table>"
            )
        return "".join(parts)

    def _verdict(self, request: Request) -> str:
        fits = request.scores and request.confidence >= self.threshold and request.confidence > 0
        verdict = f"fits {request.scores[0].name}" if fits else "no tool fits"
        return f"{verdict} (confidence {request.confidence:.2f}, needed {self.threshold:.2f})"


# --- reading a conversation ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Talk:
    """A conversation as the model understands it.

    Attributes:
        text: the question that is open.
        question: the same, taken apart.
        done: the calls made for it, each with its result, in order.
        values: JSON values of all results that can be seen, oldest first.
        heard: results that are plain text.
        system: the system prompt and earlier questions.
    """

    text: str
    question: Question
    done: tuple[tuple[ToolCall, ToolResult], ...]
    values: tuple[Value, ...]
    heard: tuple[str, ...]
    system: tuple[str, ...]

    @property
    def voice(self) -> Voice:
        return Voice.like(self.text)

    @property
    def made(self) -> list[tuple[str, JSON | None]]:
        return [(call.name, call.arguments) for call, _ in self.done]

    def evidence(self, request: Request | None) -> Evidence:
        return self.question.evidence(request, self.values, self.heard, self.system)


def _read(messages: Sequence[Message], index: Index, threshold: float) -> _Talk:
    asked = [i for i, m in enumerate(messages) if m.role == "user" and m.text.strip()]
    begin = asked[-1] if asked else 0
    text = messages[begin].text[:_LONGEST] if asked else ""
    question = take_apart(text, index, threshold)
    unclear = all(request.confidence < threshold for request in question.requests)
    if len(asked) > 1 and unclear and not _has_result(messages[asked[-2] :]):
        # "Paris" answers our question about the question before: read both together.
        begin = asked[-2]
        text = f"{messages[begin].text[:_LONGEST]}\n{text}"
        question = take_apart(text, index, threshold)
    calls = {c.id: c for m in messages if m.role == "assistant" for c in m.calls}
    results = [r for m in messages for r in m.results if r.call_id in calls]
    recent = {r.call_id for m in messages[begin:] for r in m.results}
    values: list[Value] = []
    heard: list[str] = []
    for result in results:
        value = data(result)
        if isinstance(value, str) and value.count(" ") > 1:
            heard.append(value[:_LONGEST])
        elif not result.is_error:
            values += values_in(value, calls[result.call_id].name)
    told = [m.text[:_LONGEST] for m in messages if m.role == "system" and m.text.strip()]
    return _Talk(
        text,
        question,
        tuple((calls[r.call_id], r) for r in results if r.call_id in recent),
        tuple(values[-2000:]),
        tuple(heard),
        tuple(told),
    )


def _announce(voice: Voice, names: Sequence[str]) -> str:
    """What is said beside several calls; a single call is made without a word."""
    different = list(dict.fromkeys(names))
    if len(names) < 2:
        return ""
    if len(different) == 1:
        return voice.say("times", name=names[0], count=len(names))
    return voice.say("together", names=voice.series(different))


def _has_result(messages: Sequence[Message]) -> bool:
    return any(not result.is_error for message in messages for result in message.results)


def _ready(
    talk: _Talk, index: Index, requests: Sequence[Request]
) -> tuple[list[tuple[str, JSON]], list[tuple[Request, Filled]]]:
    """Sort what is asked for into calls that can be made now and those that must wait.

    A request waits while a required argument is missing, or while another tool that is still
    to run is named after it (``excess`` and ``compute_excess``): that tool will tell.
    """
    filled = []
    asked_for: Counter[str] = Counter()
    for request in requests:
        tool = index.tools[request.scores[0].position]
        evidence = talk.evidence(request)
        alone = evidence == Evidence(request.text)
        calls = request.filled if alone else fill(tool, evidence)
        asked_for[tool.name] += len(calls)
        filled.append((request, tool.name, calls))
    made = Counter(call.name for call, _ in talk.done)
    still_open = [name for _, name, _ in filled if made[name] < asked_for[name]]
    ready: list[tuple[str, JSON]] = []
    waiting: list[tuple[Request, Filled]] = []
    for request, name, calls in filled:
        others = [other for other in still_open if other != name]
        for one in calls if name in still_open else []:
            call = (name, one.arguments)
            if call in talk.made or call in ready:
                continue
            if one.missing or _will_be_told(one, others):
                waiting.append((request, one))
            else:
                ready.append(call)
    return ready, waiting


def _lookups(
    talk: _Talk, index: Index, waiting: Sequence[tuple[Request, Filled]]
) -> list[tuple[str, JSON]]:
    """Calls that nobody asked for by name, but that say they return what is missing."""
    found: list[tuple[str, JSON]] = []
    for request, filled in waiting:
        for missing in filled.missing:
            for tool in index.tools:
                returned = _RETURNS.search(tool.description[:_LONGEST])
                said = set(words(returned[0])) if returned else set()
                wanted = set(words(missing))
                if not wanted or not wanted <= said or tool.name == request.scores[0].name:
                    continue
                help_ = fill(tool, talk.evidence(request))[0]
                call = (tool.name, help_.arguments)
                if not help_.missing and call not in talk.made and call not in found:
                    found.append(call)
                    break
    return found


def _will_be_told(filled: Filled, others: Sequence[str]) -> bool:
    for parameter in filled.arguments:
        if parameter in filled.firm:
            continue
        named = set(words(parameter))
        if named and any(named <= set(words(name)) for name in others):
            return True
    return False


def _call_id(seed: int, turn: int, place: int, name: str) -> str:
    """An id that is unique in its conversation and the same for the same request."""
    digest = hashlib.sha256(f"{seed}/{turn}/{place}/{name}".encode()).hexdigest()
    return f"call_{digest[:20]}"
