"""How many levels of a facet would make a score reliable."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from typing import Literal

import numpy as np

from inspect_awareness.stats._arrays import Floats
from inspect_awareness.stats._estimate import Estimate
from inspect_awareness.stats.generalizability._components import Components
from inspect_awareness.stats.generalizability._d_study import (
    DStudy,
    Sizes,
    d_study,
    parts_of,
)
from inspect_awareness.stats.generalizability._fiducial import Fiducial, around

Kind = Literal["g_coefficient", "phi"]
"""For ranking objects, or for their level."""


@dataclass(frozen=True)
class LevelsNeeded:
    """How many levels of one facet reach a target, the others as stated."""

    facet: str
    """The facet."""

    kind: Kind
    """Which coefficient is to reach the target."""

    target: float
    """The coefficient wanted."""

    k: float
    """The smallest number; `inf` where no number suffices; NaN if undefined."""

    limit: float
    """The coefficient that ever more levels approach."""

    sizes: Mapping[str, float]
    """How many levels of the other facets are used."""

    @property
    def reachable(self) -> bool:
        """Whether some number suffices."""
        return isfinite(self.k)


def levels_needed(
    components: Components,
    object_: str,
    facet: str,
    *,
    target: float = 0.8,
    sizes: Sizes | None = None,
    fixed: Sequence[str] = (),
    kind: Kind = "g_coefficient",
) -> LevelsNeeded:
    """The smallest number of levels of a facet for which a coefficient reaches a target.

    The error is A + B / k, with A what other facets leave; so
    k = B / (universe (1 - target) / target - A), and none if the denominator is <= 0.

    Args:
        components: Of one data set.
        object_: The facet whose levels are measured.
        facet: The facet to have more of; not a fixed one.
        target: The coefficient wanted, in (0, 1).
        sizes: Numbers of levels of the other facets; as measured where not named.
        fixed: Facets that are not sampled.
        kind: `g_coefficient` for ranking objects, `phi` for their level.

    Returns:
        The number, and the limit of the coefficient.

    Raises:
        ValueError: The facet is the object, fixed or unknown, the target is outside
            (0, 1), or there is more than one data set.
    """
    _check_needed(components, object_, facet, target, fixed)
    other = {f: k for f, k in (sizes or {}).items() if f != facet}
    one = d_study(components, object_, {**other, facet: 1}, fixed=fixed)
    far = d_study(components, object_, {**other, facet: inf}, fixed=fixed)
    kept, first = _error(far, kind), _error(one, kind)
    limit = float(far.g_coefficient if kind == "g_coefficient" else far.phi)
    if far.universe == 0 and one.absolute > 0:
        limit = 0.0  # 0 for every k, though 0 / 0 in the limit
    given = {f: k for f, k in one.sizes.items() if f != facet}
    k = float(smallest(far.universe, first - kept, kept, target))
    return LevelsNeeded(facet, kind, target, k, limit, given)


def levels_needed_estimate(
    known: Fiducial,
    object_: str,
    wanted: LevelsNeeded,
    *,
    fixed: Sequence[str] = (),
    level: float = 0.95,
) -> Estimate:
    """The number of levels that `levels_needed` found, with its fiducial interval.

    Args:
        known: Components and draws, from `fiducial`.
        object_: The facet whose levels are measured.
        wanted: What `levels_needed` returned for these components.
        fixed: Facets that are not sampled, as given to `levels_needed`.
        level: Nominal coverage.

    Returns:
        The number; an end is `inf` where no number suffices, NaN without draws.
    """
    one = {**wanted.sizes, wanted.facet: 1.0}
    far = {**wanted.sizes, wanted.facet: inf}
    near, limit = (
        parts_of(known.components.design, object_, sizes, fixed) for sizes in (one, far)
    )
    relative = wanted.kind == "g_coefficient"
    first = near.relative if relative else near.absolute
    kept = limit.relative if relative else limit.absolute
    numbers = smallest(
        known.drawn @ near.universe,
        known.drawn @ (first - kept),
        known.drawn @ kept,
        wanted.target,
    )
    return around(known, np.asarray(wanted.k), numbers, level, object_)


def smallest(
    universe: Floats, per_level: Floats, kept: Floats, target: float
) -> Floats:
    """Smallest k with universe / (universe + kept + per_level / k) >= target.

    `inf` where there is none; NaN where nothing varies.
    """
    room = universe * (1 - target) / target - kept
    # rounding alone must not decide that there is room, or ask for one level too many
    some = room > 1e-12 * (universe + kept)
    k = np.ceil(per_level / np.where(some, room, 1.0) * (1 - 1e-12))
    found = np.where(some, np.maximum(k, 1.0), np.inf)
    return np.where(universe + per_level + kept > 0, found, np.nan)


def _error(study: DStudy, kind: Kind) -> Floats:
    """The error variance that belongs to a coefficient."""
    return study.relative if kind == "g_coefficient" else study.absolute


def _check_needed(
    components: Components,
    object_: str,
    facet: str,
    target: float,
    fixed: Sequence[str],
) -> None:
    """More of this facet can be had, and one target is asked of one data set."""
    components.design.position(facet)
    if components.raw.ndim != 1:
        raise ValueError("`levels_needed` takes the components of one data set")
    if facet == object_ or facet in components.design.above(object_) or facet in fixed:
        raise ValueError(
            f"{facet!r} is the object or fixed: its number cannot be raised"
        )
    if not 0 < target < 1:
        raise ValueError(f"target must be between 0 and 1, got {target}")
