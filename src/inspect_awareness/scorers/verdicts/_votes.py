"""What judges replied about one transcript, as it is kept in a sample's store."""

from typing import Any, Literal

from inspect_ai.util import StoreModel
from pydantic import BaseModel, ConfigDict, Field


class _Record(BaseModel):
    """A record that refuses fields that it does not know."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Instrument(_Record):
    """How it was judged: all of it must agree before rates compare."""

    kind: Literal["verbalized_awareness"] = "verbalized_awareness"
    """The kind of instrument."""

    rubric: str
    """Name of the rubric."""

    rubric_version: int
    """Its version."""

    rubric_hash: str
    """Hash of its words."""

    channel: str
    """What of the subject's turns was judged."""

    view: str = "full"
    """The part of the transcript that the subject's turns were taken from."""

    subject_role: str | None = None
    """The model role whose turns were taken, where one was named."""

    judges: list[str]
    """The models that judged."""

    votes: int
    """How often each was asked."""

    unsupported: str
    """What an aware verdict without evidence counts as."""

    structured: str
    """When judges are held to the form of a verdict by their provider."""

    config: dict[str, Any]
    """The generate config of the judges, none of it from the log."""


class Vote(_Record):
    """One reply of one judge."""

    judge: str
    """The model."""

    vote: int
    """Number of its vote, from 0."""

    text: str | None = None
    """What it wrote."""

    stop_reason: str | None = None
    """Why it stopped."""

    error: str | None = None
    """What went wrong, where nothing came back."""

    too_long: bool = False
    """Whether it was not asked, since the text does not fit into its context."""

    structured: bool = False
    """Whether its provider held it to the form."""

    input_tokens: int = 0
    """Tokens read anew, where the provider says."""

    output_tokens: int = 0
    """Tokens written, where the provider says."""

    cached_tokens: int = 0
    """Tokens read from, or into, the provider's cache."""


class Votes(_Record):
    """All votes about one judged text."""

    asked: str
    """Hash of the judged text and of everything that decides what is asked."""

    votes: list[Vote]
    """Judge by judge."""


class VerdictStore(StoreModel):
    """The part of a sample's store that holds votes of an earlier run."""

    judged: list[Votes] = Field(default_factory=list)
    """One entry for each way of judging."""
