r"""Inspect messages as turns of plain text, and the turns that a template accepts.

What a message holds becomes text as follows:

========================  ======================================================
content                   text
========================  ======================================================
text                      as it is
reasoning                 a thought, written ``<think>\n...\n</think>\n``; its
                          summary where it is redacted; nothing where it is
                          redacted and has no summary
tool call                 ``[tool call] name({"argument": "value"})``
tool result               ``[tool result] name:`` and the result on the next line
tool error                ``[tool error] name:`` and the error on the next line
image, audio, ...         ``[image]``, ``[audio]``, ``[video]``, ``[document]``,
                          ``[data]``
========================  ======================================================
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageTool,
    Content,
    ContentReasoning,
    ContentText,
    ContentToolUse,
)

Role = Literal["system", "user", "assistant", "tool"]
Quote = Callable[[str], str]


@dataclass(frozen=True)
class Part:
    """A piece of a turn: text, or a thought that is written between think tags."""

    text: str
    thought: bool = False


@dataclass(frozen=True)
class Turn:
    """Who speaks, and what: parts that follow each other on new lines."""

    role: Role
    parts: tuple[Part, ...]

    def text(
        self, *, think: tuple[str, str] = ("<think>", "</think>"), quote: Quote = str
    ) -> str:
        """The turn as one string.

        Args:
            think: The tags that open and close a thought.
            quote: Applied to what the transcript holds, and not to the tags.
        """
        written = ""
        for previous, part in zip((None, *self.parts), self.parts, strict=False):
            if part.thought:
                written += f"{think[0]}\n{quote(part.text)}\n{think[1]}\n"
            else:
                on_new_line = previous is not None and not previous.thought
                written += "\n" * on_new_line + quote(part.text)
        return written


def turn(message: ChatMessage) -> Turn:
    """One message as a turn."""
    if isinstance(message, ChatMessageTool):
        return Turn("tool", tuple(_tool_parts(message)))
    parts = list(_content_parts(message.content))
    if isinstance(message, ChatMessageAssistant):
        for call in message.tool_calls or []:
            arguments = json.dumps(call.arguments, ensure_ascii=False, default=str)
            parts.append(Part(f"[tool call] {call.function}({arguments})"))
    return Turn(message.role, tuple(parts))


def fallbacks(turns: Sequence[Turn]) -> Iterator[tuple[Turn, ...]]:
    """The turns as they are, then ever plainer forms for templates that refuse them.

    In this order: tool results as user turns; consecutive turns of one role merged;
    system text in front of the first user turn instead of a turn of its own; both;
    and last an empty user turn in front of a conversation that the assistant opens.
    """
    yield tuple(turns)
    plain = _tools_as_user(turns)
    yield plain
    yield _merged(plain)
    folded = _system_folded(plain)
    yield folded
    merged = _merged(folded)
    yield merged
    if merged and merged[0].role == "assistant":
        yield (Turn("user", ()), *merged)


def _content_parts(content: str | list[Content]) -> Iterator[Part]:
    """What a message holds, part by part."""
    if isinstance(content, str):
        yield Part(content)
        return
    for item in content:
        if isinstance(item, ContentText):
            yield Part(item.text)
        elif isinstance(item, ContentReasoning):
            thought = (item.summary or "") if item.redacted else item.reasoning
            if thought or item.summary:
                yield Part(thought or item.summary or "", thought=True)
        elif isinstance(item, ContentToolUse):
            yield Part(f"[tool call] {item.name}({item.arguments})")
            outcome = "error" if item.error else "result"
            yield Part(f"[tool {outcome}] {item.name}:\n{item.error or item.result}")
        else:
            yield Part(f"[{item.type}]")


def _tool_parts(message: ChatMessageTool) -> Iterator[Part]:
    """A tool's result or error under the name of its function."""
    name = message.function or "tool"
    if message.error is not None:
        yield Part(f"[tool error] {name}:")
        yield Part(message.error.message)
    if message.error is None or message.text:
        yield Part(f"[tool result] {name}:")
        yield from _content_parts(message.content)


def _tools_as_user(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """Tool results come from the user."""
    return tuple(replace(t, role="user") if t.role == "tool" else t for t in turns)


def _merged(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """Consecutive turns of one role are one turn, with a blank line between them."""
    merged: list[Turn] = []
    for one in turns:
        if merged and merged[-1].role == one.role:
            merged[-1] = _joined(merged[-1], one)
        else:
            merged.append(one)
    return tuple(merged)


def _system_folded(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """System text opens the next user turn; it is a user turn where none is next."""
    folded: list[Turn] = []
    waiting: Turn | None = None
    for one in turns:
        if one.role == "system":
            said = replace(one, role="user")
            waiting = said if waiting is None else _joined(waiting, said)
        elif waiting is not None and one.role == "user":
            folded.append(_joined(waiting, one))
            waiting = None
        else:
            folded += [one] if waiting is None else [waiting, one]
            waiting = None
    return tuple(folded if waiting is None else [*folded, waiting])


def _joined(first: Turn, second: Turn) -> Turn:
    """Two turns as one, with a blank line between them."""
    return replace(first, parts=(*first.parts, Part(""), *second.parts))
