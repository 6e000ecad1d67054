"""From a transcript of Scout to one of ours."""

from typing import TYPE_CHECKING

from inspect_awareness.datasets._transcript import (
    Origin,
    Transcript,
    has_tools,
    origin_from_metadata,
    reasoning_kind,
)

if TYPE_CHECKING:
    import inspect_scout

LOG = "eval_log"
"""What Scout calls a transcript that comes from a log of Inspect."""


def subject_transcript(scanned: "inspect_scout.Transcript") -> Transcript:
    """The messages with their origin.

    A sample that holds the record of a transcript keeps it. Inside `inspect score` a
    scanner is not told of the task and the model, and the item is left empty: all
    three are filled in from the log when it is read.
    """
    known = origin_from_metadata(scanned.metadata.get("sample_metadata") or {})
    return Transcript(tuple(scanned.messages), known or _origin(scanned))


def _origin(scanned: "inspect_scout.Transcript") -> Origin:
    """What Scout knows of the transcript; those of Inspect's logs are evaluations."""
    placed = scanned.task_set is not None or scanned.model is not None
    return Origin(
        item=scanned.transcript_id if placed else "",
        label="evaluation" if scanned.source_type == LOG else "unknown",
        source=scanned.task_set,
        task_id=_text(scanned.task_id or scanned.metadata.get("id")),
        subject=scanned.model,
        epoch=int(scanned.task_repeat or scanned.metadata.get("epoch") or 1),
        has_tools=has_tools(scanned.messages),
        reasoning=reasoning_kind(scanned.messages),
        log=(scanned.source_uri or "").rpartition("/")[2] or None,
    )


def _text(id: object) -> str | None:
    """An id as text."""
    return None if id is None else str(id)
