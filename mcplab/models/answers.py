"""How the mock model says things: from the results alone, in the language of the question.

Nothing is added to what the tools returned. A failure is told as a failure, what was cut is
said to be cut, and a block that cannot be read as text is named.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mcplab.messages import JSON, Tool, ToolCall, ToolResult
from mcplab.models import schemas
from mcplab.models.lexical import CJK, OPERATORS

_LONGEST = 400  # characters of one value in an answer
_FIELDS = 12  # fields of one object in an answer
_ITEMS = 3  # items of one list in an answer

_SAYINGS = {
    "en": {
        "no tools": "I was shown no tools. I am a mock model that only reads tool descriptors, so "
        "I cannot answer this from knowledge.",
        "may not": "I may not call a tool this time (tool_choice is none). I am a mock model that "
        "only reads tool descriptors, so I cannot answer this from knowledge.",
        "no match": "None of the tools I was shown fits this question{closest}. I am a mock model "
        "that only reads tool descriptors, so I cannot answer it from knowledge.",
        "closest": " (the closest is {name}: {confidence:.2f}, where {threshold:.2f} is needed)",
        "no question": "I see no question yet. What would you like to know?",
        "together": "I will call {names} together: none of them needs another's result.",
        "times": "I will call {name} {count} times.",
        "failed": "{call} did not work: {text}",
        "no reason": "it gave no reason",
        "not called": "I did not call {name}: I found no value for {missing}.",
        "left out": "I had left out {missing}, because I found no value for it. Can you tell me?",
        "gave": "{call} gave {value}.",
        "gave nothing": "{call} gave no content.",
        "formula": "{call} gave the answer: {formula} = {value}.",
        "unreadable": "{name} returned {kinds}, which I cannot read.",
        "more": "… ({count} more)",
        "and": " and ",
    },
    "zh": {
        "no tools": "没有给我任何工具。我是只读工具说明的模拟模型，不能凭知识回答。",
        "may not": "这一次我不能调用工具（tool_choice 是 none）。我是只读工具说明的模拟模型，"
        "不能凭知识回答。",
        "no match": "给我的工具都不适合这个问题{closest}。我是只读工具说明的模拟模型，"
        "不能凭知识回答。",
        "closest": "（最接近的是 {name}：{confidence:.2f}，需要 {threshold:.2f}）",
        "no question": "我还没有看到问题。您想知道什么？",
        "together": "我会同时调用 {names}：它们互不依赖。",
        "times": "我会调用 {name} {count} 次。",
        "failed": "{call} 没有成功：{text}",
        "no reason": "没有给出原因",
        "not called": "我没有调用 {name}：找不到 {missing} 的值。",
        "left out": "我没有填 {missing}，因为找不到它的值。您能告诉我吗？",
        "gave": "{call} 的结果是 {value}。",
        "gave nothing": "{call} 没有返回内容。",
        "formula": "{call} 的结果：{formula} = {value}。",
        "unreadable": "{name} 返回了 {kinds}，我读不了。",
        "more": "……（还有 {count} 项）",
        "and": " 和 ",
    },
}


@dataclass(frozen=True, slots=True)
class Voice:
    """The sentences of one language (``en`` or ``zh``)."""

    language: str

    @classmethod
    def like(cls, text: str) -> Voice:
        """The language of `text`: Chinese when it has Chinese characters, else English."""
        return cls("zh" if re.search(f"[{CJK}]", text) else "en")

    def say(self, saying: str, **words: Any) -> str:
        """One sentence, filled in."""
        return _SAYINGS[self.language][saying].format(**words)

    def series(self, names: Sequence[str]) -> str:
        """``a``, ``a and b``, ``a, b and c``."""
        if len(names) < 2:
            return "".join(names)
        return ", ".join(names[:-1]) + self.say("and") + names[-1]

    def tell(
        self, call: ToolCall, result: ToolResult, tool: Tool | None, alone: bool = False
    ) -> str:
        """One result in words; `alone` when the tool was called once, so its name says which."""
        kinds = [str(b.get("type", "?")) for b in result.content if b.get("type") != "text"]
        said: list[str] = []
        if result.is_error:
            said.append(self._failure(call, result, tool))
        elif result.structured is not None or len(kinds) < len(result.content):
            said.append(self._gave(call, result, tool, alone))
        elif not kinds:
            said.append(self.say("gave nothing", call=_call(call)))
        if kinds:
            said.append(self.say("unreadable", name=call.name, kinds=self.series(kinds)))
        return " ".join(said)

    def _failure(self, call: ToolCall, result: ToolResult, tool: Tool | None) -> str:
        text = _cut(result.text.strip()) or self.say("no reason")
        text = text if text.endswith((".", "!", "?", "。", "！", "？")) else text + "."
        said = self.say("failed", call=_call(call), text=text)
        needed = schemas.required(tool.input_schema) if tool else ()
        missing = [name for name in needed if name not in (call.arguments or {})]
        return said + " " + self.say("left out", missing=self.series(missing)) if missing else said

    def _gave(self, call: ToolCall, result: ToolResult, tool: Tool | None, alone: bool) -> str:
        value = data(result)
        name = call.name if alone and isinstance(value, dict | list) else _call(call)
        formula = _formula(call, tool)
        if formula and isinstance(value, int | float) and not isinstance(value, bool):
            return self.say("formula", call=call.name, formula=formula, value=_plain(value))
        if isinstance(value, str) and re.search(r"\s\S+\s", value):
            return f"{call.name}: {_cut(value.strip())}"  # already a sentence: quote it
        return self.say("gave", call=name, value=self._value(value)).replace("..", ".")

    def _value(self, value: Any, depth: int = 0) -> str:
        if isinstance(value, dict) and depth < 3:
            shown = list(value.items())[:_FIELDS]
            parts = [f"{key} {self._value(inner, depth + 1)}" for key, inner in shown]
            return self._listed(parts, len(value))
        if isinstance(value, list) and depth < 3:
            parts = [self._value(inner, depth + 1) for inner in value[:_ITEMS]]
            listed = self._listed(parts, len(value), "; ")
            return listed if depth == 0 and listed else f"[{listed}]"
        return _plain(value)

    def _listed(self, parts: list[str], total: int, mark: str = ", ") -> str:
        if total > len(parts):
            parts = [*parts, self.say("more", count=total - len(parts))]
        return mark.join(parts) if parts else "{}" if mark == ", " else ""


def data(result: ToolResult) -> Any:
    """What a result holds: its structured content, else its text as JSON, else its text.

    MCP wraps a bare value as ``{"result": value}``; the wrapping is taken off.
    """
    value: Any = result.structured
    if value is None:
        text = result.text.strip()
        try:
            value = json.loads(text) if len(text) < 1_000_000 else text
        except (ValueError, RecursionError):
            value = text
    return value["result"] if isinstance(value, dict) and list(value) == ["result"] else value


def _call(call: ToolCall) -> str:
    given = ", ".join(f"{k}={_plain(v, quote=True)}" for k, v in (call.arguments or {}).items())
    return f"{call.name}({given})"


def _plain(value: Any, quote: bool = False) -> str:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    if isinstance(value, str) and (value.strip() and not quote):
        return _cut(value)
    return _cut(json.dumps(value, ensure_ascii=False, default=str))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


def _formula(call: ToolCall, tool: Tool | None) -> str:
    """``12 × 30`` when the descriptor says "a times b" of its own parameters, else ""."""
    given: JSON = call.arguments or {}
    if tool is None or not given or len(given) > 20:
        return ""
    names = "|".join(re.escape(name) for name in given)
    for said, symbol in OPERATORS:
        found = re.search(rf"\b({names}) *(?:{said}) *({names})\b", tool.description[:2000])
        if found and found[1] != found[2]:
            return f"{_plain(given[found[1]])} {symbol} {_plain(given[found[2]])}"
    return ""
