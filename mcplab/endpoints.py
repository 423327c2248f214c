"""The two seams of the loop, made from what users have: SDK clients, and tools.

`endpoint` wraps an SDK client of a vendor; `toolbox` takes a connection as it is and wraps
plain Python functions. Nothing else in the loop knows what is behind them.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import anyio.to_thread

from mcplab.dialects import ANTHROPIC, OPENAI_CHAT, Dialect
from mcplab.drivers import Endpoint, Exchange, Toolbox
from mcplab.errors import McplabError
from mcplab.messages import JSON, Tool, ToolCall, ToolResult

__all__ = ["FunctionTools", "SDKEndpoint", "dialect_of", "endpoint", "toolbox"]


def dialect_of(client: Any) -> Dialect:
    """The dialect that an SDK client speaks.

    Raises:
        McplabError: `client` is not a client of the `anthropic` or `openai` package.
    """
    # By name, so that neither package is imported for the sake of the other.
    packages = {base.__module__.partition(".")[0] for base in type(client).__mro__}
    if "anthropic" in packages:
        return ANTHROPIC
    if "openai" in packages:
        return OPENAI_CHAT
    raise McplabError(
        f"{type(client).__name__} is not a client of the anthropic or openai package. "
        "Make one with mcplab.anthropic_client() or mcplab.openai_client()."
    )


def endpoint(client: Any) -> Endpoint:
    """The model's side of the loop for an SDK client, sync or async.

    Raises:
        McplabError: `client` is not a client of the `anthropic` or `openai` package.
    """
    dialect = dialect_of(client)
    resource = client.messages if dialect is ANTHROPIC else client.chat.completions
    return SDKEndpoint(dialect, resource.with_raw_response.create)


@dataclass(frozen=True, slots=True)
class SDKEndpoint:
    """Model requests through the vendor's own SDK; the bodies are kept as on the wire."""

    dialect: Dialect
    create: Callable[..., Any]

    async def ask_exchange(self, body: JSON) -> Exchange:
        """Send `body`. Whatever the vendor or the SDK objects to becomes the error."""
        started, clock = time.time(), time.perf_counter()
        into, error = None, None
        try:
            response = await self._create(body)
            into = response.http_response.json()
            value = into
        except Exception as problem:
            # The vendor's refusal, a lost connection, an argument that the SDK does not
            # know: for a person who looks at a step, each is an answer to look at.
            value = None
            into = _error_body(problem)
            error = describe_error(problem)
        seconds = time.perf_counter() - clock
        return Exchange(body, into, value, self.dialect.name, started, seconds, error)

    async def _create(self, body: JSON) -> Any:
        if inspect.iscoroutinefunction(inspect.unwrap(self.create)):
            return await self.create(**body)
        return await anyio.to_thread.run_sync(lambda: self.create(**body), abandon_on_cancel=True)


def _error_body(problem: Exception) -> JSON | None:
    response = getattr(problem, "response", None)
    try:
        body = response.json() if response is not None else None
    except ValueError:
        return None
    return body if isinstance(body, dict) else None


def describe_error(problem: Exception) -> str:
    """An SDK's exception in one sentence: what refused, and in which words."""
    status = getattr(problem, "status_code", None)
    body = _error_body(problem)
    details = body.get("error") if body else None
    message = details.get("message") if isinstance(details, dict) else None
    if status is not None:
        return f"The request was refused ({status}): {message or problem}"
    return f"The request was not answered ({type(problem).__name__}): {problem}"


def toolbox(tools: Any) -> Toolbox:
    """The tools' side of the loop: a connection as it is, functions wrapped.

    Raises:
        McplabError: `tools` is neither a connection nor a sequence of functions.
    """
    if hasattr(tools, "list_exchange") and hasattr(tools, "call_exchange"):
        return tools  # type: ignore[no-any-return]
    if callable(tools):
        tools = (tools,)
    if isinstance(tools, Sequence) and all(callable(tool) for tool in tools):
        return FunctionTools(tuple(tools))
    raise McplabError(
        "`tools` must be a connection (mcplab.connect(...)) or a list of Python functions, "
        f"not {tools!r:.80}."
    )


@dataclass(frozen=True, slots=True)
class FunctionTools:
    """Plain Python functions as tools: name, docstring and type hints make the descriptor.

    To a model they look the same as the tools of an MCP server. A function that raises
    ``ValueError`` or `McplabError` tells the model why; of any other exception only the
    kind is told, since its text can hold things that are nobody's business.
    """

    functions: tuple[Callable[..., Any], ...]

    async def list_exchange(self) -> Exchange:
        """The descriptors, made from the functions."""
        started, clock = time.time(), time.perf_counter()
        tools = tuple(_describe(function) for function in self.functions)
        into = {"tools": [_descriptor(tool) for tool in tools]}
        seconds = time.perf_counter() - clock
        return Exchange({"list": "functions"}, into, tools, "function", started, seconds)

    async def call_exchange(self, call: ToolCall) -> Exchange:
        """Check the arguments against the type hints and call the function."""
        started, clock = time.time(), time.perf_counter()
        text, error = await self._call(call)
        blocks = ({"type": "text", "text": text},)
        result = ToolResult(call.id, blocks, is_error=error is not None)
        seconds = time.perf_counter() - clock
        out = {"name": call.name, "arguments": call.arguments}
        into = {"content": list(blocks), "isError": result.is_error}
        return Exchange(out, into, result, "function", started, seconds, error)

    async def _call(self, call: ToolCall) -> tuple[str, str | None]:
        from pydantic import ValidationError, validate_call

        function = next((f for f in self.functions if f.__name__ == call.name), None)
        if function is None:
            known = ", ".join(f.__name__ for f in self.functions) or "none"
            return (words := f"There is no tool {call.name!r}. Known tools: {known}."), words
        checked = validate_call(function)
        try:
            value = await _call_function(checked, function, call.arguments or {})
        except ValidationError as problem:
            return (words := _validation_words(call.name, problem)), words
        except (ValueError, McplabError) as problem:
            return (words := f"{call.name} failed: {problem}"), words
        except Exception as problem:
            return (words := f"{call.name} failed with {type(problem).__name__}."), words
        return _as_text(value), None


async def _call_function(
    checked: Callable[..., Any], function: Callable[..., Any], arguments: JSON
) -> Any:
    if inspect.iscoroutinefunction(function):
        return await checked(**arguments)
    return await anyio.to_thread.run_sync(lambda: checked(**arguments), abandon_on_cancel=True)


def _validation_words(name: str, problem: Any) -> str:
    faults = (
        f"{'.'.join(str(part) for part in fault['loc']) or 'arguments'}: {fault['msg']}"
        for fault in problem.errors(include_url=False, include_context=False)
    )
    return f"Bad arguments for {name}: {'; '.join(faults)}."


def _as_text(value: Any) -> str:
    from pydantic_core import to_json

    return value if isinstance(value, str) else to_json(value, fallback=str).decode()


def _describe(function: Callable[..., Any]) -> Tool:
    from pydantic import TypeAdapter

    adapter: TypeAdapter[Any] = TypeAdapter(function)  # type: ignore[arg-type]
    schema = adapter.json_schema()
    for parameter in schema.get("properties", {}).values():
        parameter.pop("title", None)  # pydantic's repetition of the parameter's name
    return Tool(function.__name__, inspect.getdoc(function) or "", schema)


def _descriptor(tool: Tool) -> JSON:
    return {
        "name": tool.name,
        "description": tool.description,
        "inputSchema": tool.input_schema,
    }
