"""What messages say, as text: for counting, and for telling transcripts apart."""

import hashlib
import json
from collections.abc import Sequence

from inspect_ai.model import ChatMessage, ContentReasoning


def digest(messages: Sequence[ChatMessage]) -> str:
    """Hash of roles and words: 16 hex digits of SHA-256."""
    content = json.dumps([[m.role, words(m)] for m in messages], ensure_ascii=False)
    return hashlib.sha256(content.encode()).hexdigest()[:16]


def words(message: ChatMessage) -> str:
    """Everything in a message that takes tokens or carries meaning, as text."""
    parts = [message.text]
    if not isinstance(message.content, str):
        parts.extend(
            part.text if isinstance(part, ContentReasoning) else f"[{part.type}]"
            for part in message.content
            if part.type != "text"
        )
    if message.role == "assistant" and message.tool_calls:
        parts.extend(f"{c.function}({c.arguments})" for c in message.tool_calls)
    if message.role == "tool" and message.error:
        parts.append(message.error.message)
    return "\n".join(part for part in parts if part)
