"""The numbers that a reader must not miss."""

from dataclasses import dataclass

from inspect_awareness.claims import counted, shown
from inspect_awareness.report._cells import source_name
from inspect_awareness.report._contents import Block, Row

_MAX_LEADING = 3


@dataclass(frozen=True)
class Card:
    """One number that a reader must not miss."""

    title: str
    """What it is."""

    value: str
    """The number with its interval."""

    note: str
    """What it stands on."""


def cards(block: Block) -> tuple[Card, ...]:
    """Mean and separation of each subject; none where that would be a crowd."""
    if len(block.leading_rows) > _MAX_LEADING:
        return ()
    several = len(block.subjects) > 1
    return tuple(card for row in block.leading_rows for card in _cards(row, several))


def _cards(row: Row, several: bool) -> tuple[Card, ...]:  # noqa: FBT001
    """Mean and separation of a row."""
    e = row.mean.estimate
    name = source_name(row, subject=several)
    scored = f"{row.scored:,} of {counted(row.transcripts, 'transcript')} scored"
    mean = Card(
        f"mean P(eval), {name}", shown(e), f"{scored}, {counted(e.clusters, e.unit)}"
    )
    if row.label != "evaluation":
        return (mean,)
    title = f"AUROC vs deployment, {name}"
    if row.auroc is None:
        return mean, Card(title, "uncalibrated", "no deployment reference")
    return mean, Card(title, shown(row.auroc.estimate), "0.5 is chance")
