"""What a subject says by itself, turn by turn: its reasoning, its output, or both."""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, get_args

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ContentReasoning,
    ContentText,
)

from inspect_awareness.datasets._transcript import ReasoningKind
from inspect_awareness.datasets._views import own_turns
from inspect_awareness.errors import InputError

Channel = Literal["reasoning", "output", "both"]
"""What of the subject's own turns is read."""

CHANNELS: tuple[Channel, ...] = get_args(Channel)

Part = Literal["reasoning", "output"]
"""What a piece of a turn is."""

_THOUGHT = re.compile(
    r"<think(?:ing)?>(?P<thought>.*?)(?:</think(?:ing)?>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
"""Text in tags for thoughts, closed or not."""

_TAG = re.compile(r"<(?P<end>/?)think(?:ing)?>", re.IGNORECASE)

_TITLE = re.compile(r"\s*\*\*[^*\n]{3,80}\*\*\s*\n")
"""The bold title on a line of its own that a summary of reasoning begins with."""

_BEST_FIRST: tuple[ReasoningKind, ...] = ("raw", "summary", "redacted")


@dataclass(frozen=True)
class Excerpt:
    """A piece of one turn, whole and unchanged."""

    turn: int
    """Number of the subject's own turn, from 1."""

    message: int
    """Number of the message in the transcript, from 1."""

    message_id: str | None
    """Id of the message, where it has one."""

    part: Part
    """Whether it is reasoning or output."""

    content: int | None
    """Which part of the message's content it is of, from 0; None for a tool call."""

    begin: int
    """Where it begins in that part, in characters."""

    text: str
    """The words."""

    start: int = 0
    """Where it begins in the channel, in characters."""


@dataclass(frozen=True)
class Voice:
    """What a subject said by itself in one channel."""

    channel: Channel
    """What was read."""

    kind: ReasoningKind
    """The best kind of reasoning in its turns, whatever the channel."""

    excerpts: tuple[Excerpt, ...]
    """The pieces of the channel that hold words, in order."""

    turns: int
    """How many turns it wrote itself."""

    reasoned: int
    """In how many of them reasoning can be read."""

    withheld: int
    """In how many of them reasoning stands that nobody can read."""

    first_action: int | None = None
    """Number of the first turn in which it calls a tool, from 1; None without one."""

    @cached_property
    def characters(self) -> int:
        """Length of the channel."""
        return sum(len(excerpt.text) for excerpt in self.excerpts)

    @cached_property
    def digest(self) -> str:
        """Hash of turns and words: 16 hex digits of SHA-256."""
        content = json.dumps([[e.turn, e.part, e.text] for e in self.excerpts])
        return hashlib.sha256(content.encode()).hexdigest()[:16]

    @property
    def missing(self) -> str | None:
        """Why there is nothing to judge, or None."""
        if self.excerpts:
            return None
        return "no_output" if self.channel == "output" else "no_reasoning_channel"

    @cached_property
    def titled(self) -> bool:
        """Whether most reasoning begins with a bold title, as providers' summaries do."""
        thoughts = [e.text for e in self.excerpts if e.part == "reasoning"]
        titled = sum(_TITLE.match(text) is not None for text in thoughts)
        return 2 * titled > len(thoughts)


def voice_of(messages: Sequence[ChatMessage], channel: Channel) -> Voice:
    """What the subject says by itself in its own turns.

    Reasoning is what stands in parts of reasoning (the summary, where the reasoning is
    redacted) and in `<think>` tags in text. Output is all other text, and tool calls.

    Args:
        messages: The transcript.
        channel: `reasoning`, `output` or `both`.
    """
    pieces: list[Excerpt] = []
    kinds: list[ReasoningKind] = []
    own = own_turns(messages)
    for turn, index in enumerate(own, start=1):
        message = messages[index]
        if not isinstance(message, ChatMessageAssistant):
            continue
        found = [
            replace(piece, turn=turn, message=index + 1, message_id=message.id)
            for piece in _pieces(message)
            if piece.text.strip()
        ]
        kinds.append(_kind(message, found))
        pieces += [piece for piece in found if channel in (piece.part, "both")]
    return Voice(
        channel=channel,
        kind=next((kind for kind in _BEST_FIRST if kind in kinds), "none"),
        excerpts=tuple(_placed(pieces)),
        turns=len(own),
        reasoned=sum(kind in ("raw", "summary") for kind in kinds),
        withheld=kinds.count("redacted"),
        first_action=_first_action(messages, own),
    )


def checked_channel(channel: str) -> Channel:
    """The channel, or an error that names the allowed ones."""
    for allowed in CHANNELS:
        if channel == allowed:
            return allowed
    raise InputError(f"channel {channel!r} is not one of: {', '.join(CHANNELS)}")


def _first_action(messages: Sequence[ChatMessage], own: Sequence[int]) -> int | None:
    """The first of the subject's own turns that calls a tool, from 1."""
    for turn, index in enumerate(own, start=1):
        message = messages[index]
        if isinstance(message, ChatMessageAssistant) and message.tool_calls:
            return turn
    return None


def _placed(pieces: Sequence[Excerpt]) -> Iterator[Excerpt]:
    """The pieces, each with the place where it begins in the channel."""
    start = 0
    for piece in pieces:
        yield replace(piece, start=start)
        start += len(piece.text)


def _pieces(message: ChatMessageAssistant) -> Iterator[Excerpt]:
    """All pieces of a message, in order."""
    content = message.content
    if isinstance(content, str):
        yield from _split(content, 0)
    else:
        for index, part in enumerate(content):
            if isinstance(part, ContentText):
                yield from _split(part.text, index)
            elif isinstance(part, ContentReasoning):
                yield _piece("reasoning", index, 0, _readable(part)[1])
    for call in message.tool_calls or []:
        arguments = json.dumps(call.arguments, ensure_ascii=False, default=str)
        yield _piece("output", None, 0, f"{call.function}({arguments})")


def _split(text: str, index: int) -> Iterator[Excerpt]:
    """Text as thoughts in tags and what stands between them.

    Some chat templates open the first tag themselves, so that the text holds its end
    only.
    """
    position = 0
    first = _TAG.search(text)
    if first is not None and first["end"]:
        yield _piece("reasoning", index, 0, text[: first.start()])
        position = first.end()
    for found in _THOUGHT.finditer(text, position):
        yield _piece("output", index, position, text[position : found.start()])
        yield _piece("reasoning", index, found.start("thought"), found["thought"])
        position = found.end()
    yield _piece("output", index, position, text[position:])


def _piece(part: Part, index: int | None, begin: int, text: str) -> Excerpt:
    """A piece that does not know its turn yet."""
    return Excerpt(0, 0, None, part, index, begin, text)


def _readable(part: ContentReasoning) -> tuple[ReasoningKind, str]:
    """What of a part of reasoning can be read, and of which kind that is."""
    if not part.redacted and part.reasoning.strip():
        return "raw", part.reasoning
    if (part.summary or "").strip():
        return "summary", part.summary or ""
    hidden = part.redacted or bool(part.signature)
    return ("redacted" if hidden else "none"), ""


def _kind(message: ChatMessageAssistant, pieces: Sequence[Excerpt]) -> ReasoningKind:
    """The best kind of reasoning in a message; thoughts in tags are raw."""
    content = [] if isinstance(message.content, str) else message.content
    parts = {_readable(p)[0] for p in content if isinstance(p, ContentReasoning)}
    texts = {i for i, part in enumerate(content) if isinstance(part, ContentText)}
    tagged = any(
        piece.part == "reasoning" and (piece.content in texts or not content)
        for piece in pieces
    )
    found = parts | ({"raw"} if tagged else set())
    return next((kind for kind in _BEST_FIRST if kind in found), "none")
