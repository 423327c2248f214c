"""Which tool does a question sound like? Okapi BM25 mixed with shared letter groups.

The score of a tool is the mean of two numbers between 0 and 1:

- **words**: BM25 (Robertson and Zaragoza 2009) over the name (counted twice), the description
  (twice) and the parameters' text (once). How rare a word is, is judged over *only the tools
  shown*, since nothing else is known to a model that reads a request.
- **letters**: the share of the question's 4-letter groups (single characters in Chinese,
  Japanese and Korean) that occur in the descriptor. It sees ``translation`` in ``translate``.

No vectors, no training, no list of known tools: take the words away and the score goes.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from mcplab.messages import Tool
from mcplab.models import schemas

K1 = 1.2  # how soon a repeated word stops counting
B = 0.6  # how much a long descriptor is discounted
NAME_WEIGHT, DESCRIPTION_WEIGHT, PARAMETER_WEIGHT = 2, 2, 1
_LONGEST = 20_000  # characters of one text that are read

CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WORD = re.compile(rf"[{CJK}]+|[^\W_{CJK}]+|[×÷−+]")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
IS_CJK = re.compile(rf"[{CJK}]")


def word_set(text: str) -> frozenset[str]:
    """The words of a space-separated list."""
    return frozenset(text.split())


_VOWEL = re.compile("[aeiouy]")
# Words that say how a question is put, not what it is about.
STOP_WORDS = word_set(
    """a an the this that these those it its is are was were be been being am do does did doing
    have has had having i me my mine we us our you your he she they them their his her and or but
    nor so if then than too very just of to in on at by for with from into about as up out off over
    under between what which who whom whose when where why how can could will would shall should
    may might must please need want like let s t d m re ve ll not no any some all each every
    there here now also get give tell show using use used given help only one hi
    hello hey thanks thank ok okay yes sorry"""
)
CJK_STOP = re.compile(
    "[的了吗呢吧啊呀我你您他她它们请是在把给帮要想]|一下|什么|怎么样?|多少|哪些|可以"
)

# Arithmetic is read aloud: "12 times 30", "12 * 30" and "a × b" are the same words.
OPERATORS = (
    (r"\btimes\b|\bmultiplied by\b|[x*✕✖·×]|乘以?", "×"),
    (r"\bplus\b|\+|加上?", "+"),
    (r"\bminus\b|(?<= )[-−](?= )|减去?", "−"),
    (r"\bdivided by\b|\bover\b|(?<= )/(?= )|÷|除以", "÷"),
)
_OPERAND = r"(?:\d[\d.,]{0,20}|\b[a-z])"
_SPOKEN = [
    (
        re.compile(
            rf"(?<![A-Za-z0-9_.,])({_OPERAND}) *(?:{said}) *(?={_OPERAND}(?![^\W\d]))", re.I
        ),
        symbol,
    )
    for said, symbol in OPERATORS
]
_VERB_SYMBOLS = {"multiply": "×", "add": "+", "subtract": "−", "divid": "÷"}
_CJK_SYMBOLS = {"相乘": "×", "乘以": "×", "相加": "+", "相减": "−", "相除": "÷", "除以": "÷"}


@dataclass(frozen=True, slots=True)
class Score:
    """How well one tool fits a text.

    Attributes:
        position: the tool's place in the list that was shown (names may repeat).
        name: the tool's name.
        score: 0 to 1, by which tools are ranked.
        words: the words found in the descriptor, with what each added, largest first.
    """

    position: int
    name: str
    score: float
    words: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A descriptor as the matcher sees it: weighted word counts, letter groups, length."""

    counts: dict[str, int]
    length: int
    grams: frozenset[str]


def stem(word: str) -> str:
    """Cut the endings that English inflects with; ``files``, ``filing``, ``filed`` → ``fil``.

    Light on purpose: a strong stemmer joins words that do not belong together.
    """
    if not word.isascii() or len(word) < 4:
        return word
    for ending, instead in (("ies", "y"), ("ied", "y"), ("sses", "ss"), ("'s", "")):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word[: -len(ending)] + instead
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending, shortest in (("ing", 3), ("ed", 3), ("ion", 4), ("or", 4), ("er", 4)):
        root = word.removesuffix(ending)
        if root != word and len(root) >= shortest and _VOWEL.search(root) and root[-1] != "e":
            doubled = root[-1] == root[-2] and root[-1] not in "dlsz"
            word = root[:-1] if doubled else root
            break
    return word.removesuffix("e") if len(word) > 3 else word


@lru_cache(maxsize=16_384)
def words(text: str) -> tuple[str, ...]:
    """The words of a text or identifier: split, lower case, stemmed, stop words left out.

    ``getHTTPFiles`` → ``http``, ``fil``; Chinese, Japanese and Korean become pairs of characters.
    """
    text = text[:_LONGEST]
    for spoken, symbol in _SPOKEN:
        text = spoken.sub(rf"\1 {symbol} ", text)
    found: list[str] = []
    for piece in _WORD.findall(text):
        if IS_CJK.match(piece):
            for run in CJK_STOP.split(piece):
                found += [run[i : i + 2] for i in range(len(run) - 1)] or ([run] if run else [])
            found += [symbol for said, symbol in _CJK_SYMBOLS.items() if said in piece]
            continue
        for word in _CAMEL.split(piece) if not piece.islower() else (piece,):
            lower = word.lower()
            alone = len(lower) == 1 and lower.isascii() and lower.isalpha()
            if not alone and lower not in STOP_WORDS and not lower.isdigit():
                stemmed = stem(lower)
                found.append(stemmed)
                if stemmed in _VERB_SYMBOLS:
                    found.append(_VERB_SYMBOLS[stemmed])
    return tuple(found)


@lru_cache(maxsize=16_384)
def grams(text: str) -> frozenset[str]:
    """The 4-letter groups of each word (with its edges), and each single CJK character."""
    found: set[str] = set()
    for word in words(text):
        if IS_CJK.match(word):
            found.update(word)
        else:
            padded = f" {word} "
            found.update(padded[i : i + 4] for i in range(max(1, len(padded) - 3)))
    return frozenset(found)


@lru_cache(maxsize=16_384)
def _document(name: str, description: str, parameters: str) -> Document:
    counts: Counter[str] = Counter()
    parts = (
        (name, NAME_WEIGHT),
        (description, DESCRIPTION_WEIGHT),
        (parameters, PARAMETER_WEIGHT),
    )
    for text, weight in parts:
        for word in words(text):
            counts[word] += weight
    letters = grams(name) | grams(description) | grams(parameters)
    return Document(dict(counts), sum(counts.values()), letters)


def document(tool: Tool) -> Document:
    """Read one descriptor (cached by its text, so the same words are never read twice)."""
    return _document(tool.name, tool.description, schemas.text(tool.input_schema))


class Index:
    """The tools that are shown, read once; `rank` then scores them against any text."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        self.tools = tuple(tools)
        self._documents = [document(tool) for tool in self.tools]
        total = sum(d.length for d in self._documents)
        self._mean_length = total / len(self._documents) if total else 1.0

    def rank(self, text: str) -> list[Score]:
        """Score every tool against `text`: best first, equals in the order shown."""
        question = tuple(dict.fromkeys(words(text)))
        letters = grams(text)
        rarity = {word: self._rarity(word) for word in question}
        best_possible = sum(rarity.values()) * (K1 + 1) or 1.0
        scores = [
            self._score(i, d, rarity, letters, best_possible) for i, d in enumerate(self._documents)
        ]
        return sorted(scores, key=lambda s: -s.score)

    def _rarity(self, word: str) -> float:
        """Inverse document frequency among the tools shown (never negative)."""
        n = len(self._documents)
        having = sum(word in d.counts for d in self._documents)
        return math.log(1 + (n - having + 0.5) / (having + 0.5))

    def _score(
        self,
        position: int,
        doc: Document,
        rarity: dict[str, float],
        letters: frozenset[str],
        best_possible: float,
    ) -> Score:
        discount = K1 * (1 - B + B * doc.length / self._mean_length)
        found = []
        for word, rare in rarity.items():
            count = doc.counts.get(word)
            if count:
                found.append((word, rare * count * (K1 + 1) / (count + discount)))
        found.sort(key=lambda pair: -pair[1])
        by_words = sum(value for _, value in found) / best_possible
        by_letters = len(letters & doc.grams) / len(letters) if letters else 0.0
        return Score(
            position,
            self.tools[position].name,
            (by_words + by_letters) / 2,
            tuple(found),
        )
