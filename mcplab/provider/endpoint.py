"""The mock vendor endpoint: from an HTTP request to an HTTP response, without any network.

`Provider.respond` is a pure function of the request, the model and the seed. It judges the
body by the rules, asks the model, counts the tokens and writes the vendor's response, with
ids in the vendor's style that follow from the content of the request.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any

from mcplab import dialects
from mcplab.dialects import Request
from mcplab.messages import JSON, Model, Reply, ToolCall
from mcplab.provider.rules import RULES_AS_OF
from mcplab.provider.streaming import anthropic_events, chat_events
from mcplab.provider.usage import usage_of
from mcplab.provider.validate import WireError, validate

__all__ = ["Answer", "Provider", "mock_name"]

_PATHS = {"/v1/messages": "anthropic", "/v1/chat/completions": "openai-chat"}
_VENDOR_MODELS = {
    "anthropic": re.compile(r"mock.*|claude-.+"),
    "openai-chat": re.compile(r"mock.*|(chat)?gpt-.+|o\d.*"),
}
_CREATED = int(datetime(*RULES_AS_OF.timetuple()[:3], tzinfo=UTC).timestamp())
"""Stands for the time of every response, so that the same request gives the same bytes."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP response.

    Attributes:
        body: the bytes, in pieces: one for a plain response, one for each event of a stream.
        error: the refusal that the body tells of, for whoever wants to explain it.
        request: the request's body as JSON, when it was JSON.
    """

    status: int
    headers: dict[str, str]
    body: tuple[bytes, ...]
    error: WireError | None = None
    request: Any = None


def mock_name(model: Model) -> str:
    """The name that a model goes by on the wire: ``mock-`` and what it calls itself.

    A model says its name in an attribute `name`; otherwise it is that of its class or
    function: ``ReadingModel`` becomes ``mock-reading``, ``my_model`` ``mock-my-model``.
    """
    given = getattr(model, "name", None) or getattr(model, "__name__", None)
    name = given if isinstance(given, str) else type(model).__name__
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name.removesuffix("Model")).lower()
    name = re.sub(r"[^a-z0-9]+", "-", name).strip("-") or "model"
    return name if name.startswith("mock-") else f"mock-{name}"


@dataclass(frozen=True, slots=True)
class Provider:
    """Both vendors' endpoints, with one model behind them.

    Attributes:
        model: asked for every reply; see `mcplab.messages.Model`.
        name: the model's name on the wire.
        seed: handed to the model, and the ids depend on it.
    """

    model: Model
    name: str
    seed: int = 0

    def respond(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Answer:
        """Answer one HTTP request. Whatever is in it, the answer is a response of the vendor."""
        if path in _PATHS and method == "POST":
            return self._reply(_PATHS[path], body)
        # Both vendors list models under the same path; Anthropic asks for a version header.
        dialect = "anthropic" if "anthropic-version" in headers else "openai-chat"
        if method == "GET" and path.startswith("/v1/models"):
            return self._models(path.removeprefix("/v1/models").strip("/"), dialect)
        dialect = _PATHS.get(path, dialect)
        return _refuse(_no_such_path(method, path, dialect), dialect, _digest(path.encode()))

    def _reply(self, dialect: str, raw: bytes) -> Answer:
        try:
            body = _DECODER.decode(raw.decode())
        except (ValueError, RecursionError) as problem:
            return _refuse(_not_json(problem, dialect), dialect, _digest(raw))
        digest = _digest(_content_of(raw, body), self.seed)
        error = validate(body, dialect) or self._unknown_model(body["model"], dialect)
        if error is not None:
            return _refuse(error, dialect, digest, body)
        try:
            request = dialects.get(dialect).read_request(body)
        except (KeyError, TypeError, ValueError, AttributeError):
            return _refuse(_not_supported(dialect), dialect, digest, body)
        try:
            reply = self._ask(request, dialect, digest)
            response = dialects.get(dialect).write_response(
                reply,
                model=request.model,
                response_id=_response_id(dialect, digest),
                created=_CREATED,
            )
        except Exception as problem:
            # The model can be anybody's function: its failure is the server's failure.
            return _refuse(_model_failed(problem, self.name, dialect), dialect, digest, body)
        return _accept(response, body, dialect, digest)

    def _ask(self, request: Request, dialect: str, digest: bytes) -> Reply:
        reply = self.model(request.messages, request.tools, request.tool_choice, self.seed)
        if not isinstance(reply, Reply):
            raise TypeError(f"a model returns a Reply, not {type(reply).__name__}")
        # An id that the model left empty, or in the neutral form of `mcplab.models`, becomes
        # one of the vendor's. All else is passed on as the model wrote it: an id used twice,
        # a tool that does not exist, arguments that are not JSON. Real models do that.
        calls = tuple(
            ToolCall(
                _call_id(dialect, digest, call.id or str(n)), call.name, call.arguments, call.raw
            )
            if not call.id or _NEUTRAL_ID.fullmatch(call.id)
            else call
            for n, call in enumerate(reply.calls)
        )
        return Reply(reply.text, calls, reply.stop, usage_of(request, reply, dialect))

    def _unknown_model(self, model: str, dialect: str) -> WireError | None:
        if model == self.name or _VENDOR_MODELS[dialect].fullmatch(model):
            return None
        fix = f"Send model={self.name!r}; mcplab.model_name(client) gives that name."
        if dialect == "anthropic":
            return WireError(404, "not_found_error", f"model: {model}", where=("model",), fix=fix)
        return WireError(
            status=404,
            type="invalid_request_error",
            message=f"The model `{model}` does not exist or you do not have access to it.",
            code="model_not_found",
            where=("model",),
            fix=fix,
        )

    def _models(self, model: str, dialect: str) -> Answer:
        """``GET /v1/models`` and ``GET /v1/models/{id}``."""
        if model and (error := self._unknown_model(model, dialect)):
            return _refuse(error, dialect, _digest(model.encode()))
        shown = _model_info(model or self.name, dialect)
        if not model:
            page = {"has_more": False, "first_id": self.name, "last_id": self.name}
            shown = {"data": [shown], **(page if dialect == "anthropic" else {"object": "list"})}
        headers = _headers(dialect, _digest(model.encode()), "application/json")
        return Answer(200, headers, (_dumps(shown),))


# Answers ---------------------------------------------------------------------------------------


def _accept(response: JSON, body: JSON, dialect: str, digest: bytes) -> Answer:
    if not body.get("stream"):
        headers = _headers(dialect, digest, "application/json")
        return Answer(200, headers, (_dumps(response),), request=body)
    events: Iterator[bytes]
    if dialect == "anthropic":
        events = anthropic_events(response)
    else:
        options = body.get("stream_options") or {}
        events = chat_events(response, include_usage=bool(options.get("include_usage")))
    headers = _headers(dialect, digest, "text/event-stream; charset=utf-8")
    return Answer(200, headers, tuple(events), request=body)


def _refuse(error: WireError, dialect: str, digest: bytes, body: Any = None) -> Answer:
    headers = _headers(dialect, digest, "application/json")
    # Both SDKs obey this header; trying again would not help.
    headers["x-should-retry"] = "false"
    error = replace(error, dialect=dialect)
    content = _dumps(error.body(_request_id(dialect, digest)))
    return Answer(error.status, headers, (content,), error, body)


def _headers(dialect: str, digest: bytes, content_type: str) -> dict[str, str]:
    name = "request-id" if dialect == "anthropic" else "x-request-id"
    return {
        "content-type": content_type,
        name: _request_id(dialect, digest),
        "x-mcplab": "simulated",
    }


def _model_info(model: str, dialect: str) -> JSON:
    if dialect == "anthropic":
        created_at = f"{RULES_AS_OF.isoformat()}T00:00:00Z"
        return {"type": "model", "id": model, "display_name": model, "created_at": created_at}
    return {"id": model, "object": "model", "created": _CREATED, "owned_by": "mcplab"}


# Refusals that no rule of the table is about ---------------------------------------------------

_BAD_JSON = (
    "We could not parse the JSON body of your request. (HINT: This likely means you aren't using "
    "your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was "
    "not valid JSON. If you have trouble figuring out how to fix this, please contact us through "
    "our help center at help.openai.com.)"
)  # quoted in https://github.com/microsoft/graphrag/issues/2286


def _not_json(problem: Exception, dialect: str) -> WireError:
    # Anthropic's words: https://github.com/promptfoo/promptfoo/issues/4489
    anthropic = f"The request body is not valid JSON: {problem}"
    message = anthropic if dialect == "anthropic" else _BAD_JSON
    return WireError(400, "invalid_request_error", message, fix="Send JSON: json.dumps(body).")


def _no_such_path(method: str, path: str, dialect: str) -> WireError:
    known = ", ".join(f"POST {one}" for one in _PATHS)
    fix = f"This mock answers {known} and GET /v1/models."
    if dialect == "anthropic":
        return WireError(404, "not_found_error", "Not Found", fix=fix)
    # Quoted in https://github.com/openai/openai-node/issues/132
    message = f"Invalid URL ({method} {path})"
    return WireError(404, "invalid_request_error", message, fix=fix)


def _not_supported(dialect: str) -> WireError:
    message = "mcplab: the mock model cannot read a part of this request that the vendor would take"
    fix = "Use text, function tools, tool requests and tool results only."
    return WireError(400, "invalid_request_error", message, fix=fix)


def _model_failed(problem: Exception, name: str, dialect: str) -> WireError:
    type_ = "api_error" if dialect == "anthropic" else "server_error"
    message = f"mcplab: the model {name} failed: {type(problem).__name__}: {problem}"
    return WireError(500, type_, message, fix="Look at the function that you gave as the model.")


# Ids -------------------------------------------------------------------------------------------

_ALPHABET = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_TO_ALPHABET = bytes(_ALPHABET[number % len(_ALPHABET)] for number in range(256))
# Prefix and number of characters after it, as the vendors' ids look in 2026.
_REQUEST_IDS = {"anthropic": ("req_01", 22), "openai-chat": ("req_", 32)}
_RESPONSE_IDS = {"anthropic": ("msg_01", 22), "openai-chat": ("chatcmpl-", 29)}
_CALL_IDS = {"anthropic": ("toolu_01", 22), "openai-chat": ("call_", 24)}
# The form of the ids that the models of `mcplab.models` give their calls.
_NEUTRAL_ID = re.compile(r"call_[0-9a-f]{20}")


def _digest(content: bytes, seed: int = 0) -> bytes:
    """What all ids of an answer follow from: 64 bytes that stand for the request and the seed."""
    return blake2b(b"%s\n%s" % (str(seed).encode(), content), digest_size=64).digest()


def _id(style: tuple[str, int], numbers: bytes) -> str:
    prefix, length = style
    return prefix + numbers[:length].translate(_TO_ALPHABET).decode()


def _request_id(dialect: str, digest: bytes) -> str:
    return _id(_REQUEST_IDS[dialect], digest)


def _response_id(dialect: str, digest: bytes) -> str:
    return _id(_RESPONSE_IDS[dialect], digest[32:])


def _call_id(dialect: str, digest: bytes, which: str) -> str:
    return _id(_CALL_IDS[dialect], blake2b(which.encode(), key=digest, digest_size=24).digest())


def _content_of(raw: bytes, body: Any) -> bytes:
    """The content of a request: a streamed reply has the same ids as one that is not.

    A body without ``stream`` is taken as it came: written again, in the way of the SDKs, it
    would be the same.
    """
    if not isinstance(body, dict) or "stream" not in body:
        return raw
    kept = {key: value for key, value in body.items() if key not in ("stream", "stream_options")}
    text = json.dumps(kept, ensure_ascii=False, separators=(",", ":"))
    return text.encode(errors="surrogatepass")


def _dumps(value: Any) -> bytes:
    return json.dumps(value).encode()


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON value")


_DECODER = json.JSONDecoder(parse_constant=_no_constant)
