"""A scorer that is added to a task, and leaves the rest of it as it was."""

from datetime import UTC, datetime
from functools import wraps

from inspect_ai.log import transcript
from inspect_ai.scorer import Score, Scorer, Target
from inspect_ai.solver import TaskState
from inspect_ai.util import LimitExceededError, sample_limits, time_limit

SHARE = 0.9
"""The share of the time left for scoring that may be used."""


def added(scorer: Scorer) -> Scorer:
    """The scorer, silent while the task runs, and within the time for scoring.

    A solver that has its own sample scored on the way (as agents with several attempts
    do) gets the scores that it would get without the addition. And Inspect gives all
    scorers of a sample together half of its time limit, and ends the sample in an error
    after that: before it comes to that the sample is left unscored.
    """

    @wraps(scorer)
    async def score(state: TaskState, target: Target) -> Score | None:
        began = _scoring_began()
        if began is None:
            return None
        limit = time_limit(_seconds_left(began))
        try:
            with limit:
                return await scorer(state, target)
        except LimitExceededError as ex:
            if ex.source is not limit:
                raise
            return Score.unscored(
                reason="time_limit",
                explanation="The sample's time limit left no time for the questions.",
            )

    return score


def _scoring_began() -> datetime | None:
    """When the sample's scorers were begun; None while its solvers run."""
    began = [
        event.timestamp
        for event in transcript().events
        if event.event == "span_begin" and event.name == "scorers"
    ]
    return began[-1] if began else None


def _seconds_left(began: datetime) -> float | None:
    """Time for the last scorer; None without a limit."""
    limit = sample_limits().time.limit
    if limit is None:
        return None
    used = (datetime.now(UTC) - began).total_seconds()
    return max(0.0, SHARE * (limit / 2 - used))
