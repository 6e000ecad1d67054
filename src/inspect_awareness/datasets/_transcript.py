"""A transcript: the messages that are judged, and where they come from."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessage, ContentReasoning

from inspect_awareness.errors import InputError

Label = Literal["evaluation", "deployment", "unknown"]
"""What a transcript is known to come from."""

View = Literal["full", "prompt", "no_self", "no_reasoning", "model", "turns"]
"""Which part of a transcript the rater sees."""

ReasoningKind = Literal["raw", "summary", "redacted", "none"]
"""What the transcript holds of the subject's reasoning, best kind first."""

LABELS: tuple[Label, ...] = ("evaluation", "deployment", "unknown")
VIEWS: tuple[View, ...] = (
    "full",
    "prompt",
    "no_self",
    "no_reasoning",
    "model",
    "turns",
)

SCHEMA = "inspect_awareness/transcript/1"
"""Marks a record as ours: other benchmarks have metadata of the same name."""

METADATA_KEY = "transcript"
"""Where a sample's metadata holds the record of its transcript."""


@dataclass(frozen=True)
class Origin:
    """What is known about a transcript besides its words; holds no text of it."""

    item: str
    """Unique id: the sample's uuid in a log (``uuid#turn`` for prefixes)."""

    label: Label = "unknown"
    """`evaluation`, `deployment` or `unknown`."""

    source: str | None = None
    """The task (benchmark) or the collection that it comes from."""

    task_id: str | None = None
    """The sample's id within its source: repeats of one task share it."""

    subject: str | None = None
    """The model that wrote the transcript."""

    epoch: int = 1
    """Number of the repeat, from 1."""

    outcome: float | None = None
    """The task's own score, where it is one number."""

    has_tools: bool = False
    """Whether tools were called, or their results shown."""

    reasoning: ReasoningKind = "none"
    """The kind of reasoning that the messages hold."""

    view: View = "full"
    """The part of the transcript that was taken."""

    subject_role: str | None = None
    """The model role whose messages were taken, where one was named."""

    turn: int | None = None
    """With view `turns`, how many turns of the subject are included."""

    log: str | None = None
    """File name of the log or chat file."""


@dataclass(frozen=True)
class Place:
    """Which sample of which log."""

    log: str
    """The log's path."""

    id: int | str
    """The sample's id."""

    epoch: int
    """Its repeat, from 1."""


@dataclass(frozen=True)
class Transcript:
    """Messages with their origin."""

    messages: tuple[ChatMessage, ...]
    """What was said, in order."""

    origin: Origin
    """Where it comes from."""

    place: "Place | None" = None
    """The sample of a log that it was read from."""

    def to_sample(self) -> Sample:
        """The transcript as an Inspect sample: messages as input, label as target.

        The metadata holds the origin under ``transcript``, and `source`, `label` and
        `task_id` at top level, where Inspect's `cluster=` and `group_key=` look.
        """
        return Sample(
            id=self.origin.item,
            input=list(self.messages),
            target=self.origin.label,
            metadata={
                "source": self.origin.source,
                "label": self.origin.label,
                "task_id": self.origin.task_id,
                METADATA_KEY: {"schema": SCHEMA, **asdict(self.origin)},
            },
        )

    def relabelled(
        self, label: Label | None = None, source: str | None = None
    ) -> "Transcript":
        """A copy with another label or source, where one is given."""
        changes: dict[str, Any] = {}
        if label is not None:
            changes["label"] = label
        if source is not None:
            changes["source"] = source
        return replace(self, origin=replace(self.origin, **changes))


class TranscriptDataset(MemoryDataset):
    """An Inspect dataset of transcripts that also counts what was left out."""

    def __init__(
        self, samples: list[Sample], *, name: str, skipped: Counter[str]
    ) -> None:
        super().__init__(samples, name=name)
        self.skipped = skipped
        """How many samples were left out, by reason."""


def origin_from_metadata(metadata: dict[str, Any]) -> Origin | None:
    """The origin that `Transcript.to_sample` put in; None for any other metadata."""
    record = metadata.get(METADATA_KEY)
    if not isinstance(record, dict) or record.get("schema") != SCHEMA:
        return None
    known = {k: v for k, v in record.items() if k in Origin.__dataclass_fields__}
    return Origin(**known)


def reasoning_kind(messages: Iterable[ChatMessage]) -> ReasoningKind:
    """The best kind of reasoning that any message holds: raw, summary, redacted."""
    found = {
        _kind(part)
        for message in messages
        if not isinstance(message.content, str)
        for part in message.content
        if isinstance(part, ContentReasoning)
    }
    order: tuple[ReasoningKind, ...] = ("raw", "summary", "redacted")
    return next((kind for kind in order if kind in found), "none")


def has_tools(messages: Iterable[ChatMessage]) -> bool:
    """Whether any message calls a tool or brings a tool's result."""
    return any(
        message.role == "tool"
        or (message.role == "assistant" and bool(message.tool_calls))
        for message in messages
    )


def checked_label(label: str) -> Label:
    """The label, or an error that names the allowed ones."""
    for allowed in LABELS:
        if label == allowed:
            return allowed
    raise InputError(f"label {label!r} is not one of: {', '.join(LABELS)}")


def checked_view(view: str) -> View:
    """The view, or an error that names the allowed ones."""
    for allowed in VIEWS:
        if view == allowed:
            return allowed
    raise InputError(f"view {view!r} is not one of: {', '.join(VIEWS)}")


def _kind(part: ContentReasoning) -> ReasoningKind:
    """Redacted reasoning is ciphertext; only its summary can be read."""
    if not part.redacted:
        return "raw" if part.reasoning.strip() else "none"
    return "summary" if (part.summary or "").strip() else "redacted"
