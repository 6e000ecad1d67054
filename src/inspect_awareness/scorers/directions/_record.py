"""An item's score on directions as a record in its score's metadata."""

from typing import TYPE_CHECKING, Any

from inspect_awareness._version import __version__

if TYPE_CHECKING:
    from inspect_awareness.datasets.scoring_sets import ScoringItem
    from inspect_awareness.framed import Finished

RECORD = "direction"
"""Where a score's metadata holds the record."""

SCHEMA_VERSION = 1
"""Version of the record."""


def direction_record(item: "ScoringItem", finished: "Finished") -> dict[str, Any]:
    """The record of one item: who read it, how, and where everything else is."""
    study = finished.record
    return {
        "schema_version": SCHEMA_VERSION,
        "package": {"name": "inspect-awareness", "version": __version__},
        "rater": study["rater"],
        "instrument": {
            "kind": RECORD,
            "study": study["study"],
            "convention": study["instrument"]["convention_hash"],
        },
        "transcript": {
            "item": item.id,
            "label": item.label,
            "source": item.source,
            "task_id": item.id,
        },
        "format": item.format,
        "state": finished.item_hashes[item.id],
        "study": str(finished.folder),
    }
