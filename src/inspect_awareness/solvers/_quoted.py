"""Transcripts quoted as text between marks that they cannot imitate."""

import hashlib
from collections.abc import Sequence

from inspect_ai.model import ChatMessage

from inspect_awareness.solvers._words import digest, words

Messages = Sequence[ChatMessage]


def quoted_pair(first: Messages, second: Messages) -> str:
    """Two transcripts, each between its own marks.

    The marks hold a nonce made from both transcripts, so that the same pair is quoted
    in the same words, and neither can end its own quotation.
    """
    both = digest(first) + digest(second)
    nonce = hashlib.sha256(both.encode()).hexdigest()[:12]
    parts = (("first", first), ("second", second))
    return "\n\n".join(_quoted(name, messages, nonce) for name, messages in parts)


def quoted_answer(text: str) -> str:
    """An answer in words between marks with a nonce made from it."""
    nonce = hashlib.sha256(text.encode()).hexdigest()[:12]
    mark = f"answer, {nonce}"
    return f"----- begin {mark} -----\n{text}\n----- end {mark} -----"


def _quoted(name: str, messages: Messages, nonce: str) -> str:
    """One transcript, a heading and a text for each message."""
    mark = f"{name} conversation, {nonce}"
    body = "\n\n".join(f"[{m.role}]\n{words(m)}" for m in messages)
    return f"----- begin {mark} -----\n{body}\n----- end {mark} -----"
