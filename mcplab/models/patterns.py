"""Regular expressions of schemas. They come from strangers, so they are handled with care."""

from __future__ import annotations

import random
import re
import warnings
from functools import lru_cache

_LONGEST_VALUE = 80
_LONGEST_PATTERN = 300
# A repetition inside a repetition can take for ever, and so can many in a row.
_RISKY = re.compile(r"[+*}]\)*[+*{]|\([^)]*[|+*][^)]*\)[+*{]")
_MOST_REPETITIONS = 4


def matches(pattern: str, value: str) -> bool:
    """Whether `value` fits a schema's ``pattern``; ``False`` when the pattern is not tried.

    Not tried are patterns that Python cannot read (JSON Schema means JavaScript's dialect),
    very long ones and those that could take for ever, and values over 80 characters.
    """
    compiled = _compiled(pattern)
    return compiled is not None and len(value) <= _LONGEST_VALUE and bool(compiled.search(value))


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str] | None:
    if len(pattern) > _LONGEST_PATTERN or _RISKY.search(pattern):
        return None
    if len(re.findall(r"[+*]|,\}", pattern)) > _MOST_REPETITIONS:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        return None


def sample(pattern: str, rng: random.Random) -> str:
    r"""Make up a text for a simple pattern of literals, ``\d``, ``\w``, ``[A-Z]`` and counts."""
    made = ""
    for m in re.finditer(r"(\\d|\\w|\[[^\]]+\]|\\.|[^\\^$])(?:\{(\d+)[^}]*\}|[+*?])?", pattern):
        atom, count = m[1], min(int(m[2] or 1), 40)
        for _ in range(count):
            if atom == r"\d":
                made += str(rng.randint(0, 9))
            elif atom == r"\w" or atom.startswith("["):
                made += "A" if atom == r"\w" or len(atom) < 3 else atom[1]
            else:
                made += atom.removeprefix("\\")
    return made
