"""Requests to loopback go nowhere else, whatever proxy this machine uses."""

import pytest


@pytest.fixture(autouse=True)
def _loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """No proxy, no key and no address of the user's own."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1,localhost")
    monkeypatch.setenv("no_proxy", "127.0.0.1,localhost")
    for name in ("OPENAI", "ANTHROPIC", "GOOGLE"):
        monkeypatch.setenv(f"{name}_API_KEY", "dummy")
        monkeypatch.delenv(f"{name}_BASE_URL", raising=False)
    for name in ("GEMINI_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
