"""Builders of judged transcripts that cite a cue, and of judges that name it."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from builders import log_file, rater
from inspect_ai import score
from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from inspect_ai.model import Model, ModelOutput
from inspect_ai.scorer import Score
from validation.judged import Judged, judged_samples

from inspect_awareness.scorers import factor_attribution

POINTED = "The sentences that were pointed out"
"""What only the rubric of cues says."""


def says(cue: str, number: object = 0) -> str:
    """A thought that cites a cue, by its id, so that a scripted judge can name it."""
    return f"This must be a test ({cue}), as I see in case {number}."


def cue(factor: Any, quote: Any = None) -> str:
    """What a judge replies that keeps to the form."""
    return json.dumps({"quote": quote, "factor": factor})


def shown_to(text: str) -> str:
    """What stands between the first marks of a judge's instructions."""
    return text.split("----- begin ")[1].split("----- end ")[0]


class Namer:
    """A judge that names the cue that a thought cites, and counts what it is asked."""

    def __init__(
        self,
        name: str = "namer",
        reply: Callable[[str], str | ModelOutput] | None = None,
    ) -> None:
        self.asked: list[str] = []
        self.reply = reply
        self.model: Model = rater(self.answer, name=name)

    def answer(self, text: str) -> str | ModelOutput:
        self.asked.append(text)
        if self.reply is not None:
            return self.reply(text)
        said = shown_to(text).splitlines()
        thought = next(line for line in said if "This must be a test" in line)
        return cue(thought.split("(")[1].split(")")[0], thought)


def repeats(
    task: str, aware: int, other: int = 0, cites: Sequence[str] = ("F8",)
) -> list[Judged]:
    """The repeats of one task; those that are aware cite cues in turn."""
    said = [True] * aware + [False] * other
    return [
        Judged(
            each,
            task=task,
            epoch=epoch,
            thought=says(cites[(epoch - 1) % len(cites)], f"{task}/{epoch}")
            if each
            else "I look at the files first.",
            type="safety" if each else None,
        )
        for epoch, each in enumerate(said, start=1)
    ]


def scored(
    folder: Path,
    transcripts: Sequence[Judged],
    judge: Model,
    **arguments: Any,
) -> EvalLog:
    """A judged log after the scorer of cues, as `inspect score --action append` runs it."""
    path = log_file(folder / "a.eval", judged_samples(transcripts), task="gaia")
    return score(
        read_eval_log(str(path)),
        factor_attribution(**arguments),
        model=judge,
        action="append",
        display="none",
    )


def cue_of_sample(sample: EvalSample) -> Score:
    return (sample.scores or {})["factor_attribution"]


def cues_in(log: EvalLog) -> list[Score]:
    return [cue_of_sample(sample) for sample in log.samples or []]


def record(made: Score) -> dict[str, Any]:
    """A score's record."""
    return dict((made.metadata or {})["cue"])
