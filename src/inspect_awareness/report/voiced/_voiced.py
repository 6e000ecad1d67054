"""From verdicts to everything that a report says about awareness that was voiced."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from inspect_awareness.errors import InputError
from inspect_awareness.measurements import Measurements
from inspect_awareness.report._terms import Terms
from inspect_awareness.report.voiced._cases import (
    Cases,
    Decision,
    cases_of,
    checked_decision,
    judges,
)
from inspect_awareness.report.voiced._checked import Labelled, checked, labelled
from inspect_awareness.report.voiced._contents import Voiced
from inspect_awareness.report.voiced._lengths import lengths
from inspect_awareness.report.voiced._methods import methods
from inspect_awareness.report.voiced._overlap import shared_tasks, stability
from inspect_awareness.report.voiced._rates import (
    Known,
    deployment_rates,
    rates,
    vote_agreement,
)
from inspect_awareness.report.voiced._reading import reading
from inspect_awareness.report.voiced._said import missing_of
from inspect_awareness.report.voiced._shares import shares, shares_without
from inspect_awareness.report.voiced._tax import TaxTerms, actors, taxes


@dataclass(frozen=True)
class VoicedTerms:
    """What a reader knows beside the files."""

    kinds: Mapping[str, str] = field(default_factory=dict)
    """For each benchmark whether it tests safety or capability."""

    decision: Decision = "end"
    """What awareness must come before to count for the tax."""

    min_aware: int = 3
    """Aware runs that make a task stably aware."""

    labels: Path | None = None
    """People's labels of transcripts that `awareness judge sample` drew."""

    def __post_init__(self) -> None:
        """The decision is one that is known."""
        checked_decision(self.decision)


def all_voiced(
    scored: Measurements, everything: Measurements, terms: Terms, asked: VoicedTerms
) -> tuple[Voiced, ...]:
    """Everything by each judge and way of judging.

    Args:
        scored: The files in question.
        everything: The same with the reference.
        terms: Coverage and seed.
        asked: What is known of the benchmarks, and what counts as the decision.

    Raises:
        InputError: Something is said of a benchmark that was not judged, or labels are
            not of these verdicts.
    """
    _check_kinds(scored, asked.kinds)
    judged = judges(scored)
    by = labelled(scored, judged, asked.labels)
    return tuple(
        _voiced(cases_of(everything, made), everything, by, (terms, asked))
        for made in judged
    )


def _voiced(
    cases: Cases,
    everything: Measurements,
    by: Labelled | None,
    on: tuple[Terms, VoicedTerms],
) -> Voiced:
    """Everything by one judge who judged in one way."""
    terms, asked = on
    scores = sorted({name for file in everything.inputs for name in file.scores})
    right = checked(cases, by, terms)
    known = Known(terms.level, asked.kinds, right.corrected, right.trust)
    taxed = TaxTerms(terms.level, asked.decision, terms.seed, right)
    found = Voiced(
        judge=cases.made.rater,
        implementation={k: v for k, v in cases.made.fields.items() if k != "rater"},
        decision=asked.decision,
        transcripts=len(cases.table),
        missing=missing_of(cases),
        votes=vote_agreement(cases, terms.level),
        flags=dict(Counter(map(str, cases.flags["flag"]))),
        rates=rates(cases, known),
        deployment=deployment_rates(cases, known),
        taxes=taxes(cases, taxed),
        actors=actors(cases, taxed),
        shares=shares(cases, terms),
        shares_without=shares_without(cases, terms),
        lengths=lengths(cases, terms),
        least=asked.min_aware,
        stability=stability(cases, terms, asked.min_aware),
        shared=shared_tasks(cases, terms, asked.min_aware),
        methods=methods(cases, everything, terms),
        checked=right.judge,
        reading=(),
    )
    return replace(found, reading=reading(found, cases, scores))


def _check_kinds(measurements: Measurements, kinds: Mapping[str, str]) -> None:
    """Every benchmark of which something is said is there.

    Raises:
        InputError: One is not.
    """
    judged = measurements.values.loc[
        measurements.values["channel"].eq("verdict"), "item"
    ]
    items = measurements.items
    there = set(items.loc[items["item"].isin(judged), "source"].dropna())
    for name in kinds:
        if name not in there:
            raise InputError(
                f"--kind {name}: no such benchmark was judged; there are: "
                f"{', '.join(sorted(there)) or 'none'}"
            )
