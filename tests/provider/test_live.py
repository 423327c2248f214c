"""The switch to live: real clients from the same call, and clear words when something lacks."""

from __future__ import annotations

import json
from typing import Any

import anthropic
import httpx2
import openai
import pytest

import mcplab
from mcplab import McplabError
from mcplab.live import is_live, live_vendors

LIVE = {
    "anthropic": (mcplab.anthropic_client, anthropic.Anthropic),
    "async anthropic": (mcplab.async_anthropic_client, anthropic.AsyncAnthropic),
    "openai": (mcplab.openai_client, openai.OpenAI),
    "async openai": (mcplab.async_openai_client, openai.AsyncOpenAI),
}
KEY = "sk-test-0123456789abcdef"


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    for name in (
        *("MCPLAB_LIVE", "MCPLAB_MODEL", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_PROFILE"),
        *("ANTHROPIC_CONFIG_DIR", "OPENAI_ADMIN_KEY", "XDG_CONFIG_HOME"),
    ):
        monkeypatch.delenv(name, raising=False)
    for vendor in ("ANTHROPIC", "OPENAI"):
        monkeypatch.delenv(f"{vendor}_API_KEY", raising=False)
        monkeypatch.delenv(f"{vendor}_BASE_URL", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))


@pytest.mark.parametrize(
    ("value", "live"),
    [
        ("", set()),
        ("anthropic", {"anthropic"}),
        ("openai", {"openai"}),
        (" OpenAI , anthropic,", {"anthropic", "openai"}),
    ],
)
def test_the_variable_is_a_list_of_vendors(
    monkeypatch: pytest.MonkeyPatch, value: str, live: set[str]
) -> None:
    monkeypatch.setenv("MCPLAB_LIVE", value)
    assert live_vendors() == live
    assert is_live("anthropic") == ("anthropic" in live)


@pytest.mark.parametrize("value", ["ollama", "1", "anthropic;openai"])
def test_another_word_is_refused_with_the_words_that_work(
    monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("MCPLAB_LIVE", value)
    with pytest.raises(McplabError, match="Use anthropic, openai, or both"):
        mcplab.anthropic_client()


@pytest.mark.parametrize("kind", sorted(LIVE))
def test_a_live_client_is_the_plain_real_one(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    make, cls = LIVE[kind]
    vendor = kind.removeprefix("async ")
    monkeypatch.setenv("MCPLAB_LIVE", vendor)
    monkeypatch.setenv(f"{vendor.upper()}_API_KEY", KEY)
    monkeypatch.setenv(f"{vendor.upper()}_BASE_URL", "http://127.0.0.1:11434/v1")
    client: Any = make(lambda *args: pytest.fail("a live client asks no mock model"))
    assert type(client) is cls
    assert str(client.base_url).startswith("http://127.0.0.1:11434/v1")
    assert client.api_key == KEY
    assert "mcplab" not in repr(client._client._transport)
    assert client.with_options.__func__ is cls.with_options, "nothing is patched"


@pytest.mark.parametrize("kind", sorted(LIVE))
def test_without_a_key_the_variable_is_named(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    make, _ = LIVE[kind]
    vendor = kind.removeprefix("async ")
    monkeypatch.setenv("MCPLAB_LIVE", vendor)
    with pytest.raises(McplabError, match=f"{vendor.upper()}_API_KEY"):
        make()


def test_a_profile_that_cannot_be_read_is_a_clear_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MCPLAB_LIVE", "anthropic")
    monkeypatch.setenv("ANTHROPIC_PROFILE", "no-such-profile")
    with pytest.raises(McplabError, match=r"no-such-profile.*Set ANTHROPIC_API_KEY"):
        mcplab.anthropic_client()


def test_the_other_vendor_stays_a_mock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MCPLAB_LIVE", "anthropic")
    assert mcplab.model_name(mcplab.openai_client()) == "mock-reading"
    assert mcplab.model_name("openai-chat") == "mock-reading"


def test_the_model_of_a_mock_is_its_name() -> None:
    assert mcplab.model_name("anthropic") == "mock-reading"
    client = mcplab.openai_client()
    assert mcplab.model_name(client) == "mock-reading"
    assert mcplab.model_name(client.with_options(timeout=1)) == "mock-reading"


@pytest.mark.parametrize(
    ("setting", "vendor", "model"),
    [
        ("qwen3:4b", "openai", "qwen3:4b"),
        ("anthropic=claude-x, openai=gpt-y", "openai", "gpt-y"),
        ("anthropic=claude-x, openai=gpt-y", "anthropic", "claude-x"),
    ],
)
def test_the_model_of_a_live_client_is_a_setting(
    monkeypatch: pytest.MonkeyPatch, setting: str, vendor: str, model: str
) -> None:
    monkeypatch.setenv("MCPLAB_LIVE", vendor)
    monkeypatch.setenv("MCPLAB_MODEL", setting)
    monkeypatch.setenv(f"{vendor.upper()}_API_KEY", KEY)
    assert mcplab.model_name(vendor) == model
    make, _ = LIVE[vendor]
    assert mcplab.model_name(make()) == model


def models_server(monkeypatch: pytest.MonkeyPatch, response: httpx2.Response) -> None:
    """Let every real client talk to a function, so that no test leaves the process."""

    def send(self: Any, request: httpx2.Request, **kwargs: Any) -> httpx2.Response:
        assert request.url.path.endswith("/models")
        response.request = request
        return response

    monkeypatch.setattr(httpx2.Client, "send", send)


def test_without_a_setting_models_of_the_server_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MCPLAB_LIVE", "openai")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    data = [{"id": f"model-{n}", "object": "model"} for n in range(9)]
    models_server(monkeypatch, httpx2.Response(200, json={"object": "list", "data": data}))
    with pytest.raises(McplabError, match="MCPLAB_MODEL") as caught:
        mcplab.model_name("openai")
    assert "model-0, model-1, model-2, model-3, model-4." in str(caught.value)


@pytest.mark.parametrize("vendor", ["anthropic", "openai"])
def test_a_server_that_refuses_leaves_no_key_in_the_message(
    monkeypatch: pytest.MonkeyPatch, vendor: str
) -> None:
    monkeypatch.setenv("MCPLAB_LIVE", vendor)
    monkeypatch.setenv(f"{vendor.upper()}_API_KEY", KEY)
    error = {"error": {"message": f"Incorrect API key provided: {KEY}", "type": "x"}}
    models_server(monkeypatch, httpx2.Response(401, content=json.dumps(error)))
    with pytest.raises(McplabError) as caught:
        mcplab.model_name(vendor)
    assert "AuthenticationError" in str(caught.value)
    assert KEY not in str(caught.value)


def test_what_is_no_vendor_and_no_client_is_refused() -> None:
    with pytest.raises(McplabError, match="no vendor"):
        mcplab.model_name("ollama")
    with pytest.raises(McplabError, match="not a client"):
        mcplab.model_name(object())
