"""The mock provider: the vendors' HTTP APIs, spoken by a model that runs in this process."""

from __future__ import annotations

from mcplab.provider.rules import RULES, RULES_AS_OF, Rule
from mcplab.provider.validate import WireError, validate

__all__ = ["RULES", "RULES_AS_OF", "Rule", "WireError", "validate"]
