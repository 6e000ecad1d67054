"""What `awareness score` says before it asks, and afterwards."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from inspect_awareness._counted import counted
from inspect_awareness.cli._shared import estimate_record, out, print_counts

if TYPE_CHECKING:
    from inspect_ai.model import Model

    from inspect_awareness.runs import Plan, Rated, Scored

WHY = {
    "nothing_feeds_p_eval": "none of the questions asked is one that makes P(eval)",
    "too_few_answers": "too few pairs of questions were answered (--min-answered)",
    "off_label": "the rater put too little probability on the labels (--min-mass)",
    "provider_error": "the provider failed",
    "refusal": "the rater refused",
    "invalid_format": "no label could be read in the replies",
    "empty": "the replies are empty",
    "truncated": "the replies were cut off (--max-tokens)",
    "content_filter": "the provider's filter withheld the replies",
    "undecided": "the rater did not decide",
    "no_prior": "no answer about content-free transcripts to subtract",
    "sample_error": "the sample ended in an error",
}
"""What the commonest reasons of unscored transcripts mean."""


def print_plans(
    plans: "Sequence[Plan]", raters: "Sequence[Model]", *, as_json: bool
) -> None:
    """What will be asked of each rater, and about how many tokens that takes."""
    found = plans[0].inventory
    if as_json:
        each = [
            _plan_record(plan, rater) for plan, rater in zip(plans, raters, strict=True)
        ]
        sums = ("answers", "input_tokens", "output_tokens")
        record = {
            "transcripts": found.transcripts,
            "skipped": dict(found.skipped),
            "questions": plans[0].questions,
            **{name: sum(plan[name] for plan in each) for name in sums},
            "model": str(raters[0]),
            "raters": each,
        }
        click.echo(json.dumps(record))
        return
    for plan, rater in zip(plans, raters, strict=True):
        out.print(
            f"{counted(found.transcripts, 'transcript')} x "
            f"{counted(plan.questions, 'question')}, "
            f"{counted(plan.calls, 'answer')} of {rater}: about "
            f"{counted(plan.input_tokens, 'token')} read, "
            f"{plan.output_tokens:,} written",
            markup=False,
            highlight=False,
        )
    print_counts("skipped", dict(found.skipped))


def _plan_record(plan: "Plan", rater: "Model") -> dict[str, Any]:
    """What one rater will be asked."""
    return {
        "model": str(rater),
        "answers": plan.calls,
        "input_tokens": plan.input_tokens,
        "output_tokens": plan.output_tokens,
    }


def print_scored(scored: "Scored", *, as_json: bool) -> None:
    """What came of it."""
    if as_json:
        click.echo(json.dumps(_scored_record(scored)))
        return
    for rated in scored.raters:
        _print_rated(rated, named=len(scored.raters) > 1)
    for path in scored.outputs:
        out.print(f"wrote {path}", markup=False, highlight=False)
    if scored.journals:
        kept = " and ".join(str(path) for path in scored.journals)
        out.print(
            f"the provider failed on some: with {kept} the same command and "
            "--overwrite asks about those again",
            markup=False,
            highlight=False,
        )


def _scored_record(scored: "Scored") -> dict[str, Any]:
    """The first rater's numbers, and those of all raters."""
    outputs = [str(path) for path in scored.outputs]
    each = [_rated_record(rated) for rated in scored.raters]
    return {
        "output": outputs[0] if len(outputs) == 1 else outputs,
        "skipped": dict(scored.skipped),
        **{name: value for name, value in each[0].items() if name != "rater"},
        "raters": each,
    }


def _rated_record(rated: "Rated") -> dict[str, Any]:
    """What came of one rater."""
    return {
        "rater": rated.rater,
        "scored": rated.scored,
        "unscored": dict(rated.unscored),
        "mean": estimate_record(rated.mean),
        "missing_answers": dict(rated.missing),
        "shortened": rated.trimmed,
        "unseen": dict(rated.unseen),
        "tokens": {
            "input": rated.tokens.input,
            "output": rated.tokens.output,
            "cached": rated.tokens.cached,
        },
        "price": rated.tokens.price,
    }


def _print_rated(rated: "Rated", *, named: bool) -> None:
    """One rater's mean, what is missing, and what it took."""
    of = f"{rated.rater}: " if named else ""
    out.print(f"{of}{_mean(rated)}", markup=False, highlight=False)
    if rated.scored and rated.mean.note:
        out.print(f"  {rated.mean.note}", markup=False, highlight=False)
    print_counts("unscored", dict(rated.unscored))
    print_counts("answers missing", dict(rated.missing))
    if rated.trimmed:
        few = counted(rated.trimmed, "transcript")
        out.print(f"  shortened to fit the rater: {few}", highlight=False)
    print_counts(
        "probabilities not given, so that sampled labels count", dict(rated.unseen)
    )
    out.print(f"  {_took(rated)}", markup=False, highlight=False)


def _mean(rated: "Rated") -> str:
    """Mean P(eval), or that there is none and why."""
    mean = rated.mean
    if rated.scored:
        ends = f" [{mean.low:.3f}, {mean.high:.3f}]" if mean.has_interval else ""
        return (
            f"{rated.scored} scored; mean P(eval) {mean.value:.3f}{ends}, "
            f"{counted(mean.clusters, mean.unit)}"
        )
    total = rated.unscored.total()
    if not total:
        return "nothing was left to score"
    ((reason, n),) = rated.unscored.most_common(1)
    why = WHY.get(reason, reason)
    most = "" if n == total else f"of {n} of them, "
    which = f"any of {total:,} transcripts" if total > 1 else "the one transcript"
    return f"no P(eval) of {which}: {most}{why}"


def _took(rated: "Rated") -> str:
    """Tokens of the replies, and their price where it is known."""
    used = rated.tokens
    if not used.input and not used.output:
        return "tokens: the provider did not say"
    cached = f", {used.cached:,} in a prompt cache" if used.cached else ""
    text = f"tokens: {used.input:,} read{cached}, {used.output:,} written"
    return text if used.price is None else f"{text}, at least ${used.price:,.2f}"
