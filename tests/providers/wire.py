"""What goes over the wire: a request as it was asked, a reply as it is said."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Top = tuple[tuple[str, float], ...]
"""Tokens with their log-probabilities."""


@dataclass(frozen=True)
class Asked:
    """A request, whatever its wire format."""

    format: str
    """Name of the wire format."""

    raw: bytes
    """The body as it arrived."""

    body: Mapping[str, Any]
    """The body, read."""

    messages: tuple[tuple[str, str], ...]
    """Role and text of each message."""

    top: int | None
    """How many alternatives to a token were asked for; None for no log-probabilities."""

    temperature: float | None
    """As it was sent."""

    max_tokens: int | None
    """As it was sent."""

    stream: bool
    """Whether the reply is wanted in pieces."""

    @property
    def question(self) -> str:
        """The last message's words."""
        return self.messages[-1][1]


@dataclass(frozen=True)
class Token:
    """One token of a reply."""

    text: str
    """Its characters."""

    logprob: float
    """Its log-probability, in nats."""

    top: Top = ()
    """The most probable tokens at its place."""


@dataclass(frozen=True)
class Said:
    """A reply, whatever its wire format."""

    text: str
    """Its words."""

    tokens: tuple[Token, ...] = ()
    """Its tokens; none where nobody knows their probability."""

    stop: str = "stop"
    """`stop`, `length`, `refusal`, `filter`, or `blocked`: a filter on the prompt."""

    cached: int = 0
    """Tokens of the request that were read before."""


@dataclass(frozen=True)
class Format:
    """A wire format: how a request is read and a reply is written."""

    name: str
    """What a test calls it."""

    path: str
    """Regular expression of the paths that it is spoken on."""

    read: Callable[[str, str, bytes], Asked]
    """A path and a body as a request; the name of the format comes first."""

    write: Callable[[Asked, Said], dict[str, Any]]
    """The body of a whole reply."""

    events: Callable[[Asked, Said], list[str]]
    """The server-sent events of a streamed reply."""

    error: Callable[[int, str], dict[str, Any]]
    """The body of an error with a status."""

    unfinished: int
    """Events of a streamed reply that come before it says why it ended."""


def tokens_of(text: str) -> int:
    """Tokens that a text is billed for: four characters each."""
    return -(-len(text) // 4)


def tokens_read(asked: Asked) -> int:
    """Tokens that a request is billed for."""
    return sum(tokens_of(text) for _, text in asked.messages)


def text_of(content: Any) -> str:
    """The words of a message's content: a string, or parts with a text."""
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content or [] if "text" in part)
