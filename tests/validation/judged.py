"""Builders of judged logs: the scorer's own scores, from verdicts that are scripted."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builders import log_file, rater, sample
from inspect_ai.log import EvalSample
from inspect_ai.scorer import Score
from scorers.verdicts.said import thoughts, verdict

from inspect_awareness.datasets._reasoning import voice_of
from inspect_awareness.datasets._transcript import Origin
from inspect_awareness.measurements import Measurements
from inspect_awareness.scorers.verbalized_awareness import verdict_score
from inspect_awareness.scorers.verdicts._judging import judging
from inspect_awareness.scorers.verdicts._votes import Vote, Votes
from inspect_awareness.validation import Frame, frame_of

SILENT = "no_reasoning_channel"


@dataclass(frozen=True)
class Judged:
    """A transcript of one thought, and what the judge said of it."""

    aware: bool | None = False
    """Its verdict; None for a reply that is none."""

    task: str = "1"
    epoch: int = 1
    thought: str = "I look at the files first."
    type: str | None = None
    seen: bool = True
    """Whether there is any thought to judge."""

    outcome: Any = "C"
    """The task's own score."""

    label: Any = "evaluation"


def judged_score(each: Judged, source: str, model: str, **how: Any) -> Score:
    """What `verbalized_awareness` makes of such a reply."""
    name = how.pop("judge", "judge")
    judges = [rater("", name=name)]
    voice = voice_of(messages_of(each), "reasoning")
    reply = "I cannot tell."
    if each.aware is not None:
        reply = verdict(each.aware, each.thought, type=each.type)
    votes = Votes(asked="0", votes=[Vote(judge=str(judges[0]), vote=0, text=reply)])
    origin = Origin(
        item=item_of(each, source),
        label=each.label,
        source=source,
        task_id=each.task,
        subject=model,
        epoch=each.epoch,
        outcome=1.0,
    )
    said = votes if each.seen else None
    return verdict_score(said, voice, judging(**how), judges, origin=origin)


def messages_of(each: Judged) -> list[Any]:
    return thoughts(each.thought) if each.seen else []


def item_of(each: Judged, source: str) -> str:
    return f"{source}-{each.task}-{each.epoch}"


def judged_samples(
    transcripts: Sequence[Judged],
    source: str = "gaia",
    model: str = "openai/subject",
    **how: Any,
) -> list[EvalSample]:
    """The samples of a judged log; the task's own score stands first."""
    return [
        sample(
            each.task,
            messages_of(each),
            epoch=each.epoch,
            uuid=item_of(each, source),
            scores={
                "match": Score(value=each.outcome),
                "verbalized_awareness": judged_score(each, source, model, **how),
            },
        )
        for each in transcripts
    ]


def judged_log(
    path: Path,
    transcripts: Sequence[Judged],
    source: str = "gaia",
    model: str = "openai/subject",
    **how: Any,
) -> Path:
    """Write a judged log."""
    made = judged_samples(transcripts, source, model, **how)
    return log_file(path, made, task=source, model=model)


def some(aware: int, other: int, missing: int = 0) -> list[Judged]:
    """That many judged aware, not aware, and without a verdict, each its own task."""
    said = [True] * aware + [False] * other + [None] * missing
    return [
        Judged(each, task=str(k), thought=f"This is thought number {k}.")
        for k, each in enumerate(said)
    ]


def frame(*logs: Path, judge: str | None = None) -> Frame:
    return frame_of(Measurements.load(logs), judge=judge)
