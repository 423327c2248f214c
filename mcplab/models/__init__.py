"""Mock models: who decides, when no real model is asked.

A model is a pure function of (messages, tools, tool_choice, seed); see `mcplab.messages.Model`.
`ReadingModel` reads and compares words. `ScriptedModel` recites, and says so.
"""

from __future__ import annotations

from mcplab.models.reading import Explanation, ReadingModel
from mcplab.models.scripted import ScriptedModel, ScriptExhausted

__all__ = ["Explanation", "ReadingModel", "ScriptExhausted", "ScriptedModel"]
