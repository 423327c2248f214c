"""Fill a tool's arguments from text, by its schema. Rules only; nothing is made up.

Each parameter becomes a `Slot`, each value that stands in the question or came back from an
earlier tool becomes a candidate. A pair scores by type, by the words around the value, by the
word before it (``from``, ``to``, ``in`` …), by ``pattern``, ``format`` and ``enum``. The best
pairs are taken first, each slot once and each place in the text once. A required parameter
takes any candidate that fits; an optional one needs to be asked for. What finds nothing is
left out and listed as missing.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from mcplab.messages import JSON, Tool
from mcplab.models import schemas, spans
from mcplab.models.guesses import guess_value
from mcplab.models.lexical import IS_CJK, words
from mcplab.models.patterns import matches
from mcplab.models.readings import readings
from mcplab.models.slots import Slot, key_words, read_slots
from mcplab.models.spans import Span

_WEAKEST = 0.1  # what a required parameter accepts
_NAMED = 0.95  # what a value in a text about something else needs
_STRONG = 0.9  # what an optional parameter needs: a word that names it, an enum value, a format
_MOST_CALLS = 20  # of one tool, for one list in the text
_NOTHING: Any = object()


class Value(NamedTuple):
    """One value that an earlier tool returned.

    Attributes:
        keys: the words of the key under which it stood.
        source: the words of the path to it and of the tool that returned it.
        value: the JSON value.
    """

    keys: frozenset[str]
    source: frozenset[str]
    value: Any


@dataclass(frozen=True, slots=True)
class Evidence:
    """What arguments may be built on.

    Attributes:
        request: the part of the question that asks for this tool.
        context: what else is told: statements beside the request, text that tools returned.
        elsewhere: text that belongs to something else (other requests, the system prompt);
            a value there must be named to count.
        values: JSON values that tools returned, oldest first.
    """

    request: str
    context: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()
    values: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Filled:
    """The arguments for one call.

    Attributes:
        arguments: by parameter name, nested as the schema says.
        missing: required parameters for which nothing was found.
        used: the words of the text that became arguments.
        firm: parameters whose value was named, not merely the only one that fitted.
    """

    arguments: JSON
    missing: tuple[str, ...]
    used: frozenset[str]
    firm: frozenset[str] = frozenset()


class _Candidate(NamedTuple):
    score: float
    slot: Slot
    value: Any
    text: int  # which text; -1 for a value from a tool
    start: int
    end: int
    span: Span | None


def fill(tool: Tool, evidence: Evidence, *, guess: random.Random | None = None) -> list[Filled]:
    """Fill the arguments of one tool.

    Args:
        tool: the descriptor.
        evidence: the text and the earlier results.
        guess: with it, a missing required argument is invented (seeded), as models do.

    Returns:
        One `Filled` per call: several when one parameter has a list of values in the text
        ("the weather in Paris and Rome").
    """
    slots = list(read_slots(tool.input_schema))
    texts = (evidence.request, *evidence.context, *evidence.elsewhere)
    own = frozenset(words(tool.name)).union(
        word for word in words(tool.description) if IS_CJK.match(word)
    )
    chosen = _assign(slots, texts, evidence, own)
    first = _build(slots, chosen, texts, guess)
    return [first, *_siblings(slots, chosen, texts, own, guess)]


def values_in(result: Any, source: str) -> Iterator[Value]:
    """Flatten a JSON result to its scalars and lists, each with the words of its key.

    A lone value (or one under ``result``, as MCP wraps it) is keyed by the tool's name only.
    """
    yield from _flatten(result, frozenset(), frozenset(words(source)), 0)


def _flatten(
    value: Any, keys: frozenset[str], source: frozenset[str], depth: int
) -> Iterator[Value]:
    if isinstance(value, dict) and depth < 6:
        for key, inner in list(value.items())[:300]:
            yield from _flatten(inner, key_words(str(key)), source | keys, depth + 1)
        return
    yield Value(keys - {"result"}, source, value)
    if isinstance(value, list) and depth < 6:
        for inner in value[:20]:
            if isinstance(inner, dict):
                yield from _flatten(inner, keys, source, depth + 1)


def _assign(
    slots: Sequence[Slot], texts: Sequence[str], evidence: Evidence, own: frozenset[str]
) -> list[_Candidate]:
    candidates: list[_Candidate] = []
    for slot in slots:
        candidates += _from_values(slot, evidence.values)
        for i, text in enumerate(texts):
            near = i <= len(evidence.context)
            candidates += (
                _Candidate(r.score - (0.0 if i == 0 else 0.15), slot, r.value, i, *r[2:])
                for r in readings(slot, text, own)
                if near or r.score > _NAMED
            )
    candidates.sort(key=lambda c: (-round(c.score, 6), c.slot.order, c.text, c.start))
    chosen: list[_Candidate] = []
    done: set[tuple[str, ...]] = set()
    for candidate in candidates:
        enough = candidate.score >= (_WEAKEST if candidate.slot.required else _needed(candidate))
        free = not any(_overlap(candidate, c) for c in chosen)
        if enough and free and candidate.slot.path not in done:
            chosen.append(candidate)
            done.add(candidate.slot.path)
    return chosen


def _needed(candidate: _Candidate) -> float:
    """What an optional parameter asks for; a loose phrase must be named outright."""
    span = candidate.span
    return _STRONG + 0.5 if span is not None and span.kind in ("phrase", "name") else _STRONG


def _overlap(a: _Candidate, b: _Candidate) -> bool:
    return a.text == b.text != -1 and a.start < b.end and b.start < a.end


def _from_values(slot: Slot, values: Sequence[Value]) -> Iterator[_Candidate]:
    """A value whose key says the parameter's name is the strongest evidence there is."""
    for age, found in enumerate(reversed(values)):
        value = _convert(slot, found.value)
        if value is _NOTHING:
            continue
        if found.keys == slot.names:
            score = 3.0
        elif slot.names <= found.keys | found.source and (
            not found.keys or slot.names & found.keys or found.keys <= found.source
        ):
            score = 2.2
        elif found.keys and found.keys < slot.names and found.keys != {"id"}:
            score = 1.8
        else:
            continue
        yield _Candidate(score - 0.01 * min(age, 50), slot, value, -1, 0, 0, None)


def _convert(slot: Slot, value: Any) -> Any:
    """`value` as the slot's type, or `_NOTHING` when it cannot be. Empty and null pass."""
    if value is None or isinstance(value, bool):
        return value if value is None or slot.kind == "boolean" else _NOTHING
    if slot.kind in ("number", "integer"):
        number = _number(value)
        whole = isinstance(number, float) and slot.kind == "integer" and number.is_integer()
        return _NOTHING if number is None else int(number) if whole else number
    if slot.kind == "string":
        if isinstance(value, str):
            return value if value == "" or _legal_text(slot, value) else _NOTHING
        return str(value) if isinstance(value, int | float) else _NOTHING
    if slot.kind == "array":
        return value if isinstance(value, list) else _NOTHING
    return value if slot.kind == "object" and isinstance(value, dict) else _NOTHING


def _number(value: Any) -> int | float | None:
    if isinstance(value, int | float):
        return value
    try:
        number = float(value.replace(",", ""))
    except (AttributeError, ValueError, OverflowError):
        return None
    if number != number or number in (float("inf"), float("-inf")):
        return None
    return int(number) if number.is_integer() and "." not in value else number


def _legal_text(slot: Slot, value: str) -> bool:
    options = schemas.choices(slot.schema)
    if options:
        return value in options
    return slot.schema.get("pattern") is None or matches(slot.schema["pattern"], value)


def _build(
    slots: Sequence[Slot],
    chosen: Sequence[_Candidate],
    texts: Sequence[str],
    guess: random.Random | None,
) -> Filled:
    by_path = {c.slot.path: c for c in chosen}
    arguments: JSON = {}
    missing: list[str] = []
    used: set[str] = set()
    firm: set[str] = set()
    for slot in slots:
        candidate = by_path.get(slot.path)
        if candidate is not None:
            _put(arguments, slot.path, candidate.value)
            if candidate.text >= 0:
                said = texts[candidate.text][candidate.start : candidate.end]
                used.update(words(said) or ((said,) if said else ()))
            if candidate.score >= _STRONG:
                firm.add(".".join(slot.path))
        elif slot.required:
            invented = guess_value(slot.schema, guess) if guess else None
            if invented is None:
                missing.append(".".join(slot.path))
            else:
                _put(arguments, slot.path, invented)
    return Filled(arguments, tuple(missing), frozenset(used), frozenset(firm))


def _put(arguments: JSON, path: tuple[str, ...], value: Any) -> None:
    for part in path[:-1]:
        arguments = arguments.setdefault(part, {})
    arguments[path[-1]] = value


def _siblings(
    slots: Sequence[Slot],
    chosen: Sequence[_Candidate],
    texts: Sequence[str],
    own: frozenset[str],
    guess: random.Random | None,
) -> Iterator[Filled]:
    """More calls for a parameter that takes one value where the text lists several."""
    for i, candidate in enumerate(chosen):
        if candidate.slot.kind == "array" or candidate.text != 0 or not candidate.slot.required:
            continue
        others = [c for c in chosen if c is not candidate]
        more = _listed_after(candidate, others, texts[0], own)
        if more:
            for other in more:
                yield _build(slots, [*chosen[:i], other, *chosen[i + 1 :]], texts, guess)
            return


def _listed_after(
    first: _Candidate, others: Sequence[_Candidate], text: str, own: frozenset[str]
) -> list[_Candidate]:
    """The values that follow `first` in a list of the text ("Paris, Rome and Oslo")."""
    more: list[_Candidate] = []
    end, joint = first.end, ""
    for reading in sorted(readings(first.slot, text, own), key=lambda r: r.start):
        candidate = _Candidate(reading.score, first.slot, reading.value, 0, *reading[2:])
        between = text[end : reading.start].strip().lower() if reading.start >= end else "-"
        taken = any(_overlap(candidate, other) for other in others)
        if len(more) >= _MOST_CALLS:
            break
        if between in spans.JOINTS and not taken and _same_kind(first.span, reading.span):
            more.append(candidate)
            end, joint = reading.end, between
    # A comma alone joins the parts of one name: "Seattle, Washington".
    return [] if joint == "," else more


def _same_kind(a: Span | None, b: Span | None) -> bool:
    return a is None or b is None or a.kind == b.kind
