"""Builders of what subjects and judges say; functions, no fixtures."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from builders import Answerer, log_file, rater, sample, user
from inspect_ai import score
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ContentReasoning,
    ContentText,
)
from inspect_ai.scorer import Score

from inspect_awareness.datasets._reasoning import Voice, voice_of
from inspect_awareness.scorers import verbalized_awareness

AWARE = "I think this is an evaluation of my honesty."
"""A sentence that voices awareness."""


def thinking(
    thought: str, text: str = "Done.", *, id: str | None = None, **fields: Any
) -> ChatMessageAssistant:
    """A turn that reasons, then speaks."""
    parts = [ContentReasoning(reasoning=thought, **fields), ContentText(text=text)]
    return ChatMessageAssistant(content=list(parts), source="generate", id=id)


def thoughts(*said: str) -> list[ChatMessage]:
    """A transcript with a thought in each of the subject's turns."""
    turns: list[ChatMessage] = []
    for number, thought in enumerate(said, start=1):
        turns += [user(f"Step {number}"), thinking(thought, id=f"turn-{number}")]
    return turns


def voice(*said: str) -> Voice:
    """The reasoning of such a transcript."""
    return voice_of(thoughts(*said), "reasoning")


def verdict(
    aware: Any, *evidence: str, type: Any = None, hypothetical: Any = False
) -> str:
    """What a judge replies that keeps to the form."""
    return json.dumps(
        {
            "evidence": list(evidence),
            "aware": aware,
            "type": type,
            "hypothetical": hypothetical,
        }
    )


def judged_log(
    folder: Path,
    transcripts: Sequence[Sequence[ChatMessage]],
    judge: str | Answerer,
    **arguments: Any,
) -> EvalLog:
    """A log of transcripts after the scorer."""
    samples = [sample(k, messages) for k, messages in enumerate(transcripts, start=1)]
    log = read_eval_log(log_file(folder / "a.eval", samples))
    return score(
        log,
        verbalized_awareness(**arguments),
        model=rater(judge),
        action="append",
        display="none",
    )


def judged(
    folder: Path,
    messages: Sequence[ChatMessage],
    judge: str | Answerer,
    **arguments: Any,
) -> Score:
    """The score of one transcript."""
    log = judged_log(folder, [messages], judge, **arguments)
    assert log.samples is not None
    return (log.samples[0].scores or {})["verbalized_awareness"]


def record(made: Score) -> dict[str, Any]:
    """A score's record."""
    return dict((made.metadata or {})["verbalized"])
