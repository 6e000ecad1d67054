"""Which transcript a sample is."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from inspect_ai.log import EvalSample


def item_of(
    sample: "EvalSample", records: Sequence[dict[str, Any]], eval_id: str
) -> str:
    """A transcript's id: by its records, else the sample's, else one of its run."""
    known = known_transcript(sample, records).get("item")
    return str(known or sample.uuid or f"{eval_id}:{sample.id}:{sample.epoch}")


def known_transcript(
    sample: "EvalSample", records: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    """What the first record, or else the sample itself, knows of the transcript."""
    candidates = [record.get("transcript") for record in records]
    candidates.append((sample.metadata or {}).get("transcript"))
    found = [known for known in candidates if isinstance(known, dict)]
    placed = [known for known in found if known.get("item")]
    return (placed or found or [{}])[0]
