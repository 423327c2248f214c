"""The vendors' own clients, with the mock provider in the place of the network.

Each function gives the client class of the vendor's package, unchanged. Its HTTP goes to
`mcplab.provider.endpoint` in this process: no port, no key, no network. When `MCPLAB_LIVE`
names the vendor, the same call gives the real client (see `mcplab.live`).
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from mcplab.errors import McplabError
from mcplab.live import MOCK_DOMAIN, is_live
from mcplab.messages import Model
from mcplab.provider.endpoint import Provider, mock_name
from mcplab.provider.explain import explain_errors

if TYPE_CHECKING:
    import anthropic
    import httpx2
    import openai

_Anthropic = TypeVar("_Anthropic", "anthropic.Anthropic", "anthropic.AsyncAnthropic")

__all__ = ["anthropic_client", "async_anthropic_client", "async_openai_client", "openai_client"]

_KEY = "mock-key-no-secret"


def anthropic_client(
    model: Model | None = None, *, seed: int = 0, explain: bool = True
) -> anthropic.Anthropic:
    """An ``anthropic.Anthropic`` client whose other end is a mock model in this process.

    When `MCPLAB_LIVE` names ``anthropic``, the real client, made from the usual environment
    variables; all arguments are then ignored.

    Args:
        model: who answers, any function as in `mcplab.messages.Model`; by default a
            `mcplab.models.ReadingModel`.
        seed: handed to the model; the same seed gives the same bytes.
        explain: add notes to the exception of a refused request: which part broke the
            rule, and what to do. The bytes on the wire stay those of the vendor.

    Raises:
        McplabError: it is live and there is no key, or `MCPLAB_LIVE` names no vendor.
    """
    import anthropic

    if is_live("anthropic"):
        return _live_anthropic(anthropic.Anthropic)
    import httpx2

    provider = _provider(model, seed)
    http = httpx2.Client(transport=httpx2.MockTransport(_handler(provider)), trust_env=False)
    client = anthropic.Anthropic(http_client=http, **_anthropic_options(provider))
    return explain_errors(client) if explain else client


def async_anthropic_client(
    model: Model | None = None, *, seed: int = 0, explain: bool = True
) -> anthropic.AsyncAnthropic:
    """An ``anthropic.AsyncAnthropic`` client; otherwise as `anthropic_client`."""
    import anthropic

    if is_live("anthropic"):
        return _live_anthropic(anthropic.AsyncAnthropic)
    import httpx2

    provider = _provider(model, seed)
    http = httpx2.AsyncClient(transport=httpx2.MockTransport(_handler(provider)), trust_env=False)
    client = anthropic.AsyncAnthropic(http_client=http, **_anthropic_options(provider))
    return explain_errors(client) if explain else client


def openai_client(
    model: Model | None = None, *, seed: int = 0, explain: bool = True
) -> openai.OpenAI:
    """An ``openai.OpenAI`` client whose other end is a mock model in this process.

    When `MCPLAB_LIVE` names ``openai``, the real client, made from the usual environment
    variables; with ``OPENAI_BASE_URL`` that can be a local server such as Ollama or vLLM.
    All arguments are then ignored. They are the same as those of `anthropic_client`.

    Raises:
        McplabError: it is live and there is no key, or `MCPLAB_LIVE` names no vendor.
    """
    import openai

    if is_live("openai"):
        _need_openai_key()
        return openai.OpenAI()
    import httpx2

    provider = _provider(model, seed)
    http = httpx2.Client(transport=httpx2.MockTransport(_handler(provider)), trust_env=False)
    client = openai.OpenAI(http_client=http, **_openai_options(provider))
    return explain_errors(client) if explain else client


def async_openai_client(
    model: Model | None = None, *, seed: int = 0, explain: bool = True
) -> openai.AsyncOpenAI:
    """An ``openai.AsyncOpenAI`` client; otherwise as `openai_client`."""
    import openai

    if is_live("openai"):
        _need_openai_key()
        return openai.AsyncOpenAI()
    import httpx2

    provider = _provider(model, seed)
    http = httpx2.AsyncClient(transport=httpx2.MockTransport(_handler(provider)), trust_env=False)
    client = openai.AsyncOpenAI(http_client=http, **_openai_options(provider))
    return explain_errors(client) if explain else client


def _provider(model: Model | None, seed: int) -> Provider:
    if model is None:
        from mcplab.models import ReadingModel

        model = ReadingModel()
    if not callable(model):
        raise McplabError(
            f"A model is a function of (messages, tools, tool_choice, seed), not {model!r:.80}. "
            "Leave `model` out for the reading model."
        )
    return Provider(model, mock_name(model), seed)


def _anthropic_options(provider: Provider) -> dict[str, Any]:
    """Everything that the client would otherwise read from the user's environment."""
    return {
        "api_key": _KEY,
        "webhook_key": _KEY,
        "base_url": f"http://{provider.name}{MOCK_DOMAIN}",
        "default_headers": _headers_of_environment("ANTHROPIC_CUSTOM_HEADERS"),
        "open_telemetry": False,
    }


def _openai_options(provider: Provider) -> dict[str, Any]:
    """Everything that the client would otherwise read from the user's environment."""
    return {
        "api_key": _KEY,
        "admin_api_key": _KEY,
        "organization": "org-mock",
        "project": "proj-mock",
        "webhook_secret": _KEY,
        "base_url": f"http://{provider.name}{MOCK_DOMAIN}/v1",
        "default_headers": _headers_of_environment("OPENAI_CUSTOM_HEADERS"),
    }


def _headers_of_environment(variable: str) -> dict[str, str]:
    """Words in the place of the headers that the SDK adds from the environment.

    There is no way to keep the SDK from reading the variable, but a header that is given
    goes before one of the environment. Theirs may hold secrets, so they are written over.
    """
    lines = (line.partition(":") for line in os.environ.get(variable, "").split("\n"))
    names = [name.strip() for name, colon, _ in lines if colon and name.strip()]
    return {
        name: f"Bearer {_KEY}" if name.lower() == "authorization" else "not-sent-to-a-mock"
        for name in names
    }


def _handler(provider: Provider) -> Callable[[httpx2.Request], httpx2.Response]:
    """The provider as the one function that an `httpx2.MockTransport` needs."""
    import httpx2

    class Events(httpx2.SyncByteStream, httpx2.AsyncByteStream):
        """The events of a stream, one chunk each, for both kinds of clients."""

        def __init__(self, events: tuple[bytes, ...]) -> None:
            self.events = events

        def __iter__(self) -> Iterator[bytes]:
            yield from self.events

        async def __aiter__(self) -> AsyncIterator[bytes]:
            for event in self.events:
                yield event

    def handle(request: httpx2.Request) -> httpx2.Response:
        url = request.url
        answer = provider.respond(request.method, url.path, request.headers, request.content)
        if answer.headers["content-type"].startswith("text/event-stream"):
            return httpx2.Response(
                answer.status, headers=answer.headers, stream=Events(answer.body)
            )
        extensions = {"mcplab": answer}
        return httpx2.Response(
            answer.status, headers=answer.headers, content=answer.body[0], extensions=extensions
        )

    return handle


def _live_anthropic(cls: Callable[[], _Anthropic]) -> _Anthropic:
    """The real client; unlike OpenAI's it is made without a key, too, and fails later."""
    import anthropic

    advice = "Set ANTHROPIC_API_KEY, or unset MCPLAB_LIVE to work with the mock."
    try:
        client = cls()
    except anthropic.AnthropicError as problem:
        raise McplabError(f"MCPLAB_LIVE names anthropic, but: {problem} {advice}") from problem
    if not (client.api_key or client.auth_token or client.credentials is not None):
        raise McplabError(f"MCPLAB_LIVE names anthropic, but there is no key. {advice}")
    return client


def _need_openai_key() -> None:
    if not os.environ.get("OPENAI_API_KEY"):
        raise McplabError(
            "MCPLAB_LIVE names openai, but there is no key. Set OPENAI_API_KEY (a local server "
            "takes any value), or unset MCPLAB_LIVE to work with the mock."
        )
