"""How far P(evaluation) over the questions asked ranks and places, and what it needs."""

from dataclasses import dataclass, replace
from math import isfinite, isnan, nan
from typing import TYPE_CHECKING, Literal

from inspect_awareness.claims import Claim
from inspect_awareness.report._question_design import PAIR
from inspect_awareness.report._selection import Selection, one_of
from inspect_awareness.stats import (
    Estimate,
    levels_needed,
    levels_needed_estimate,
    reliability,
)

if TYPE_CHECKING:
    from inspect_awareness.stats.generalizability import Fiducial

TARGET = 0.8
"""The coefficient that is asked for."""

MOST = 10_000
"""More pairs of questions than these nobody asks."""


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
        pairs = f"{_shown(self.k.value)} question pair"
        some = pairs if self.k.value == 1 else f"{pairs}s"
        return f"{some} would reach {self.target:g}{self._range}"

    @property
    def _range(self) -> str:
        """The interval of the number."""
        if not self.k.has_interval:
            return ""
        high = _shown(self.k.high) if isfinite(self.k.high) else "no number"
        return f" [{_shown(self.k.low)} to {high}]"


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


def _shown(pairs: float) -> str:
    """A number of pairs; beyond what anybody could ask it is rounding error."""
    return f"more than {MOST:,}" if pairs > MOST else f"{pairs:,.0f}"


def coefficients_of(
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
