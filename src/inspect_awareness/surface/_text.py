"""What a transcript says, as plain text, and the shape of it in seven numbers."""

import re
from collections.abc import Sequence
from math import log1p

from inspect_ai.model import ChatMessage, ContentReasoning

from inspect_awareness.datasets._transcript import Transcript

SHAPE = (
    "messages",
    "turns",
    "characters",
    "characters a message",
    "digits",
    "punctuation",
    "code",
)
"""What is known of a transcript's shape: counts as log(1 + x), then three shares."""

_FENCED = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_CODE_LINE = re.compile(
    r"^(?: {4}|\t| *(?:def |class |import |from \S+ import |return\b|#include\b|"
    r"(?:if|for|while)\b.*[:{]$)|.*[;{}]$)"
)


def said(transcript: Transcript) -> list[str]:
    """The words of each message: its text, its reasoning, and the tools that it calls.

    Who spoke is left out: roles are no words.
    """
    return [_said(message) for message in transcript.messages]


def shape(transcript: Transcript) -> list[float]:
    """The numbers of `SHAPE`."""
    parts = said(transcript)
    text = "\n".join(parts)
    length = max(len(text), 1)
    marks = sum(not (c.isalnum() or c.isspace()) for c in text)
    return [
        log1p(len(parts)),
        log1p(sum(m.role == "assistant" for m in transcript.messages)),
        log1p(len(text)),
        log1p(len(text) / max(len(parts), 1)),
        sum(c.isdigit() for c in text) / length,
        marks / length,
        _characters_of_code(text) / length,
    ]


def _said(message: ChatMessage) -> str:
    """Everything in a message that is text."""
    parts = [message.text]
    if not isinstance(message.content, str):
        parts += [p.text for p in message.content if isinstance(p, ContentReasoning)]
    if message.role == "assistant":
        calls = message.tool_calls or []
        parts += [f"{call.function} {_values(call.arguments)}" for call in calls]
    if message.role == "tool" and message.error:
        parts.append(message.error.message)
    return "\n".join(part for part in parts if part)


def _values(arguments: object) -> str:
    """The values of a call's arguments."""
    values: Sequence[object] = (
        list(arguments.values()) if isinstance(arguments, dict) else [arguments]
    )
    return " ".join(str(value) for value in values)


def _characters_of_code(text: str) -> int:
    """Characters in fenced blocks, and in lines elsewhere that look like code."""
    fenced = sum(len(block) for block in _FENCED.findall(text))
    lines = _FENCED.sub("\n", text).splitlines()
    return fenced + sum(len(line) for line in lines if _CODE_LINE.match(line.rstrip()))
