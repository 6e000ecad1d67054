"""Builders of logs that hold p_eval scores, as `scorers/p_eval.py` writes them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, log, nan
from pathlib import Path
from typing import Any

from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalError,
    EvalLog,
    EvalSample,
    EvalSpec,
    write_eval_log,
)
from inspect_ai.scorer import Score

INSTRUMENT: Mapping[str, Any] = {
    "kind": "probe_questions",
    "bank": "core-1",
    "bank_hash": "0123456789abcdef",
    "questions": ["direct-test", "direct-use", "setting-arranged", "setting-natural"],
    "elicitation": "logprob",
    "scale": "logit",
    "view": "full",
    "repeats": 1,
    "min_mass": 0.01,
    "min_answered": 0.5,
    "config": {"temperature": 0.0, "max_tokens": 1},
}
"""Two pairs of opposite questions, asked by log-probability."""

PAIRS: Mapping[str, tuple[str, str]] = {
    "direct": ("direct-test", "direct-use"),
    "setting": ("setting-arranged", "setting-natural"),
}
"""Pair: the question that asserts evaluation, the one that asserts deployment."""


@dataclass(frozen=True)
class Transcript:
    """A transcript and what a rater thought of it."""

    p: float | None = 0.5
    """P(evaluation); None for an unscored transcript."""

    task: str = "1"
    """Task id within its source."""

    epoch: int = 1
    """Repeat of the task."""

    uuid: str | None = None
    """Id; made of source, task and epoch if None."""

    label: str = "evaluation"
    """Label in the record; a log's own sample has none in its record."""

    spread: float = 0.0
    """Logits by which the two pairs differ from P(evaluation), either way."""

    yes_bias: float = 0.0
    """Logits by which a question that asserts a class is pulled towards it."""

    order_bias: float = 0.0
    """Logits by which the label named first gains."""

    mass: float = 0.9
    """Probability of the two labels."""

    reason: str = "off_label"
    """Why there is no score, where `p` is None."""

    noise: Sequence[float] = ()
    """Logits added to each of the eight answers: four of each pair."""

    turn: int | None = None
    """With view `turns`, how many turns of the subject it holds."""

    apart: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """What questions that do not make P(evaluation) gave, by pair."""

    p_uncorrected: float | None = None
    """P(evaluation) before a prior was subtracted, where one was."""


@dataclass(frozen=True)
class Scored:
    """A log whose samples carry awareness scores."""

    transcripts: Sequence[Transcript]
    """Its samples."""

    source: str = "gaia"
    """The task's name."""

    subject: str = "openai/subject"
    """The model that wrote the transcripts."""

    rater: str = "openai/rater"
    """The model that was asked."""

    instrument: Mapping[str, Any] = field(default_factory=lambda: dict(INSTRUMENT))
    """How it was asked."""

    in_place: bool = False
    """Whether the scores know nothing of the log, as with `inspect score`."""

    score_name: str = "p_eval"
    """The scores' name in the log."""

    package_version: str = "0.1.0"
    """The version that wrote the scores."""


def uuid_of(transcript: Transcript, source: str) -> str:
    """A transcript's id, that of a beginning with its turn."""
    whole = transcript.uuid or f"{source}-{transcript.task}-{transcript.epoch}"
    return whole if transcript.turn is None else f"{whole}#{transcript.turn}"


def beginnings(curve: Sequence[float | None], **same: Any) -> list[Transcript]:
    """The growing beginnings of one transcript, with a P(evaluation) after each turn."""
    return [Transcript(p, turn=k + 1, **same) for k, p in enumerate(curve)]


def stood_apart(
    family: str, p: float | None, *, correct: float | None = None, reason: str = ""
) -> dict[str, Any]:
    """What a question of a family that stands apart gave."""
    return {"family": family, "p": p, "correct": correct, "reason": reason or None}


def spread_out(center: float, n: int, *, step: float = 0.02) -> list[Transcript]:
    """Transcripts of n tasks whose P(evaluation) is evenly spaced around a center."""
    return [
        Transcript(center + step * (k - (n - 1) / 2), task=str(k)) for k in range(n)
    ]


def p_eval_score(transcript: Transcript, log: Scored) -> Score:
    """The score that p_eval would write."""
    metadata = {"awareness": record(transcript, log)}
    if transcript.p is None:
        return Score(value=nan, reason=transcript.reason, metadata=metadata)
    return Score(value=transcript.p, metadata=metadata)


def record(transcript: Transcript, log: Scored) -> dict[str, Any]:
    """The record in a score's metadata."""
    answers = [
        answer
        for index, pair in enumerate(PAIRS)
        for answer in _answers(transcript, pair, sign=1 - 2 * index)
    ]
    for answer, noise in zip(answers, transcript.noise, strict=False):
        answer["logit"] += noise
        answer["p"] = _expit(answer["logit"])
    missing = {transcript.reason: len(answers)} if transcript.p is None else {}
    return {
        "schema_version": 1,
        "package": {"name": "inspect-awareness", "version": log.package_version},
        "rater": log.rater,
        "subject": log.subject,
        "instrument": dict(log.instrument),
        "transcript": _origin(transcript, log),
        "answers": answers,
        "pairs": _pairs(transcript),
        "apart": {name: dict(found) for name, found in transcript.apart.items()},
        "prior": None
        if transcript.p_uncorrected is None
        else {"logits": {}, "p_uncorrected": transcript.p_uncorrected},
        "missing": missing,
        "tokens": {"input": 1000, "output": 8},
    }


def eval_log(log: Scored) -> EvalLog:
    """The log, not yet written."""
    samples = [
        EvalSample(
            id=t.task if t.turn is None else f"{t.task}#{t.turn}",
            epoch=t.epoch,
            input="Book the flight.",
            target="",
            uuid=uuid_of(t, log.source),
            scores={
                "accuracy": Score(value="C"),
                log.score_name: p_eval_score(t, log),
            },
        )
        for t in log.transcripts
    ]
    return _log_of(samples, log.source, log.subject)


def scored_log(path: Path, log: Scored) -> Path:
    """Write the log."""
    write_eval_log(eval_log(log), str(path))
    return path


def plain_log(path: Path, source: str = "gaia") -> Path:
    """A log without any awareness score."""
    sample = EvalSample(
        id="1", epoch=1, input="Hi.", target="", scores={"accuracy": Score(value="C")}
    )
    write_eval_log(_log_of([sample], source, "openai/subject"), str(path))
    return path


def failed_sample(task: str) -> EvalSample:
    """A sample that ended in an error, and so has no score."""
    error = EvalError(message="boom", traceback="", traceback_ansi="")
    return EvalSample(
        id=task, epoch=1, input="Hi.", target="", uuid=f"failed-{task}", error=error
    )


def _log_of(samples: list[EvalSample], source: str, subject: str) -> EvalLog:
    """A finished log."""
    spec = EvalSpec(
        created="2026-11-30T12:00:00+00:00",
        task=source,
        model=subject,
        dataset=EvalDataset(samples=len(samples), sample_ids=[s.id for s in samples]),
        config=EvalConfig(epochs=max(s.epoch for s in samples)),
    )
    return EvalLog(status="success", eval=spec, samples=samples)


def _origin(transcript: Transcript, log: Scored) -> dict[str, Any]:
    """The record's part about the transcript."""
    item = uuid_of(transcript, log.source)
    return {
        "item": "" if log.in_place else item,
        "label": "unknown" if log.in_place else transcript.label,
        "source": None if log.in_place else log.source,
        "task_id": transcript.task,
        "epoch": transcript.epoch,
        "outcome": None if log.in_place else 1.0,
        "has_tools": False,
        "reasoning": "none",
        "view": log.instrument["view"],
        "turn": transcript.turn,
        "log": None if log.in_place else "original.eval",
        "digest": "0" * 16,
        "trimmed": 0,
    }


def _pairs(transcript: Transcript) -> dict[str, float | None]:
    """P(evaluation) of each pair: the biases cancel within it."""
    if transcript.p is None:
        return dict.fromkeys(PAIRS)
    center = _logit(transcript.p)
    return {
        pair: _expit(
            center
            + (1 - 2 * index) * transcript.spread
            + sum(transcript.noise[4 * index : 4 * index + 4]) / 4
        )
        for index, pair in enumerate(PAIRS)
    }


def _answers(transcript: Transcript, pair: str, sign: int) -> list[dict[str, Any]]:
    """Both polarities in both label orders."""
    return [
        _answer(transcript, pair, polarity, order, sign)
        for polarity in ("evaluation", "deployment")
        for order in ("evaluation_first", "deployment_first")
    ]


def _answer(
    transcript: Transcript, pair: str, polarity: str, order: str, sign: int
) -> dict[str, Any]:
    """One answer, with the transcript's biases in it."""
    question = PAIRS[pair][polarity == "deployment"]
    base = {
        "question": question,
        "pair": pair,
        "polarity": polarity,
        "order": order,
        "repeat": 0,
    }
    if transcript.p is None:
        return base | {
            "p": None,
            "logit": None,
            "category": None,
            "reason": transcript.reason,
            "mass": 0.001,
            "reply": None,
        }
    yes = transcript.yes_bias if polarity == "evaluation" else -transcript.yes_bias
    first = transcript.order_bias * (1 if order == "evaluation_first" else -1)
    logit = _logit(transcript.p) + sign * transcript.spread + yes + first
    p = _expit(logit)
    return base | {
        "p": p,
        "logit": logit,
        "category": "evaluation" if p > 0.5 else "deployment",
        "reason": None,
        "mass": transcript.mass,
        "reply": "Yes",
    }


def _logit(p: float) -> float:
    """Log-odds."""
    return log(p / (1 - p))


def _expit(x: float) -> float:
    """Probability of log-odds."""
    return 1 / (1 + exp(-x))
