"""The sequence diagram of a run: model, host and server, drawn as SVG.

The host stands in the middle, so that no arrow crosses a lifeline. Parallel tool calls are
framed, and their bars stand beside each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from html import escape
from itertools import groupby
from unicodedata import east_asian_width

from mcplab.trace import Step, Trace
from mcplab.views.html import Shown, style
from mcplab.views.payload import shortened
from mcplab.views.reading import NUMBERS, came, duration, plural, sent

__all__ = ["sequence", "sequence_svg"]

WIDTH = 860
MODEL, HOST, SERVER = 120, 430, 740  # where the lifelines stand
LABEL_ROOM = 40  # latin letters that fit above an arrow
BAR = 6  # half the width of an activation bar


def sequence(trace: Trace) -> Shown:
    """The sequence diagram of a run as the value of a notebook cell."""
    html = f'<div class="mcplab" style="overflow-x:auto">{sequence_svg(trace)}</div>'
    return Shown(html, "\n".join(_sentences(trace)))


def sequence_svg(trace: Trace) -> str:
    """The sequence diagram of a run: a whole SVG picture, light and dark.

    Its colours are the CSS variables of JupyterLab's theme, with fallbacks. A screen reader
    gets the run in sentences.
    """
    drawing = _Drawing()
    drawing.question(trace.question)
    for (kind, round_), group in groupby(trace, key=lambda step: (step.kind, step.round)):
        if kind == "call":
            drawing.calls(list(group))
            continue
        for step in group:
            if kind != "list":
                drawing.round(round_)
            drawing.exchange(step)
    drawing.outcome(trace)
    return drawing.svg(trace, "functions" if _only_functions(trace) else "server")


def _only_functions(trace: Trace) -> bool:
    dialects = {step.dialect for step in trace if step.kind in ("list", "call")}
    return dialects == {"function"}


def _sentences(trace: Trace) -> Iterator[str]:
    """The diagram in words."""
    for step in trace:
        other = "server" if step.kind in ("list", "call") else "model"
        yield f"Step {NUMBERS[step.kind]}, host to {other}: {shortened(sent(step), 200)}."
        what = "failed" if step.error else f"{other} to host"
        yield f"{what}: {shortened(came(step), 200)}."
    if trace.outcome:
        yield shortened(trace.outcome, 300)


class _Drawing:
    """Shapes that are added from top to bottom; `y` is where the next one goes."""

    def __init__(self) -> None:
        self.shapes: list[str] = []
        self.y = 70

    def question(self, question: str) -> None:
        """The user's words, with which it all begins."""
        if question:
            self._note(f"“{_fitting(question, 88)}”", question)

    def round(self, number: int) -> None:
        """A line between two rounds."""
        self.y += 10
        self.shapes.append(
            f'<line class="round" x1="8" y1="{self.y}" x2="{WIDTH - 8}" y2="{self.y}"/>'
            f'<text class="small" x="8" y="{self.y + 16}">round {number}</text>'
        )
        self.y += 12

    def exchange(self, step: Step) -> None:
        """A request and its answer."""
        top = self._request(step)
        self._answer(step, top)

    def calls(self, steps: Sequence[Step]) -> None:
        """The tool calls of one reply; several run at the same time."""
        if len(steps) == 1:
            self.exchange(steps[0])
            return
        self.y += 10
        frame = self.y
        self.y += 14
        tops = [self._request(step, index) for index, step in enumerate(steps)]
        for index, (step, top) in enumerate(zip(steps, tops, strict=True)):
            self._answer(step, top, index)
        self.y += 8
        self.shapes.insert(
            0,
            f'<rect class="frame" x="{HOST - 28}" y="{frame}" rx="8" '
            f'width="{WIDTH - 20 - HOST + 28}" height="{self.y - frame}"/>'
            f'<text class="small" x="{HOST - 18}" y="{frame + 16}">at the same time</text>',
        )

    def outcome(self, trace: Trace) -> None:
        """The last words: the answer, or why there is none."""
        last = trace.steps[-1] if trace.steps else None
        if trace.outcome:
            answered = last is not None and last.kind in ("ask", "return") and not last.error
            words = f"“{came(last)}”" if answered and last is not None else trace.outcome
            self._note(_fitting(words, 88), words)

    def svg(self, trace: Trace, third: str) -> str:
        """The whole picture."""
        sentences = " ".join(_sentences(trace))
        key = sha256(sentences.encode("utf-8", "replace")).hexdigest()[:10]
        names = ((MODEL, "model"), (HOST, "host"), (SERVER, third))
        lanes = "".join(
            f'<line class="lane" x1="{x}" y1="44" x2="{x}" y2="{self.y}"/>'
            f'<rect class="head" x="{x - 60}" y="8" width="120" height="36" rx="8"/>'
            f'<text class="name" x="{x}" y="31">{name}</text>'
            for x, name in names
        )
        height = self.y + 12
        return (
            f'<svg class="mcplab mcplab-sequence" xmlns="http://www.w3.org/2000/svg" role="img" '
            f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
            f'aria-labelledby="title-{key} desc-{key}">'
            f'<title id="title-{key}">Sequence diagram: {_text(trace.question, 200)}</title>'
            f'<desc id="desc-{key}">{escape(sentences)}</desc>'
            f"<style>{style('sequence.css')}</style>{lanes}{''.join(self.shapes)}</svg>"
        )

    def _request(self, step: Step, lane: int = 0) -> int:
        """An arrow from the host; gives back where it arrives."""
        x = self._other_end(step, lane)
        self.y += 34
        number = NUMBERS[step.kind]
        self.shapes.append(
            f'<g data-step="{number}">'
            + _arrow(HOST + _side(x) * 11, x - _side(x) * BAR, self.y, sent(step), "request")
            + f'<circle class="badge" cx="{HOST}" cy="{self.y}" r="11"/>'
            + f'<text class="number" x="{HOST}" y="{self.y + 4}">{number}</text></g>'
        )
        return self.y

    def _answer(self, step: Step, top: int, lane: int = 0) -> None:
        """The bar of whoever worked, and the arrow back to the host, or a cross."""
        x = self._other_end(step, lane)
        self.y += 40
        number = NUMBERS[step.kind]
        kind = "answer wrong" if step.error else "answer"
        words = f"✗ {came(step)}" if step.error else came(step)
        facts = [duration(step.seconds)]
        if step.usage:
            facts.append(plural(step.usage.total, "token"))
        end = HOST + _side(x) * BAR if step.into is not None else (HOST + x) // 2
        middle = (HOST + x) // 2
        self.shapes.append(
            f'<g data-step="{number}">'
            f'<rect class="bar" x="{x - BAR}" y="{top - 4}" width="{2 * BAR}" '
            f'height="{self.y - top + 8}" rx="3"/>'
            + _arrow(x - _side(x) * BAR, end, self.y, words, kind)
            + f'<text class="facts" x="{middle}" y="{self.y + 15}">{" · ".join(facts)}</text></g>'
        )
        self.y += 14

    @staticmethod
    def _other_end(step: Step, lane: int) -> int:
        return MODEL if step.kind in ("ask", "return") else SERVER + lane * (2 * BAR + 4)

    def _note(self, words: str, whole: str) -> None:
        """A box over the host's lifeline."""
        self.y += 14
        self.shapes.append(
            f"<g><title>{_text(whole, 2000)}</title>"
            f'<rect class="note" x="{MODEL}" y="{self.y}" width="{SERVER - MODEL}" '
            f'height="34" rx="6"/>'
            f'<text class="words" x="{HOST}" y="{self.y + 22}">{escape(words)}</text></g>'
        )
        self.y += 40


def _side(x: int) -> int:
    return 1 if x > HOST else -1


def _arrow(start: int, end: int, y: int, words: str, kind: str) -> str:
    """A line with a head at `end` and words above it; the whole words show on hover."""
    back = -9 if end > start else 9
    head = f"{end},{y} {end + back},{y - 5} {end + back},{y + 5}"
    middle = (start + end) // 2 if abs(end - start) > 200 else (HOST + start) // 2
    return (
        f'<g class="{kind}"><title>{_text(words, 2000)}</title>'
        f'<line x1="{start}" y1="{y}" x2="{end + back}" y2="{y}"/><polygon points="{head}"/>'
        f'<text class="label" x="{middle}" y="{y - 8}">'
        f"{escape(_fitting(words, LABEL_ROOM))}</text></g>"
    )


def _text(text: str, room: int) -> str:
    return escape(shortened(text, room))


def _fitting(text: str, room: int) -> str:
    """`text` in `room` latin letters; Chinese and other wide letters count twice."""
    line = shortened(text, room)
    width = 0
    for index, letter in enumerate(line):
        width += 2 if east_asian_width(letter) in "WF" else 1
        if width > room:
            return line[: index - 1] + "…"
    return line
