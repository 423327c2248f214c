"""Traces made by hand: the expense case in both dialects, without running anything."""

from __future__ import annotations

from mcplab.dialects import ANTHROPIC, OPENAI_CHAT, Dialect
from mcplab.messages import JSON, Reply, Tool, ToolCall, ToolResult, Usage
from mcplab.trace import Step, StepKind, Trace

QUESTION = "Expense E-1042 was rejected. File a supplement."
TOOLS = (Tool("lookup_expense"), Tool("lookup_policy"), Tool("compute_excess"))
CALLS = [
    [ToolCall("id_1", "lookup_expense", {"id": "E-1042"}), ToolCall("id_2", "lookup_policy", {})],
    [ToolCall("id_3", "compute_excess", {"amount": "480.00"})],
]
ANSWER = "The excess is 130.00."


def expense_trace(dialect: Dialect = ANTHROPIC, answer: str = ANSWER) -> Trace:
    """List; ask; two calls at once; return; one call; return."""
    trace = Trace(QUESTION, outcome="The model answered.")
    names = [{"name": tool.name} for tool in TOOLS]
    trace.add(Step("list", 0, {"method": "tools/list"}, {"result": {"tools": names}}, "mcp"))
    messages = dialect.opening(QUESTION, "Be brief.")
    kind: StepKind = "ask"
    for round_, calls in enumerate([*CALLS, []], 1):
        body = dialect.request(model="m", messages=messages, tools=TOOLS)
        usage = Usage(100 * round_, 10)
        reply = Reply("" if calls else answer, tuple(calls), "tool_use" if calls else "end", usage)
        into = dialect.write_response(reply, model="m", response_id="r", created=1)
        ids = tuple(call.id for call in calls)
        trace.add(Step(kind, round_, body, into, dialect.name, ids, 1.0, 0.02, usage))
        for call in calls:
            trace.add(Step("call", round_, _frame(call), _result("ok"), "mcp", (call.id,)))
        results = [ToolResult(call.id, ({"type": "text", "text": "ok"},)) for call in calls]
        messages = (
            *messages,
            dialect.assistant_message(into),
            *(dialect.result_messages(results) if results else ()),
        )
        kind = "return"
    return trace


def _frame(call: ToolCall) -> JSON:
    return {"method": "tools/call", "params": {"name": call.name, "arguments": call.arguments}}


def _result(text: str) -> JSON:
    return {"result": {"content": [{"type": "text", "text": text}]}}


def both_dialects() -> tuple[Trace, Trace]:
    return expense_trace(ANTHROPIC), expense_trace(OPENAI_CHAT)
