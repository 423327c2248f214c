"""How the conversation and the tools of a Messages request are judged.

These checks come after the one of the fields (`mcplab.provider.fields_anthropic`), so they
can rely on types. Their own order is the vendor's only in part: that the shape of the
conversation comes after the fields was measured; that tools, thinking and the limits come
after it is a guess.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from mcplab.messages import JSON
from mcplab.provider import schemas
from mcplab.provider.checks import Faults, Path, check, fault

__all__ = ["Conversation"]

Block = tuple[int, int, JSON]
"""A content block with its place: message i, block j."""


@dataclass(slots=True)
class Turn:
    """Messages of one role in a row: the vendor merges them into one turn."""

    role: str
    first: int
    last: int
    blocks: list[Block] = field(default_factory=list)
    texts: list[Block] = field(default_factory=list)
    uses: list[Block] = field(default_factory=list)
    results: list[Block] = field(default_factory=list)
    others: list[Block] = field(default_factory=list)

    def add(self, place: Block) -> None:
        """Append a block, to all and to those of its kind."""
        self.blocks.append(place)
        kind = place[2]["type"]
        if kind == "text":
            self.texts.append(place)
        elif kind == "tool_use":
            self.uses.append(place)
        elif kind == "tool_result":
            self.results.append(place)
        else:
            self.others.append(place)

    def has(self, kind: str) -> bool:
        """Is there a block of one of the other kinds?"""
        return any(block["type"] == kind for _, _, block in self.others)


class Conversation:
    """A body that passed the check of its fields, with its messages merged into turns."""

    def __init__(self, body: JSON) -> None:
        self.body = body
        self.messages: list[JSON] = body["messages"]
        self.turns: list[Turn] = []
        self.custom_tools: list[tuple[int, JSON]] = [
            (k, tool)
            for k, tool in enumerate(body.get("tools", ()))
            if tool.get("type") in (None, "custom")
        ]
        for i, message in enumerate(self.messages):
            self._add(i, message["role"], message["content"])

    def _add(self, i: int, role: str, content: Any) -> None:
        if not self.turns or self.turns[-1].role != role:
            self.turns.append(Turn(role, i, i))
        turn = self.turns[-1]
        turn.last = i
        if isinstance(content, list):
            for j, block in enumerate(content):
                turn.add((i, j, block))
        elif content:
            turn.add((i, 0, {"type": "text", "text": content}))

    @property
    def thinking(self) -> str:
        """``"enabled"``, ``"adaptive"`` or ``"disabled"``."""
        return (self.body.get("thinking") or {"type": "disabled"})["type"]  # type: ignore[no-any-return]

    @property
    def choice(self) -> JSON:
        """The tool_choice, ``{"type": "auto"}`` by default."""
        return self.body.get("tool_choice") or {"type": "auto"}


@check(
    "anthropic",
    "anthropic-system-role",
    "anthropic-system-empty",
    "anthropic-system-first",
    "anthropic-system-position",
    "anthropic-system-whitespace",
)
def system_messages(talk: Conversation) -> Faults:
    """Messages with role system: not at the start, and not before a user's."""
    for number, turn in enumerate(talk.turns):
        if turn.role != "system":
            continue
        yield fault("anthropic-system-role", "messages", turn.first)
        for i in range(turn.first, turn.last + 1):
            content = talk.messages[i]["content"]
            if not content and "output_config" not in talk.messages[i]:
                yield fault("anthropic-system-empty", "messages", i, i=i)
            elif content and i == 0:
                yield fault("anthropic-system-first", "messages", i)
        last, after = turn.last, talk.turns[number + 1 : number + 2]
        if after and after[0].role == "user" and talk.messages[last]["content"]:
            yield fault("anthropic-system-position", "messages", last, i=last)
        for i, j, block in turn.texts:
            if not block["text"].strip():
                yield fault("anthropic-system-whitespace", "messages", i, "content", j, i=i)


@check("anthropic", "anthropic-first-role", "anthropic-roles-alternate")
def roles(talk: Conversation) -> Faults:
    """Who speaks first, and in turn."""
    if talk.turns[0].role == "assistant":
        yield fault("anthropic-first-role", "messages", 0)
    for turn in talk.turns:
        if turn.last > turn.first and turn.role != "system":
            yield fault("anthropic-roles-alternate", "messages", turn.first + 1, role=turn.role)


@check("anthropic", "anthropic-message-empty", "anthropic-user-empty")
def empty_messages(talk: Conversation) -> Faults:
    """Messages without any content."""
    for i, message in enumerate(talk.messages):
        last_of_assistant = message["role"] == "assistant" and i == len(talk.messages) - 1
        if not message["content"] and not last_of_assistant and message["role"] != "system":
            yield fault("anthropic-message-empty", "messages", i, i=i)
    for turn in talk.turns:
        if turn.role == "user" and not turn.blocks:
            yield fault("anthropic-user-empty", "messages", turn.first, i=turn.first)


@check("anthropic", "anthropic-text-empty", "anthropic-text-whitespace")
def blank_texts(talk: Conversation) -> Faults:
    """Text blocks without text, and messages of nothing but whitespace."""
    for turn in talk.turns:
        if turn.role == "system":
            continue
        for i, j, block in turn.texts:
            if not block["text"]:
                yield fault("anthropic-text-empty", "messages", i, "content", j)
            elif block["text"].isspace() and _is_alone(talk.messages[i]["content"]):
                yield fault("anthropic-text-whitespace", "messages", i, "content", j)


def _is_alone(content: Any) -> bool:
    return isinstance(content, str) or len(content) == 1


@check("anthropic", "anthropic-tool-use-in-user", "anthropic-tool-result-in-assistant")
def misplaced_blocks(talk: Conversation) -> Faults:
    """Requests of the user, results of the assistant."""
    for turn in talk.turns:
        for i, j, _ in turn.uses if turn.role == "user" else ():
            yield fault("anthropic-tool-use-in-user", "messages", i, "content", j, i=i)
        for i, j, _ in turn.results if turn.role == "assistant" else ():
            yield fault("anthropic-tool-result-in-assistant", "messages", i, "content", j, i=i)


@check("anthropic", "anthropic-tool-use-unique")
def repeated_ids(talk: Conversation) -> Faults:
    """Ids of requests that were used before in the conversation."""
    seen: set[str] = set()
    for turn in talk.turns:
        if turn.role == "assistant":
            for i, j, block in turn.uses:
                if block["id"] in seen:
                    yield fault("anthropic-tool-use-unique", "messages", i, "content", j, i=i, j=j)
                seen.add(block["id"])


@check(
    "anthropic",
    "anthropic-tool-result-orphan",
    "anthropic-tool-result-duplicate",
    "anthropic-tool-result-count",
    "anthropic-tool-result-not-first",
    "anthropic-tool-use-unanswered",
)
def pairing(talk: Conversation) -> Faults:
    """Every request is answered in the next turn, first thing, once, and nothing else is.

    A result that answers nothing is reported before the request that it leaves unanswered:
    so it was seen when one id of a valid conversation was changed.
    """
    before: Turn | None = None
    for turn in [*talk.turns, Turn("user", len(talk.messages), len(talk.messages))]:
        asked = before.uses if before and before.role == "assistant" else []
        if turn.role == "user":
            yield from _results(turn, {block["id"] for _, _, block in asked})
        if asked:
            yield from _unanswered(asked, turn)
        before = turn


def _results(turn: Turn, asked: set[str]) -> Faults:
    answered: set[str] = set()
    for i, j, block in turn.results:
        id_ = block["tool_use_id"]
        if id_ not in asked:
            yield fault(
                "anthropic-tool-result-orphan", "messages", i, "content", j, i=i, j=j, id=id_
            )
        elif id_ in answered:
            yield fault(
                "anthropic-tool-result-duplicate", "messages", i, "content", j, i=i, j=j, id=id_
            )
        answered.add(id_)


def _unanswered(asked: list[Block], turn: Turn) -> Faults:
    later = {block["tool_use_id"] for _, _, block in turn.results}
    if turn.role != "user":
        later = set()
    first: set[str] = set()
    for _, _, block in turn.blocks if later else ():
        if block["type"] != "tool_result":
            break
        first.add(block["tool_use_id"])
    missing = [block["id"] for _, _, block in asked if block["id"] not in first]
    if not missing:
        return
    i = asked[-1][0]
    yield fault("anthropic-tool-result-count", "messages", turn.first, i=turn.first, n=len(asked))
    misplaced = later.issuperset(missing)
    rule = "anthropic-tool-result-not-first" if misplaced else "anthropic-tool-use-unanswered"
    yield fault(rule, "messages", i, i=i, ids=", ".join(missing))


@check("anthropic", "anthropic-server-tool-result-orphan")
def server_results(talk: Conversation) -> Faults:
    """Results of server tools without their request before them."""
    for turn in talk.turns:
        asked: set[str] = set()
        for i, j, block in turn.others:
            kind = block["type"]
            if kind == "server_tool_use":
                asked.add(str(block.get("id")))
            elif kind.endswith("_tool_result") and str(block.get("tool_use_id")) not in asked:
                where = ("messages", i, "content", j)
                values = {"i": i, "j": j, "kind": kind, "id": block.get("tool_use_id")}
                yield fault("anthropic-server-tool-result-orphan", *where, **values)


@check("anthropic", "anthropic-tool-result-error-empty")
def wordless_failures(talk: Conversation) -> Faults:
    """Failures that do not say what went wrong."""
    for turn in talk.turns:
        for i, j, block in turn.results:
            if block.get("is_error") and not block.get("content"):
                where = ("messages", i, "content", j)
                yield fault("anthropic-tool-result-error-empty", *where, i=i, j=j)


@check("anthropic", "anthropic-prefill-refused", "anthropic-prefill-whitespace")
def prefill(talk: Conversation) -> Faults:
    """A conversation that ends with the assistant's words."""
    last = talk.turns[-1]
    if last.role != "assistant" or not last.blocks:
        return
    i, j, block = last.blocks[-1]
    yield fault("anthropic-prefill-refused", "messages", i)
    if block["type"] == "text" and block["text"] != block["text"].rstrip():
        yield fault("anthropic-prefill-whitespace", "messages", i, "content", j)


@check("anthropic", "anthropic-thinking-off", "anthropic-thinking-missing")
def thinking_blocks(talk: Conversation) -> Faults:
    """Thinking that is there and may not be, or that is not there and must be."""
    last = talk.turns[-1]
    if talk.thinking == "disabled" and last.role == "assistant" and last.has("thinking"):
        i = last.first
        yield fault("anthropic-thinking-off", "messages", i, "content", 0, i=i)
    if talk.thinking != "enabled" or len(talk.turns) < 2 or not last.results:
        return
    asking = talk.turns[-2]
    found = asking.blocks[0][2]["type"] if asking.blocks else ""
    if asking.uses and found not in ("thinking", "redacted_thinking"):
        i = asking.first
        yield fault("anthropic-thinking-missing", "messages", i, "content", 0, i=i, found=found)


@check(
    "anthropic",
    "anthropic-thinking-adaptive",
    "anthropic-thinking-budget",
    "anthropic-forced-choice-thinking",
)
def thinking(talk: Conversation) -> Faults:
    """Whether this model thinks in this way, and how much."""
    if talk.thinking == "enabled":
        yield fault("anthropic-thinking-adaptive", "thinking", "type")
        if talk.body["thinking"]["budget_tokens"] >= talk.body["max_tokens"]:
            yield fault("anthropic-thinking-budget", "max_tokens")
    if talk.thinking != "disabled" and talk.choice["type"] in ("any", "tool"):
        yield fault("anthropic-forced-choice-thinking", "tool_choice")


# Tools -----------------------------------------------------------------------------------------


@check(
    "anthropic",
    "anthropic-forced-choice-model",
    "anthropic-tool-choice-unknown",
    "anthropic-tool-choice-no-tools",
    "anthropic-tools-for-history",
)
def tool_choice(talk: Conversation) -> Faults:
    """A choice that this request, or this model, does not offer."""
    kind, tools = talk.choice["type"], talk.body.get("tools") or []
    if kind in ("any", "tool"):
        yield fault("anthropic-forced-choice-model", "tool_choice", "type")
    if kind == "tool" and talk.choice["name"] not in [tool.get("name") for tool in tools]:
        name = talk.choice["name"]
        yield fault("anthropic-tool-choice-unknown", "tool_choice", "name", name=name)
    if kind == "any" and not tools:
        yield fault("anthropic-tool-choice-no-tools", "tool_choice")
    if not tools and any(turn.uses or turn.results for turn in talk.turns):
        yield fault("anthropic-tools-for-history", "messages")


@check("anthropic", "anthropic-tool-names-unique")
def tool_names(talk: Conversation) -> Faults:
    """Two tools of one name."""
    seen: set[Any] = set()
    for k, tool in enumerate(talk.body.get("tools") or ()):
        name = str(tool.get("name"))
        if name in seen and "name" in tool:
            yield fault("anthropic-tool-names-unique", "tools", k, "name")
        seen.add(name)


@check("anthropic", "anthropic-input-schema-composition", "anthropic-input-schema-invalid")
def input_schemas(talk: Conversation) -> Faults:
    """Schemas that are none, or of a form that the vendor does not take."""
    for k, tool in talk.custom_tools:
        schema, where = tool["input_schema"], ("tools", k, "input_schema")
        if not schema.keys().isdisjoint(("oneOf", "allOf", "anyOf")):
            yield fault("anthropic-input-schema-composition", *where, k=k)
        if schemas.problem_of(schema):
            yield fault("anthropic-input-schema-invalid", *where, k=k)


_STRICT_LIMITS = {
    "array": {"maxItems", "uniqueItems", "contains"},
    "string": {"minLength", "maxLength"},
    "integer": {"minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"},
    "number": {"minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"},
}


@check("anthropic", "anthropic-strict-closed", "anthropic-strict-keyword")
def strict_tools(talk: Conversation) -> Faults:
    """Strict tools whose schema leaves something open, or says too much."""
    for k, tool in talk.custom_tools:
        if tool.get("strict") is not True or schemas.problem_of(tool["input_schema"]):
            continue
        where = ("tools", k, "input_schema")
        for context, schema in schemas.subschemas(tool["input_schema"]):
            if schemas.is_open_object(schema):
                yield fault("anthropic-strict-closed", *where, *context, k=k)
            for kind, keywords in _STRICT_LIMITS.items():
                if not schemas.is_type(schema, kind):
                    continue
                for keyword in sorted(schema.keys() & keywords):
                    place: Path = (*where, *context, keyword)
                    values = {"k": k, "kind": kind, "keyword": keyword}
                    yield fault("anthropic-strict-keyword", *place, **values)


# Limits ----------------------------------------------------------------------------------------

_OPUS_4_5_MAX_TOKENS = 64_000
_CACHE_MARKS = 4


@check("anthropic", "anthropic-max-tokens-model")
def max_tokens(talk: Conversation) -> Faults:
    """More output than the model can write. Only the limit that has a source is here."""
    value = talk.body["max_tokens"]
    if value > _OPUS_4_5_MAX_TOKENS:
        yield fault(
            "anthropic-max-tokens-model", "max_tokens", value=value, limit=_OPUS_4_5_MAX_TOKENS
        )


@check("anthropic", "anthropic-cache-control-count")
def cache_marks(talk: Conversation) -> Faults:
    """More than four marks of the prompt cache."""
    system = talk.body.get("system")
    marked: list[Any] = list(talk.body.get("tools") or ())
    marked += system if isinstance(system, list) else []
    for turn in talk.turns:
        for _, _, block in turn.blocks:
            marked.append(block)
            inner = block.get("content")
            if block["type"] == "tool_result" and isinstance(inner, list):
                marked += inner
    n = sum(bool(one.get("cache_control")) for one in marked)
    n += bool(talk.body.get("cache_control"))
    if n > _CACHE_MARKS:
        yield fault("anthropic-cache-control-count", n=n)
