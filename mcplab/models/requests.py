"""What does a question ask for? Split it into requests, each with its own best tool.

"Look up the expense and the policy, compute the excess" is three requests; "add 12 and 30" is
one. A text is cut at sentence ends, commas and "and"; a piece stands alone when the tools say
so: it fits a tool by itself, and that is not the tool of the piece before. Otherwise it joins
its neighbour. Sentences that only tell something ("My expense was rejected.") ask for nothing,
but their words and values can be used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise

from mcplab.messages import Tool
from mcplab.models import spans
from mcplab.models.arguments import Evidence, Filled, Value, fill
from mcplab.models.lexical import CJK_STOP, IS_CJK, Index, Score, words

_SENTENCE = re.compile(r"(?<=[!?。！？；;])\s*|(?<=\.)\s+|\n+")
_PIECE = re.compile(
    r",? and then |, then |; |,? and also |,? as well as |,? and |, | then |, also "
    r"|，(?:然后|并且?|再|还有|同时)?|然后|并且|以及|还有",
    re.I,
)
_TELLS = re.compile(
    r"(?:my|i|i'm|i've|we|we're|our|the|it|it's|this|that|these|those|there|he|she|they|today|yesterday)\b"
    r"|我(?:的|是|在|有|昨天|今天)",
    re.I,
)
_ASKS = re.compile(
    r"[?？]|\b(?:want|wants|need|needs|please|like to|have to|can you|could you|let me|help me"
    r"|looking for|wondering|tell me|show me|give me|must)\b|请|帮|想|需要|告诉|吗|多少|怎么|什么",
    re.I,
)
_MOST = 24  # sentences, and pieces of one sentence; what comes after is read as one
_VALUES = frozenset({"date", "time", "number", "id", "email", "url", "list", "quoted"})
_OPAQUE = frozenset({"id", "email", "url", "quoted"})  # not words of the user's own
_UNCUT = frozenset({"quoted", "list", "url", "date"})  # a comma in here separates no requests


@dataclass(frozen=True, slots=True)
class Request:
    """One thing that is asked for.

    Attributes:
        text: the words that ask for it.
        scores: every tool's score for these words, best first.
        confidence: 0 to 1, how much of the text the best tool's call would explain.
        filled: the best tool's arguments, as far as these words alone give them.
    """

    text: str
    scores: tuple[Score, ...]
    confidence: float
    filled: tuple[Filled, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A question taken apart: its requests, and the sentences that only tell something."""

    requests: tuple[Request, ...]
    told: tuple[str, ...]

    def evidence(
        self,
        request: Request | None,
        values: tuple[Value, ...] = (),
        context: tuple[str, ...] = (),
        elsewhere: tuple[str, ...] = (),
    ) -> Evidence:
        """What the arguments of `request` may be built on (all of the question for ``None``)."""
        if request is None:
            whole = ". ".join((*(r.text for r in self.requests), *self.told))
            return Evidence(whole, context, elsewhere, values)
        others = tuple(r.text for r in self.requests if r is not request)
        return Evidence(request.text, self.told + context, others + elsewhere, values)


def take_apart(text: str, index: Index, threshold: float) -> Question:
    """Split a question into requests.

    Args:
        text: what the user wrote.
        index: the tools that are shown.
        threshold: the confidence from which a tool counts as fitting.
    """
    sentences = [s for s in _cut(text, _SENTENCE) if s]
    asking = [s for s in sentences if not _only_tells(s)] or sentences
    told = [s for s in sentences if s not in asking]
    found = [request for s in asking for request in _requests(s, index, threshold)]
    fitting = [request for request in found if request.confidence >= threshold]
    if fitting:  # what asks for nothing we can do may still tell something
        told += [request.text for request in found if request.confidence < threshold]
    return Question(tuple(fitting or found), tuple(told))


def confidence(text: str, score: Score, tool: Tool, filled: Filled) -> float:
    """How much a text sounds like a call of one tool, between 0 and 1.

    ``e / (e + 1 + u / 3 + m / 2)``. The evidence `e` is the number of words of the text that
    stand in the descriptor, half a word more for each that stands in the tool's name (in Chinese,
    where names are in Latin letters, for each). The words `u` are neither in the descriptor nor
    used as arguments; dates, numbers, ids and quotations do not count. The required arguments
    `m` were not found. So one word of the name gives 0.6 and three words of the description 0.75,
    and every unexplained word and every missing argument lowers it. Values alone make no
    request: when no word is found it is 0.
    """
    matched = {word for word, _ in score.words}
    names = set(words(tool.name))
    evidence = sum(1.5 if w in names or IS_CJK.match(w) else 1.0 for w in matched)
    plain = {w for w in words(_hide(text, _VALUES)) if not IS_CJK.match(w)}
    unexplained = len(plain - matched - filled.used)
    if IS_CJK.search(text):
        # Pairs of characters overlap, so there single characters are counted, two to a word.
        characters = set(IS_CJK.findall(CJK_STOP.sub("", _hide(text, _VALUES))))
        explained = {c for word in matched | filled.used for c in word}
        unexplained += len(characters - explained) // 2
    doubt = 1 + unexplained / 3 + len(filled.missing) / 2
    return evidence / (evidence + doubt) if matched else 0.0


def _cut(text: str, at: re.Pattern[str]) -> list[str]:
    """`text` in pieces, but never cut inside a quotation, an address, a list or a date."""
    hidden = _hide(text, _UNCUT)
    cuts = [0, *(m.end() for m in islice(at.finditer(hidden), _MOST)), len(text)]
    return [text[a:b].strip() for a, b in pairwise(cuts)]


def _only_tells(sentence: str) -> bool:
    return _TELLS.match(sentence) is not None and _ASKS.search(sentence) is None


def _request(text: str, index: Index) -> Request:
    scores = index.rank(_hide(text, _OPAQUE).strip("\0 .!?") or text)
    if not scores or not scores[0].words:
        return Request(text, tuple(scores), 0.0)
    tool = index.tools[scores[0].position]
    filled = tuple(fill(tool, Evidence(text)))
    sure = confidence(text, scores[0], tool, filled[0])
    return Request(text, tuple(scores), sure, filled)


def _requests(sentence: str, index: Index, threshold: float) -> Iterator[Request]:
    ends = islice(_PIECE.finditer(_hide(sentence, _UNCUT)), _MOST)
    cuts = [0, *(m.end() for m in ends), len(sentence)]
    current: Request | None = None
    begin = 0
    for start, end in pairwise(cuts):
        if start == end:
            continue
        piece = _request(_bare(sentence[start:end]), index)
        if current is not None and _stands_alone(piece, current, threshold):
            yield current
            begin, current = start, piece
        elif current is None:
            current = piece
        else:
            current = _request(_bare(sentence[begin:end]), index)
    if current is not None:
        yield current


def _bare(piece: str) -> str:
    """The piece without the conjunction that was between it and the next."""
    ends = list(_PIECE.finditer(piece))
    cut = ends[-1].start() if ends and ends[-1].end() == len(piece) else len(piece)
    return piece[:cut].strip(" ,，")


def _hide(text: str, kinds: frozenset[str]) -> str:
    for span in spans.find(text):
        if span.kind in kinds:
            text = text[: span.start] + "\0" * (span.end - span.start) + text[span.end :]
    return text


def _stands_alone(piece: Request, before: Request, threshold: float) -> bool:
    """Whether `piece` asks for something else than the words before it."""
    if piece.confidence < threshold or before.confidence < threshold:
        return False
    if piece.scores[0].position != before.scores[0].position:
        return True
    return all(r.filled[0].arguments and not r.filled[0].missing for r in (before, piece))
