"""Questions x transcripts as a random design: how far the questions asked suffice."""

from dataclasses import dataclass
from math import isnan, nan
from typing import TYPE_CHECKING

import numpy as np

from inspect_awareness.claims import shown
from inspect_awareness.report._question_coefficients import (
    Coefficients,
    coefficients_of,
)
from inspect_awareness.report._question_design import (
    MODEL,
    TRANSCRIPT,
    design_of,
    notes_of,
    part_name,
    too_small,
)
from inspect_awareness.report._selection import Selection
from inspect_awareness.report._turns import last_beginnings
from inspect_awareness.stats import Estimate, component_estimates

if TYPE_CHECKING:
    from inspect_awareness.stats.generalizability import Fiducial


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
    short = too_small(cells)
    if short:
        return OverQuestions((), (), "none", (short,))
    try:
        design = design_of(cells, rng)
    except ValueError as ex:
        return OverQuestions((), (), "none", (str(ex),))
    several = MODEL in design.known.components.design.facets
    objects = (MODEL, TRANSCRIPT) if several else (TRANSCRIPT,)
    return OverQuestions(
        _parts(design.known, level),
        tuple(coefficients_of(design.known, each, chosen, level) for each in objects),
        design.known.components.method,
        notes_of(design),
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


def _parts(known: "Fiducial", level: float) -> tuple[Component, ...]:
    """The components with their shares."""
    estimates = component_estimates(known, level=level)
    shares = known.components.share.tolist()
    return tuple(
        Component(part_name(name), estimate, nan if share != share else share)
        for (name, estimate), share in zip(estimates.items(), shares, strict=True)
    )
