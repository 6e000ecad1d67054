"""A score's record in its metadata: everything that is needed to check or compare it."""

from dataclasses import asdict
from typing import Any

from inspect_ai.scorer import Score

from inspect_awareness._version import __version__
from inspect_awareness.datasets._transcript import Origin
from inspect_awareness.scorers._answers import Answer
from inspect_awareness.scorers._awareness import Awareness, Pair, Rule
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
            "prior": "none" if result.prior is None else "content_free",
        },
        "transcript": {
            **transcript,
            "whole": replies.whole,
            "digest": replies.digest,
            "trimmed": replies.trimmed,
            "facts": replies.facts,
        },
        "answers": [_answer(answer) for answer in result.answers],
        "pairs": {pair.name: pair.p for pair in result.pairs},
        "apart": {pair.name: _apart(pair, replies) for pair in result.apart},
        "prior": _prior(result),
        "missing": result.missing,
        "tokens": {
            "input": replies.input_tokens,
            "output": replies.output_tokens,
            "cached": replies.cached_tokens,
        },
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
                unseen=answer.get("unseen"),
                verdict=answer.get("verdict"),
                against=answer.get("against"),
            )
            for answer in record["answers"]
        ],
        whole=record["transcript"]["whole"],
        digest=record["transcript"]["digest"],
        trimmed=record["transcript"]["trimmed"],
        facts=record["transcript"].get("facts") or {},
        input_tokens=record["tokens"]["input"],
        output_tokens=record["tokens"]["output"],
        cached_tokens=record["tokens"].get("cached", 0),
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
        "unseen": answer.reply.unseen,
        "verdict": answer.reply.verdict,
        "against": answer.reply.against,
    }


def _apart(pair: Pair, replies: Replies) -> dict[str, Any]:
    """What questions that do not make P(eval) gave, and what is true of a control."""
    truth = pair.answers[0].question.truth
    fact = None if truth is None else replies.facts.get(truth)
    correct = None
    if fact is not None and pair.p is not None:
        correct = pair.p if fact else 1 - pair.p
    return {
        "family": pair.family,
        "p": pair.p,
        "correct": correct,
        "reason": pair.reason,
    }


def _prior(result: Awareness) -> dict[str, Any] | None:
    """What was subtracted, and what P(eval) would be without."""
    if result.prior is None:
        return None
    return {"logits": dict(result.prior), "p_uncorrected": result.p_uncorrected}
