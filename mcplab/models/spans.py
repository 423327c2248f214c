"""Values that stand in a text: numbers, dates, times, ids, quotations, names, phrases.

`find` reads a text once, from the surest kind of value to the vaguest, and each kind hides what
it took from the next: the ``1042`` of ``E-1042`` is not a number, the ``3`` of ``3 May`` is not
either. There is no clock here, so "tomorrow" stays "tomorrow" and "3 May" gets no year.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

from mcplab.models.lexical import CJK, IS_CJK, STOP_WORDS, word_set

Kind = Literal[
    "list", "quoted", "url", "email", "path", "date", "time", "id", "number", "name", "phrase"
]

_LONGEST = 8_000  # characters that are read


@dataclass(frozen=True, slots=True)
class Span:
    """One value in a text.

    Attributes:
        kind: what it looks like.
        value: a number for ``number``, else text. Dates are ISO when the year is known.
        start: where it begins in the text.
        end: where it ends.
        lead: the function word just before it (``in``, ``from``, …), "" when there is none.
        unit: for a number, the word or sign that it counts (``miles``, ``%``, ``$``).
        exact: ``False`` for a date that is no full ISO date, and for a number in words.
    """

    kind: Kind
    value: Any
    start: int
    end: int
    lead: str = ""
    unit: str = ""
    exact: bool = True


_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()  # noqa: SIM905 - it reads better
_MONTH = (
    r"(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAY_NAME = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_BRACKETS = re.compile(r"\[([^\[\]\n]{1,2000})\]|\(([^()\n]*,[^()\n]*)\)")
_QUOTED = re.compile(
    r"\"([^\"\n]{1,2000})\"|“([^”]{1,2000})”|「([^」]{1,2000})」|『([^』]{1,2000})』"
    r"|(?<!\w)[‘']([^'’\n]{1,2000})['’](?!\w)|`([^`\n]{1,2000})`"
)
_URL = re.compile(r"https?://[^\s\"'<>，。]+[^\s\"'<>，。.,;:!?)\]]")
_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+", re.ASCII)
_PATH = re.compile(
    r"(?<![^\s(])(?:[A-Za-z]:)?[\w~.-]*(?:[/\\][\w.-]*[\w])+|(?<![^\s(])[\w-]+\.[a-z]{2,4}\b(?![.@/])"
)
_DATES = (
    re.compile(r"(?<!\d)(?P<y>\d{4})[-/.年](?P<m>\d{1,2})[-/.月](?P<d>\d{1,2})[日号]?(?!\d)"),
    re.compile(rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {_MONTH},? (?P<y>\d{{4}})\b", re.I),
    re.compile(rf"\b{_MONTH} (?P<d>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y>\d{{4}})\b", re.I),
)
_VAGUE_DATE = re.compile(
    rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?"
    rf"|(?:(?:next|this|last) )?(?:{_DAY_NAME}|week(?:end)?|month)(?<!\bweek)(?<!\bmonth)"
    r"|(?:next|this|last) (?:week|month|year)|today|tonight|tomorrow|yesterday)\b"
    r"|\d{1,2}月\d{1,2}[日号]|今天|明天|后天|昨天|(?:下|这|本|上)?(?:周|星期)[一二三四五六日天末]",
    re.I,
)
_TIME = re.compile(
    r"(?<![\d:])(?P<h>\d{1,2})(?::(?P<min>\d{2}))?(?::\d{2})? ?(?P<half>[ap])\.?m\b\.?"
    r"|(?<![\d:])(?P<h2>[01]?\d|2[0-3]):(?P<min2>[0-5]\d)(?::[0-5]\d)?(?![\d:])"
    r"|(?P<part>上午|下午|早上|晚上)?(?P<h3>\d{1,2})点(?:(?P<min3>\d{1,2})分)?",
    re.I,
)
_ID = re.compile(r"(?<![\w.])#?[A-Za-z][A-Za-z_]{0,15}(?:[-_/]?\d[\w-]{0,40})+(?!\w)", re.ASCII)
_LONG_ID = re.compile(
    r"(?<![\w.])(?=[\w-]{0,60}[A-Za-z])\d\w{0,20}(?:-\w{1,20}){1,8}(?![\w-])", re.ASCII
)
_DIGITS = re.compile(
    r"(?<![A-Za-z0-9_.^])(?P<sign>(?<!\d )(?<!\d)[-−])?(?P<cur>[$€£¥])? ?"
    r"(?P<num>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?(?:e[-+]?\d{1,3}\b)?|\.\d+)"
    rf"(?:st\b|nd\b|rd\b|th\b)?(?P<scale> ?(?:k|thousand|million|billion|hundred)\b|[万亿千百])?"
    rf"(?P<unit>[ -]?(?:%|°[CF]?|[A-Za-zµ²³]+(?:/[A-Za-z]+)?)|[{CJK}]{{1,2}})?"
)
_SCALES = {
    "k": 10**3, "thousand": 10**3, "million": 10**6, "billion": 10**9, "hundred": 100,
    "万": 10**4, "亿": 10**8, "千": 10**3, "百": 100,
}  # fmt: skip
_ONES = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
    fifteen sixteen seventeen eighteen nineteen"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_SMALL = {word: n for n, word in enumerate(_ONES.split())}
_SMALL |= {word: 10 * n for n, word in enumerate(_TENS.split(), 2)}
_SMALL["dozen"] = 12
_NUMBER_WORD = "|".join([*_SMALL, "hundred", "thousand", "million"])
_WORDED = re.compile(
    rf"\b(?:{_NUMBER_WORD})(?:(?:[ -]| and )(?:{_NUMBER_WORD}))*\b"
    r"(?! of\b)(?P<unit>[ -][A-Za-z]+)?",
    re.I,
)
_HAN_DIGITS = {c: n for n, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_HAN_UNITS = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "亿": 100_000_000}
_HAN = re.compile(
    r"[一二两三四五六七八九十百千万亿零〇]{2,}(?P<unit>[^\W\d_])?"
    r"|[二两三四五六七八九十](?P<unit2>[个人天年月晚次张件份台只块元位小米公里])"
)

JOINTS = frozenset({",", "and", "or", "&", ", and", ", or", "、", "和", "与", "及"})
_ARTICLES = word_set("a an the this that my your our his her their its some any")
_NAMING = word_set("named called titled saying says entitled")
_FUNCTION = (
    STOP_WORDS
    | _NAMING
    | word_set(
        """near via per within during since until before after without through against across
    toward towards around above below than while because next last past current many much"""
    )
)
_TOKEN = re.compile(rf"[{CJK}]+|[^\W_{CJK}](?:[\w'’&\-]|\.(?=\w))*|[^\w\s]|\n")
_REGION = re.compile(r", [A-Z][\w.]*(?: [A-Z][\w.]*)*(?![\w,]|,? and )")  # "Boston, MA"
_JOINING = word_set("of de la du von van the")
_HAN_LEADS: dict[str, str] = {
    "从": "from",
    "到": "to",
    "至": "to",
    "往": "to",
    "成": "to",
    "在": "in",
    "给": "to",
}
_HAN_SPLIT = re.compile(
    "([从到至往在给]|(?<=译)成|(?<=换)成|(?<=算)成|(?<=转)成)"
    "|[的了吗呢吧啊呀我你您他她它们请是把帮要想和与跟、]|一下|什么|怎么样?|多少|哪些|可以|为"
)


@lru_cache(maxsize=4096)
def find(text: str) -> tuple[Span, ...]:
    """All values of `text` in the order in which they stand. Phrases and names come last."""
    text = text[:_LONGEST]
    rest = text
    spans: list[Span] = []
    for finder in _FINDERS:
        for span in finder(rest):
            spans.append(span)
            end = span.end
            if span.unit and rest[end : end + 1 + len(span.unit)].lstrip(" -").startswith(
                span.unit
            ):
                end = rest.index(span.unit, end) + len(span.unit)
            rest = rest[: span.start] + "\0" * (end - span.start) + rest[end:]
    spans = [_with_lead(span, text) for span in spans]
    return tuple(sorted([*spans, *_phrases(rest)], key=lambda s: (s.start, s.end)))


def joined(text: str, left: Span, right: Span) -> bool:
    """Whether two spans are items of one list: only a comma or "and" stands between them."""
    return text[left.end : right.start].strip().lower() in JOINTS


def lead_at(text: str, start: int) -> str:
    """The nearest function word before `start`, at most two words away, articles skipped."""
    before: list[str] = _TOKEN.findall(text[max(0, start - 40) : start])
    for piece in reversed(before[-3:]):
        word = piece.lower()
        if word in _FUNCTION and word not in _ARTICLES:
            return word
        if word and word[-1] in _HAN_LEADS:
            return _HAN_LEADS[word[-1]]
        if not piece[0].isalnum():
            return ""
    return ""


def _with_lead(span: Span, text: str) -> Span:
    return replace(span, lead=lead_at(text, span.start))


def _lists(text: str) -> Iterator[Span]:
    """``[1, 2, 3]``, and ``(40.7, -74.0)`` when all its items are numbers."""
    for m in _BRACKETS.finditer(text):
        items = [item.strip(" '\"“”") for item in (m[1] or m[2]).split(",")]
        numbers = [_plain_number(item) for item in items]
        if all(n is not None for n in numbers):
            yield Span("list", numbers, m.start(), m.end())
        elif m[0][0] == "[" and all(items):
            yield Span("list", items, m.start(), m.end())


def _plain_number(text: str) -> int | float | None:
    if re.fullmatch(r"[-−]?\d{1,15}(\.\d+)?", text) is None:
        return None
    number = float(text.replace("−", "-"))
    return number if "." in text else int(number)


def _quoted(text: str) -> Iterator[Span]:
    for m in _QUOTED.finditer(text):
        inside = next(g for g in m.groups() if g is not None)
        yield Span("quoted", inside, m.start(), m.end())


def _addresses(text: str) -> Iterator[Span]:
    for m in _URL.finditer(text):
        yield Span("url", m[0], m.start(), m.end())
    for m in _EMAIL.finditer(text):
        yield Span("email", m[0].rstrip("."), m.start(), m.end())
    for m in _PATH.finditer(text):
        yield Span("path", m[0], m.start(), m.end())


def _dates(text: str) -> Iterator[Span]:
    taken: set[int] = set()
    for pattern in _DATES:
        for m in pattern.finditer(text):
            month = _month(m)
            if 1 <= month <= 12 and 1 <= int(m["d"]) <= 31 and m.start() not in taken:
                taken.update(range(m.start(), m.end()))
                iso = f"{int(m['y']):04d}-{month:02d}-{int(m['d']):02d}"
                yield Span("date", iso, m.start(), m.end())
    for m in _VAGUE_DATE.finditer(text):
        if m.start() not in taken:
            yield Span("date", m[0], m.start(), m.end(), exact=False)


def _month(match: re.Match[str]) -> int:
    """The month of a date, from its number or its name."""
    if match.groupdict().get("m"):
        return int(match["m"])
    name = next(g for g in match.groups() if g and g[:3].lower() in _MONTHS)
    return _MONTHS.index(name[:3].lower()) + 1


def _times(text: str) -> Iterator[Span]:
    for m in _TIME.finditer(text):
        hour = int(m["h"] or m["h2"] or m["h3"])
        minute = int(m["min"] or m["min2"] or m["min3"] or 0)
        late = (m["half"] or "").lower() == "p" or m["part"] in ("下午", "晚上")
        if m["half"] and hour == 12:
            hour = 0
        hour += 12 if late and hour < 12 else 0
        if hour < 24 and minute < 60:
            yield Span("time", f"{hour:02d}:{minute:02d}", m.start(), m.end())


def _ids(text: str) -> Iterator[Span]:
    for pattern in (_ID, _LONG_ID):
        for m in pattern.finditer(text):
            yield Span("id", m[0].lstrip("#"), m.start(), m.end())


def _digits(text: str) -> Iterator[Span]:
    for m in _DIGITS.finditer(text):
        number = _scaled(m["num"].replace(",", ""), (m["scale"] or "").strip().lower())
        unit = (m["unit"] or "").strip(" -")
        end = m.end() - len(m["unit"] or "")
        unit = "" if unit.lower() in _FUNCTION else unit
        sign = -1 if m["sign"] else 1
        yield Span("number", sign * number, m.start(), end, unit=unit or m["cur"] or "")


def _number_words(text: str) -> Iterator[Span]:
    for m in _WORDED.finditer(text):
        unit = (m["unit"] or "").strip(" -")
        unit = "" if unit.lower() in _FUNCTION else unit
        said = m[0][: len(m[0]) - len(m["unit"] or "")]
        end = m.start() + len(said)
        yield Span("number", _worded(said.lower()), m.start(), end, unit=unit, exact=False)


def _han_numbers(text: str) -> Iterator[Span]:
    for m in _HAN.finditer(text):
        unit = m["unit"] or m["unit2"] or ""
        end = m.end() - len(unit)
        yield Span("number", _han_number(text[m.start() : end]), m.start(), end, unit=unit)


def _scaled(digits: str, scale: str) -> int | float:
    number = float(digits) * _SCALES.get(scale, 1)
    whole = number.is_integer() and ("." not in digits or scale)
    return int(number) if whole and abs(number) < 1e15 else number


def _worded(text: str) -> int:
    total = part = 0
    for word in re.findall(r"[a-z]+", text):
        if word in _SMALL:
            part = part * 12 if word == "dozen" and part else part + _SMALL[word]
        elif word == "hundred":
            part = max(part, 1) * 100
        elif word in _SCALES:
            total, part = total + max(part, 1) * _SCALES[word], 0
    return total + part


def _han_number(text: str) -> int:
    if not any(c in _HAN_UNITS for c in text):
        return int("".join(str(_HAN_DIGITS[c]) for c in text))
    total = section = digit = 0
    for c in text:
        if c in _HAN_DIGITS:
            digit = _HAN_DIGITS[c]
        elif _HAN_UNITS[c] < 10_000:
            section, digit = section + max(digit, 1) * _HAN_UNITS[c], 0
        else:
            total, section, digit = (total + section + digit) * _HAN_UNITS[c], 0, 0
    return total + section + digit


_Piece = tuple[int, int, bool]  # start and end of a word, and whether it may be a name


def _phrases(text: str) -> Iterator[Span]:
    """Runs of content words (`phrase`) and of capitalised words inside them (`name`)."""
    lead = ""
    run: list[_Piece] = []
    first = True  # at the start of a sentence a capital letter says nothing
    for m in _TOKEN.finditer(text):
        piece, word = m[0], m[0].lower()
        if IS_CJK.match(piece):
            yield from _run(text, run, lead)
            run = []
            yield from _han_phrases(m)
        elif not piece[0].isalnum():
            yield from _run(text, _fragment(text, run), lead)
            run, lead = [], ""
            first = first or piece in ".!?\n"
            continue
        elif word in _FUNCTION and not (
            run and word in _JOINING and text[run[-1][0]].isupper() and _proper(text, m.end())
        ):
            yield from _run(text, run, lead)
            run, lead = [], lead if word in _ARTICLES else word
        else:
            run.append((m.start(), m.end(), not first or (piece.isupper() and len(piece) > 1)))
        first = False
    yield from _run(text, _fragment(text, run), lead)


def _fragment(text: str, run: list[_Piece]) -> list[_Piece]:
    """What stands alone may be a name, although it begins a sentence ("Paris, please.")."""
    if all(text[start].isupper() for start, _, _ in run):
        return [(start, end, True) for start, end, _ in run]
    return run


def _proper(text: str, start: int) -> bool:
    return text[start : start + 2].strip()[:1].isupper()


def _run(text: str, run: list[_Piece], lead: str) -> Iterator[Span]:
    if not run:
        return
    yield _phrase("phrase", text, run[0][0], run[-1][1], lead)
    names: list[tuple[int, int]] = []
    for start, end, may_be_name in [*run, (len(text), len(text), False)]:
        if may_be_name and (text[start].isupper() or (names and text[start:end] in _JOINING)):
            names.append((start, end))
        elif names:
            yield _phrase("name", text, names[0][0], names[-1][1], lead)
            region = _REGION.match(text, names[-1][1])
            if region:
                yield _phrase("name", text, names[0][0], region.end(), lead)
            names = []


def _phrase(kind: Kind, text: str, start: int, end: int, lead: str) -> Span:
    value = text[start:end]
    for possessive in ("'s", "’s"):
        if value.endswith(possessive):
            value, end = value[:-2], end - 2
    return Span(kind, value.rstrip("."), start, end, lead)


def _han_phrases(match: re.Match[str]) -> Iterator[Span]:
    lead, at = "", match.start()
    for piece in _HAN_SPLIT.split(match[0]):
        if piece is None:
            lead, at = "", at + 1
        elif piece in _HAN_LEADS:
            lead, at = _HAN_LEADS[piece], at + 1
        elif piece:
            start = match.string.find(piece, at)
            yield Span("phrase", piece, start, start + len(piece), lead)
            lead, at = "", start + len(piece)


_FINDERS = (  # from the surest to the vaguest
    _lists,
    _quoted,
    _addresses,
    _dates,
    _times,
    _ids,
    _digits,
    _number_words,
    _han_numbers,
)
