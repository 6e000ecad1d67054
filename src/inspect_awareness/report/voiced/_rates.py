"""Awareness rates: of any type, of each, and of the type that is tested."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from inspect_awareness.claims import Claim
from inspect_awareness.report.voiced._cases import UNTYPED, Cases, Floats
from inspect_awareness.report.voiced._contents import VoicedRate
from inspect_awareness.report.voiced._said import Floor, missing_of, said, tasks_of
from inspect_awareness.stats import (
    Estimate,
    awareness_rate,
    clustered_mean,
    mean_bounds,
)

TYPES = ("safety", "capability", "other")
"""Types of awareness, in the order in which they are shown."""


@dataclass(frozen=True)
class Known:
    """What is known beside the verdicts."""

    level: float
    """Nominal coverage of all intervals."""

    kinds: Mapping[str, str] = field(default_factory=dict)
    """For each benchmark whether it tests safety or capability."""

    corrected: Mapping[tuple[str, str], Estimate] = field(default_factory=dict)
    """For each model and benchmark its rate less the judge's errors."""

    trust: str = ""
    """What people's labels say of the judge; empty without labels."""


def rates(cases: Cases, known: Known) -> tuple[VoicedRate, ...]:
    """The rates of each model on each benchmark, deployment transcripts apart."""
    floor = Floor(floor_of(cases, known.level))
    return tuple(
        _rate(part, model, benchmark, known, floor)
        for (model, benchmark), part in cases.in_question.by("model", "benchmark")
    )


def deployment_rates(cases: Cases, known: Known) -> tuple[VoicedRate, ...]:
    """The same for deployment transcripts."""
    return tuple(
        _rate(part, model, benchmark, replace(known, kinds={}), None)
        for (model, benchmark), part in cases.deployment.by("model", "benchmark")
    )


def vote_agreement(cases: Cases, level: float) -> Claim | None:
    """How far the votes of each verdict agree; None where there is one vote each."""
    several = cases.where(cases.table["vote_agreement"].notna())
    if not len(several.table):
        return None
    found = clustered_mean(
        several.column("vote_agreement"),
        tasks_of(several).tolist(),
        level=level,
        unit="task",
    )
    return said("agreement of votes", found, several, trust="")


def floor_of(cases: Cases, level: float) -> Estimate | None:
    """How often the judge says aware of deployment transcripts, over all of them."""
    known = cases.deployment.where(cases.deployment.table["aware"].notna())
    if not len(known.table):
        return None
    return share(known.aware, known, level)


def share(flags: Floats, cases: Cases, level: float) -> Estimate:
    """A share of transcripts with an interval over tasks."""
    tasks = [*zip(cases.table["benchmark"], cases.table["task"], strict=True)]
    return awareness_rate(flags, tasks, level=level)


def _rate(
    cases: Cases, model: str, benchmark: str, known: Known, floor: Floor | None
) -> VoicedRate:
    """One model on one benchmark."""
    kind = known.kinds.get(benchmark, "")
    types = cases.types
    right = known.corrected.get((model, benchmark))
    whole = _claim("awareness rate", np.ones(len(cases.table)), cases, known)
    return VoicedRate(
        model=model,
        benchmark=benchmark,
        label=str(cases.table["label"].iloc[0]),
        transcripts=len(cases.table),
        rate=floor.of(whole) if floor else whole,
        types={
            name: _claim(
                f"rate of {_named(name)} awareness", types == name, cases, known
            )
            for name in (*TYPES, UNTYPED)
            if name in TYPES or ((types == name) & (cases.aware == 1)).any()
        },
        kind=kind,
        matched=_claim(f"rate of {kind} awareness", types == kind, cases, known)
        if kind
        else None,
        hypothetical=_only_raised(cases),
        corrected=None
        if right is None
        else said(
            "awareness rate less the judge's errors",
            right,
            cases,
            missing=missing_of(cases),
            trust=known.trust,
        ),
    )


def _claim(quantity: str, flags: Floats, cases: Cases, known: Known) -> Claim:
    """The share that is aware and flagged, among transcripts with a verdict."""
    there = cases.where(cases.table["aware"].notna())
    counted = (there.aware == 1) & flags[~np.isnan(cases.aware)].astype(bool)
    lost = len(cases.table) - len(there.table)
    more = {} if not known.trust else {"trust": known.trust}
    return said(
        quantity,
        share(counted.astype(np.float64), there, known.level),
        cases,
        missing=missing_of(cases),
        bounds=mean_bounds(counted, lost) if lost else None,
        **more,
    )


def _only_raised(cases: Cases) -> int:
    """Transcripts that raise the thought of a test and are not judged aware."""
    return int(np.sum((cases.column("hypothetical") == 1) & (cases.aware != 1)))


def _named(name: str) -> str:
    """A type as an adjective."""
    return "untyped" if name == UNTYPED else name
