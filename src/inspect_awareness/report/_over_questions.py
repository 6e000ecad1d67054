"""Questions x transcripts as a random design: how far the questions asked suffice."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isfinite, isnan, nan
from typing import TYPE_CHECKING, Literal

import numpy as np

from inspect_awareness.claims import Claim, counted, shown
from inspect_awareness.report._selection import Selection, one_of, optional, tasks_in
from inspect_awareness.report._turns import last_beginnings
from inspect_awareness.stats import (
    Estimate,
    component_estimates,
    fiducial,
    levels_needed,
    levels_needed_estimate,
    reliability,
    tabulated_components,
)

if TYPE_CHECKING:
    import pandas as pd

    from inspect_awareness.stats import Components
    from inspect_awareness.stats.generalizability import Fiducial

TARGET = 0.8
"""The coefficient that is asked for."""

MODEL, TRANSCRIPT, PAIR = "model", "transcript", "question pair"

_DRAWS = 5_000
_NAMES: Mapping[str, str] = {
    "model:transcript": "transcript (within a model)",
    "transcript:question pair": "transcript x question pair, and the rest",
    "model:question pair": "model x question pair",
    "model:question pair:transcript": "transcript x question pair, and the rest",
    "model:transcript:question pair": "transcript x question pair, and the rest",
}


@dataclass(frozen=True)
class Component:
    """One part of the variance of P(evaluation)."""

    name: str
    """What it is."""

    estimate: Estimate
    """The variance, no less than 0, with its interval."""

    share: float
    """Of the sum of all parts."""


@dataclass(frozen=True)
class Needed:
    """How many pairs of questions a coefficient needs."""

    target: float
    """The coefficient wanted."""

    k: Estimate
    """How many pairs; infinite where no number suffices."""

    limit: float
    """What ever more pairs approach."""

    @property
    def reachable(self) -> bool:
        """Whether some number suffices."""
        return isfinite(self.k.value)

    @property
    def sentence(self) -> str:
        """The number in words."""
        if isnan(self.k.value):
            return "the number of question pairs needed is not defined"
        if not self.reachable:
            return (
                f"no number of question pairs reaches {self.target:g} (the limit is "
                f"{self.limit:.2f})"
            )
        pairs = counted(int(self.k.value), "question pair")
        return f"{pairs} would reach {self.target:g}{self._range}"

    @property
    def _range(self) -> str:
        """The interval of the number."""
        if not self.k.has_interval:
            return ""
        high = f"{self.k.high:.0f}" if isfinite(self.k.high) else "no number"
        return f" [{self.k.low:.0f} to {high}]"


@dataclass(frozen=True)
class Coefficients:
    """How far P(evaluation) over the questions asked ranks and places its objects."""

    object_: str
    """What is told apart: `transcript` or `model`."""

    pairs: int
    """Pairs of questions averaged over."""

    ranking: Claim
    """E rho^2, the generalizability coefficient."""

    placing: Claim
    """Phi, the coefficient of dependability."""

    needed_for_ranking: Needed
    """Pairs that E rho^2 needs."""

    needed_for_placing: Needed
    """Pairs that Phi needs."""


@dataclass(frozen=True)
class OverQuestions:
    """Questions x transcripts (within models) as a random design."""

    components: tuple[Component, ...]
    """The parts of the variance; empty where there is no such design."""

    coefficients: tuple[Coefficients, ...]
    """Of the models, from two on, and of the transcripts."""

    method: str
    """How components were estimated."""

    notes: tuple[str, ...]
    """What the design ignores, or why there is none."""


def over_questions(
    chosen: Selection, *, level: float, rng: np.random.Generator
) -> OverQuestions:
    """How far P(evaluation) over the pairs asked ranks and places transcripts.

    Pairs of questions and transcripts (and models, from two on, with the transcripts
    within them) are taken as random samples; the value of a cell is P(evaluation) by
    one pair. With one model the object of measurement is the transcript. Of beginnings
    of transcripts (view `turns`) the last one counts.

    Args:
        chosen: The transcripts in question.
        level: Nominal coverage.
        rng: For the intervals.
    """
    cells = last_beginnings(chosen.pairs, chosen.view)
    cells = cells[cells["value"].notna()]
    short = _too_small(cells)
    if short:
        return OverQuestions((), (), "none", (short,))
    try:
        design = _design(cells, rng)
    except ValueError as ex:
        return OverQuestions((), (), "none", (str(ex),))
    several = MODEL in design.known.components.design.facets
    objects = (MODEL, TRANSCRIPT) if several else (TRANSCRIPT,)
    return OverQuestions(
        _parts(design.known, level),
        tuple(_coefficients(design.known, each, chosen, level) for each in objects),
        design.known.components.method,
        _notes(design),
    )


def design_sentence(design: OverQuestions) -> str:
    """What the design says, as it stands beside a claim's spread over questions."""
    parts = []
    for each in design.coefficients:
        ranking, placing = each.ranking.estimate, each.placing.estimate
        if isnan(ranking.value):
            continue
        parts.append(
            f"with these {each.pairs} pairs {each.object_}s are ranked with E rho^2 "
            f"{shown(ranking)} and placed with Phi {shown(placing)}; for ranking, "
            f"{each.needed_for_ranking.sentence}"
        )
    return "; ".join(parts)


def _too_small(cells: "pd.DataFrame") -> str:
    """Why there is no design; empty where there is one."""
    pairs, items = cells["instrument"].nunique(), cells["item"].nunique()
    if pairs < 2:
        return "fewer than 2 pairs of questions: how they differ cannot be seen"
    if items < 2:
        return "fewer than 2 scored transcripts: there is nothing to tell apart"
    if len(cells) == len(cells.drop_duplicates("item")):
        return "no transcript has two pairs of questions answered"
    return ""


@dataclass(frozen=True, eq=False)
class _Design:
    """Components of cells, and what was left out for them."""

    known: "Fiducial"
    cells: "pd.DataFrame"
    left_out: int


def _design(cells: "pd.DataFrame", rng: np.random.Generator) -> _Design:
    """Components of all cells; of whole transcripts where else nothing can be drawn.

    Where too many cells are missing for intervals, transcripts without an answer to
    some pair are left out, if these are at most half.
    """
    several = cells["subject"].fillna("unknown").nunique() > 1
    known = fiducial(_components(cells, several=several), rng=rng, draws=_DRAWS)
    pairs = cells["instrument"].nunique()
    answered = cells.groupby("item")["instrument"].transform("nunique")
    whole = cells[answered.eq(pairs)]
    kept, items = whole["item"].nunique(), cells["item"].nunique()
    drawn = not np.isnan(known.drawn).any()
    if drawn or several or kept == items or kept < max(2, items / 2):
        return _Design(known, cells, 0)
    again = fiducial(_components(whole, several=False), rng=rng, draws=_DRAWS)
    return _Design(again, whole, items - kept)


def _components(cells: "pd.DataFrame", *, several: bool) -> "Components":
    """Variance components of the cells."""
    labels = {
        TRANSCRIPT: cells["item"].tolist(),
        PAIR: cells["instrument"].tolist(),
    }
    if not several:
        return tabulated_components(cells["value"].to_numpy(), labels)
    models = cells["subject"].fillna("unknown").tolist()
    return tabulated_components(
        cells["value"].to_numpy(),
        {MODEL: models, **labels},
        nested={TRANSCRIPT: MODEL},
    )


def _parts(known: "Fiducial", level: float) -> tuple[Component, ...]:
    """The components with their shares."""
    estimates = component_estimates(known, level=level)
    shares = known.components.share.tolist()
    return tuple(
        Component(_NAMES.get(name, name), estimate, nan if share != share else share)
        for (name, estimate), share in zip(estimates.items(), shares, strict=True)
    )


def _coefficients(
    known: "Fiducial", object_: str, chosen: Selection, level: float
) -> Coefficients:
    """Both coefficients for one object of measurement, and the pairs that they need."""
    found = reliability(known, object_, level=level)
    pairs = round(known.components.averaged[PAIR])
    over = f"over {pairs} question pairs, for telling {object_}s apart"
    return Coefficients(
        object_,
        pairs,
        _claim(f"E rho^2 {over}", found.g_coefficient, chosen),
        _claim(f"Phi {over}", found.phi, chosen),
        _needed(known, object_, "g_coefficient", level),
        _needed(known, object_, "phi", level),
    )


def _needed(
    known: "Fiducial", object_: str, kind: Literal["g_coefficient", "phi"], level: float
) -> Needed:
    """The pairs of questions that a coefficient needs."""
    wanted = levels_needed(known.components, object_, PAIR, target=TARGET, kind=kind)
    k = levels_needed_estimate(known, object_, wanted, level=level)
    return Needed(
        TARGET, _plain(k), nan if wanted.limit != wanted.limit else wanted.limit
    )


def _claim(quantity: str, estimate: Estimate, chosen: Selection) -> Claim:
    """A coefficient as a claim; it needs neither reference nor floor."""
    subject = one_of(chosen.scores["subject"])
    return Claim(
        quantity,
        _plain(estimate),
        chosen.made.rater,
        subject,
        "all sources",
        counts="value",
        compared=False,
    )


def _plain(estimate: Estimate) -> Estimate:
    """The estimate with one kind of NaN, so that equal ones are equal."""
    value, low, high = (
        nan if x != x else x for x in (estimate.value, estimate.low, estimate.high)
    )
    return replace(estimate, value=value, low=low, high=high)


def _notes(design: _Design) -> tuple[str, ...]:
    """What the design ignores."""
    known, cells = design.known, design.cells
    items = cells.drop_duplicates("item")
    sources = len(set(optional(items["source"])))
    tasks = tasks_in(items)
    repeats = f", and that {counted(len(items), 'transcript')} repeat {counted(tasks, 'task')}"
    ignored = (
        "Ignored: that transcripts come from "
        f"{counted(sources, 'source')}{repeats if tasks < len(items) else ''}. What "
        "these share is counted as a difference between transcripts, and intervals "
        "are too narrow where they share much."
    )
    found = [
        ignored,
        "Each cell has one value, so that what only this pair does to only this "
        "transcript cannot be told from chance.",
        "Questions that agree may agree on length or topic: reliable is not the same "
        "as right.",
    ]
    if design.left_out:
        found.append(
            f"{counted(design.left_out, 'transcript')} without an answer to some pair "
            "are left out here: too many cells are missing for intervals with them."
        )
    missing = known.components.missing
    if missing:
        found.append(f"{counted(missing, 'cell')} of the design have no value.")
    unresolved = [_NAMES.get(n, n) for n in known.components.unresolved]
    if unresolved:
        found.append(
            f"Estimates below 0 are shown as 0: {', '.join(unresolved)} is not "
            "resolved by these data."
        )
    if known.note:
        found.append(f"{known.note[:1].upper()}{known.note[1:]}.")
    return tuple(found)
