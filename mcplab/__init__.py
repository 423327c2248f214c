"""mcplab: see how a language model uses tools, one step at a time.

```python
import mcplab

tools = mcplab.connect("calculator")            # a real MCP server, in memory
client = mcplab.anthropic_client()              # the real SDK, a mock model behind it
mcplab.step("What is 12 times 30?", client=client, tools=tools)   # the stepper, in Jupyter
mcplab.run_sync("What is 12 times 30?", client=client, tools=tools).answer
```

Everything runs without a key and without a network, until `MCPLAB_LIVE` is set.
Importing this package is cheap: what a name needs is loaded when the name is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcplab.connection import connect
    from mcplab.drivers import Run, run, run_sync
    from mcplab.errors import McplabError
    from mcplab.grading import check, hint
    from mcplab.live import model_name
    from mcplab.provider.clients import (
        anthropic_client,
        async_anthropic_client,
        async_openai_client,
        openai_client,
    )
    from mcplab.recorder import record, watch
    from mcplab.stepper import step
    from mcplab.trace import Step, Trace

__version__ = "0.1.0"

_HOMES = {
    "McplabError": "mcplab.errors",
    "Run": "mcplab.drivers",
    "Step": "mcplab.trace",
    "Trace": "mcplab.trace",
    "anthropic_client": "mcplab.provider.clients",
    "async_anthropic_client": "mcplab.provider.clients",
    "async_openai_client": "mcplab.provider.clients",
    "check": "mcplab.grading",
    "connect": "mcplab.connection",
    "hint": "mcplab.grading",
    "model_name": "mcplab.live",
    "openai_client": "mcplab.provider.clients",
    "record": "mcplab.recorder",
    "run": "mcplab.drivers",
    "run_sync": "mcplab.drivers",
    "step": "mcplab.stepper",
    "watch": "mcplab.recorder",
}

__all__ = [
    "McplabError",
    "Run",
    "Step",
    "Trace",
    "anthropic_client",
    "async_anthropic_client",
    "async_openai_client",
    "check",
    "connect",
    "hint",
    "model_name",
    "openai_client",
    "record",
    "run",
    "run_sync",
    "step",
    "watch",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'mcplab' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
