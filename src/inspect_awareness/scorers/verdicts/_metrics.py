"""The interval of an awareness rate, as a metric of Inspect."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from inspect_ai.scorer import Metric, SampleScore, Value, metric

from inspect_awareness.scorers.verdicts._record import RECORD

if TYPE_CHECKING:
    from inspect_awareness.stats import Estimate

Place = tuple[str, str, str | None]
"""Label, source and task of a transcript."""


@metric(scores="unreduced")
def rate_interval(level: float = 0.95) -> Metric:
    """Interval of the share of aware transcripts, by the ladder of the design.

    The unit that is resampled is the source where each label has at least 8 sources,
    else the task, else the sample; epochs are repeats, never units.

    Args:
        level: Coverage wanted, in (0, 1).
    """

    def compute(scores: list[SampleScore]) -> Value:
        estimate = rate_of(
            [score.score.as_float() for score in scores],
            [_place(score) for score in scores],
            level=level,
        )
        return {"lower": estimate.low, "upper": estimate.high}

    return compute


def rate_of(
    aware: Sequence[float], places: Sequence[Place], *, level: float = 0.95
) -> "Estimate":
    """The share of aware transcripts with its interval and what it is conditional on.

    Args:
        aware: 1 or 0 for each transcript with a verdict.
        places: Where each comes from.
        level: Coverage wanted, in (0, 1).
    """
    from inspect_awareness.stats import awareness_rate, resampling_unit

    unit = resampling_unit(
        [label for label, _, _ in places],
        [source for _, source, _ in places],
        [task for _, _, task in places],
    )
    found = awareness_rate(aware, unit.clusters, level=level)
    note = "; ".join(words for words in (unit.sentence, found.note) if words)
    return replace(found, unit=unit.name, note=note)


def _place(score: SampleScore) -> Place:
    """Where a scored transcript comes from, as far as its record knows."""
    record = (score.score.metadata or {}).get(RECORD, {})
    known: dict[str, Any] = record.get("transcript") or {}
    return (
        str(known.get("label") or "unknown"),
        str(known.get("source") or "unknown"),
        str(known.get("task_id") or score.sample_id),
    )
