"""An error that teaches: notes on the exception of a refused request.

The SDK raises its own exception, and the bytes on the wire are the vendor's. The notes
(`BaseException.add_note`) say in our words which part of the request broke the rule and
what to do. Python and Jupyter show them under the message.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

from mcplab.provider.checks import Path, dotted
from mcplab.provider.rules import RULES_BY_ID
from mcplab.provider.validate import WireError

__all__ = ["explain_errors", "notes_on"]

_SHOWN = 300
"""Characters of the faulty part that a note shows."""

_Client = TypeVar("_Client")


def notes_on(error: WireError, body: Any) -> list[str]:
    """What to tell about a refusal, one note a line.

    Args:
        error: the refusal.
        body: the request body that was refused.
    """
    notes = []
    if error.rule_id:
        rule = RULES_BY_ID[error.rule_id]
        place = dotted(error.where) or "the request"
        notes.append(f"mcplab: {place} breaks a rule. {rule.summary} ({rule.id})")
        if rule.evidence == "inferred":
            notes.append("The words of this refusal are not the vendor's: they are inferred.")
        part = _part(body, error.where)
        if part is not None:
            notes.append(f"It holds: {part}")
    if error.fix:
        notes.append(f"What to do: {error.fix}")
    return notes


def _part(body: Any, where: Path) -> str | None:
    """The faulty part as JSON text; where it is missing, what is around it."""
    part = body
    for step in where:
        try:
            part = part[step]
        except (KeyError, IndexError, TypeError):
            break
    if part is body:
        return None
    text = json.dumps(part, ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]} …"


def explain_errors(client: _Client) -> _Client:
    """Make a mock client add notes to the exceptions of refused requests.

    Both SDKs turn a response into an exception in one method of the client. It has no
    public name, so nothing but the notes depends on it: without it, errors are just bare.
    """
    bare: Callable[[Any], Exception] | None
    bare = getattr(client, "_make_status_error_from_response", None)
    copy: Callable[..., Any] = client.copy  # type: ignore[attr-defined]
    if bare is None:
        return client

    def explained(response: Any) -> Exception:
        exception: Exception = bare(response)
        answer = response.extensions.get("mcplab")
        if answer is not None and answer.error is not None:
            for note in notes_on(answer.error, answer.request):
                exception.add_note(note)
        return exception

    def explained_copy(**options: Any) -> Any:
        return explain_errors(copy(**options))

    setattr(client, "_make_status_error_from_response", explained)  # noqa: B010 (mypy)
    setattr(client, "copy", explained_copy)  # noqa: B010
    setattr(client, "with_options", explained_copy)  # noqa: B010
    return client
