"""The three clients, pointed at a server on loopback."""

from dataclasses import dataclass
from importlib.util import find_spec
from itertools import count
from typing import Any

import pytest
from inspect_ai.model import GenerateConfig, Model, get_model
from providers.server import Server

_KEYS = count()


@dataclass(frozen=True)
class Client:
    """A client with a model whose requests go out in one wire format."""

    format: str
    """Name of the wire format."""

    model: str
    """As Inspect names it."""

    package: str
    """What Inspect needs for it."""

    path: str = ""
    """Appended to the server's address."""

    def at(
        self,
        url: str,
        *,
        retries: int | None = 0,
        own_retries: int | None = 0,
        **args: Any,
    ) -> Model:
        """The model behind an address; by default nobody tries again.

        Args:
            url: The server's address.
            retries: Inspect's retries; None for its default.
            own_retries: The client's own retries; None for its default.
            args: Of the provider, or fields of the generate config.
        """
        names = [name for name in args if name in GenerateConfig.model_fields]
        fields = {name: args.pop(name) for name in names}
        if own_retries is not None and self.package != "google.genai":
            args["max_retries"] = own_retries
        return get_model(
            self.model,
            config=GenerateConfig(max_retries=retries, **fields),
            base_url=url + self.path,
            # Inspect keeps connections and their limits by key and model
            api_key=f"dummy-{next(_KEYS)}",
            memoize=False,
            **args,
        )

    def of(self, server: Server, **options: Any) -> Model:
        """The model behind a server."""
        return self.at(server.url, **options)


CHAT = Client("chat", "openai/gpt-4o-mini", "openai", "/v1")
RESPONSES = Client("responses", "openai/gpt-5-mini", "openai", "/v1")
MESSAGES = Client("messages", "anthropic/claude-3-5-haiku-latest", "anthropic")
GOOGLE = Client("google", "google/gemini-2.0-flash", "google.genai")
CLIENTS = (CHAT, RESPONSES, MESSAGES, GOOGLE)


def installed(package: str) -> bool:
    """Whether a client's package is here."""
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:
        return False


OWN_WARNING = pytest.mark.filterwarnings(
    "ignore:Inheritance class AiohttpClientSession:DeprecationWarning"
)
"""Google's client warns about itself."""


def each(*clients: Client) -> Any:
    """Run a test with each client whose package is installed."""
    return pytest.mark.parametrize(
        "client",
        [
            pytest.param(client, id=client.format, marks=[_needs(client), OWN_WARNING])
            for client in clients or CLIENTS
        ],
    )


def _needs(client: Client) -> Any:
    """Skip where the client's package is missing."""
    reason = f"{client.package} is not installed"
    return pytest.mark.skipif(not installed(client.package), reason=reason)
