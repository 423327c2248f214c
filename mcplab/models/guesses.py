"""Inventing arguments, as models do that are made to call without the facts."""

from __future__ import annotations

import random
from typing import Any

from mcplab.messages import JSON
from mcplab.models import schemas
from mcplab.models.patterns import matches, sample


def guess_value(schema: JSON, rng: random.Random) -> Any:
    """Invent a plausible value for a parameter; ``None`` when nothing legal comes to mind."""
    options = schemas.choices(schema)
    examples = schema.get("examples")
    if "default" in schema:
        return schema["default"]
    if options:
        return rng.choice(options)
    if isinstance(examples, list) and examples:
        return examples[0]
    kind = schemas.kind(schema)
    if kind in ("number", "integer"):
        low, high = schema.get("minimum", 1), schema.get("maximum", 100)
        if not all(isinstance(v, int | float) and abs(v) < 1e9 for v in (low, high)):
            low, high = 1, 100
        return rng.randint(int(low), max(int(low), int(high)))
    if kind == "boolean":
        return rng.random() < 0.5
    if kind == "array":
        return []
    if kind == "object":
        return {}
    return _guess_text(schema, rng)


def _guess_text(schema: JSON, rng: random.Random) -> Any:
    pattern = schema.get("pattern")
    if isinstance(pattern, str):
        made = sample(pattern, rng)
        return made if matches(pattern, made) else None
    stated = schema.get("format")
    if stated == "date":
        return f"2026-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}"
    if stated == "email":
        return "user@example.com"
    return rng.choice(("unknown", "example", "default"))
