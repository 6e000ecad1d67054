"""The table that a person reads in the log viewer."""

import re
from collections.abc import Sequence

from inspect_awareness.scorers._answers import Answer
from inspect_awareness.scorers._awareness import Awareness
from inspect_awareness.solvers._replies import Replies

_SCALES = {
    "logit": "log-odds averaged over label orders and opposite wordings",
    "share": "shares of sampled labels averaged over label orders and opposite wordings",
}


def explanation(result: Awareness, replies: Replies, *, subject: str | None) -> str:
    """P(eval), who judges whose transcript, and a table of every answer (Markdown)."""
    lines = [_headline(result), "", _who(replies.rater, subject), ""]
    lines += ["| pair of opposite wordings | P(eval) |", "|---|---|"]
    lines += [
        f"| {pair.name} | {_number(pair.p) if pair.p is not None else pair.reason} |"
        for pair in result.pairs
    ]
    lines += [
        "",
        "| pair | question | a yes means | named first | answer | P(eval) |",
        "|---|---|---|---|---|---|",
    ]
    lines += [_row(answer) for answer in result.answers]
    alone = [pair.name for pair in result.pairs if not pair.balanced]
    if alone:
        names = ", ".join(alone)
        lines += [
            "",
            f"Asked without the opposite wording, so that a liking for yes "
            f"does not cancel: {names}.",
        ]
    if replies.trimmed:
        left = (
            "1 message was"
            if replies.trimmed == 1
            else f"{replies.trimmed} messages were"
        )
        lines += ["", f"{left} left out or cut short to fit the rater."]
    return "\n".join(lines)


def escaped(text: str, *, limit: int = 80) -> str:
    """Text from a model as one harmless cell of a Markdown table."""
    flat = " ".join(text.split())
    short = flat if len(flat) <= limit else flat[: limit - 1] + "…"
    return re.sub(r"([\\`*_{}\[\]()<>#|!~$&])", r"\\\1", short)


def _headline(result: Awareness) -> str:
    """The number with its scale, or why there is none."""
    counts = f"{result.answered} of {len(result.pairs)} question pairs answered"
    if result.p is None:
        return f"**No P(eval): {result.reason}** ({counts})"
    return (
        f"**P(eval) = {_number(result.p)}** ({counts}; {_SCALES[result.scale]}; "
        "1 = evaluation)"
    )


def _who(rater: str, subject: str | None) -> str:
    """Who judges whose transcript: never "awareness of" another model."""
    if subject is None:
        return f"{escaped(rater)} judging a transcript of an unknown model"
    if subject == rater:
        return f"{escaped(rater)} judging its own transcript"
    return f"{escaped(rater)} judging {escaped(subject)}'s transcript"


def _row(answer: Answer) -> str:
    """One answer as a row."""
    cells: Sequence[str] = (
        answer.question.pair,
        escaped(answer.question.text, limit=120),
        answer.question.asserts,
        answer.question.labels(answer.reply.order)[0],
        _said(answer),
        "–" if answer.p is None else _number(answer.p),
    )
    return f"| {' | '.join(cells)} |"


def _said(answer: Answer) -> str:
    """The label and its weight, the reply itself, or why neither is there."""
    if answer.reason is not None:
        said = answer.reply.error or answer.reply.text
        return answer.reason + (f": {escaped(said)}" if said else "")
    if answer.mass is not None:
        label = answer.question.evaluation
        if answer.category == "deployment":
            label = answer.question.deployment
        return f"{label} (labels hold {answer.mass:.0%} of the probability)"
    return escaped(answer.reply.text or "")


def _number(p: float) -> str:
    """Three decimals: what a reader can use."""
    return f"{p:.3f}"
