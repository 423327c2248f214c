"""How fast the reading model chooses, and how long a sweep of the built-in pool takes.

```
python tests/benchmarks/bench_sweep.py
```

Cold is a fresh process, in which every descriptor is read for the first time; warm is the same
questions again. Times of choices are CPU times, and include splitting the question and filling
the arguments.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from mcplab.messages import Message, Tool
from mcplab.models import ReadingModel
from mcplab.sweep import Pool, summarise, sweep

WARM_ROUNDS = 5


def choose_all(questions: Sequence[tuple[Message, ...]], shown: Sequence[Sequence[Tool]]) -> float:
    """CPU seconds for one choice for every question."""
    model = ReadingModel()
    begin = time.process_time()
    for messages, tools in zip(questions, shown, strict=True):
        model(messages, tools)
    return time.process_time() - begin


def bench_choices(count: int) -> None:
    """Print choices a second with `count` tools, cold and warm."""
    pool = Pool.load()
    tools = [tool.worded("clear") for tool in pool.tools]
    rng = random.Random(0)
    questions = [(Message("user", question.text),) for question in pool.questions]
    shown = [rng.sample(tools, count) for _ in questions]
    cold = choose_all(questions, shown)
    warm = min(choose_all(questions, shown) for _ in range(WARM_ROUNDS))
    n = len(questions)
    print(
        f"{count:3d} tools: cold {n / cold:6.0f} choices/s ({1000 * cold / n:.2f} ms each), "
        f"warm {n / warm:6.0f} choices/s ({1000 * warm / n:.2f} ms each)"
    )


def bench_sweep() -> None:
    """Print the seconds of one sweep of the whole built-in pool, and the curve it gives."""
    import pandas  # noqa: F401 - loading it is not part of the sweep

    begin = time.perf_counter()
    frame = sweep(progress=False)
    seconds = time.perf_counter() - begin
    print(f"one sweep of the built-in pool: {len(frame)} trials in {seconds:.2f} s")
    print(summarise(frame).round(3).to_string(index=False))


if __name__ == "__main__":
    if sys.argv[1:]:
        bench_choices(int(sys.argv[1]))
    else:
        for count in (4, 10, 48):  # each in its own process, so that cold is cold
            subprocess.run([sys.executable, __file__, str(count)], check=True)
        bench_sweep()
