"""`validate`: would the vendor take this request body?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

from mcplab.errors import McplabError
from mcplab.messages import JSON
from mcplab.provider import checks_chat, fields_anthropic, fields_chat
from mcplab.provider.checks import Fault, Path, checks_for
from mcplab.provider.checks_anthropic import Conversation
from mcplab.provider.rules import RULES_AS_OF, RULES_BY_ID

__all__ = ["WireError", "validate"]

# What the checks after the one of the fields look at.
_VIEWS: dict[str, Callable[[JSON], Any]] = {
    "anthropic": Conversation,
    "openai-chat": lambda body: body,
}
_MODULES = (fields_anthropic, fields_chat, checks_chat)  # imported for their checks


@dataclass(frozen=True, slots=True)
class WireError:
    """A refusal, as the vendor would answer it.

    Attributes:
        status: HTTP status.
        type: the vendor's ``error.type``.
        message: the vendor's words.
        param, code: OpenAI's fields of that name.
        rule_id: the row of `mcplab.provider.RULES`, "" when no rule was broken.
        where: keys and indices from the body down to the fault.
        fix: what to do about it, a sentence of mcplab's.
        dialect: whose refusal it is.
    """

    status: int
    type: str
    message: str
    param: str | None = None
    code: str | None = None
    rule_id: str = ""
    where: Path = ()
    fix: str = ""
    dialect: str = "anthropic"

    def body(self, request_id: str = "req_mock") -> JSON:
        """The response body, in the vendor's envelope."""
        if self.dialect == "anthropic":
            error: JSON = {"type": self.type, "message": self.message}
            return {"type": "error", "error": error, "request_id": request_id}
        error = {
            "message": self.message,
            "type": self.type,
            "param": self.param,
            "code": self.code,
        }
        return {"error": error}


def validate(
    body: Any, dialect: str, model: str | None = None, today: date | None = None
) -> WireError | None:
    """Judge a request body by the table of rules; say what the vendor would say.

    The first fault counts, in the vendor's order as far as it is known. The time this
    takes grows in proportion to the body.

    Args:
        body: the request body, any JSON value.
        dialect: ``"anthropic"`` or ``"openai-chat"``.
        model: judge as this model would; by default the one that the body names.
        today: judge by the rules of this day; by default by the newest rules in the table
            (`mcplab.provider.RULES_AS_OF`), whatever the clock says.

    Returns:
        The refusal, or ``None`` when the vendor would take the request.

    Raises:
        McplabError: there is no such dialect.
    """
    if dialect not in _VIEWS:
        raise McplabError(f"There are no rules for {dialect!r}. Use one of: {', '.join(_VIEWS)}.")
    if model is None:
        named = body.get("model") if isinstance(body, dict) else None
        model = named if isinstance(named, str) else ""
    day = today or RULES_AS_OF
    fields, *others = checks_for(dialect)
    for fault in fields.find(body):
        if RULES_BY_ID[fault.rule].in_force(day, model):
            return _refusal(fault, model)
    view = _VIEWS[dialect](body)
    for check in others:
        for fault in check.find(view):
            if RULES_BY_ID[fault.rule].in_force(day, model):
                return _refusal(fault, model)
    return None


def _refusal(fault: Fault, model: str) -> WireError:
    rule = RULES_BY_ID[fault.rule]
    values = {"model": model, **fault.values}
    return WireError(
        status=rule.status,
        type=rule.type,
        message=rule.message.format_map(values),
        param=rule.param and rule.param.format_map(values),
        code=rule.code and rule.code.format_map(values),
        rule_id=rule.id,
        where=fault.where,
        fix=rule.fix,
        dialect=rule.dialect,
    )
