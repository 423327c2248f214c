"""Parameters to fill, and how well a place in a text fits them.

A `Slot` is one parameter of a tool with the words that name and describe it. A value in a text
fits a slot better when those words stand near it, when the function word before it announces
the slot (``from`` an origin, ``to`` a destination), and when its unit is of the slot's kind.
The tables here are about English and Chinese, not about any tool.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Literal

from mcplab.messages import JSON
from mcplab.models import schemas
from mcplab.models.lexical import STOP_WORDS, words
from mcplab.models.spans import Span

Purpose = Literal["date", "time", "id", "email", "url", "unit", "prose", "name"]

_DEEPEST = 3  # nested objects are filled this far down
_MOST = 60  # parameters that are read; more than any tool should have

# Function words that announce a parameter, by words that occur in parameter names.
_LEADS = {
    "from": "from origin source start departure depart sender base begin input since",
    "between": "from origin source start min minimum low lower",
    "to": "to destination target end recipient arrival receiver goal into output until",
    "into": "to target output destination",
    "until": "to end until",
    "in": "in city location place country region town state area venue language category",
    "at": "at location place venue time restaurant hotel store rate address",
    "near": "near location place city address around",
    "around": "near location place city",
    "on": "on date day topic subject",
    "with": "with attendee guest participant person contact partner member",
    "for": "for customer patient user employee duration person topic name guest city location",
    "by": "by author artist director creator employee writer",
    "about": "about topic subject query keyword",
    "of": "of name company country city location product book movie subject",
    "named": "name title",
    "called": "name title",
    "titled": "title name",
    "saying": "message text body content",
    "says": "message text body content",
    "over": "min minimum above",
    "above": "min minimum above",
    "under": "max maximum below budget limit price",
    "below": "max maximum below budget limit price",
    "many": "to target output",
    "during": "period month year date",
}
_ANNOUNCES = {lead: frozenset(w for n in names.split() for w in words(n) or (n,))
              for lead, names in _LEADS.items()}  # fmt: skip
_PURPOSE_NAMES: tuple[tuple[Purpose, str], ...] = (
    ("email", "email mail"),
    ("url", "url uri link website"),
    ("date", "date day deadline due birthday"),
    ("time", "time hour clock"),
    ("unit", "unit units currency scale"),
    ("id", "id code number sku isbn reference ref ticket"),
    (
        "prose",
        "reason message text note body content query description comment summary question prompt "
        "justification details instruction expression equation keyword sentence search",
    ),
)
_PURPOSES = tuple((purpose, frozenset(words(names))) for purpose, names in _PURPOSE_NAMES)
_FORMATS: dict[str, Purpose] = {
    "date": "date", "date-time": "date", "time": "time", "email": "email", "uri": "url",
}  # fmt: skip
_EXAMPLE = re.compile(r"\bfor example\b|\be\.g\.|\bsuch as\b|\blike\b|例如|比如", re.I)
# What a number counts, by its unit: the units, and the words that parameters of the kind use.
_QUANTITIES: tuple[tuple[frozenset[str], frozenset[str]], ...] = tuple(
    (frozenset({*words(units), *units.split()}), frozenset(words(marks)))
    for units, marks in (
        ("$ € £ ¥ dollars euros pounds yuan usd eur gbp 元 块",
         "amount price cost budget money principal investment deposit salary income balance fee "
         "payment value revenue loan currency dollars euros 金额 价格 预算"),
        ("% percent", "rate percent percentage yield discount interest growth ratio tax tip"),
        ("years year months month weeks week days day hours hour minutes minute seconds nights "
         "天 年 小时 分钟 晚 周 月",
         "time duration period term years months weeks days hours minutes seconds nights length "
         "age 天数 时长"),
        ("km kilometers kilometres miles meters metres m ft feet cm inches 公里 米",
         "distance length height width radius depth altitude side base 距离"),
        ("kg g lb lbs pounds kilograms grams tons 公斤 千克", "weight mass load 重量"),
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Slot:
    """One parameter to fill: where it goes, what it accepts, the words that describe it."""

    path: tuple[str, ...]
    schema: JSON
    kind: str
    required: bool
    names: frozenset[str]
    described: frozenset[str]
    purpose: Purpose
    order: int


def read_slots(schema: JSON) -> Iterator[Slot]:
    """The parameters of an input schema; those of nested objects by their paths."""
    flat = list(islice(_flat_properties(schema, schema, (), True, _DEEPEST), _MOST))
    # Examples are values, they do not describe: "City, for example Paris".
    said = [_EXAMPLE.split(str(s.get("description", "")))[0] for _, s, _ in flat]
    described = [frozenset(words(text)) for text in said]
    for order, (path, inner, needed) in enumerate(flat):
        names = key_words(path[-1])
        own = described[order]
        # A word that describes every parameter tells none of them apart.
        shared = frozenset.intersection(*described) if len(described) > 1 else frozenset()
        kind = schemas.kind(inner)
        yield Slot(path, inner, kind, needed, names, own - shared - names,
                   _purpose(inner, names, own), order)  # fmt: skip


def _flat_properties(
    schema: JSON, root: JSON, path: tuple[str, ...], needed: bool, depth: int
) -> Iterator[tuple[tuple[str, ...], JSON, bool]]:
    listed = schemas.required(schema)
    for name, inner in schemas.properties(schema, root).items():
        here = (*path, name)
        required = needed and name in listed
        if schemas.kind(inner) == "object" and inner.get("properties") and depth > 1:
            yield from _flat_properties(inner, root, here, required, depth - 1)
        else:
            if isinstance(inner.get("items"), dict):
                inner = {**inner, "items": schemas.resolve(inner["items"], root)}
            yield here, inner, required


def _purpose(schema: JSON, names: frozenset[str], described: frozenset[str]) -> Purpose:
    stated = schema.get("format")
    if isinstance(stated, str) and stated in _FORMATS:
        return _FORMATS[stated]
    if isinstance(schema.get("pattern"), str):
        return "id"
    for purpose, marks in _PURPOSES:
        if names & marks:
            return purpose
    return "date" if "yyyy" in described else "name"


@lru_cache(maxsize=4096)
def key_words(name: str) -> frozenset[str]:
    """The words of a parameter's or key's name; stop words count here (``from``, ``to``)."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+", " ", name).lower().split()
    plain = {w for w in spaced if w in STOP_WORDS or len(w) == 1}
    return frozenset({*words(name), *plain})


_WEIGHTS = (1.0, 0.7, 0.5, 0.35)


def nearness(slot: Slot, text: str, start: int, end: int, names_only: bool = False) -> float:
    """How closely the words around a value name the parameter (0 to 2)."""
    before, after = _around(text, start, end)
    score = 0.0
    for side, factor in ((before, 1.0), (after, 0.85)):
        for word, weight in zip(side, _WEIGHTS, strict=False):
            if word in slot.names:
                score += factor * weight
            elif word in slot.described and not names_only:
                score += 0.45 * factor * weight
    return min(score, 2.0)


@lru_cache(maxsize=8192)
def _around(text: str, start: int, end: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    before = re.split(
        r"[;!?。；？]|\.\s|\d[\d.,]*[ -]?[^\s\d,;]*", text[max(0, start - 60) : start]
    )[-1]
    after = re.split(r"[,;!?，。；？\d]|\.(?:\s|$)| and ", text[end : end + 40])[0]
    return words(before)[::-1][:4], words(after)[:3]


def lead_score(slot: Slot, lead: str) -> float:
    """Whether the function word before a value announces the slot (-0.5 to 0.9)."""
    if not lead:
        return 0.0
    if lead in slot.names:
        return 0.9
    announced = _ANNOUNCES.get(lead, frozenset())
    if slot.names & announced:
        return 0.6
    if slot.described & announced:
        return 0.3
    # "from" where "to" is expected, and the other way round
    other = {"from": "to", "to": "from"}.get(lead)
    return -0.5 if other and (other in slot.names or slot.names & _ANNOUNCES[other]) else 0.0


def quantity_score(slot: Slot, span: Span) -> float:
    """Money goes to a price, years to a duration: the unit of a number against the slot."""
    unit = set(words(span.unit)) | {span.unit}
    for units, marks in _QUANTITIES:
        if unit & units:
            return 0.45 if (slot.names | slot.described) & marks else -0.15
    return 0.0
