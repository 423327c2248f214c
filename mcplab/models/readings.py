"""What in a text could be the value of a slot: readings, each with a score.

One function a kind of parameter. A score of about 1 means that the text names the parameter or
says a legal value of it; a few tenths mean that the value merely has the right type.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from mcplab.models import schemas, spans
from mcplab.models.lexical import CJK, IS_CJK, word_set, words
from mcplab.models.patterns import matches
from mcplab.models.slots import Purpose, Slot, lead_score, nearness, quantity_score
from mcplab.models.spans import Span

_LONGEST = 5_000  # characters in which enum values and patterns are looked for
_FILES = frozenset(words("path file folder directory document url uri domain dataset 文件 路径"))
_CODE = re.compile(rf"[^\s,;!?\"“”()，。；：？！{CJK}]+")
_NEGATIONS = word_set("no not without don't dont never exclude excluding except off")


class Reading(NamedTuple):
    """A possible value: how good, what, and where in the text (0, 0 for all of it)."""

    score: float
    value: Any
    start: int
    end: int
    span: Span | None = None


def readings(slot: Slot, text: str, own: frozenset[str]) -> Iterator[Reading]:
    """All that `text` offers for `slot`. `own` are the tool's own words, which are no values."""
    if schemas.choices(slot.schema):
        yield from _enums(slot, text)
    elif slot.kind in ("number", "integer"):
        yield from _numbers(slot, text)
    elif slot.kind == "boolean":
        yield from _booleans(slot, text)
    elif slot.kind == "array":
        yield from _lists(slot, text, own)
    elif slot.kind == "string":
        yield from _strings(slot, text, own)


def _enums(slot: Slot, text: str) -> Iterator[Reading]:
    for option in schemas.choices(slot.schema):
        for start, end in _mentions(str(option), text):
            score = 1.2 + lead_score(slot, spans.lead_at(text, start))
            score += 0.5 * nearness(slot, text, start, end)
            yield Reading(score, option, start, end)


@lru_cache(maxsize=4096)
def _mentions(option: str, text: str) -> tuple[tuple[int, int], ...]:
    """Where an enum value is said: as written, or in the same words with other endings."""
    spoken = re.sub(r"[_\-\s]+", " ", option).strip()
    if not spoken or len(spoken) > 200:
        return ()
    parts = [re.escape(p) for p in spoken.split(" ")]
    edge = (r"(?<![^\W_])", r"(?:s|es)?(?![^\W_])") if spoken.isascii() else ("", "")
    exact = re.compile(edge[0] + r"[_\-\s]?".join(parts) + edge[1], re.I)
    found = [m.span() for m in exact.finditer(text[:_LONGEST])]
    wanted = words(spoken)
    if not found and len(wanted) == 1 and len(wanted[0]) > 3:
        tokens = re.finditer(r"[^\W\d_]+", text[:_LONGEST])
        found = [m.span() for m in tokens if words(m[0]) == wanted]
    return tuple(found)


def _numbers(slot: Slot, text: str) -> Iterator[Reading]:
    for span in spans.find(text):
        if span.kind != "number" or words(span.unit) == ("numb",):  # "two numbers"
            continue
        value = span.value
        if slot.kind == "integer" and isinstance(value, float):
            if not value.is_integer():
                continue
            value = int(value)
        if span.unit in ("%", "percent") and slot.kind == "number" and _wants_fraction(slot):
            value = round(value / 100, 12)
        score = 0.4 + nearness(slot, text, span.start, span.end) + lead_score(slot, span.lead)
        score += quantity_score(slot, span)
        score -= 0.0 if span.exact else 0.25  # "two numbers: 4 and 5"
        year = isinstance(value, int) and 1900 <= value <= 2100 and not span.unit
        if year or "year" in slot.names:
            score += 0.4 if year and "year" in slot.names else -0.3
        yield Reading(score, value, span.start, span.end, span)


def _wants_fraction(slot: Slot) -> bool:
    """5 % is 0.05, unless the parameter asks for a percentage in so many words."""
    said = f"{slot.path[-1]} {slot.schema.get('description', '')}"
    return re.search(r"percent|pct|%", said, re.I) is None


def _booleans(slot: Slot, text: str) -> Iterator[Reading]:
    wanted = {w for w in words(slot.path[-1]) if w not in {"includ", "enabl", "wanted", "is"}}
    if not wanted or not wanted <= set(words(text)):
        return
    for m in re.finditer(r"[^\W\d_]+", text):
        if set(words(m[0])) & wanted:
            before = re.findall(r"[\w']+", text[max(0, m.start() - 30) : m.start()].lower())
            yield Reading(1.0, not _NEGATIONS & set(before[-3:]), m.start(), m.end())
            return


def _lists(slot: Slot, text: str, own: frozenset[str]) -> Iterator[Reading]:
    items = slot.schema.get("items")
    inner = items if isinstance(items, dict) else {}
    one = replace(slot, schema=inner, kind=schemas.kind(inner))
    if one.kind in ("array", "object"):
        return
    bracketed = [s for s in spans.find(text) if s.kind == "list"]
    for span in bracketed:
        score = 0.9 + nearness(slot, text, span.start, span.end)
        yield Reading(score, _items(span.value, one.kind), span.start, span.end, span)
    if bracketed:
        return
    found = sorted(readings(one, text, own), key=lambda r: r.start)
    kept: list[Reading] = []
    for reading in found if schemas.choices(inner) else _best_list(found, text):
        if not kept or reading.start >= kept[-1].end:
            kept.append(reading)
    if kept:
        together = max(r.score for r in kept) + (0.2 if len(kept) > 1 else 0.0)
        yield Reading(together, [r.value for r in kept], kept[0].start, kept[-1].end)


def _items(values: list[Any], kind: str) -> list[Any]:
    return [str(v) for v in values] if kind == "string" else values


def _best_list(found: list[Reading], text: str) -> list[Reading]:
    """The longest run that is joined by "and" or commas, else all numbers or quotations."""
    at: dict[int, Reading] = {}
    for reading in found:  # a name is also a phrase: keep the better reading of each place
        if reading.start not in at or reading.score > at[reading.start].score:
            at[reading.start] = reading
    runs: list[list[Reading]] = []
    for reading in at.values():
        last, span = (runs[-1][-1].span if runs else None), reading.span
        if last is not None and span is not None and spans.joined(text, last, span):
            runs[-1].append(reading)
        elif last is None or span is None or span.start >= last.end:
            runs.append([reading])
    best = max(runs, key=lambda run: (len(run), max(r.score for r in run)), default=[])
    alike = [r for r in at.values() if r.span is not None and r.span.kind in ("number", "quoted")]
    return alike if len(best) == 1 < len(alike) else best


# Which spans a text parameter takes, by its purpose, and what each is worth by itself.
_FITS: dict[Purpose, dict[str, float]] = {
    "date": {"date": 1.0, "time": 0.2},
    "time": {"time": 1.0, "date": 0.2},
    "email": {"email": 1.0},
    "url": {"url": 1.0, "path": 1.0},
    "id": {"id": 0.9, "number": 0.2, "quoted": 0.8},
    "unit": {"name": 0.6, "phrase": 0.1},
    "prose": {"quoted": 2.0, "phrase": 0.1},
    "name": {"quoted": 0.8, "name": 0.6, "id": 0.5, "phrase": 0.1, "date": 0.0, "path": 1.0},
}


def _strings(slot: Slot, text: str, own: frozenset[str]) -> Iterator[Reading]:
    pattern = slot.schema.get("pattern")
    if pattern is not None:
        yield from _by_pattern(slot, str(pattern), text)
        return
    for span in spans.find(text):
        if span.kind == "number" and slot.purpose == "unit" and span.unit:
            score, end = 0.7 + lead_score(slot, "from"), span.end
            yield Reading(score, span.unit, end, end + len(span.unit) + 1, span)
        elif span.kind in _FITS[slot.purpose]:
            yield from _string(slot, span, text, own, _FITS[slot.purpose][span.kind])
        elif span.kind in slot.described & {"date", "time", "email", "url"}:
            yield from _string(slot, span, text, own, 1.0)
    if slot.purpose == "prose":
        yield from _prose(slot, text, own)


def _by_pattern(slot: Slot, pattern: str, text: str) -> Iterator[Reading]:
    for m in _CODE.finditer(text[:_LONGEST]):
        token = m[0].strip(".:'").removeprefix("#")
        # A pattern that any word passes tells nothing.
        if token and not matches(pattern, "zq") and matches(pattern, token):
            near = nearness(slot, text, m.start(), m.end())
            yield Reading(1.0 + near, token, m.start(), m.end())
    for span in spans.find(text):
        if span.kind == "number":
            for written in (f"{span.value}", f"{span.value:.2f}"):
                if matches(pattern, written):
                    score = 0.4 + nearness(slot, text, span.start, span.end)
                    yield Reading(score, written, span.start, span.end, span)
                    break


def _string(
    slot: Slot, span: Span, text: str, own: frozenset[str], worth: float
) -> Iterator[Reading]:
    value, start, end = str(span.value), span.start, span.end
    if span.kind == "date" and not span.exact and _needs_iso(slot):
        return
    if span.kind == "path" and not slot.names & _FILES:
        return
    if span.kind in ("name", "phrase"):
        value, start, end, led = _trim(value, start, own | slot.names, span.kind == "name")
        if not value or (slot.purpose == "prose" and not led):
            return
        worth += 0.25 if led else 0.0
        worth += 0.3 if IS_CJK.match(value) and not span.lead else 0.0  # no capitals to go by
    if span.kind == "name" and ", " in value:
        worth += 0.1 if "," in str(slot.schema.get("description", "")) else -0.3
    worth += lead_score(slot, span.lead)
    worth += nearness(slot, text, start, end, names_only=slot.purpose == "id")
    if span.kind != "phrase" or worth >= 0.3:
        yield Reading(worth, value, start, end, span)


def _needs_iso(slot: Slot) -> bool:
    said = str(slot.schema.get("description", ""))
    return "format" in slot.schema or re.search(r"yyyy|iso|\d{4}-\d\d", said, re.I) is not None


_Trimmed = tuple[str, int, int, bool]  # value, start, end, whether the front was cut


def _trim(value: str, start: int, own: frozenset[str], is_name: bool = False) -> _Trimmed:
    """Cut the tool's own words off both ends: ``translate good morning`` → ``good morning``."""
    tokens = [(m[0], m.start(), m.end()) for m in re.finditer(r"\S+", value)]
    if IS_CJK.search(value):
        return _trim_cjk(value, start, own)
    led = False
    while tokens and words(tokens[0][0]) and set(words(tokens[0][0])) <= own:
        tokens, led = tokens[1:], True
    while not is_name and tokens and words(tokens[-1][0]) and set(words(tokens[-1][0])) <= own:
        tokens = tokens[:-1]
    if not tokens:
        return "", start, start, led
    return value[tokens[0][1] : tokens[-1][2]], start + tokens[0][1], start + tokens[-1][2], led


def _trim_cjk(value: str, start: int, own: frozenset[str]) -> _Trimmed:
    """The same without spaces: cut pairs of characters that stand in the descriptor."""
    begin, end = 0, len(value)
    while end - begin >= 2 and value[begin : begin + 2] in own:
        begin += 2
    while end - begin >= 2 and value[end - 2 : end] in own:
        end -= 2
    return value[begin:end], start + begin, start + end, begin > 0


_CLAUSES = {
    "reason": (r"because|since|as the reason|due to|因为",),
    "message": (r"saying|says?|that says|to say|telling \w+|that", "about|regarding"),
    "query": (r"for|about|on|regarding|关于",),
}
_REASONS = frozenset(words("reason justification explanation why"))
_MESSAGES = frozenset(words("message text body note content comment description details"))
_OPENING = re.compile(
    r"^(?:(?:please|can|could|would|will|you|i|we|want|need|like|to|me|us|help|go|and|then|now|"
    r"also|find|search|look|show|give|tell|get|for|up|out|about|on|the|a|an|some|what|whats|"
    r"what's|is|are)\b[ ,]*)+",
    re.I,
)


def _prose(slot: Slot, text: str, own: frozenset[str]) -> Iterator[Reading]:
    """Free text: the clause after "because" or "saying", else what is left of the request."""
    about = "reason" if slot.names & _REASONS else "message" if slot.names & _MESSAGES else "query"
    for score, openers in zip((0.7, 0.65), _CLAUSES[about], strict=False):
        clause = re.search(rf"(?:\b(?:{openers})\b|因为|关于)[ :]*(\S.*)", text, re.I | re.S)
        if clause:
            value = clause[1].strip().rstrip(".!?")
            value = re.sub(r"^(?:the|a|an) ", "", value) if about == "query" else value
            yield Reading(score, value, clause.start(1), clause.end(1))
            return
    whole = text.strip().rstrip(".!?？。")
    if about == "reason":
        if whole:
            yield Reading(0.2 if _is_order(whole) else 0.6, whole, 0, 0)
        return
    value, *_ = _trim(_OPENING.sub("", whole), 0, own | slot.names)
    value = _OPENING.sub("", value)
    value = re.sub(r"^(?:the|a|an) ", "", value)
    if value:
        # A short rest is an argument; a long one is merely all that was said.
        start = text.find(value) if value.count(" ") < 4 else -1
        yield Reading(0.3, value, max(start, 0), start + len(value) if start >= 0 else 0)


def _is_order(sentence: str) -> bool:
    """Whether a sentence asks for something instead of telling something."""
    return re.match(r"(?:my|i|we|our|the|it|this|there|he|she|they)\b", sentence, re.I) is None
