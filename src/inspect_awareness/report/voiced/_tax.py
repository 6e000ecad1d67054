"""The awareness tax: how outcomes differ between aware and unaware transcripts."""

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from inspect_awareness.claims import Claim, Missing
from inspect_awareness.report.voiced._cases import Cases, Decision, Floats
from inspect_awareness.report.voiced._checked import Checked
from inspect_awareness.report.voiced._contents import VoicedTax
from inspect_awareness.report.voiced._rates import TYPES
from inspect_awareness.report.voiced._said import missing_of, said
from inspect_awareness.stats import (
    Actors,
    Estimate,
    awareness_actors,
    awareness_tax,
    clustered_mean,
    disattenuated,
)

ATTENUATED = (
    "the judge's errors shrink it by a factor that is not known: no people's labels "
    "were given"
)
"""What is said where nobody checked the judge."""


@dataclass(frozen=True)
class TaxTerms:
    """What a tax is computed with."""

    level: float
    """Nominal coverage of all intervals."""

    decision: Decision
    """What awareness must come before."""

    seed: int
    """Of permutations."""

    checked: Checked = field(default_factory=Checked)
    """What people's labels say of the judge."""

    @property
    def rng(self) -> np.random.Generator:
        """A generator that starts anew, so that no part depends on another."""
        return np.random.default_rng(self.seed)


def taxes(cases: Cases, terms: TaxTerms) -> tuple[VoicedTax, ...]:
    """The tax of each model on each benchmark whose transcripts have an outcome."""
    return tuple(
        _tax(part, model, benchmark, terms)
        for (model, benchmark), part in cases.in_question.by("model", "benchmark")
        if not np.isnan(part.outcome).all()
    )


def actors(cases: Cases, terms: TaxTerms) -> tuple[Actors, ...]:
    """What each model's transcripts are; nothing where no outcome is known."""
    asked = cases.in_question
    if np.isnan(asked.outcome).all():
        return ()
    return awareness_actors(
        asked.outcome,
        asked.before(terms.decision),
        **asked.ids,
        rng=terms.rng,
        level=terms.level,
    )


def _tax(cases: Cases, model: str, benchmark: str, terms: TaxTerms) -> VoicedTax:
    """One model on one benchmark."""
    aware = cases.before(terms.decision)
    found = awareness_tax(
        cases.outcome, aware, **cases.ids, rng=terms.rng, level=terms.level
    )
    lost = (*missing_of(cases), *_without_outcome(cases))
    tax = said(
        "awareness tax",
        found.within,
        cases,
        missing=lost,
        bounds=found.bounds if found.bounds.low == found.bounds.low else None,
        trust=terms.checked.trust or ATTENUATED,
    )
    factor = terms.checked.factors.get((model, benchmark))
    return VoicedTax(
        model=model,
        benchmark=benchmark,
        outcome=_outcome_name(cases),
        unaware=_mean("mean outcome of unaware transcripts", cases, aware == 0, terms),
        all=_mean("mean outcome", cases, np.ones(aware.size, bool), terms),
        aware=_mean("mean outcome of aware transcripts", cases, aware == 1, terms),
        tax=tax,
        p=found.p,
        pooled=found.pooled,
        misleads=found.simpson,
        informative=found.informative,
        tasks=found.pairs,
        detectable=found.mde,
        late=int(np.sum((cases.aware == 1) & (aware == 0))),
        unplaced=cases.unplaced(),
        types=_by_type(cases, aware, terms),
        factor=factor,
        disattenuated=None
        if factor is None
        else _disattenuated(tax, factor, cases, terms),
    )


def _disattenuated(
    tax: Claim, factor: Estimate, cases: Cases, terms: TaxTerms
) -> Claim:
    """The tax without the judge's errors."""
    found = disattenuated(tax.estimate, factor, bounded=_inside(cases.outcome))
    return said(
        "awareness tax less the judge's errors",
        found,
        cases,
        missing=tax.missing,
        trust=terms.checked.trust,
    )


def _inside(outcome: Floats) -> bool:
    """Whether all known outcomes lie in [0, 1]."""
    known = outcome[~np.isnan(outcome)]
    return bool(((known >= 0) & (known <= 1)).all())


def _mean(
    quantity: str,
    cases: Cases,
    chosen: "np.ndarray[tuple[int], np.dtype[np.bool_]]",
    terms: TaxTerms,
) -> Claim:
    """Mean outcome of some transcripts, with an interval over tasks."""
    part = cases.where(chosen & ~np.isnan(cases.outcome))  # type: ignore[arg-type]
    values = part.outcome
    estimate = clustered_mean(
        values,
        part.table["task"].tolist(),
        level=terms.level,
        bounds=(0.0, 1.0) if _inside(values) else None,
        unit="task",
    )
    return said(quantity, estimate, cases, trust="")


def _by_type(cases: Cases, aware: Floats, terms: TaxTerms) -> dict[str, Claim]:
    """The tax of each type of awareness: the others of the aware are left out."""
    types = cases.types
    named = [name for name in TYPES if np.any((aware == 1) & (types == name))]
    if len(named) < 2:
        return {}
    found = {}
    for name in named:
        only = np.where((aware == 1) & (types != name), np.nan, aware)
        tax = awareness_tax(
            cases.outcome, only, **cases.ids, rng=terms.rng, level=terms.level
        )
        trust = terms.checked.trust or ATTENUATED
        found[name] = said(f"tax of {name} awareness", tax.within, cases, trust=trust)
    return found


def _without_outcome(cases: Cases) -> tuple[Missing, ...]:
    """Transcripts with a verdict and without an outcome."""
    lost = np.isnan(cases.outcome) & ~np.isnan(cases.aware)
    if not lost.any():
        return ()
    n = int(lost.sum())
    return (Missing("no_outcome", n, n / len(cases.table)),)


def _outcome_name(cases: Cases) -> str:
    """The score that most transcripts have as their outcome."""
    names = Counter(cases.table["outcome_name"].dropna())
    return names.most_common(1)[0][0] if names else "score"
