"""Scanner: whether a model voiced, by itself, that it is being tested."""

from inspect import signature
from math import isnan
from typing import Any

from inspect_ai.model import ModelName
from inspect_ai.scorer import Score, Target
from inspect_ai.solver import TaskState
from inspect_scout import Reference, Result, Scanner, Transcript, scanner

from inspect_awareness.errors import InputError
from inspect_awareness.scanners._origin import subject_transcript
from inspect_awareness.scorers._metrics import mean
from inspect_awareness.scorers.verbalized_awareness import REFERENCES
from inspect_awareness.scorers.verbalized_awareness import (
    verbalized_awareness as the_scorer,
)
from inspect_awareness.scorers.verdicts._metrics import rate_interval

ALLOWED = tuple(signature(the_scorer).parameters)
"""Arguments of the scanner: those of the scorer."""

NOBODY = ModelName("none/none")
"""A sample's state names a model; the subject's is in its metadata."""


@scanner(  # type: ignore[untyped-decorator]
    messages="all", metrics=[mean(), rate_interval()]
)
def verbalized_awareness(**arguments: Any) -> Scanner[Transcript]:
    """The scorer `verbalized_awareness`, over transcripts of Scout."""
    if unknown := sorted(set(arguments) - set(ALLOWED)):
        raise InputError(
            f"the scanner verbalized_awareness has no argument {unknown[0]!r}; it has: "
            f"{', '.join(ALLOWED)}"
        )
    scorer = the_scorer(**arguments)

    async def scan(transcript: Transcript) -> Result:
        if transcript.error:
            return _result(_sample_error())
        score = await scorer(_state(transcript), Target(""))
        return _result(score or Score.unscored(reason="no_score"))

    return scan


def _state(transcript: Transcript) -> TaskState:
    """The transcript as the scorer sees a sample."""
    seen = subject_transcript(transcript)
    return TaskState(
        model=NOBODY,
        sample_id=transcript.transcript_id,
        epoch=1,
        input=list(seen.messages),
        messages=list(seen.messages),
        metadata=dict(seen.to_sample().metadata or {}),
    )


def _result(score: Score) -> Result:
    """A score as a result; one that is missing has no value, but its reason."""
    missing = isinstance(score.value, float) and isnan(score.value)
    metadata = dict(score.metadata or {})
    cited = metadata.pop(REFERENCES, [])
    if missing:
        metadata["reason"] = score.reason
    return Result(
        value=None if missing else score.value,
        answer=score.answer,
        explanation=score.explanation,
        metadata=metadata,
        references=[Reference(**reference) for reference in cited],
    )


def _sample_error() -> Score:
    """What the scorer says of a sample that broke off."""
    return Score.unscored(
        reason="sample_error", explanation="The sample ended in an error."
    )
