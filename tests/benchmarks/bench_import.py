"""How long `import mcplab` takes over bare Python (aim: under 0.1 s).

Run: python tests/benchmarks/bench_import.py
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

RUNS = 11
CODE = {
    "bare Python": "pass",
    "import mcplab": "import mcplab",
    "import mcplab and its loop": "import mcplab; mcplab.run",
}


def seconds(code: str) -> float:
    """Wall time of a fresh interpreter that runs `code`."""
    clock = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - clock


def main() -> None:
    """Print medians, interleaved so that a slow moment hits all alike."""
    times: dict[str, list[float]] = {name: [] for name in CODE}
    for _ in range(RUNS):
        for name, code in CODE.items():
            times[name].append(seconds(code))
    bare = statistics.median(times["bare Python"])
    print(f"{'':28} {'median s':>9} {'over bare':>10}")
    for name, values in times.items():
        median = statistics.median(values)
        print(f"{name:28} {median:9.3f} {median - bare:10.3f}")


if __name__ == "__main__":
    main()
