"""Accuracy against the number of tools, measured on written questions.

```python
from mcplab.sweep import plot, summarise, sweep

frame = sweep()            # about 100 questions, 1 to 48 tools, clear and vague descriptions
summarise(frame)           # accuracy with 95 % intervals
plot(frame)                # the curve
```

pandas and matplotlib are loaded when they are needed.
"""

from __future__ import annotations

from mcplab.sweep.plots import alt_text, plot
from mcplab.sweep.pool import Pool, PoolTool, Question
from mcplab.sweep.runner import sweep
from mcplab.sweep.statistics import summarise, wilson

__all__ = ["Pool", "PoolTool", "Question", "alt_text", "plot", "summarise", "sweep", "wilson"]
