"""The errors that mcplab raises on purpose.

```
McplabError                 what was wrong, where, and what to do next, in one or two sentences
├── connect.ConnectionFailed, ServerDied, …
├── grading.…               (each part keeps its own, next to the code that raises it)
└── …
```

Anything else that escapes is a bug in mcplab: please report it.
"""

from __future__ import annotations


class McplabError(Exception):
    """Base class: the message is written for the reader and stands without a traceback."""

    def _render_traceback_(self) -> list[str]:
        """Show only the message in a notebook cell (IPython calls this hook)."""
        return [f"{type(self).__name__}: {self}"]
