"""A score's record in its metadata: everything that is needed to check or compare it."""

from dataclasses import asdict
from typing import Any

from inspect_ai.scorer import Score

from inspect_awareness._version import __version__
from inspect_awareness.datasets._transcript import Origin
from inspect_awareness.scorers._answers import Answer
from inspect_awareness.scorers._awareness import Awareness, Rule
from inspect_awareness.solvers._replies import Instrument, Replies, Reply

RECORD = "awareness"
"""Where a score's metadata holds the record."""

SCHEMA_VERSION = 1
"""Version of the record."""


def record(
    result: Awareness, replies: Replies, rule: Rule, origin: Origin
) -> dict[str, Any]:
    """The record of one transcript's score."""
    transcript = asdict(origin)
    subject = transcript.pop("subject")
    return {
        "schema_version": SCHEMA_VERSION,
        "package": {"name": "inspect-awareness", "version": __version__},
        "rater": replies.rater,
        "subject": subject,
        "instrument": {
            **replies.instrument.model_dump(),
            "scale": result.scale,
            **asdict(rule),
        },
        "transcript": {
            **transcript,
            "whole": replies.whole,
            "digest": replies.digest,
            "trimmed": replies.trimmed,
        },
        "answers": [_answer(answer) for answer in result.answers],
        "pairs": {pair.name: pair.p for pair in result.pairs},
        "missing": result.missing,
        "tokens": {"input": replies.input_tokens, "output": replies.output_tokens},
    }


def replies_from_record(record: dict[str, Any]) -> Replies:
    """The replies that a score was made from."""
    instrument = {
        name: value
        for name, value in record["instrument"].items()
        if name in Instrument.model_fields
    }
    return Replies(
        rater=record["rater"],
        instrument=Instrument(**instrument),
        replies=[
            Reply(
                question=answer["question"],
                order=answer["order"],
                repeat=answer["repeat"],
                text=answer["reply"],
                evaluation=answer["evaluation"],
                deployment=answer["deployment"],
                stop_reason=answer["stop_reason"],
                error=answer["error"],
            )
            for answer in record["answers"]
        ],
        whole=record["transcript"]["whole"],
        digest=record["transcript"]["digest"],
        trimmed=record["transcript"]["trimmed"],
        input_tokens=record["tokens"]["input"],
        output_tokens=record["tokens"]["output"],
    )


def without_text(score: Score) -> Score:
    """The score without explanation and replies: numbers, reasons, names of sources."""
    found = (score.metadata or {})[RECORD]
    answers = [{**a, "reply": None, "error": None} for a in found["answers"]]
    return score.model_copy(
        update={
            "explanation": None,
            "metadata": {RECORD: {**found, "answers": answers}},
        }
    )


def _answer(answer: Answer) -> dict[str, Any]:
    """One answer as plain values."""
    return {
        "question": answer.question.id,
        "pair": answer.question.pair,
        "polarity": answer.question.asserts,
        "order": answer.reply.order,
        "repeat": answer.reply.repeat,
        "p": answer.p,
        "logit": answer.logit,
        "mass": answer.mass,
        "category": answer.category,
        "reason": answer.reason,
        "reply": answer.reply.text,
        "evaluation": answer.reply.evaluation,
        "deployment": answer.reply.deployment,
        "stop_reason": answer.reply.stop_reason,
        "error": answer.reply.error,
    }
