"""What a model is asked when labels are scored, and what it answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from inspect_ai.model import ChatMessage


@dataclass(frozen=True)
class LabelRequest:
    """One question: how likely is each label as the next assistant text?

    Args:
        messages: The conversation up to the assistant turn that is scored.
        prefill: The text that the assistant turn already holds, as in ``"Answer:"``.
        labels: The continuations to score, as in ``(" yes", " no")``. Each is text
            that follows the prefill directly, so a label that starts a new word
            carries its own space.
    """

    messages: tuple[ChatMessage, ...]
    prefill: str
    labels: tuple[str, ...]


@dataclass(frozen=True)
class LabelLogprobs:
    """The answer to one ``LabelRequest``.

    Args:
        logprobs: Natural log-probability of each label, summed over all tokens of
            the label, in the request's order. Shape ``(labels,)``, in nats.
        input_tokens: Tokens of the rendered conversation with the prefill.
        label_tokens: Tokens scored for each label. Shape ``(labels,)``.
    """

    logprobs: tuple[float, ...]
    input_tokens: int
    label_tokens: tuple[int, ...]


@runtime_checkable
class LabelScorer(Protocol):
    """A model API that can score labels exactly; any ``ModelAPI`` may implement it."""

    @property
    def max_context(self) -> int | None:
        """Tokens that the model can attend to; None where it is not known."""

    async def label_logprobs(
        self, requests: Sequence[LabelRequest]
    ) -> list[LabelLogprobs]:
        """Score the labels of every request, in the order of the requests."""
