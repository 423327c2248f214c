"""Small builders, and tools as a learner may write them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mcplab.messages import JSON, Message, Reply, Tool, ToolCall, ToolResult
from mcplab.models import ReadingModel


def text(description: str = "", **more: Any) -> JSON:
    return {"type": "string", "description": description, **more}


def number(description: str = "", **more: Any) -> JSON:
    return {"type": "number", "description": description, **more}


def tool(name: str, description: str, optional: Sequence[str] = (), **properties: JSON) -> Tool:
    required = [p for p in properties if p not in optional]
    schema = {"type": "object", "properties": properties, "required": required}
    return Tool(name, description, schema)


WEATHER = tool(
    "get_weather",
    "Get the current weather for a city.",
    optional=["unit"],
    city=text("City name, for example Paris"),
    unit=text("Unit of temperature", enum=["celsius", "fahrenheit"]),
)
EVENT = tool(
    "create_event",
    "Create a calendar event at a date and time.",
    optional=["time", "attendees"],
    title=text("Title of the event"),
    date=text("Date", format="date"),
    time=text("Start time, HH:MM"),
    attendees={"type": "array", "items": {"type": "string"}, "description": "People to invite"},
)
SEARCH = tool("search_web", "Search the web for pages about a topic.", query=text("What to find"))
CONVERT = tool(
    "convert_units",
    "Convert a value from one unit to another.",
    value=number("The value to convert"),
    from_unit=text("Unit of the value"),
    to_unit=text("Unit wanted"),
)
TRANSLATE = tool(
    "translate_text",
    "Translate a text into another language.",
    text=text("The text to translate"),
    target_language=text("Language to translate into"),
)
EMAIL = tool(
    "send_email",
    "Send an email message to someone.",
    to=text("Recipient address", format="email"),
    body=text("Text of the message"),
)
FIND_ORDER = tool(
    "find_order",
    "Find an order by its number. Returns its status and its shipment id.",
    order_id=text("Order number", pattern=r"^A-\d{3}$"),
)
TRACK = tool(
    "track_shipment",
    "Track where a shipment is now.",
    shipment_id=text("Shipment id, from the order"),
)
FACTORIAL = tool("factorial", "Compute the factorial of a number.", n={"type": "integer"})
EVERYDAY = (
    WEATHER, EVENT, SEARCH, CONVERT, TRANSLATE, EMAIL, FIND_ORDER, TRACK, FACTORIAL,
)  # fmt: skip

CALCULATOR = tuple(
    tool(
        name, f"{name.capitalize()} two numbers: a {word} b.", a=number("First"), b=number("Second")
    )
    for name, word in (
        ("add", "plus"),
        ("subtract", "minus"),
        ("multiply", "times"),
        ("divide", "divided by"),
    )
)

CHINESE = (
    tool("get_weather", "查询某个城市的天气。", city=text("城市名")),
    tool(
        "convert_length",
        "把长度从一个单位换算成另一个单位。",
        value=number("数值"),
        from_unit=text("原单位"),
        to_unit=text("目标单位"),
    ),
    tool(
        "search_tickets",
        "查询两个城市之间的火车票。",
        optional=["date"],
        origin=text("出发城市"),
        destination=text("到达城市"),
        date=text("日期", format="date"),
    ),
    tool(
        "translate",
        "把一段文字翻译成另一种语言。",
        text=text("要翻译的文字"),
        target_language=text("目标语言"),
    ),
    tool("multiply", "两个数相乘。", a=number("第一个数"), b=number("第二个数")),
    tool("find_order", "按订单号查询订单的状态。", order_id=text("订单号", pattern=r"^A-\d{3}$")),
)

Server = Callable[[ToolCall], ToolResult]


def asked(question: str) -> tuple[Message, ...]:
    return (Message("user", question),)


def calls_of(reply: Reply) -> list[tuple[str, JSON | None]]:
    return [(call.name, call.arguments) for call in reply.calls]


def ask(question: str, tools: Sequence[Tool], **settings: Any) -> list[tuple[str, JSON | None]]:
    return calls_of(ReadingModel(**settings)(asked(question), tools))


def said(
    call: ToolCall, words: str, structured: JSON | None = None, error: bool = False
) -> ToolResult:
    return ToolResult(call.id, ({"type": "text", "text": words},), error, structured)


def converse(
    question: str, tools: Sequence[Tool], server: Server, model: ReadingModel | None = None
) -> list[Reply]:
    """Play the loop to its end, at most 10 model calls."""
    model = model or ReadingModel()
    messages = list(asked(question))
    replies: list[Reply] = []
    while len(replies) < 10:
        replies.append(model(messages, tools))
        if replies[-1].stop != "tool_use":
            return replies
        messages.append(Message("assistant", replies[-1].text, replies[-1].calls))
        messages.append(Message("tool", results=tuple(map(server, replies[-1].calls))))
    raise AssertionError("the conversation does not end")
