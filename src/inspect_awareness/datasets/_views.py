"""Views of a transcript: which messages the rater is shown. All functions are pure."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageTool,
    ChatMessageUser,
    ContentText,
)
from inspect_ai.tool import ToolCall

Messages = Sequence[ChatMessage]


def own_turns(messages: Messages) -> list[int]:
    """Indices of the turns that the subject wrote itself.

    Assistant messages in a prompt (few-shot examples) carry `source="input"` beside
    generated ones; where no message says that it was generated, all are its own.
    """
    assistant = [i for i, m in enumerate(messages) if m.role == "assistant"]
    generated = [i for i in assistant if messages[i].source == "generate"]
    if not generated:
        return assistant
    return [i for i in assistant if messages[i].source != "input"]


def prompt_view(messages: Messages) -> list[ChatMessage]:
    """Everything up to the subject's first turn."""
    own = own_turns(messages)
    return list(messages[: own[0]] if own else messages)


def no_self_view(messages: Messages) -> list[ChatMessage]:
    """Everything but the subject's own turns."""
    own = set(own_turns(messages))
    return [m for i, m in enumerate(messages) if i not in own]


def turn_views(messages: Messages) -> Iterator[list[ChatMessage]]:
    """The growing prefixes that end with each of the subject's turns."""
    for index in own_turns(messages):
        yield list(messages[: index + 1])


def simple_view(messages: Messages, view: str) -> list[ChatMessage]:
    """The view `full`, `prompt` or `no_self` of messages, which needs no events."""
    if view == "prompt":
        return prompt_view(messages)
    if view == "no_self":
        return no_self_view(messages)
    return list(messages)


def askable(messages: Messages) -> list[ChatMessage]:
    """The messages with tool calls and results that every provider accepts.

    Providers refuse a call without its result and a result without its call. Such a
    call becomes a line of the turn that made it, such a result a user message; no
    result is invented. Turns left without any content are dropped.
    """
    answered = {m.tool_call_id for m in messages if m.role == "tool"}
    called: set[str] = set()
    result: list[ChatMessage] = []
    for message in messages:
        if isinstance(message, ChatMessageAssistant) and message.tool_calls:
            open_calls = [c for c in message.tool_calls if c.id not in answered]
            called.update(c.id for c in message.tool_calls)
            result.append(_calls_as_text(message, open_calls))
        elif (
            isinstance(message, ChatMessageTool) and message.tool_call_id not in called
        ):
            result.append(_result_as_text(message))
        elif message.role != "assistant" or _has_content(message):
            result.append(message)
    return result


@dataclass(frozen=True)
class Trimmed:
    """Messages that fit, and what it cost."""

    messages: tuple[ChatMessage, ...]
    """The messages that are left, with a note where others stood."""

    dropped: int
    """How many messages were left out or shortened; 0 means untouched."""


def trim(
    messages: Messages, *, budget: int, count: Callable[[Messages], int]
) -> Trimmed:
    """Cut the middle of a transcript until it fits a number of tokens.

    The system message and first user turn say what the situation is, and the last
    messages what came of it; so messages are left out between them, oldest first,
    and a note stands in their place. If that is not enough, the longest message left
    loses its middle.

    Args:
        messages: The transcript.
        budget: Tokens that it may take.
        count: Tokens that messages take.
    """
    if count(messages) <= budget:
        return Trimmed(tuple(messages), 0)
    head = 1 + next((i for i, m in enumerate(messages) if m.role == "user"), 0)
    first, last = head, len(messages) - 1
    # the smallest cut that fits, by bisection: fitting grows with what is left out
    while first < last:
        middle = (first + last) // 2
        if count(_without(messages, head, middle)) <= budget:
            last = middle
        else:
            first = middle + 1
    kept = _without(messages, head, first)
    dropped = first - head
    if count(kept) > budget:
        kept = _shorten_longest(kept, budget=budget, count=count)
        dropped += 1
    return Trimmed(tuple(kept), dropped)


def _without(messages: Messages, start: int, stop: int) -> list[ChatMessage]:
    """Messages with `[start, stop)` replaced by a note, made askable again."""
    if stop <= start:
        return askable(messages)
    note = ChatMessageUser(content=f"[{stop - start} messages left out here]")
    return askable([*messages[:start], note, *messages[stop:]])


def _shorten_longest(
    messages: Messages, *, budget: int, count: Callable[[Messages], int]
) -> list[ChatMessage]:
    """Halve the text of the longest message until the whole fits, or nothing is left."""
    result = list(messages)
    while count(result) > budget:
        index = max(range(len(result)), key=lambda i: len(result[i].text))
        text = result[index].text
        if len(text) < 200:
            break
        keep = len(text) // 4
        shorter = f"{text[:keep]}\n[text left out here]\n{text[-keep:]}"
        result[index] = result[index].model_copy(update={"content": shorter})
    return result


def _calls_as_text(
    message: ChatMessageAssistant, open_calls: Sequence[ToolCall]
) -> ChatMessageAssistant:
    """The turn with calls that were never answered written out as text."""
    if not open_calls:
        return message
    lines = "\n".join(
        f"[called {c.function}({json.dumps(c.arguments, ensure_ascii=False)}); "
        "no result recorded]"
        for c in open_calls
    )
    open_ids = {c.id for c in open_calls}
    left = [c for c in message.tool_calls or [] if c.id not in open_ids]
    content = message.content
    if isinstance(content, str):
        content = f"{content}\n{lines}" if content.strip() else lines
    else:
        content = [*content, ContentText(text=lines)]
    return message.model_copy(update={"content": content, "tool_calls": left or None})


def _result_as_text(message: ChatMessageTool) -> ChatMessageUser:
    """A tool result whose call is not there, as a user message."""
    text = message.text or (message.error.message if message.error else "")
    name = message.function or "tool"
    return ChatMessageUser(content=f"[result of {name}]\n{text}")


def _has_content(message: ChatMessage) -> bool:
    """Whether a message says anything; providers refuse empty assistant turns."""
    if isinstance(message.content, str):
        return bool(message.content.strip())
    return bool(message.content)
