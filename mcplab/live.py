"""Going live: which vendors are real, and which model to ask.

`MCPLAB_LIVE` is a comma list of ``anthropic`` and ``openai``. For a vendor in the list
`mcplab.anthropic_client` or `mcplab.openai_client` gives the real client, which reads the
vendor's own variables: ``ANTHROPIC_API_KEY``, ``ANTHROPIC_BASE_URL``, ``OPENAI_API_KEY``,
``OPENAI_BASE_URL``, … A local server that speaks a vendor's API works in the same way:

```
export MCPLAB_LIVE=openai MCPLAB_MODEL=qwen3:4b
export OPENAI_BASE_URL=http://127.0.0.1:11434/v1 OPENAI_API_KEY=any
```

Nothing else in a notebook changes: it asks for the model by `model_name`.
"""

from __future__ import annotations

import os
from typing import Any

from mcplab.errors import McplabError

__all__ = ["MOCK_DOMAIN", "VENDORS", "is_live", "live_vendors", "model_name"]

VENDORS = ("anthropic", "openai")

MOCK_DOMAIN = ".mcplab.invalid"
"""Ends the host of a mock client's base URL; the model's name stands before it.

No name under ``.invalid`` ever leads anywhere (RFC 2606), so a request that misses the
mock's transport goes nowhere.
"""

_DEFAULT_MOCK = "mock-reading"
_SHOWN_MODELS = 5


def live_vendors() -> frozenset[str]:
    """The vendors that `MCPLAB_LIVE` names.

    Raises:
        McplabError: it names something else.
    """
    words = {word.strip().lower() for word in os.environ.get("MCPLAB_LIVE", "").split(",")}
    words.discard("")
    if unknown := sorted(words.difference(VENDORS)):
        raise McplabError(
            f"MCPLAB_LIVE names {unknown[0]!r}, which is no vendor that mcplab knows. "
            f"Use anthropic, openai, or both with a comma between; unset it for the mock."
        )
    return frozenset(words)


def is_live(vendor: str) -> bool:
    """Is this vendor (``"anthropic"`` or ``"openai"``) real, not a mock?

    Raises:
        McplabError: `MCPLAB_LIVE` names something that is no vendor.
    """
    return vendor in live_vendors()


def model_name(client_or_vendor: Any) -> str:
    """The name to send as ``model=``: the mock's, or `MCPLAB_MODEL` when it is live.

    When both vendors are live, `MCPLAB_MODEL` names a model for each:
    ``anthropic=…, openai=…``.

    Args:
        client_or_vendor: a client, or the name of a vendor or of a dialect.

    Raises:
        McplabError: it is live and `MCPLAB_MODEL` names no model for it; the message lists
            models that the server offers, when it answers.
    """
    if isinstance(client_or_vendor, str):
        vendor = client_or_vendor.partition("-")[0]
        if vendor not in VENDORS:
            raise McplabError(
                f"{client_or_vendor!r} is no vendor that mcplab knows. Use anthropic or openai."
            )
        return _live_model(vendor) if is_live(vendor) else _DEFAULT_MOCK
    from mcplab.endpoints import dialect_of

    vendor = dialect_of(client_or_vendor).name.partition("-")[0]
    host = str(client_or_vendor.base_url.host)
    if host.endswith(MOCK_DOMAIN):
        return host.removesuffix(MOCK_DOMAIN)
    return _live_model(vendor)


def _live_model(vendor: str) -> str:
    setting = os.environ.get("MCPLAB_MODEL", "").strip()
    if "=" not in setting:
        model = setting
    else:
        pairs = (pair.partition("=") for pair in setting.split(","))
        model = {key.strip(): value.strip() for key, _, value in pairs}.get(vendor, "")
    if model:
        return model
    raise McplabError(
        f"{vendor} is live, but MCPLAB_MODEL does not say which model to ask. "
        f"Set it, such as MCPLAB_MODEL=name. {_offered(vendor)}"
    )


def _offered(vendor: str) -> str:
    """Some models that the server lists, in a sentence; it is asked once, for 5 seconds."""
    from mcplab.provider import clients

    make = clients.anthropic_client if vendor == "anthropic" else clients.openai_client
    try:
        page = make().with_options(timeout=5.0, max_retries=0).models.list()
        ids = [model.id for model in page.data[:_SHOWN_MODELS]]
    except Exception as problem:
        # Whatever went wrong, the text of it may hold a part of the key: only its kind is told.
        return f"(The server did not list its models: {type(problem).__name__}.)"
    return f"The server offers, among others: {', '.join(ids)}." if ids else ""
