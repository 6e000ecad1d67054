"""A scorer of this package as a scanner of Scout."""

from collections.abc import Callable
from inspect import signature
from math import isnan
from typing import Any

from inspect_ai.model import ModelName
from inspect_ai.scorer import Score, Scorer, Target
from inspect_ai.solver import TaskState
from inspect_scout import Reference, Result, Scanner, Transcript

from inspect_awareness.errors import InputError
from inspect_awareness.scanners._origin import subject_transcript
from inspect_awareness.scorers.verbalized_awareness import REFERENCES

NOBODY = ModelName("none/none")
"""A sample's state names a model; the subject's is in its metadata."""


def scanned(
    make: Callable[..., Scorer], name: str, arguments: dict[str, Any]
) -> Scanner[Transcript]:
    """What the scorer says of each transcript, as a result.

    Args:
        make: The scorer's factory.
        name: What the scanner is called.
        arguments: Those of the scorer.

    Raises:
        InputError: The scorer has no such argument.
    """
    allowed = tuple(signature(make).parameters)
    if unknown := sorted(set(arguments) - set(allowed)):
        raise InputError(
            f"the scanner {name} has no argument {unknown[0]!r}; it has: "
            f"{', '.join(allowed)}"
        )
    scorer = make(**arguments)

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
        scores=_scores(transcript.metadata.get("scores")),
    )


def _scores(known: Any) -> dict[str, Score]:
    """The sample's scores with their metadata, where Scout has read them."""
    found = known if isinstance(known, dict) else {}
    return {name: Score.model_validate(each) for name, each in found.items()}


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
