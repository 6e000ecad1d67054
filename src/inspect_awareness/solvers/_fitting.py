"""Fitting a transcript into a rater's context."""

from collections.abc import Iterable, Sequence

from inspect_ai.model import ChatMessage, Model, get_model_info

from inspect_awareness.datasets._views import Trimmed, trim
from inspect_awareness.solvers._words import words
from inspect_awareness.whitebox import LabelScorer

_RESERVED_TOKENS = 64
"""Room for what a chat template adds once."""

_TURN_TOKENS = 16
"""Room for what a chat template adds to a turn."""


async def fitting(
    messages: Sequence[ChatMessage],
    model: Model,
    *,
    question: str,
    answer_tokens: int,
    parts: int = 1,
) -> Trimmed:
    """The messages, trimmed to the rater's context if that is known.

    Args:
        messages: What is to be shown.
        model: The rater.
        question: The longest question that follows them.
        answer_tokens: Tokens that an answer may take.
        parts: How many such transcripts share the context.
    """
    context = _context(model)
    limit = None if context is None else context // parts
    texts = [words(message) for message in messages]
    # a token is a byte at least, so a short transcript needs no counting
    if limit is None or 2 * sum(
        len(text.encode()) + _TURN_TOKENS for text in texts
    ) <= (limit):
        return Trimmed(tuple(messages), 0)
    exact = await _token_counts({question, *texts}, model)

    def count(shown: Sequence[ChatMessage]) -> int:
        return sum(
            exact.get(text, _estimated_tokens(text)) + _TURN_TOKENS
            for text in map(words, shown)
        )

    reserve = exact[question] + _RESERVED_TOKENS + answer_tokens
    return trim(messages, budget=max(limit - reserve, 1), count=count)


async def _token_counts(texts: Iterable[str], model: Model) -> dict[str, int]:
    """Tokens of each text: counted by a local model, estimated for another."""
    if not isinstance(model.api, LabelScorer):
        return {text: _estimated_tokens(text) for text in texts}
    return {text: await model.api.count_text_tokens(text) for text in texts}


def _estimated_tokens(text: str) -> int:
    """2.5 characters a token: more tokens than nearly any text takes."""
    return int(len(text) / 2.5)


def _context(model: Model) -> int | None:
    """The rater's context in tokens, where it is known."""
    if isinstance(model.api, LabelScorer):
        return model.api.max_context
    info = get_model_info(str(model))
    return info.context_length if info else None
