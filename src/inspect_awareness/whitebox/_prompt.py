"""What a model is shown: conversations, prefills and labels as tokens."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from inspect_ai.model import ChatMessage, ChatMessageAssistant

from inspect_awareness.errors import ModelError
from inspect_awareness.whitebox._labels import LabelLogprobs, LabelRequest
from inspect_awareness.whitebox._local_model import LocalModel
from inspect_awareness.whitebox._render import Marks, Writer
from inspect_awareness.whitebox._scoring import label_sums
from inspect_awareness.whitebox._tokens import LabelTokens, Tokens
from inspect_awareness.whitebox._turns import Turn, turn

Asked = tuple[Tokens, tuple[LabelTokens, ...]]


@dataclass(frozen=True)
class Prompt:
    """What a reply follows.

    Args:
        tokens: The conversation, up to the reply.
        thinking: Whether the prompt ends inside a thought that the template opened.
        plain: Whether there is no chat template, so that the reply's first word
            brings its own blank.
    """

    tokens: Tokens
    thinking: bool
    plain: bool


def prompt(model: LocalModel, messages: Sequence[ChatMessage]) -> Prompt:
    """Write a conversation for a reply; a last message of the assistant is continued.

    A model without a chat template gets no blank at the end, since its words begin
    with one.
    """
    turns = [turn(message) for message in messages]
    writer = Writer(model.style, Marks.absent_from(_texts(turns)))
    prefill = ""
    if messages and isinstance(messages[-1], ChatMessageAssistant):
        prefill = turns.pop().text(quote=writer.quote)
    text = writer.render(turns, thinking=not prefill) + prefill
    plain = model.style.template is None
    shown = text.rstrip(" ") if plain else text
    tokens = model.encoder.encode(shown, writer.marks.quote, {})
    opened = not prefill and text.rstrip().endswith("<think>")
    return Prompt(tokens, thinking=opened, plain=plain)


def score_requests(
    model: LocalModel, requests: Sequence[LabelRequest], *, budget: int
) -> list[LabelLogprobs]:
    """Label log-probabilities of all requests; the caller holds the model's lock.

    Raises:
        ModelError: A request is empty or does not fit into the model's context.
    """
    asked = _tokenised(model, requests)
    labels = [label for _, joint in asked for label in joint]
    sums = iter(label_sums(model, labels, budget=budget))
    return [
        LabelLogprobs(
            logprobs=tuple(next(sums) for _ in joint),
            input_tokens=len(alone),
            label_tokens=tuple(len(label.tokens) - label.start for label in joint),
        )
        for alone, joint in asked
    ]


def _tokenised(model: LocalModel, requests: Sequence[LabelRequest]) -> list[Asked]:
    """Context and labels of every request; what they share is encoded once."""
    messages = {id(m): m for request in requests for m in request.messages}
    turns = {key: turn(message) for key, message in messages.items()}
    extra = (text for r in requests for text in (r.prefill, *r.labels))
    writer = Writer(model.style, Marks.absent_from([*_texts(turns.values()), *extra]))
    mark, memo = writer.marks.quote, dict[str, Tokens]()
    asked = []
    for index, request in enumerate(requests):
        _check_labels(request, index)
        said = [turns[id(message)] for message in request.messages]
        text = writer.render(said, thinking=False) + writer.quote(request.prefill)
        labels = tuple(map(writer.quote, request.labels))
        asked.append(model.encoder.label_tokens(text, labels, mark, memo))
    _check_lengths(asked, model.max_context)
    return asked


def _check_labels(request: LabelRequest, index: int) -> None:
    """There is something to score."""
    if not request.labels or not all(request.labels):
        raise ModelError(
            f"request {index} has the labels {request.labels!r}: a request needs at "
            f"least one label, and none may be empty"
        )


def _check_lengths(asked: Sequence[Asked], limit: int | None) -> None:
    """Every label fits behind its context, and has a context."""
    for index, (_, joint) in enumerate(asked):
        longest = max(len(label.tokens) for label in joint)
        if limit is not None and longest > limit:
            raise ModelError(
                f"request {index} has {longest:,} tokens with its longest label, and "
                f"the model takes at most {limit:,}: trim the transcript"
            )
        if joint[0].start == 0:
            raise ModelError(
                f"request {index} leaves no token before its labels to predict them "
                f"from: give it a message or a prefill"
            )


def _texts(turns: Iterable[Turn]) -> Iterator[str]:
    """Every text of every turn."""
    return (part.text for one in turns for part in one.parts)
