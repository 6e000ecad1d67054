"""What an item's score on directions becomes: a row."""

from math import nan
from typing import TYPE_CHECKING, Any, TypeGuard

if TYPE_CHECKING:
    from inspect_ai.log import EvalSample
    from inspect_ai.scorer import Score

DIRECTION_RECORD = "direction"
"""Where a score's metadata holds its record, and its channel."""

INSTRUMENT = "mean_of_pairs"
"""The mean over the directions of all pairs of framings."""


def is_direction(record: Any) -> TypeGuard[dict[str, Any]]:
    """Whether a score's metadata holds a score on directions of this package."""
    return (
        isinstance(record, dict)
        and isinstance(record.get("instrument"), dict)
        and record["instrument"].get("kind") == DIRECTION_RECORD
        and bool(record.get("rater"))
    )


def directions_of(sample: "EvalSample") -> list[tuple["Score", dict[str, Any]]]:
    """The scores of a sample on directions, each with its record."""
    return [
        (score, record)
        for score in (sample.scores or {}).values()
        if is_direction(record := (score.metadata or {}).get(DIRECTION_RECORD))
    ]


def direction_row(score: "Score") -> dict[str, Any]:
    """The cells of the row: in SDs of the items, on no scale of probabilities."""
    number = isinstance(score.value, int | float) and score.value == score.value
    if not number:
        return {"value": nan, "reason": score.reason or "unscored"}
    return {"value": score.as_float()}
