"""One round with a model: the mock provider against the bare SDK on a fixed reply.

Run it with ``python tests/benchmarks/bench_loop.py``. A round is one model request with
four tools and one tool reply, in process: no socket on either side. *Bare* is the SDK on
an `httpx2.MockTransport` that answers with the same bytes every time, so the difference is
what mcplab adds: reading and judging the request, the model, counting, writing. The aim is
under 1.3 times. Times are medians of repetitions that take turns, in milliseconds.
`trivial` is a model that decides nothing: with it the table shows what the provider costs.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import httpx2

import mcplab
from mcplab.dialects import Dialect, get
from mcplab.messages import Message, Model, Reply, Tool, ToolCall, ToolChoice

QUESTION = "What is 12 times 30?"


def _number_tool(name: str, description: str) -> Tool:
    number = {"type": "number", "description": "a number"}
    schema = {"type": "object", "properties": {"a": number, "b": number}, "required": ["a", "b"]}
    return Tool(name, description, schema)


TOOLS = (
    _number_tool("add", "Add two numbers, a plus b."),
    _number_tool("subtract", "Subtract b from a, a minus b."),
    _number_tool("multiply", "Multiply two numbers, a times b."),
    _number_tool("divide", "Divide a by b."),
)


def trivial(
    messages: tuple[Message, ...], tools: tuple[Tool, ...], tool_choice: ToolChoice, seed: int
) -> Reply:
    """The cheapest model: always the same tool call."""
    return Reply(calls=(ToolCall("", "multiply", {"a": 12, "b": 30}),), stop="tool_use")


def _request(dialect: Dialect, model: str) -> dict[str, Any]:
    return dialect.request(model=model, messages=dialect.opening(QUESTION, None), tools=TOOLS)


def _bare(vendor: str, reply: bytes) -> Any:
    """The SDK alone: a fixed reply in the place of a server."""
    headers = {"content-type": "application/json"}

    def handle(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, headers=headers, content=reply)

    http = httpx2.Client(transport=httpx2.MockTransport(handle), trust_env=False)
    options: dict[str, Any] = {
        "api_key": "mock-key-no-secret",
        "base_url": "http://bare.invalid",
        "http_client": http,
    }
    if vendor == "anthropic":
        import anthropic

        return anthropic.Anthropic(**options, open_telemetry=False)
    import openai

    return openai.OpenAI(**options)


def _calls(vendor: str, model: Model) -> tuple[Callable[[], Any], Callable[[], Any]]:
    """One round on the bare SDK, and the same one on the mock provider."""
    anthropic = vendor == "anthropic"
    make = mcplab.anthropic_client if anthropic else mcplab.openai_client
    dialect = get("anthropic" if anthropic else "openai-chat")
    client = make(model)
    body = _request(dialect, mcplab.model_name(client))
    mock = client.messages.create if anthropic else client.chat.completions.create
    raw = client.messages if anthropic else client.chat.completions
    reply = raw.with_raw_response.create(**body).http_response.content
    fixed = _bare(vendor, reply)
    bare = fixed.messages.create if anthropic else fixed.chat.completions.create
    return (lambda: bare(**body)), (lambda: mock(**body))


def _measure(call: Callable[[], Any], rounds: int) -> tuple[float, float]:
    """Wall and CPU milliseconds of one call, over `rounds` calls."""
    wall, cpu = time.perf_counter(), time.process_time()
    for _ in range(rounds):
        call()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return wall / rounds * 1000, cpu / rounds * 1000


def compare(vendor: str, model: Model, *, rounds: int, repetitions: int) -> str:
    """One line of the table."""
    bare, mock = _calls(vendor, model)
    for call in (bare, mock):
        _measure(call, rounds)  # the first calls build pydantic's models and fill caches
    pairs = [(_measure(bare, rounds), _measure(mock, rounds)) for _ in range(repetitions)]
    columns = []
    for clock in (0, 1):
        one = statistics.median(pair[0][clock] for pair in pairs)
        other = statistics.median(pair[1][clock] for pair in pairs)
        # The ratio of neighbours in time: on a busy machine it is steadier than either.
        ratio = statistics.median(pair[1][clock] / pair[0][clock] for pair in pairs)
        columns.append(f"{one:8.3f} {other:8.3f} {ratio:6.2f}")
    name = getattr(model, "__name__", type(model).__name__)
    return f"{vendor:10} {name:14} {columns[0]}   {columns[1]}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=20, help="calls in one repetition")
    parser.add_argument("--repetitions", type=int, default=41)
    options = parser.parse_args()
    from mcplab.models import ReadingModel

    print("one round with 4 tools, ms (wall, then CPU); aim: ratio under 1.30")
    columns = f"{'bare':>8} {'mock':>8} {'ratio':>6}"
    print(f"{'vendor':10} {'model':14} {columns}   {columns}")
    for vendor in ("anthropic", "openai"):
        for model in (trivial, ReadingModel()):
            print(
                compare(vendor, model, rounds=options.rounds, repetitions=options.repetitions),
                flush=True,
            )


if __name__ == "__main__":
    main()
