"""A mock MCP server: a pocket calculator with four tools, made for lessons.

```
python calculator.py                 # over stdio
python calculator.py --http 8000     # over Streamable HTTP, on 127.0.0.1
```
"""

from __future__ import annotations

import math
import sys
from inspect import getdoc
from typing import Annotated

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import Field

server = MCPServer(
    "calculator",
    version="1.0",
    instructions="A mock calculator for lessons. One tool call does one operation on two numbers.",
    log_level="WARNING",
)
reads = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)

First = Annotated[float, Field(description="The first number, for example 12")]
Second = Annotated[float, Field(description="The second number, for example 30")]


def add(a: First, b: Second) -> int | float:
    """Add two numbers: a plus b. Call it for a sum or a total of two numbers.

    Returns one number, rounded to 12 significant digits.
    """
    return tidy(a + b)


def subtract(a: First, b: Second) -> int | float:
    """Subtract two numbers: a minus b. Call it for a difference, or for what is left.

    Returns one number, rounded to 12 significant digits; it is negative when b is larger.
    """
    return tidy(a - b)


def multiply(a: First, b: Second) -> int | float:
    """Multiply two numbers: a times b. Call it for a product.

    Returns one number, rounded to 12 significant digits.
    """
    return tidy(a * b)


def divide(a: First, b: Second) -> int | float:
    """Divide two numbers: a divided by b. Call it for a quotient, a ratio or a share.

    Returns one number, rounded to 12 significant digits. It cannot divide by 0.
    """
    if b == 0:
        raise ToolError("Division by zero: there is no result. Give a b other than 0, or say so.")
    return tidy(a / b)


def tidy(number: float) -> int | float:
    """360 instead of 360.0, and 0.3 instead of 0.30000000000000004."""
    if not math.isfinite(number):
        raise ToolError("The result is not a finite number. Use smaller numbers.")
    rounded = float(f"{number:.12g}")
    return int(rounded) if rounded.is_integer() else rounded


# Without getdoc the descriptions keep the indentation, and every space costs tokens.
for function in (add, subtract, multiply, divide):
    server.add_tool(function, annotations=reads, description=getdoc(function))

if __name__ == "__main__":
    if sys.argv[1:2] == ["--http"]:
        server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[2]))
    else:
        server.run("stdio")
