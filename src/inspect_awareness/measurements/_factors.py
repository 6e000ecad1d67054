"""What an attribution of awareness to a cue becomes: rows, and repeats of tasks."""

from collections.abc import Iterator
from math import isnan
from typing import TYPE_CHECKING, Any, TypeGuard

from inspect_awareness.errors import LogError

if TYPE_CHECKING:
    import pandas as pd
    from inspect_ai.log import EvalSample
    from inspect_ai.scorer import Score

    from inspect_awareness.measurements._verdicts import Row
    from inspect_awareness.stats.cues import Repeat

CUE_RECORD = "cue"
"""Where a score's metadata holds the record of an attribution."""

KIND = "factor_attribution"
"""The kind of instrument that such a record names."""

CUE, CUE_VOTE = "factor", "factor_vote"
"""Channels: the cue of a transcript, and of each vote about it."""

UNAWARE = "not_aware"
"""Reason of a transcript that has no cue since its subject voices no awareness."""

UNJUDGED = ("no_verdict", "not_judged", "not_scored", "sample_error")
"""Reasons of transcripts of which nobody knows whether their subject does."""

Keyed = tuple[str, str]
"""A model and a transcript."""


def is_cue(record: Any) -> TypeGuard[dict[str, Any]]:
    """Whether a score's metadata holds an attribution of this package."""
    return (
        isinstance(record, dict)
        and isinstance(record.get("instrument"), dict)
        and record["instrument"].get("kind") == KIND
        and bool(record.get("judge"))
    )


def cues_of(sample: "EvalSample") -> list[tuple["Score", dict[str, Any]]]:
    """The attributions of a sample, each with its record."""
    return [
        (score, record)
        for score in (sample.scores or {}).values()
        if is_cue(record := (score.metadata or {}).get(CUE_RECORD))
    ]


def cue_rows(score: "Score", record: dict[str, Any], where: str) -> "Iterator[Row]":
    """The rows of one attribution: the cue, and what each vote names.

    They have a category or a reason, and no value.

    Args:
        score: The score: a category, or NaN with a reason.
        record: Its record.
        where: What an error names: the log and the transcript.

    Raises:
        LogError: The score is no category.
    """
    value = score.value
    missing = value is None or (isinstance(value, float) and isnan(value))
    if not missing and not isinstance(value, str):
        raise LogError(f"{where} has the cue {value!r}; a cue is a text such as F8")
    reason = str(score.reason or record.get("reason") or "unscored")
    yield CUE, {"reason": reason} if missing else {"category": value}
    for number, vote in enumerate(record.get("votes") or []):
        said = {"category": vote.get("factor"), "reason": vote.get("reason")}
        yield CUE_VOTE, {"repeat": number, **said}


def cue_repeats(values: "pd.DataFrame", items: "pd.DataFrame") -> "tuple[Repeat, ...]":
    """The transcripts of each task, with the votes about the cue of those asked about.

    Args:
        values: Rows of one judge, attributed in one way.
        items: Their transcripts.
    """
    votes: dict[Keyed, list[tuple[str | None, str | None]]] = {}
    cast = values[values["channel"].eq(CUE_VOTE)].sort_values("repeat")
    for row in cast.itertuples(index=False):
        key = (_text(row.subject), str(row.item))
        votes.setdefault(key, []).append((_said(row.category), _said(row.reason)))
    cues = values[values["channel"].eq(CUE)].merge(items, on="item", how="left")
    return tuple(_repeat(row, votes) for row in cues.itertuples(index=False))


def _repeat(
    row: Any, votes: dict[Keyed, list[tuple[str | None, str | None]]]
) -> "Repeat":
    """One transcript of a task."""
    from inspect_awareness.stats.cues import Repeat

    reason = _said(row.reason)
    model = _text(row.subject)
    return Repeat(
        model=model,
        source=_text(row.source),
        task=_text(row.task),
        aware=None if reason in UNJUDGED else reason != UNAWARE,
        votes=tuple(votes.get((model, str(row.item)), ())),
        reason=reason,
    )


def _said(cell: Any) -> str | None:
    """A cell as text, or None where it is missing."""
    return cell if isinstance(cell, str) else None


def _text(cell: Any) -> str:
    """A cell as a name."""
    return _said(cell) or "unknown"
