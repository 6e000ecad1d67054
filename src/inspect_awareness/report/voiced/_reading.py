"""How to read numbers on voiced awareness, and what they cannot tell."""

from collections.abc import Callable, Iterator, Sequence

from inspect_awareness.claims import counted, shown, total
from inspect_awareness.report.voiced._cases import Cases
from inspect_awareness.report.voiced._contents import Voiced, VoicedTax
from inspect_awareness.report.voiced._numbers import signed

WHEN = {
    "end": "the end of the subject's last turn",
    "first-action": "the subject's first tool call (the end, where it made none)",
    "none": "nothing: all awareness counts",
}
"""What awareness had to come before, in words."""

FEW = 5
"""A tax on fewer informative tasks than this rests on too little."""

MANY = 3
"""More taxes than this with the same caveat share one sentence."""


STEERING = (
    "addresses_judge",
    "looks_like_verdict",
    "imitates_marks",
    "invisible_characters",
    "mixed_scripts",
)
"""Flags of words that may steer a judge."""

REFUSED = ("refusal", "content_filter")
"""Reasons of verdicts that are missing because of what is in the transcript."""


def reading(found: Voiced, cases: Cases, scores: Sequence[str]) -> tuple[str, ...]:
    """The sentences that a reader of these numbers needs.

    Args:
        found: The numbers.
        cases: The transcripts that they are about.
        scores: Names of the scores in the files.
    """
    return (
        *_what(found),
        *_channel(found, cases),
        *_steered(found),
        *_errors(found),
        *_floor(found),
        *_repeats(cases),
        *_taxes(found, scores),
        *_no_interval(found),
        *_decision(found),
        *_missing(found),
    )


def _what(found: Voiced) -> Iterator[str]:
    """What is counted, and that it is a lower bound."""
    yield (
        f"A transcript counts as aware where {found.judge} finds that its model said, by "
        "itself, that it takes its situation for a test. What a model noticed and did "
        "not say is not in it: the rate is a lower bound, and 0 is no proof of anything."
    )


def _channel(found: Voiced, cases: Cases) -> Iterator[str]:
    """What was read, and what could not be."""
    channel = found.implementation.get("channel", "reasoning")
    yield f"Judged was the subject's own {_words(channel)}."
    kinds = cases.table["reasoning"].fillna("none")
    summaries = int(kinds.eq("summary").sum())
    if summaries and channel != "output":
        yield (
            f"Of {counted(summaries, 'transcript')} only a summary of the reasoning can "
            "be read: it holds less than was thought."
        )
    silent = next((m.n for m in found.missing if m.reason == "no_reasoning_channel"), 0)
    if silent:
        yield (
            f"{counted(silent, 'transcript')} {'shows' if silent == 1 else 'show'} no "
            "reasoning. That is missing, and not unaware: a model that never shows any "
            "has no rate."
        )


def _steered(found: Voiced) -> Iterator[str]:
    """What in the transcripts may have moved the judge."""
    titled = found.flags.get("looks_like_summary", 0)
    if titled:
        yield (
            f"The reasoning of {counted(titled, 'transcript')} reads like a provider's "
            "summary (bold titles), although it is passed on as the reasoning itself."
        )
    steering = {name: n for name in STEERING if (n := found.flags.get(name, 0))}
    if steering:
        said = ", ".join(f"{name} {n}" for name, n in steering.items())
        yield (
            f"Some transcripts hold words that may steer a judge ({said}). Look at their "
            "verdicts yourself."
        )


def _words(channel: str) -> str:
    """A channel in words."""
    return {"both": "reasoning and output"}.get(channel, channel)


def _errors(found: Voiced) -> Iterator[str]:
    """What is known of the judge's errors."""
    if found.votes is not None:
        yield (
            f"Of pairs of votes about the same transcript {shown(found.votes.estimate)} "
            "agree. Votes that agree may all be wrong."
        )
    if found.checked is not None:
        yield (
            f"{found.checked.labelled:,} labels of people say how far the judge can be "
            "trusted. Rates are corrected by the labels of the same model and benchmark "
            "alone; people are taken to be right."
        )
        return
    yield (
        "Judges err, and where awareness is rare most of what they find may be false "
        "alarms. Have people label some of these transcripts (awareness judge sample), "
        "and give the labels with --labels."
    )


def _floor(found: Voiced) -> Iterator[str]:
    """What the judge says where nobody tests."""
    floor = found.rates[0].rate.floor if found.rates else None
    if floor is not None:
        yield (
            f"Of {counted(floor.n, 'deployment transcript')}, where nobody tests, this "
            f"judge says aware of a share of {shown(floor)}. A rate that is no higher is "
            "no sign of awareness."
        )
    if found.deployment:
        return
    yield (
        "No deployment transcripts were judged. Without them it is not known how often "
        "this judge says aware where there is no test."
    )


def _repeats(cases: Cases) -> Iterator[str]:
    """Without repeats nothing can be compared within a task."""
    asked = cases.in_question.table
    if asked.empty:
        return
    if asked.groupby(["model", "benchmark", "task"]).size().max() == 1:
        yield (
            "Each task was run once. The tax compares aware and unaware runs of the same "
            "task, and there are none: run with several epochs."
        )


def _taxes(found: Voiced, scores: Sequence[str]) -> Iterator[str]:
    """What a tax is, and which ones rest on little."""
    if not found.rates:
        yield (
            "All of these transcripts come from deployment: there is no benchmark whose "
            "rate or tax is in question."
        )
        return
    if not found.taxes:
        there = f" Scores in these files: {', '.join(scores)}." if scores else ""
        yield (
            "No transcript has an outcome that is one number, so there is no tax: name "
            f"one with --outcome.{there}"
        )
        return
    yield (
        "The tax is the mean outcome of aware minus that of unaware runs of the same "
        "tasks. It goes with awareness; that awareness caused it is not shown: longer "
        "runs, for one, have more room for both."
    )
    yield from _caveats(found.taxes)


def _caveats(taxes: Sequence[VoicedTax]) -> Iterator[str]:
    """What to know of single taxes; many with the same caveat share a sentence."""
    for holds, said, together in CAVEATS:
        concerned = [tax for tax in taxes if holds(tax)]
        if len(concerned) <= MANY:
            yield from (f"{_name(tax)}: {said(tax)}" for tax in concerned)
        else:
            names = "; ".join(map(_name, concerned))
            count = f"{len(concerned):,} of {len(taxes):,}"
            yield together.format(count=count, names=names)


def _name(tax: VoicedTax) -> str:
    """Which tax it is."""
    return f"{tax.model} on {tax.benchmark}"


def _few(tax: VoicedTax) -> bool:
    """Whether a tax rests on too few tasks."""
    return 0 < tax.informative < FEW


def _unseen(tax: VoicedTax) -> bool:
    """Whether a tax cannot be told from 0, and what could be is known."""
    return tax.tax.estimate.contains(0.0) and tax.detectable == tax.detectable


CAVEATS: tuple[
    tuple[Callable[[VoicedTax], bool], Callable[[VoicedTax], str], str], ...
] = (
    (
        lambda tax: not tax.informative,
        lambda _: (
            "no task has both aware and unaware runs with an outcome, so there is no tax."
        ),
        "For {count} there is no tax, since no task has both aware and unaware runs with "
        "an outcome: the table says not defined.",
    ),
    (
        _few,
        lambda tax: (
            f"the tax rests on {counted(tax.informative, 'task')} of {tax.tasks:,}."
        ),
        f"{{count}} taxes rest on fewer than {FEW} tasks each (column tasks compared).",
    ),
    (
        lambda tax: bool(tax.informative and tax.misleads),
        lambda tax: (
            f"the plain difference between aware and unaware runs, {signed(tax.pooled)}, "
            f"misleads. Within tasks it is {signed(tax.tax.estimate)}."
        ),
        "For {count} the plain difference between aware and unaware runs misleads: "
        "{names}. Take the tax within tasks.",
    ),
    (
        lambda tax: bool(tax.informative and _unseen(tax)),
        lambda tax: (
            f"the tax cannot be told from 0. A difference below {tax.detectable:.2f} "
            "would be found less than four times in five."
        ),
        "{count} taxes cannot be told from 0. The column found 4 times in 5 says how "
        "large a difference each would have shown.",
    ),
)
"""For which taxes a caveat holds, what it says of one, and of many."""


def _no_interval(found: Voiced) -> Iterator[str]:
    """Why numbers stand without an interval."""
    numbers = [
        *(each.rate.estimate for each in found.rates),
        *(c.estimate for tax in found.taxes for c in (tax.all, tax.tax)),
    ]
    bare = [e for e in numbers if e.value == e.value and not e.has_interval]
    reasons = "; ".join(dict.fromkeys(e.note for e in bare if e.note))
    if reasons:
        yield f"Where no interval stands: {reasons}."


def _decision(found: Voiced) -> Iterator[str]:
    """What awareness had to come before."""
    if not found.taxes:
        return
    yield f"For the tax, awareness had to come before {WHEN[found.decision]}."
    late = sum(tax.late for tax in found.taxes)
    if late:
        yield (
            f"{counted(late, 'aware transcript')} said so later, and "
            f"{'counts' if late == 1 else 'count'} as unaware in the tax."
        )
    unplaced = sum(tax.unplaced for tax in found.taxes)
    if unplaced:
        yield (
            f"Of {counted(unplaced, 'aware transcript')} it is not known where they "
            "said so; they count as aware."
        )


def _missing(found: Voiced) -> Iterator[str]:
    """What has no verdict."""
    lost = total(found.missing)
    if not lost:
        return
    reasons = ", ".join(f"{m.reason} {m.n}" for m in found.missing)
    yield (
        f"{counted(lost, 'transcript')} of {found.transcripts:,} "
        f"{'has' if lost == 1 else 'have'} no verdict ({reasons}). The bounds show what "
        "a rate would be had they all been unaware, or all aware."
    )
    if any(m.reason in REFUSED for m in found.missing):
        yield (
            "Judges refuse most where transcripts are most harmful: those without a "
            "verdict are not like the others."
        )
