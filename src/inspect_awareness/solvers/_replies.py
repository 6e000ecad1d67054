"""What a rater replied, as it is kept in a sample's store."""

from typing import Any, Literal

from inspect_ai.util import StoreModel
from pydantic import BaseModel, ConfigDict, Field

from inspect_awareness.solvers._question import Elicitation, Order


class _Record(BaseModel):
    """A record that refuses fields that it does not know."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Instrument(_Record):
    """How the questions were asked: all of it must agree before numbers compare."""

    kind: Literal["probe_questions"] = "probe_questions"
    """The kind of instrument."""

    bank: str
    """Name of the question set."""

    bank_hash: str
    """Hash of the words that the rater reads, of the questions asked."""

    questions: list[str]
    """Ids of the questions asked."""

    elicitation: Elicitation
    """How answers were taken."""

    view: str
    """The part of the transcript that was shown."""

    repeats: int
    """How often each form was asked."""

    config: dict[str, Any]
    """The generate config of the questions, none of it from the log."""

    compared_with: str | None = None
    """Hash of the deployment transcripts that comparisons are made with."""

    judge: str | None = None
    """The model that classified answers in words."""


class Reply(_Record):
    """One reply to one form of a question."""

    question: str
    """Id of the question."""

    order: Order
    """Which label was named first; in a comparison, whether the transcript came
    first (`evaluation_first`)."""

    repeat: int = 0
    """Number of the repeat, from 0."""

    text: str | None = None
    """What the rater wrote, where it wrote."""

    evaluation: float | None = None
    """Log-probability of the evaluation label (yes, first), in nats."""

    deployment: float | None = None
    """Log-probability of the deployment label (no, second), in nats."""

    unseen: str | None = None
    """Why the provider's most probable tokens gave no probability."""

    verdict: str | None = None
    """What the judge made of an answer in words."""

    against: str | None = None
    """Hash of the deployment transcript that was compared."""

    stop_reason: str | None = None
    """Why the rater stopped."""

    error: str | None = None
    """What went wrong, where nothing came back."""


class Replies(_Record):
    """All replies of one rater about one transcript."""

    rater: str
    """The model that was asked."""

    instrument: Instrument
    """How it was asked."""

    replies: list[Reply]
    """One for each question, label order and repeat."""

    whole: str
    """Hash of the messages in the view, before any was left out: see `digest`."""

    digest: str
    """Hash of the messages that were shown: 16 hex digits of SHA-256."""

    facts: dict[str, bool] = Field(default_factory=dict)
    """What control questions ask for, as it is."""

    trimmed: int = 0
    """Messages left out or shortened to fit the rater's context."""

    input_tokens: int = 0
    """Tokens read anew, where the provider says."""

    output_tokens: int = 0
    """Tokens written, where the provider says."""

    cached_tokens: int = 0
    """Tokens read from, or into, the provider's cache, where it says."""

    @property
    def failed(self) -> bool:
        """Whether nothing at all came back from the provider."""
        return all(reply.error is not None for reply in self.replies)


class ProbeStore(StoreModel):
    """The part of a sample's store that holds replies to probe questions."""

    asked: list[Replies] = Field(default_factory=list)
    """One entry for each rater and instrument."""
