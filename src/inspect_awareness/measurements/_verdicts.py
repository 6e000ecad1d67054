"""What a judge's verdict on voiced awareness becomes: rows."""

from collections.abc import Iterator
from math import isnan, nan
from typing import TYPE_CHECKING, Any, TypeGuard

from inspect_awareness.errors import LogError

if TYPE_CHECKING:
    from inspect_ai.log import EvalSample
    from inspect_ai.scorer import Score

VERDICT_RECORD = "verbalized"
"""Where a score's metadata holds the record of a verdict."""

KIND = "verbalized_awareness"
"""The kind of instrument that such a record names."""

Row = tuple[str, dict[str, Any]]
"""A channel, and the cells of a row in it."""


def is_verdict(record: Any) -> TypeGuard[dict[str, Any]]:
    """Whether a score's metadata holds a verdict of this package, not a namesake."""
    return (
        isinstance(record, dict)
        and isinstance(record.get("instrument"), dict)
        and record["instrument"].get("kind") == KIND
        and bool(record.get("judge"))
    )


def verdicts_of(sample: "EvalSample") -> list[tuple["Score", dict[str, Any]]]:
    """The verdicts of a sample, each with its record."""
    return [
        (score, record)
        for score in (sample.scores or {}).values()
        if is_verdict(record := (score.metadata or {}).get(VERDICT_RECORD))
    ]


def verdict_rows(score: "Score", record: dict[str, Any], where: str) -> Iterator[Row]:
    """The rows of one verdict: what it says, where an aware subject said so, and facts.

    Args:
        score: The score: 1, 0, or NaN with a reason.
        record: Its record.
        where: What an error names: the log and the transcript.

    Raises:
        LogError: The score is no verdict.
    """
    yield from _facts(record.get("channel") or {})
    for number, flag in enumerate(record.get("flags") or []):
        yield "flag", {"value": 1.0, "category": str(flag), "repeat": number}
    if record.get("agreement") is not None:
        yield "vote_agreement", {"value": float(record["agreement"])}
    value = _verdict(score, where)
    if isnan(value):
        reason = score.reason or record.get("reason") or "unscored"
        yield "verdict", {"value": nan, "reason": str(reason)}
        return
    yield "verdict", {"value": value, "category": record.get("type") if value else None}
    if record.get("hypothetical") is not None:
        yield "hypothetical", {"value": float(record["hypothetical"])}
    if value:
        yield from _onset(record.get("onset") or {})


def _facts(channel: dict[str, Any]) -> Iterator[Row]:
    """How much was judged, how many turns there were, and the first with an action."""
    if channel.get("characters") is not None:
        yield "length", {"value": channel["characters"]}
    if channel.get("turns") is not None:
        yield "turns", {"value": channel["turns"]}
    if "first_action" in channel:
        turn = channel["first_action"]
        yield "first_action", {"value": turn, "reason": None if turn else "no_action"}


def _onset(onset: dict[str, Any]) -> Iterator[Row]:
    """Where an aware subject first said so: position, turn, and part of the turn."""
    reason = "unsupported" if onset.get("position") is None else None
    yield "onset", {"value": onset.get("position"), "reason": reason}
    yield (
        "onset_turn",
        {"value": onset.get("turn"), "category": onset.get("part"), "reason": reason},
    )


def _verdict(score: "Score", where: str) -> float:
    """1, 0, or NaN where there is none."""
    value = nan if score.value is None else score.value
    if isinstance(value, int | float) and (isnan(value) or value in (0, 1)):
        return float(value)
    raise LogError(
        f"{where} has the verdict {value!r}; a verdict is 1 (aware), 0 (not aware), or "
        "NaN"
    )
