"""What a model is shown: conversations, prefills and labels as tokens."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from inspect_ai.model import ChatMessage, ChatMessageAssistant

from inspect_awareness.errors import ModelError
from inspect_awareness.whitebox._labels import LabelLogprobs, LabelRequest
from inspect_awareness.whitebox._local_model import LocalModel
from inspect_awareness.whitebox._render import Marks
from inspect_awareness.whitebox._scoring import label_sums
from inspect_awareness.whitebox._tokens import LabelTokens, Tokens
from inspect_awareness.whitebox._turns import Turn, turn


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
    marks = Marks.absent_from(_texts(turns))
    quote = model.renderer.quoter(marks)
    prefill = ""
    if messages and isinstance(messages[-1], ChatMessageAssistant):
        prefill = turns.pop().text(quote=quote)
    text = model.renderer.render(turns, marks, thinking=not prefill) + prefill
    plain = model.renderer.template is None
    tokens = model.encoder.encode(text.rstrip(" ") if plain else text, marks.quote, {})
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


def _tokenised(
    model: LocalModel, requests: Sequence[LabelRequest]
) -> list[tuple[Tokens, tuple[LabelTokens, ...]]]:
    """Context and labels of every request; what they share is encoded once."""
    turns: dict[int, Turn] = {}
    for request in requests:
        for message in request.messages:
            turns.setdefault(id(message), turn(message))
    marks = Marks.absent_from(
        [
            *_texts(turns.values()),
            *(t for r in requests for t in (r.prefill, *r.labels)),
        ]
    )
    quote = model.renderer.quoter(marks)
    memo: dict[str, Tokens] = {}
    asked = []
    for index, request in enumerate(requests):
        said = [turns[id(message)] for message in request.messages]
        text = model.renderer.render(said, marks, thinking=False)
        text += quote(request.prefill)
        quoted = tuple(map(quote, request.labels))
        _check_labels(request, index)
        alone, joint = model.encoder.label_tokens(text, quoted, marks.quote, memo)
        _check_length(model, joint, index)
        asked.append((alone, joint))
    return asked


def _check_labels(request: LabelRequest, index: int) -> None:
    """There is something to score."""
    if not request.labels or not all(request.labels):
        raise ModelError(
            f"request {index} has the labels {request.labels!r}: a request needs at "
            f"least one label, and none may be empty"
        )


def _check_length(model: LocalModel, joint: Sequence[LabelTokens], index: int) -> None:
    """Every label fits behind its context, and has a context."""
    longest = max(len(label.tokens) for label in joint)
    limit = model.max_context
    if limit is not None and longest > limit:
        raise ModelError(
            f"request {index} has {longest:,} tokens with its longest label, and the "
            f"model takes at most {limit:,}: trim the transcript"
        )
    if joint[0].start == 0:
        raise ModelError(
            f"request {index} leaves no token before its labels to predict them from: "
            f"give it a message or a prefill"
        )


def _texts(turns: Iterable[Turn]) -> Iterator[str]:
    """Every text of every turn."""
    return (part.text for one in turns for part in one.parts)
