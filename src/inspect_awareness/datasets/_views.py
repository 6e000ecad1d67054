"""Views of a transcript: which messages the rater is shown. All functions are pure."""

import json
import re
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageTool,
    ChatMessageUser,
    Content,
    ContentReasoning,
    ContentText,
)
from inspect_ai.tool import ToolCall

Messages = Sequence[ChatMessage]

_THOUGHTS = re.compile(
    r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE
)


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


def no_reasoning_view(messages: Messages) -> list[ChatMessage]:
    """Everything but the subject's reasoning, in whatever form it stands there."""
    return [
        _without_reasoning(m) if isinstance(m, ChatMessageAssistant) else m
        for m in messages
    ]


def _without_reasoning(message: ChatMessageAssistant) -> ChatMessageAssistant:
    """A turn without parts of reasoning, and without text in tags for thoughts."""
    content = message.content
    if isinstance(content, str):
        return message.model_copy(update={"content": _unthought(content)})
    parts = [
        part.model_copy(update={"text": _unthought(part.text)})
        if isinstance(part, ContentText)
        else part
        for part in content
        if not isinstance(part, ContentReasoning)
    ]
    return message.model_copy(update={"content": parts})


def _unthought(text: str) -> str:
    """Text without `<think>` blocks, closed or not."""
    return _THOUGHTS.sub("", text).strip() if "<think" in text.lower() else text


def turn_views(messages: Messages) -> Iterator[list[ChatMessage]]:
    """The growing prefixes that end with each of the subject's turns."""
    for index in own_turns(messages):
        yield list(messages[: index + 1])


def simple_view(messages: Messages, view: str) -> list[ChatMessage]:
    """The view `full`, `prompt`, `no_self` or `no_reasoning` of messages.

    These need no events.
    """
    if view == "prompt":
        return prompt_view(messages)
    if view == "no_self":
        return no_self_view(messages)
    if view == "no_reasoning":
        return no_reasoning_view(messages)
    return list(messages)


def askable(messages: Messages) -> list[ChatMessage]:
    """The messages in a form that every provider accepts, with nothing invented.

    - A tool call counts as answered by a result that follows it directly. A call
      without such a result becomes a line of its turn, a result without its call a
      user message: providers refuse both.
    - Reasoning becomes text, its summary where it is redacted: signed or encrypted
      reasoning means nothing to another provider's model.
    - Turns without content are dropped; a conversation that the assistant opens gets
      a first user turn that says so.
    """
    shown: list[ChatMessage] = []
    pending = list(messages)
    while pending:
        message = pending.pop(0)
        if isinstance(message, ChatMessageAssistant):
            results = _results_of(message, pending)
            del pending[: len(results)]
            turn = _plain_turn(message, {r.tool_call_id for r in results})
            if _has_content(turn) or turn.tool_calls:
                shown.append(turn)
            shown.extend(results)
        elif isinstance(message, ChatMessageTool):
            shown.append(_result_as_text(message))
        else:
            shown.append(message)
    return _opened_by_user(shown)


def _results_of(
    turn: ChatMessageAssistant, following: Messages
) -> list[ChatMessageTool]:
    """The results that follow a turn directly, one for each of its calls."""
    open_ids = {call.id for call in turn.tool_calls or []}
    results: list[ChatMessageTool] = []
    for message in following:
        if not isinstance(message, ChatMessageTool):
            break
        if message.tool_call_id not in open_ids:
            break
        open_ids.discard(message.tool_call_id)
        results.append(message)
    return results


def _plain_turn(
    message: ChatMessageAssistant, answered: Container[str | None]
) -> ChatMessageAssistant:
    """A turn with its reasoning, and its calls without a result, as text."""
    calls = message.tool_calls or []
    lines = [_call_as_text(call) for call in calls if call.id not in answered]
    kept = [call for call in calls if call.id in answered]
    content = message.content
    if isinstance(content, str):
        content = "\n".join(part for part in (content, *lines) if part.strip())
    else:
        parts = [_plain_part(part) for part in content]
        content = [part for part in parts if part is not None]
        content += [ContentText(text=line) for line in lines]
    return message.model_copy(update={"content": content, "tool_calls": kept or None})


def _plain_part(part: Content) -> Content | None:
    """Reasoning as text, None where nothing of it can be read; the rest as it is."""
    if not isinstance(part, ContentReasoning):
        return part
    thought = (part.summary or "") if part.redacted else part.reasoning
    if not thought.strip():
        return None
    return ContentText(text=f"[reasoning]\n{thought}\n[end of reasoning]")


def _opened_by_user(messages: list[ChatMessage]) -> list[ChatMessage]:
    """Providers want the first turn after the system's to be the user's."""
    first = next((i for i, m in enumerate(messages) if m.role != "system"), None)
    if first is None or messages[first].role != "assistant":
        return messages
    opening = ChatMessageUser(content="[the assistant speaks first]")
    return [*messages[:first], opening, *messages[first:]]


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
        result[index] = _with_text(result[index], shorter)
    return result


def _with_text(message: ChatMessage, text: str) -> ChatMessage:
    """A message with another text; images and the like stay."""
    if isinstance(message.content, str):
        return message.model_copy(update={"content": text})
    others = [part for part in message.content if not isinstance(part, ContentText)]
    return message.model_copy(update={"content": [*others, ContentText(text=text)]})


def _call_as_text(call: ToolCall) -> str:
    """A call that was never answered, written out."""
    arguments = json.dumps(call.arguments, ensure_ascii=False, default=str)
    return f"[called {call.function}({arguments}); no result recorded]"


def _result_as_text(message: ChatMessageTool) -> ChatMessageUser:
    """A tool result whose call is not there, as a user message."""
    text = message.text or (message.error.message if message.error else "")
    name = message.function or "tool"
    return ChatMessageUser(content=f"[result of {name}]\n{text}")


def _has_content(message: ChatMessage) -> bool:
    """Whether a message says anything; providers refuse empty assistant turns."""
    if isinstance(message.content, str):
        return bool(message.content.strip())
    return any(
        not isinstance(part, ContentText) or part.text.strip()
        for part in message.content
    )
